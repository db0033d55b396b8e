// Custom ops on every route: what they take and what they compute.
#include "CustomOps.h"

#include "ingot/capture/Compiler.h"
#include "ingot/capture/Trace.h"

#include <array>
#include <cstring>

namespace ingot {
namespace {

using namespace custom;

TEST(CustomOp, NativeRunsOnEveryRoute) {
  CustomOp op = softsign();
  EXPECT_EQ(op.name(), "softsign");
  expect_near(op(x_on())[0].to_vector<float>(), kY);
  expect_near(op(x_on(Device::reference()))[0].to_vector<float>(), kY);
  Graph graph = captured(op);
  EXPECT_NE(graph.str().find("ingot.custom_call \"softsign\"(%arg0)"), std::string::npos) << graph.str();
  EXPECT_NE(graph.dot().find("custom_call softsign"), std::string::npos);
  for (Phase phase : {Phase::Differentiated, Phase::Simplified, Phase::Partitioned, Phase::Fused, Phase::Planned})
    EXPECT_NE(graph.str(phase).find("ingot.custom_call \"softsign\""), std::string::npos) << phase_name(phase);
  expect_near(compile(graph)(x_on())[0].to_vector<float>(), twice(kY));
  expect_near(graph(x_on())[0].to_vector<float>(), twice(kY));
  expect_near(graph(x_on(Device::reference()))[0].to_vector<float>(), twice(kY));
  Device device = Device::capture();
  Graph scoped = device.capture_scope([&](CaptureScope scope) {
    Tensor x = x_on().to(device), y = op(x)[0];
    return scope.complete({x.id()}, {y.id()});
  });
  expect_near(compile(scoped)(x_on())[0].to_vector<float>(), kY);
  EXPECT_EQ(compiler().check(graph.trace(), {}), "");
}

TEST(CustomOp, NativeIsAKernelOfItsOwn) {
  Executable program =
      compile(capture([op = softsign()](Tensor x) { return exp(op(exp(x))[0]); }, {spec(DType::F32, {5})}));
  ASSERT_EQ(program.kernels().size(), 3u);
  EXPECT_EQ(program.kernels()[1].kind, "custom");
  EXPECT_EQ(program.kernels()[1].name, "softsign");
  ASSERT_EQ(program.kernels()[1].sources.size(), 1u);
  EXPECT_NE(program.kernels()[1].sources[0].file.find("CustomOpTest.cpp"), std::string::npos);
  EXPECT_EQ(program.memory().workspace_bytes, 128u) << "what it reads and what it makes, each of one cache line";
}

TEST(CustomOp, RawCallsReachTheKernel) {
  Executable program = compile(captured(softsign()));
  std::vector<float> x = kX, y(5);
  const void *in[] = {x.data()};
  void *out[] = {y.data()};
  std::shared_ptr<Buffer> workspace = Buffer::allocate(program.memory().workspace_bytes);
  EXPECT_EQ(program.run(in, out, workspace->data()), 0);
  expect_near(y, twice(kY));
  EXPECT_NE(program.run(in, out, workspace->data(), nullptr), 0) << "a context that has no native ops";
}

TEST(CustomOp, ExpressionIsInlinedUnderItsName) {
  CustomOp cube = CustomOp::expression("cube", [](Tensor x) { return x * x * x; });
  auto f = [&](Tensor x) { return sum(cube(x)[0]); };
  expect_near(cube(x_on())[0].to_vector<float>(), {-8, -0.125f, 0, 0.015625f, 27});
  expect_near(cube(x_on(Device::reference()))[0].to_vector<float>(), {-8, -0.125f, 0, 0.015625f, 27});
  const std::vector<float> slope{12, 0.75f, 0, 0.1875f, 27};
  Graph graph = capture(f, {spec(DType::F32, {5})});
  EXPECT_EQ(graph.str().find("custom_call"), std::string::npos);
  Executable program = compile(graph);
  ASSERT_EQ(program.kernels().size(), 1u) << "fused";
  EXPECT_EQ(program.kernels()[0].scopes, std::vector<std::string>{"cube()"});
  expect_near(compile(grad(graph, {0}))(x_on())[0].to_vector<float>(), slope);
  expect_near(grad(f, {0})(x_on())[0].to_vector<float>(), slope);
  Tensor x = x_on(Device::cpu().autodiff()).require_grad();
  expect_near(f(x).backward().of(x)->to_vector<float>(), slope);
  EXPECT_EQ(message_of<DTypeError>([&] {
              CustomOp::expression("mixed", [](Tensor t) { return t + t.to(DType::F64); })(x_on());
            }).substr(0, 7),
            "[mixed]");
}

TEST(CustomOp, ExpressionTakesAndGivesLists) {
  CustomOp pair = CustomOp::expression("pair", [](Tensor a, Tensor b) { return std::tuple(a + b, a - b); });
  Tensors r = pair(x_on(), x_on());
  ASSERT_EQ(r.size(), 2u);
  expect_near(r[0].to_vector<float>(), twice(kX));
  expect_near(r[1].to_vector<float>(), std::vector<float>(5, 0));
  EXPECT_EQ(pair(std::pair(x_on(), x_on())).size(), 2u);
  CustomOp total = CustomOp::expression("total", [](std::vector<Tensor> list) { return list[0] + list[1] + list[2]; });
  Tensors three{x_on(), x_on(), x_on()};
  EXPECT_EQ(total(three)[0].to_vector<float>()[4], 9);
  EXPECT_EQ(total(x_on(), x_on(), x_on())[0].to_vector<float>()[4], 9);
}

TEST(CustomOp, ScalarsArriveByValue) {
  CustomOp op = CustomOp::native(
      "affine", [](const Specs &in, const std::vector<CustomScalar> &) { return Specs{in[0]}; },
      [](const In &in, const Out &out, const std::vector<CustomScalar> &s) {
        const double scale = std::get<double>(s[0]);
        const auto shift = double(std::get<std::int64_t>(s[1]));
        const auto big = std::get<std::uint64_t>(s[2]);
        const bool negate = std::get<bool>(s[3]);
        for (std::int64_t i = 0; i < in[0].num_elements; ++i) {
          const double y = scale * double(in[0].as<float>()[i]) + shift + (big >> 63 ? 100 : 0);
          out[0].as<float>()[i] = float(negate ? -y : y);
        }
      });
  const std::uint64_t big = std::uint64_t(1) << 63;
  EXPECT_EQ(op(x_on(), 0.5, -1, big, true)[0].to_vector<float>()[4], -100.5f);
  EXPECT_EQ(op(x_on(), 0.5, -1, 0u, false)[0].to_vector<float>()[4], 0.5f);
  EXPECT_EQ(op(0.5f, x_on(Device::reference()), 2, big, false)[0].to_vector<float>()[4], 103.5f);
  auto make = [&](double scale) {
    return capture([&](Tensor x) { return op(x, scale, 1, 2u, true); }, {spec(DType::F32, {5})});
  };
  EXPECT_EQ(make(0.5).hash(), make(0.5).hash());
  EXPECT_NE(make(0.5).hash(), make(-0.5).hash());
  EXPECT_NE(make(0.0).hash(), make(-0.0).hash());
  EXPECT_NE(make(0.5).str().find("scalars [5.000000e-01 : f64, 1 : i64, 2 : ui64, true]"), std::string::npos)
      << make(0.5).str();
  // Two calls of one program keep their own.
  Tensors both =
      compile(capture([&](Tensor x) { return std::pair(op(x, 1.0, 0, 0u, false)[0], op(x, 2.0, 0, 0u, false)[0]); },
                      {spec(DType::F32, {5})}))(x_on());
  EXPECT_EQ(both[0].to_vector<float>(), kX);
  EXPECT_EQ(both[1].to_vector<float>(), twice(kX));
}

TEST(CustomOp, StructsOfTensors) {
  CustomOp op = CustomOp::native(
      "first_of_each", [](const Specs &in) { return Specs{spec(DType::F32, {std::int64_t(in.size())})}; },
      [](const In &in, const Out &out) {
        for (std::size_t i = 0; i < in.size(); ++i)
          out[0].as<float>()[i] = in[i].as<float>()[0];
      });
  Tensor a = Tensor::from<float>({1}, {1}), b = Tensor::from<float>({2}, {1}), c = Tensor::from<float>({3}, {1});
  const std::vector<float> want{1, 2, 3};
  EXPECT_EQ(op(a, std::pair(b, c))[0].to_vector<float>(), want);
  EXPECT_EQ(op(std::tuple(a, b), c)[0].to_vector<float>(), want);
  EXPECT_EQ(op(std::array{a, b, c})[0].to_vector<float>(), want);
  EXPECT_EQ(op(a, Tensors{b, c})[0].to_vector<float>(), want);
  EXPECT_EQ(op(a, a, a)[0].to_vector<float>(), std::vector<float>(3, 1)) << "one tensor as three inputs";
}

TEST(CustomOp, EveryDtypeAndSizesOfZero) {
  auto copy = [](const In &in, const Out &out) {
    ASSERT_NE(out[0].data, nullptr);
    std::memcpy(out[0].data, in[0].data, std::size_t(in[0].num_elements) * dtype_size(in[0].dtype));
  };
  CustomOp op = CustomOp::native("copy", same, copy);
  for (int d = 0; d < kNumDTypes; ++d)
    visit_dtype(DType(d), [&]<class T>() {
      for (Shape shape : {Shape{3}, Shape{0, 2}}) {
        Graph graph = capture([&](Tensor x) { return op(op(x)[0]); }, {spec(DType(d), shape)});
        Executable program = compile(graph);
        std::vector<std::byte> in(64, std::byte(1)), out(64);
        const void *inputs[] = {in.data()};
        void *outputs[] = {out.data()};
        std::shared_ptr<Buffer> workspace = Buffer::allocate(program.memory().workspace_bytes);
        ASSERT_EQ(program.run(inputs, outputs, workspace->data()), 0);
        const auto bytes = std::size_t(shape.num_elements()) * sizeof(T);
        EXPECT_EQ(std::memcmp(in.data(), out.data(), bytes), 0) << dtype_name(DType(d));
        EXPECT_EQ(out[bytes], std::byte(0));
      }
    });
  CustomOp none = CustomOp::native(
      "none", [](const Specs &) { return Specs{spec(DType::F32, {0}), spec(DType::F32, {2})}; },
      [](const In &, const Out &out) { out[1].as<float>()[0] = out[1].as<float>()[1] = 4; });
  Tensors r = none(x_on());
  EXPECT_TRUE(r[0].to_vector<float>().empty());
  EXPECT_EQ(r[1].to_vector<float>(), (std::vector<float>{4, 4}));
}

TEST(CustomOp, OnTellsTheBackends) {
  CustomOp op = softsign().on({Backend::Cpu});
  expect_near(op(x_on())[0].to_vector<float>(), kY);
  const std::string want = "Backend not supported for custom op `softsign`";
  EXPECT_EQ(message_of<DispatchError>([&] { op(x_on(Device::reference())); }), want);
  EXPECT_EQ(message_of<DispatchError>([&] { captured(op); }), want);
  expect_near(compile(captured(op.on({Backend::Capture})))(x_on())[0].to_vector<float>(), twice(kY));
  CustomOp cube = CustomOp::expression("cube", [](Tensor x) { return x * x * x; }).on({Backend::Reference});
  EXPECT_EQ(message_of<DispatchError>([&] { cube(x_on()); }), "Backend not supported for custom op `cube`");
}

} // namespace
} // namespace ingot
