#include "Values.h"

#include "ingot/capture/Trace.h"

namespace ingot {
namespace {

TEST(Capture, TakesAndGivesTensorsInManyForms) {
  const TensorSpec x = spec(DType::F32, {2}, "x"), y = spec(DType::F32, {2}, "y");
  EXPECT_EQ(capture([](Tensor a, Tensor b) { return a + b; }, {x, y}).outputs().size(), 1u);
  EXPECT_EQ(capture([](std::vector<Tensor> in) { return in; }, {x, y}).outputs().size(), 2u);
  EXPECT_EQ(capture([](const std::vector<Tensor> &in) { return in[0]; }, {x, y}).outputs().size(), 1u);
  EXPECT_EQ(capture([](Tensor a) { return std::pair(a, exp(a)); }, {x}).outputs().size(), 2u);
  EXPECT_EQ(capture([](Tensor a) { return std::tuple(a, a, a); }, {x}).outputs().size(), 3u);
  EXPECT_EQ(capture([](Tensor a) { return std::array<Tensor, 2>{a, a}; }, {x}).outputs().size(), 2u);
  EXPECT_EQ(capture([] { return Tensor::ones({2}); }, {}).inputs().size(), 0u);
}

TEST(Capture, InputsKeepNamesAndShapes) {
  Graph g = capture([](Tensor a) { return sum(a, 0); }, {spec(DType::F64, {2, 5}, "data")});
  EXPECT_EQ(g.inputs()[0], (TensorSpec{"data", DType::F64, Shape{2, 5}}));
  EXPECT_EQ(g.outputs()[0].shape, Shape{5});
}

TEST(Capture, ConcreteTensorsBecomeConstants) {
  Tensor w = Tensor::from<float>({1, 2}, {2});
  Graph g = capture([&](Tensor x) { return x * w; }, {spec(DType::F32, {2})});
  EXPECT_EQ(g.inputs().size(), 1u);
  ASSERT_EQ(g.trace().records().size(), 2u);
  EXPECT_EQ(g.trace().records()[0].kind, OpKind::Constant);
}

TEST(Capture, OpsCarryTheUsersLineAndScope) {
  Graph g = capture(
      [](Tensor x) {
        NameScope outer("encoder");
        NameScope inner("0");
        return softmax(x, 0);
      },
      {spec(DType::F32, {2})});
  const int line = __LINE__ - 3;
  for (const Record &record : g.trace().records()) {
    EXPECT_EQ(record.site.line, std::uint32_t(line));
    EXPECT_EQ(g.trace().scopes()[record.scope].substr(0, 17), "encoder/0/softmax");
  }
}

TEST(Capture, GraphsAreFunctionsOnEveryDevice) {
  Graph square = capture([](Tensor x) { return x * x; }, {spec(DType::F32, {3})});
  EXPECT_EQ(square(ref({1, 2, 3}, {3}))[0].to_vector<float>(), (std::vector<float>{1, 4, 9}));
  Graph fourth = capture([&](Tensor x) { return square(square(x)[0])[0]; }, {spec(DType::F32, {3})});
  EXPECT_EQ(fourth.trace().records().size(), 2u);
  EXPECT_EQ(fourth(ref({1, 2, 3}, {3}))[0].to_vector<float>(), (std::vector<float>{1, 16, 81}));
}

TEST(Capture, EqualProgramsHaveEqualHashes) {
  auto f = [](Tensor x) { return tanh(x) + 1.0; };
  auto g = [](Tensor y) {
    NameScope scope("other");
    return tanh(y) + 1.0;
  };
  EXPECT_EQ(capture(f, {spec(DType::F32, {3}, "a")}).hash(), capture(g, {spec(DType::F32, {3}, "b")}).hash());
  EXPECT_NE(capture(f, {spec(DType::F32, {3})}).hash(), capture(f, {spec(DType::F32, {4})}).hash());
}

TEST(Capture, UsesUpNoDeviceNumbers) {
  const std::int32_t before = Device::capture().number();
  for (int i = 0; i < 10; ++i)
    capture([](Tensor x) { return x; }, {spec(DType::F32, {1})});
  EXPECT_EQ(Device::capture().number(), before + 1);
}

TEST(Capture, DotNamesOpsAndLines) {
  const std::string dot = capture([](Tensor x) { return exp(x); }, {spec(DType::F32, {1}, "x")}).dot();
  EXPECT_NE(dot.find("digraph"), std::string::npos);
  EXPECT_NE(dot.find("exp"), std::string::npos);
  EXPECT_NE(dot.find("CaptureTest.cpp"), std::string::npos);
}

TEST(Transforms, MarkAndDoNotExpand) {
  Graph g = value_and_grad(capture([](Tensor x, Tensor y) { return std::pair(sum(x * y), x); },
                                   {spec(DType::F64, {2}), spec(DType::F64, {2})}),
                           {1, 0});
  ASSERT_EQ(g.trace().records().size(), 1u);
  EXPECT_EQ(g.trace().records()[0].kind, OpKind::Grad);
  EXPECT_EQ(g.outputs().size(), 4u);
}

TEST(Transforms, CallablesNestAndReadTensorsFromOutside) {
  auto f = [](Tensor x) { return sum(x * x * x); };
  Graph g = capture(
      [&](Tensor x, Tensor w) {
        auto weighted = [&](Tensor t) { return sum(grad(f, {0})(t)[0] * w); };
        return grad(weighted, {0})(x)[0];
      },
      {spec(DType::F64, {2}), spec(DType::F64, {2})});
  const std::vector<double> want{6 * 1 * 10, 6 * 2 * 20};
  Tensor x = Tensor::from<double>({1, 2}, {2}), w = Tensor::from<double>({10, 20}, {2});
  EXPECT_EQ(compile(g)(x, w)[0].to_vector<double>(), want);
  // The same without a capture, on the lazy and on the reference device.
  for (const Device &device : {Device::cpu(), Device::reference()}) {
    Tensor a = x.to(device), b = w.to(device);
    auto weighted = [&](Tensor t) { return sum(grad(f, {0})(t)[0] * b); };
    EXPECT_EQ(grad(weighted, {0})(a)[0].to_vector<double>(), want) << device;
  }
}

TEST(Transforms, StoppedGradientsAreZero) {
  auto f = [](Tensor x) { return sum(x * stop_gradient(x)); };
  EXPECT_EQ(grad(f, {0})(Tensor::from<double>({3, 4}, {2}))[0].to_vector<double>(), (std::vector<double>{3, 4}));
}

} // namespace
} // namespace ingot
