// Custom ops that are declared or called wrongly.
#include "Expect.h"

namespace ingot {
namespace {

using Specs = std::vector<TensorSpec>;
using Tensors = std::vector<Tensor>;

void nothing(const std::vector<ConstBuffer> &, const std::vector<MutableBuffer> &) {}
CustomOp with_rule(std::function<Specs(const Specs &)> rule) { return CustomOp::native("op", rule, nothing); }
const CustomOp op = with_rule([](const Specs &in) { return Specs{in[0]}; });
CustomOp with_gradient(std::function<Tensors(const Tensors &)> f) {
  return op.with_gradient([f](const Tensors &in, const Tensors &, const Tensors &) { return f(in); });
}
const Tensor x = Tensor::zeros({2, 3}), y = Tensor::zeros({2, 3}, Device::reference());
const Specs kOne{spec(DType::F32, {2, 3})};

TEST(CustomOpErrors, Routes) {
  const std::string none =
      "backend extension op received no tensor input to select a backend from (e.g. an enum input on "
      "a tensor-less variant with no other tensor input)";
  EXPECT_ERROR(DispatchError, [] { op(); }, none);
  EXPECT_ERROR(DispatchError, [] { op(1.5); }, none);
  EXPECT_ERROR(DispatchError, [] { op(Tensors{}); }, none);
  EXPECT_ERROR(DispatchError, [] { op(x, Tensor()); }, "[op] an operand is no tensor");
  EXPECT_ERROR(DispatchError, [] { op.on({Backend::Reference})(x); }, "Backend not supported for custom op `op`");
  EXPECT_ERROR(DispatchError, [] { op(x, x, y); }, "input tensor `2` is on the wrong backend");
  EXPECT_ERROR(DispatchError, [] { op(x, y); }, "input tensor `1` is on the wrong backend");
  // The first float says where the op runs.
  EXPECT_ERROR(DispatchError, [] { op(Tensor::arange(3), y); }, "input tensor `0` is on the wrong backend");
  EXPECT_ERROR(DispatchError, [] { op(x, std::pair(x, y)); }, "backend extension input is on the wrong backend");
  Device device = Device::capture();
  device.capture_scope([&](CaptureScope scope) {
    Tensor captured = x.to(device);
    EXPECT_ERROR(DispatchError, [&] { op(captured, x); }, "input tensor `1` is on the wrong backend");
    EXPECT_ERROR(DispatchError, [&] { op.on({Backend::Cpu})(captured); }, "Backend not supported for custom op `op`");
    return scope.complete({captured.id()}, {captured.id()});
  });
}

TEST(CustomOpErrors, Autodiff) {
  const std::string text = "Autodiff not supported for custom op `op`";
  const Device device = Device::cpu().autodiff();
  EXPECT_ERROR(DispatchError, [&] { op(Tensor::zeros({2}, device).require_grad()); }, text);
  EXPECT_ERROR(DispatchError, [&] { op(Tensor::zeros({2}, device)); }, text);
  EXPECT_ERROR(DispatchError, [&] { op(x, Tensor::arange(2, DType::I64, device)); }, text);
  Graph graph = capture([](Tensor t) { return op(t); }, kOne);
  EXPECT_ERROR(DispatchError, [&] { graph(Tensor::zeros({2, 3}, device)); }, text);
  const int line = __LINE__ + 1;
  Graph loss = capture([](Tensor t) { return sum(op(t)[0]); }, kOne);
  const std::string used = "[grad] " + text + "; it is used at " + std::string(__FILE__) + ":" + std::to_string(line);
  EXPECT_ERROR(GradientError, [&] { grad(loss, {0}); }, used);
  EXPECT_ERROR(GradientError, [&] { value_and_grad(loss, {0}); }, used);
  EXPECT_EQ(loss.outputs().size(), 1u);
  CustomOp smooth = with_gradient([](const Tensors &in) { return in; });
  EXPECT_ERROR(
      DispatchError,
      [&] { smooth(Tensor::zeros({2}, device), Tensor::zeros({2}, Device::cpu().autodiff(Checkpointing::Balanced))); },
      "Gradient checkpointing strategy mismatch: None vs Balanced. Tensors in the same operation must share a "
      "strategy.");
}

TEST(CustomOpErrors, ShapeRules) {
  auto gives = [](Specs specs) { return with_rule([specs](const Specs &) { return specs; }); };
  EXPECT_ERROR(ShapeError, [&] { gives({})(x); }, "[op] the shape rule gives no result; an op has at least one");
  EXPECT_ERROR(
      ShapeError, [&] { gives({spec(DType::F32, {2}), spec(DType::F32, {3, -1})})(x); },
      "[op] the shape rule gives result 1 a dimension of size -1 in the shape 3x-1");
  EXPECT_ERROR(
      ShapeError, [&] { gives({spec(DType::F32, {kDynamic})})(x); },
      "[op] the shape rule gives result 0 the type ?xf32; sizes have to be known");
  EXPECT_ERROR(
      ShapeError, [&] { gives({spec(DType::F64, {std::int64_t(1) << 40, std::int64_t(1) << 40})})(x); },
      "[op] the shape rule gives result 0 the shape 1099511627776x1099511627776 has more elements than memory can "
      "hold");
  // What the rule throws is its own.
  struct Mine {};
  CustomOp picky = with_rule([](const Specs &) -> Specs { throw Mine(); });
  EXPECT_THROW(picky(x), Mine);
  EXPECT_THROW(capture([&](Tensor t) { return picky(t); }, kOne), Mine);
  EXPECT_EQ(x.to_vector<float>().size(), 6u);
}

TEST(CustomOpErrors, Gradients) {
  auto call = [](std::function<Tensors(const Tensors &)> f) {
    return [op = with_gradient(f)] { return capture([&](Tensor t) { return op(t); }, kOne); };
  };
  const int line = __LINE__ - 2;
  auto expect = [&](std::function<Tensors(const Tensors &)> f, const std::string &text) {
    try {
      call(f)();
      ADD_FAILURE() << "nothing was thrown instead of: " << text;
    } catch (const GradientError &error) {
      EXPECT_EQ(error.message(), text);
      EXPECT_EQ(error.where().line, line);
    }
  };
  expect([](const Tensors &in) { return Tensors{in[0], in[0]}; },
         "[op] the gradient function gave 2 tensors for 1 input");
  expect([](const Tensors &) { return Tensors{}; }, "[op] the gradient function gave 0 tensors for 1 input");
  expect([](const Tensors &in) { return Tensors{sum(in[0], 0)}; },
         "[op] the gradient of input 0 is 3xf32, but the input is 2x3xf32");
  expect([](const Tensors &in) { return Tensors{in[0].to(DType::F64)}; },
         "[op] the gradient of input 0 is 2x3xf64, but the input is 2x3xf32");
  CustomOp cube = CustomOp::expression("cube", [](Tensor t) { return t * t * t; });
  EXPECT_ERROR(
      GradientError,
      [&] { cube.with_gradient([](const Tensors &in, const Tensors &, const Tensors &) { return in; }); },
      "[cube] an expression has the derivative of what it is made of; only a native op is given one");
}

TEST(CustomOpErrors, Expressions) {
  CustomOp cube = CustomOp::expression("cube", [](Tensor t) { return t * t * t; });
  EXPECT_ERROR(ShapeError, [&] { cube(x, x); }, "[cube] the expression takes 1 tensor, not 2");
  EXPECT_ERROR(
      DispatchError, [&] { cube(x, 2); }, "[cube] an expression takes tensors alone; its function can hold numbers");
  CustomOp empty = CustomOp::expression("empty", [](Tensor) { return Tensor(); });
  EXPECT_ERROR(DispatchError, [&] { empty(x); }, "[empty] the expression returned an empty Tensor");
}

TEST(CustomOpErrors, AheadOfTime) {
  const int line = __LINE__ + 1;
  Graph graph = capture([](Tensor t) { return op(t)[0] * 2.0; }, kOne);
  try {
    aot::compile(graph, {.name = "f"});
    FAIL() << "nothing was thrown";
  } catch (const CompileError &error) {
    EXPECT_EQ(error.message(),
              "[op] a native custom op is a function of this process; a program that is compiled ahead "
              "of time cannot call it");
    EXPECT_EQ(error.where(), SourceLocation(__FILE__, line));
  }
  // Where nothing reads the call, there is none.
  aot::compile(capture([](Tensor t) { return op(t).empty() ? t : t * 2.0; }, kOne), {.name = "f"});
}

} // namespace
} // namespace ingot
