#include "Libraries.h"
#include "Program.h"

#ifdef INGOT_BENCH_ONEDNN
#include <dlfcn.h>
#include <dnnl.hpp>

namespace bench {
namespace {

using dnnl::memory;

/// Debian's oneDNN runs on OpenMP.
void use_threads(int threads) {
  if (auto set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads")))
    set(threads);
}

struct Engine {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};

  memory make(const memory::desc &desc, const Memory &of) { return memory(desc, engine, of.data()); }
};

memory::desc matrix(std::int64_t rows, std::int64_t columns, bool transposed = false) {
  return {{rows, columns}, memory::data_type::f32, transposed ? memory::format_tag::ba : memory::format_tag::ab};
}

template <class Primitive>
Contender contender(Engine engine, Primitive primitive, std::unordered_map<int, memory> arguments, double start) {
  return {"onednn", loop([=]() mutable {
            primitive.execute(engine.stream, arguments);
            engine.stream.wait();
          }),
          now() - start};
}

} // namespace

void add_onednn_product(std::vector<Contender> &list, const Product &p, const Options &options) {
  const double start = now();
  use_threads(options.threads);
  Engine engine;
  const Memory a(f32({p.m, p.k})), b(f32({p.k, p.n}), 1), bias(f32({1, p.n}), 2), c(f32({p.m, p.n}));
  const memory::desc a_desc = matrix(p.m, p.k, p.transpose_a), b_desc = matrix(p.k, p.n, p.transpose_b),
                     bias_desc = matrix(1, p.n), c_desc = matrix(p.m, p.n);
  dnnl::primitive_attr attributes;
  std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, engine.make(a_desc, a)},
                                            {DNNL_ARG_WEIGHTS, engine.make(b_desc, b)},
                                            {DNNL_ARG_DST, engine.make(c_desc, c)}};
  dnnl::matmul::desc desc(a_desc, b_desc, c_desc);
  if (p.epilogue == Epilogue::BiasGelu) {
    dnnl::post_ops after;
    after.append_eltwise(1, dnnl::algorithm::eltwise_gelu_erf, 0, 0);
    attributes.set_post_ops(after);
    desc = dnnl::matmul::desc(a_desc, b_desc, bias_desc, c_desc);
    arguments.emplace(DNNL_ARG_BIAS, engine.make(bias_desc, bias));
  }
  dnnl::matmul primitive(dnnl::matmul::primitive_desc(desc, attributes, engine.engine));
  auto keep = [=, run = contender(engine, primitive, arguments, start)](long n) {
    (void)a, (void)b, (void)bias, (void)c;
    return run.run(n);
  };
  list.push_back({"onednn", keep, now() - start});
}

void add_onednn_rowwise(std::vector<Contender> &list, const std::string &kind, std::int64_t rows, std::int64_t columns,
                        const Options &options) {
  const double start = now();
  use_threads(options.threads);
  Engine engine;
  const Memory x(f32({rows, columns})), y(f32({rows, columns})), scale(f32({columns}), 1), shift(f32({columns}), 2);
  const memory::desc desc = matrix(rows, columns), row{{columns}, memory::data_type::f32, memory::format_tag::a};
  std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, engine.make(desc, x)}, {DNNL_ARG_DST, engine.make(desc, y)}};
  const auto inference = dnnl::prop_kind::forward_inference;
  dnnl::primitive primitive;
  if (kind == "softmax") {
    primitive = dnnl::softmax_forward({{inference, desc, 1}, engine.engine});
  } else if (kind == "gelu") {
    primitive = dnnl::eltwise_forward({{inference, dnnl::algorithm::eltwise_gelu_erf, desc, 0, 0}, engine.engine});
  } else {
    using flags = dnnl::normalization_flags;
    primitive = dnnl::layer_normalization_forward(
        {{inference, desc, 1e-5f, flags::use_scale | flags::use_shift}, engine.engine});
    arguments.emplace(DNNL_ARG_SCALE, engine.make(row, scale));
    arguments.emplace(DNNL_ARG_SHIFT, engine.make(row, shift));
  }
  auto keep = [=, run = contender(engine, primitive, arguments, start)](long n) {
    (void)x, (void)y, (void)scale, (void)shift;
    return run.run(n);
  };
  list.push_back({"onednn", keep, now() - start});
}

} // namespace bench
#else
namespace bench {
void add_onednn_product(std::vector<Contender> &, const Product &, const Options &) {}
void add_onednn_rowwise(std::vector<Contender> &, const std::string &, std::int64_t, std::int64_t, const Options &) {}
} // namespace bench
#endif
