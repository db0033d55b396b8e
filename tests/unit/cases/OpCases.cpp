#include "OpCases.h"

namespace cases {

using namespace ingot;

namespace {

const std::vector<DType> kFloats{DType::F32, DType::F64};
const std::vector<DType> kNumbers{DType::F32, DType::F64, DType::I32, DType::I64};
using Args = const std::vector<Tensor> &;

/// The shapes every pointwise op meets: rank 0, sizes 0 and 1, primes, one that is cut into tasks.
std::vector<Shape> pointwise_shapes() { return {{}, {0}, {1}, {7}, {3, 1, 5}, {13, 37}, {129, 257}}; }

void add_unary(std::vector<OpCase> &all, const std::string &name, std::function<Tensor(Tensor)> f, double low,
               double high, bool gradient = true, std::vector<DType> dtypes = {}) {
  for (const Shape &shape : pointwise_shapes())
    all.push_back({name + "_" + shape.str(),
                   [f](Args a) { return f(a[0]); },
                   {shape},
                   dtypes,
                   low,
                   high,
                   gradient && shape.num_elements() < 600});
}

void add_binary(std::vector<OpCase> &all, const std::string &name, std::function<Tensor(Tensor, Tensor)> f, double low,
                double high, bool gradient = true, std::vector<DType> dtypes = {}) {
  for (const Shape &shape : pointwise_shapes())
    all.push_back({name + "_" + shape.str(),
                   [f](Args a) { return f(a[0], a[1]); },
                   {shape, shape},
                   dtypes,
                   low,
                   high,
                   gradient && shape.num_elements() < 600});
  all.push_back(
      {name + "_broadcast", [f](Args a) { return f(a[0], a[1]); }, {{5, 1, 7}, {3, 1}}, dtypes, low, high, gradient});
}

void add_elementwise(std::vector<OpCase> &all) {
#define CASE_UNARY(NAME, LOW, HIGH, GRADIENT, DTYPES)                                                                  \
  add_unary(all, #NAME, [](Tensor x) { return NAME(x); }, LOW, HIGH, GRADIENT, DTYPES);
#define CASE_BINARY(NAME, LOW, HIGH, GRADIENT, DTYPES)                                                                 \
  add_binary(all, #NAME, [](Tensor a, Tensor b) { return NAME(a, b); }, LOW, HIGH, GRADIENT, DTYPES);
#include "Elementwise.inc"
#undef CASE_UNARY
#undef CASE_BINARY
  add_unary(all, "gelu", [](Tensor x) { return gelu(x); }, -3, 3);
  add_unary(all, "silu", [](Tensor x) { return silu(x); }, -3, 3);
  add_unary(all, "softplus", [](Tensor x) { return softplus(x); }, -3, 3);
  add_binary(all, "where", [](Tensor a, Tensor b) { return where(gt(a, b), a * 2.0, b); }, -3, 3);
  add_binary(all, "remainder", [](Tensor a, Tensor b) { return remainder(a, b); }, 0.5, 4, true, kNumbers);
  add_binary(all, "logical_and", [](Tensor a, Tensor b) { return logical_and(gt(a, 0), gt(b, 0)); }, -3, 3, false);
  add_binary(all, "logical_or", [](Tensor a, Tensor b) { return logical_or(gt(a, 0), gt(b, 0)); }, -3, 3, false);
  add_unary(all, "logical_not", [](Tensor x) { return logical_not(gt(x, 0)); }, -3, 3, false);
  add_unary(all, "convert", [](Tensor x) { return x.to(DType::I32).to(DType::F64); }, -9, 9, false, kNumbers);
}

void add_shape(std::vector<OpCase> &all) {
  all.push_back({"transpose", [](Args a) { return transpose(a[0] * 2, {2, 0, 1}); }, {{3, 5, 7}}, kNumbers});
  all.push_back({"reshape", [](Args a) { return reshape(a[0] * 2, {7, -1}) + 1; }, {{3, 5, 7}}, kNumbers});
  all.push_back({"slice", [](Args a) { return slice(a[0], {1, 0}, {11, 30}, {3, 2}); }, {{12, 31}}, kNumbers});
  all.push_back({"concat", [](Args a) { return concat({a[0], a[1] * 2, a[0]}, 1); }, {{3, 5}, {3, 11}}, kNumbers});
  all.push_back({"concat_rows", [](Args a) { return concat({a[0], a[1]}, 0); }, {{3, 17}, {0, 17}}, kNumbers});
  all.push_back({"pad", [](Args a) { return pad(a[0] + 1, {2, 0}, {1, 3}, 5); }, {{3, 9}}, kNumbers});
  all.push_back({"flip", [](Args a) { return flip(a[0], {0, 1}); }, {{3, 19}}, kNumbers});
  all.push_back({"stack", [](Args a) { return stack({a[0], a[1]}, -1); }, {{3, 9}, {3, 9}}, kNumbers});
}

void add_reductions(std::vector<OpCase> &all) {
  const std::vector<std::pair<Shape, Axes>> places{
      {{5}, {}},     {{7, 13}, {1}}, {{7, 13}, {0}}, {{3, 5, 70}, {0, 2}}, {{3, 5, 7}, {1}}, {{2, 3, 130}, {1, 2}},
      {{1, 1}, {0}}, {{0, 4}, {1}},  {{20000}, {}},  {{70, 300}, {}}};
  for (auto &[shape, axes] : places) {
    const std::string at =
        shape.str() + "_" + std::to_string(axes.size()) + (axes.all() ? "" : "_" + std::to_string(axes[0]));
    auto add = [&](const char *name, std::function<Tensor(Tensor)> f, double tolerance = 20) {
      all.push_back({name + ("_" + at),
                     [f](Args a) { return f(a[0]); },
                     {shape},
                     {},
                     0.5,
                     1.5,
                     shape.num_elements() < 600,
                     tolerance});
    };
    Axes where = axes;
    add("sum", [where](Tensor x) { return sum(x * x, where); });
    add("mean", [where](Tensor x) { return mean(x, where, true); });
    add("max", [where](Tensor x) { return max(x, where); });
    add("min", [where](Tensor x) { return min(x, where); });
    add("logsumexp", [where](Tensor x) { return logsumexp(x, where); });
    if (shape.num_elements() < 600)
      add("prod", [where](Tensor x) { return prod(x, where); });
  }
  all.push_back({"argmax", [](Args a) { return argmax(a[0], 1); }, {{7, 37}}, kNumbers, -9, 9, false});
  all.push_back({"argmin", [](Args a) { return argmin(a[0], 0, true); }, {{37, 9}}, kNumbers, -9, 9, false});
  all.push_back({"softmax", [](Args a) { return softmax(a[0] * 3, 1); }, {{5, 19}}, {}, -2, 2, true, 20});
  all.push_back({"softmax_0", [](Args a) { return softmax(a[0] * 3, 0); }, {{5, 19}}, {}, -2, 2, true, 20});
  all.push_back({"log_softmax", [](Args a) { return log_softmax(a[0] * 3, -1); }, {{5, 70}}, {}, -2, 2, true, 20});
  all.push_back(
      {"layer_norm", [](Args a) { return layer_norm(a[0], a[1], a[2]); }, {{5, 33}, {33}, {33}}, {}, -2, 2, true, 100});
  all.push_back({"var", [](Args a) { return var(a[0], 0); }, {{5, 33}}, {}, -2, 2, true, 20});
}

void add_products(std::vector<OpCase> &all) {
  const std::vector<std::pair<Shape, Shape>> pairs{
      {{5, 7}, {7, 3}},          {{1, 64}, {64, 33}},  {{13, 1}, {1, 17}},    {{31, 70}, {70}},
      {{70}, {70, 19}},          {{9}, {9}},           {{4, 0}, {0, 3}},      {{2, 5, 7}, {2, 7, 3}},
      {{2, 1, 5, 7}, {3, 7, 9}}, {{64, 64}, {64, 64}}, {{37, 130}, {130, 41}}};
  for (auto &[a, b] : pairs)
    all.push_back({"matmul_" + a.str() + "_" + b.str(),
                   [](Args x) { return matmul(x[0], x[1]); },
                   {a, b},
                   kNumbers,
                   -2,
                   2,
                   a.num_elements() + b.num_elements() < 300,
                   50});
  all.push_back(
      {"matmul_tn", [](Args x) { return matmul(transpose(x[0]), x[1]); }, {{29, 13}, {29, 17}}, {}, -2, 2, false, 50});
  all.push_back(
      {"matmul_nt", [](Args x) { return matmul(x[0], transpose(x[1])); }, {{29, 13}, {17, 13}}, {}, -2, 2, false, 50});
  // Products in several parts: rows, columns and depths past a part's size, with ragged ends; few rows; one column.
  auto product = [&](std::string name, auto f, std::vector<Shape> shapes, std::vector<DType> dtypes = {}) {
    all.push_back({std::move(name), f, std::move(shapes), std::move(dtypes), -2, 2, false, 200});
  };
  auto plain = [](Args x) { return matmul(x[0], x[1]); };
  auto right = [](Args x) { return matmul(x[0], transpose(x[1])); };
  auto left = [](Args x) { return matmul(transpose(x[0]), x[1]); };
  product("matmul_parts", plain, {{263, 601}, {601, 277}}, {DType::F32, DType::F32});
  product("matmul_parts_i64", plain, {{13, 550}, {550, 37}}, {DType::I64, DType::I64});
  product("matmul_parts_nt", right, {{70, 550}, {277, 550}}, {DType::F32, DType::F32});
  product("matmul_parts_tn", left, {{1100, 130}, {1100, 35}}, {DType::F32, DType::F32});
  product("matmul_prologues", [](Args x) { return gelu(matmul(relu(x[0]) + x[0], x[1] * x[1]) + x[2]); },
          {{70, 550}, {550, 67}, {67}});
  product("matmul_batch_parts", plain, {{3, 70, 90}, {3, 90, 70}});
  for (std::int64_t rows : {1, 2, 3, 5, 8, 9})
    for (std::int64_t columns : {1, 9, 150}) {
      const std::string size = "_" + std::to_string(rows) + "x" + std::to_string(columns);
      product("matmul_few_rows" + size, plain, {{rows, 85}, {85, columns}});
      product("matmul_few_rows_nt" + size, right, {{rows, 85}, {columns, 85}});
    }
  product("matmul_one_column", plain, {{150, 85}, {85, 1}});
  product("matmul_one_column_tn", left, {{85, 150}, {85, 1}});
  product("matmul_one_column_batch", plain, {{3, 37, 21}, {3, 21, 1}});
  product("matmul_few_rows_epilogue", [](Args x) { return relu(matmul(x[0], x[1]) + x[2]) * x[3]; },
          {{2, 85}, {85, 150}, {150}, {2, 1}});
  all.push_back({"linear_gelu",
                 [](Args x) { return gelu(matmul(x[0], x[1]) + x[2]); },
                 {{7, 9}, {9, 5}, {5}},
                 {},
                 -1,
                 1,
                 true,
                 50});
  all.push_back({"einsum",
                 [](Args x) { return einsum("bij,bkj->bik", {x[0], x[1]}); },
                 {{2, 3, 5}, {2, 4, 5}},
                 {},
                 -1,
                 1,
                 true,
                 50});
}

void add_indexing(std::vector<OpCase> &all) {
  auto indices = [](Args a, std::vector<std::int64_t> list, Shape shape) {
    return Tensor::from<std::int64_t>(list, shape, a[0].device());
  };
  all.push_back({"take_along_axis",
                 [=](Args a) { return take_along_axis(a[0], indices(a, {2, -1, 0, 4, 3, 3}, {3, 2}), 1); },
                 {{3, 5}},
                 kNumbers});
  all.push_back(
      {"take_rows", [=](Args a) { return take(a[0], indices(a, {2, 0, 2, -1}, {2, 2}), 0); }, {{3, 19}}, kNumbers});
  all.push_back(
      {"take_columns", [=](Args a) { return take(a[0], indices(a, {2, 0, 2, -1}, {4}), 1); }, {{3, 19}}, kNumbers});
  all.push_back({"one_hot", [](Args a) { return one_hot(argmax(a[0], 1), 5); }, {{3, 5}}, kNumbers, -9, 9, false});
  all.push_back({"cross_entropy",
                 [=](Args a) { return cross_entropy(a[0] * 3, indices(a, {2, 0, 1, 4, 3}, {5})); },
                 {{5, 6}},
                 {},
                 -1,
                 1,
                 true,
                 20});
}

/// x / (1 + |x|), by a kernel of ours and a derivative written in ops.
CustomOp softsign() {
  auto kernel = [](const std::vector<ConstBuffer> &in, const std::vector<MutableBuffer> &out) {
    visit_dtype(in[0].dtype, [&]<class T>() {
      if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
        for (std::int64_t i = 0; i < in[0].num_elements; ++i) {
          const T x = in[0].as<T>()[i];
          out[0].as<T>()[i] = static_cast<T>(x / (1 + (x < 0 ? -x : x)));
        }
    });
  };
  return CustomOp::native(
             "softsign", [](const std::vector<TensorSpec> &in) { return in; }, kernel)
      .with_gradient([](Args in, Args, Args gradients) {
        Tensor a = 1.0 + abs(in[0]);
        return std::vector<Tensor>{gradients[0] / (a * a)};
      });
}

void add_custom(std::vector<OpCase> &all) {
  add_unary(all, "custom_call", [op = softsign()](Tensor x) { return op(x)[0]; }, -3, 3);
  all.push_back({"custom_call_between",
                 [op = softsign()](Args a) { return sum(op(exp(a[0]) * a[1])[0] + a[1], 1); },
                 {{13, 37}, {37}},
                 {},
                 -2,
                 2,
                 true,
                 20});
  auto cube = CustomOp::expression("cube", [](Tensor x) { return x * x * x; });
  add_unary(all, "cube", [cube](Tensor x) { return cube(x)[0]; }, -3, 3, true, kNumbers);
}

} // namespace

std::vector<OpCase> op_cases() {
  std::vector<OpCase> all;
  add_elementwise(all);
  add_shape(all);
  add_reductions(all);
  add_products(all);
  add_indexing(all);
  add_custom(all);
  return all;
}

std::vector<std::pair<std::string, std::function<Tensor(Tensor)>>> unary_functions() {
  return {
#define CASE_UNARY(NAME, ...) {#NAME, [](Tensor x) { return NAME(x); }},
#define CASE_BINARY(...)
#include "Elementwise.inc"
#undef CASE_UNARY
#undef CASE_BINARY
  };
}

} // namespace cases
