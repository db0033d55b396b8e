// Derivatives of custom ops: by backward and of graphs, against finite differences, of any order.
#include "CustomOps.h"

#include "ingot/capture/Compiler.h"
#include "ingot/capture/Trace.h"

#include <optional>

namespace ingot {
namespace {

using namespace custom;

/// f64, so that finite differences tell: x * y and the scaled sum of both, and how many there are.
CustomOp mix() {
  auto rule = [](const Specs &in) { return Specs{in[0], in[0], spec(DType::I64, {1})}; };
  auto kernel = [](const In &in, const Out &out, const std::vector<CustomScalar> &scalars) {
    for (std::int64_t i = 0; i < in[0].num_elements; ++i) {
      const double x = in[0].as<double>()[i], y = in[2].as<double>()[i];
      out[0].as<double>()[i] = x * y;
      out[1].as<double>()[i] = std::get<double>(scalars[0]) * (x + y) + double(in[1].as<std::int64_t>()[0]);
    }
    *out[2].as<std::int64_t>() = in[0].num_elements;
  };
  return CustomOp::native("mix", rule, kernel)
      .with_gradient(
          [](const Tensors &in, const Tensors &, const Tensors &g, const std::vector<CustomScalar> &scalars) {
            const double scale = std::get<double>(scalars[0]);
            EXPECT_FALSE(g[2].state()) << "no gradient of an integer output";
            return Tensors{g[0] * in[2] + g[1] * scale, Tensor(), g[0] * in[0] + g[1] * scale};
          });
}

TEST(CustomOp, GradientByBackwardAndOfGraphs) {
  std::vector<float> want;
  for (float x : kX)
    want.push_back(1 / ((1 + std::fabs(x)) * (1 + std::fabs(x))));
  CustomOp op = smooth();
  auto f = [&](Tensor x) { return sum(op(x)[0]); };
  for (Device device : {Device::cpu(), Device::reference()}) {
    Tensor x = x_on(device.autodiff()).require_grad();
    Tensor loss = f(x);
    EXPECT_TRUE(loss.is_tracked());
    expect_near(loss.backward().of(x)->to_vector<float>(), want);
    expect_near(grad(f, {0})(x_on(device))[0].to_vector<float>(), want);
    expect_near(op(x_on(device.autodiff()))[0].inner().to_vector<float>(), kY); // untracked
  }
  Graph graph = capture(f, {spec(DType::F32, {5})});
  expect_near(compile(grad(graph, {0}))(x_on())[0].to_vector<float>(), want);
  expect_near(grad(graph, {0})(x_on())[0].to_vector<float>(), want);
  EXPECT_EQ(compiler().check(grad(graph, {0}).trace(), {}), "");
}

TEST(CustomOp, SecondOrderThroughTheOpsOfTheGradient) {
  CustomOp op = smooth();
  auto f = [&](Tensor x) { return sum(op(x)[0]); };
  auto g = [&](Tensor x) { return sum(grad(f, {0})(x)[0]); };
  std::vector<float> want;
  for (float x : kX)
    want.push_back(x == 0 ? 0 : (x < 0 ? 2.0f : -2.0f) / std::pow(1 + std::fabs(x), 3.0f));
  expect_near(compile(grad(capture(g, {spec(DType::F32, {5})}), {0}))(x_on())[0].to_vector<float>(), want);
  Tensor x = x_on(Device::cpu().autodiff()).require_grad();
  expect_near(g(x).backward().of(x)->to_vector<float>(), want);
}

/// sin by a kernel whose derivative is cos by a kernel whose derivative is -sin.
TEST(CustomOp, DerivativesMayCallTheirOwnOp) {
  auto make = [](const char *name, double (*f)(double)) {
    return CustomOp::native(name, same, [f](const In &in, const Out &out) {
      for (std::int64_t i = 0; i < in[0].num_elements; ++i)
        out[0].as<double>()[i] = f(in[0].as<double>()[i]);
    });
  };
  std::optional<CustomOp> sine, cosine;
  sine = make("sine", std::sin).with_gradient([&](const Tensors &in, const Tensors &, const Tensors &g) {
    return Tensors{g[0] * (*cosine)(in[0])[0]};
  });
  cosine = make("cosine", std::cos).with_gradient([&](const Tensors &in, const Tensors &, const Tensors &g) {
    return Tensors{-(g[0] * (*sine)(in[0])[0])};
  });
  auto d0 = [&](Tensor x) { return sum((*sine)(x)[0]); };
  auto d1 = [&](Tensor x) { return sum(grad(d0, {0})(x)[0]); };
  auto d2 = [&](Tensor x) { return sum(grad(d1, {0})(x)[0]); };
  Tensor x = Tensor::from<double>({0.3, 1.1}, {2});
  Graph third = grad(capture(d2, {spec(DType::F64, {2})}), {0});
  std::vector<double> got = compile(third)(x)[0].to_vector<double>();
  EXPECT_NEAR(got[0], -std::cos(0.3), 1e-14);
  EXPECT_NEAR(got[1], -std::cos(1.1), 1e-14);
}

CustomOp exponential() {
  return CustomOp::native("exponential", same,
                          [](const In &in, const Out &out) {
                            for (std::int64_t i = 0; i < in[0].num_elements; ++i)
                              out[0].as<float>()[i] = std::exp(in[0].as<float>()[i]);
                          })
      .with_gradient([](const Tensors &in, const Tensors &, const Tensors &g) {
        return Tensors{g[0] * exponential()(in[0])[0]}; // made anew each time
      });
}

TEST(CustomOp, DerivativesThatMakeTheirOwnOpEnd) {
  auto f = [](Tensor x) { return sum(exponential()(x)[0]); };
  auto slope = [&](Tensor x) { return sum(grad(f, {0})(x)[0]); };
  std::vector<float> want;
  for (float x : kX)
    want.push_back(std::exp(x));
  expect_near(compile(grad(capture(slope, {spec(DType::F32, {5})}), {0}))(x_on())[0].to_vector<float>(), want, 1e-4f);
}

TEST(CustomOp, DerivativesMayBeWrittenWithGrad) {
  CustomOp cube = CustomOp::native("native_cube", same, [](const In &in, const Out &out) {
                    for (std::int64_t i = 0; i < in[0].num_elements; ++i)
                      out[0].as<float>()[i] = std::pow(in[0].as<float>()[i], 3.0f);
                  }).with_gradient([](const Tensors &in, const Tensors &, const Tensors &g) {
    return Tensors{g[0] * grad([](Tensor t) { return sum(t * t * t); }, {0})(in[0])[0]};
  });
  auto f = [&](Tensor x) { return sum(cube(x)[0]); };
  auto slope = [&](Tensor x) { return sum(grad(f, {0})(x)[0]); };
  Graph graph = capture(f, {spec(DType::F32, {2})});
  Tensor x = Tensor::from<float>({2, -3}, {2});
  expect_near(compile(grad(graph, {0}))(x)[0].to_vector<float>(), {12, 27});
  expect_near(compile(grad(capture(slope, {spec(DType::F32, {2})}), {0}))(x)[0].to_vector<float>(), {12, -18});
  Tensor leaf = Tensor::from<float>({2, -3}, {2}, Device::reference().autodiff()).require_grad();
  expect_near(slope(leaf).backward().of(leaf)->to_vector<float>(), {12, -18});
}

TEST(CustomOp, SeveralInputsResultsAndScalarsHaveTheGradientOfFiniteDifferences) {
  CustomOp op = mix();
  const std::vector<double> x{0.5, -1, 2}, y{3, 0.25, -2};
  auto value = [&](const std::vector<double> &a, const std::vector<double> &b) {
    Tensors r =
        op(Tensor::from<double>(a, {3}), Tensor::from<std::int64_t>({7}, {1}), Tensor::from<double>(b, {3}), 1.5);
    EXPECT_EQ(r[2].to_vector<std::int64_t>(), std::vector<std::int64_t>{3});
    return sum(r[0] * r[0] + exp(r[1] * 0.1)).item<double>();
  };
  auto loss = [&](Tensor a, Tensor n, Tensor b) {
    Tensors r = op(a, n, b, 1.5);
    return sum(r[0] * r[0] + exp(r[1] * 0.1));
  };
  Specs specs{spec(DType::F64, {3}), spec(DType::I64, {1}), spec(DType::F64, {3})};
  Tensors args{Tensor::from<double>(x, {3}), Tensor::from<std::int64_t>({7}, {1}), Tensor::from<double>(y, {3})};
  Tensors symbolic = compile(grad(capture(loss, specs), {0, 2}))(args);
  Device device = Device::cpu().autodiff();
  Tensor a = Tensor::from<double>(x, {3}, device).require_grad(),
         b = Tensor::from<double>(y, {3}, device).require_grad();
  Gradients tape = loss(a, args[1], b).backward();
  for (std::size_t i = 0; i < 3; ++i)
    for (bool first : {true, false}) {
      auto moved = [&](double h) {
        std::vector<double> p = x, q = y;
        (first ? p : q)[i] += h;
        return value(p, q);
      };
      const double numeric = (moved(1e-6) - moved(-1e-6)) / 2e-6;
      EXPECT_NEAR(symbolic[first ? 0 : 1].to_vector<double>()[i], numeric, 1e-6);
      EXPECT_NEAR(tape.of(first ? a : b)->to_vector<double>()[i], numeric, 1e-6);
    }
  // One result alone: the other's cotangent is zero, and unread results are still written somewhere.
  auto first = [&](Tensor p, Tensor n, Tensor q) { return sum(op(p, n, q, 1.5)[0]); };
  Tensors alone = compile(grad(capture(first, specs), {0, 2}))(args);
  EXPECT_EQ(alone[0].to_vector<double>(), y);
  EXPECT_EQ(alone[1].to_vector<double>(), x);
}

TEST(CustomOp, GradientsOfFloatsAloneAndNone) {
  auto rule = [](const Specs &in) { return Specs{in[1]}; };
  CustomOp op = CustomOp::native("second", rule, [](const In &in, const Out &out) {
                  std::copy_n(in[1].as<float>(), in[1].num_elements, out[0].as<float>());
                }).with_gradient([](const Tensors &, const Tensors &out, const Tensors &g) {
    EXPECT_EQ(out.size(), 1u);
    return Tensors{g[0], Tensor()}; // of the two floats
  });
  auto f = [&](Tensor n, Tensor a, Tensor b) { return sum(op(n, a, b)[0] * a); };
  Tensors r = compile(grad(capture(f, {spec(DType::I64, {1}), spec(DType::F32, {2}), spec(DType::F32, {2})}), {1, 2}))(
      Tensor::zeros({1}, DType::I64), Tensor::from<float>({2, 3}, {2}), Tensor::ones({2}));
  expect_near(r[0].to_vector<float>(), {4, 6});
  expect_near(r[1].to_vector<float>(), {0, 0});
}

TEST(CustomOp, OpsThatNoGradientPassesNeedNone) {
  CustomOp op = softsign();
  Tensor x = x_on();
  auto slope = [&](const Graph &graph) { return compile(grad(graph, {0}))(x)[0].to_vector<float>(); };
  const Specs one{spec(DType::F32, {5})};
  expect_near(slope(capture([&](Tensor t) { return sum(t * op(stop_gradient(t))[0]); }, one)), kY);
  expect_near(slope(capture([&](Tensor t) { return std::pair(sum(t * t), op(t)[0]); }, one)), twice(kX));
  Graph two =
      capture([&](Tensor a, Tensor b) { return sum(a * op(b)[0]); }, {spec(DType::F32, {5}), spec(DType::F32, {5})});
  expect_near(compile(grad(two, {0}))(x, x)[0].to_vector<float>(), kY);
  EXPECT_EQ(message_of<GradientError>([&] { grad(two, {1}); }).substr(0, 53),
            "[grad] Autodiff not supported for custom op `softsign");
}

} // namespace
} // namespace ingot
