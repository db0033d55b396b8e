// Captures, scopes, transformations, calls, files.
#include "Expect.h"

namespace ingot {
namespace {

const Graph g = capture([](Tensor x) { return sum(x); }, {spec(DType::F32, {2, 3}, "x")});
const Tensor x = Tensor::zeros({2, 3});

TEST(GraphErrors, Capture) {
  EXPECT_ERROR(
      CaptureError, [] { capture([](Tensor t) { return t; }, {}); },
      "the function takes 1 tensor, but 0 are specified");
  EXPECT_ERROR(
      CaptureError, [] { capture([](Tensor) { return Tensor(); }, {spec(DType::F32, {2})}); },
      "a captured function returned an empty Tensor");
  EXPECT_ERROR(
      ShapeError, [] { capture([](Tensor t) { return t; }, {spec(DType::F32, {-2})}); },
      "[capture] input 0 has the shape -2; a size cannot be negative");
  EXPECT_ERROR(
      CaptureError,
      [] {
        capture([](Tensor t) { return capture([&](Tensor u) { return t + u; }, {spec(DType::F32, {2})})(t); },
                {spec(DType::F32, {2})});
      },
      "the function reads a tensor of an enclosing capture; pass it as an argument");
  EXPECT_ERROR(
      GradientError, [] { capture([](Tensor t) { return t.autodiff(); }, {spec(DType::F32, {2})}); },
      "Capture tensors do not support autodiff");
  EXPECT_ERROR(
      GradientError,
      [] {
        capture(
            [](Tensor t) {
              t.backward();
              return t;
            },
            {spec(DType::F32, {2})});
      },
      "Requires autodiff tensor.");
}

TEST(GraphErrors, OpsInsideACapture) {
  capture(
      [](Tensor t, Tensor u) {
        EXPECT_ERROR(
            ShapeError, [&] { matmul(t, u); },
            "[matmul] inner sizes differ: a is 2x3, b is 4x5; the last dimension of a (3) has to equal the rows "
            "of b (4)");
        EXPECT_ERROR(ShapeError, [&] { t.item<float>(); }, "[item] the tensor has shape 2x3, not one element");
        return t;
      },
      {spec(DType::F32, {2, 3}), spec(DType::F32, {4, 5})});
}

TEST(GraphErrors, CaptureDevices) {
  EXPECT_ERROR(
      CaptureError, [] { Tensor::ones({2}, Device::capture()); },
      "capture tensor operations must run inside CaptureDevice::capture_scope");
  EXPECT_ERROR(
      CaptureError, [] { Device::cpu().capture_scope([](CaptureScope s) { return s.complete({}, {}); }); },
      "capture scope requires a capture device");
  Device dev = Device::capture();
  dev.capture_scope([&](CaptureScope s) {
    Tensor y = exp(Tensor::ones({2}, dev));
    const std::string id = y.id().str();
    EXPECT_ERROR(CaptureError, [&] { y.to_vector<float>(); }, "captured tensor " + id + " has no concrete value");
    EXPECT_ERROR(DispatchError, [&] { y.to(Device::cpu()); }, "Cannot move a tensor from a capture device");
    EXPECT_ERROR(GradientError, [&] { y.backward(); }, "Requires autodiff tensor.");
    EXPECT_ERROR(GradientError, [&] { y.autodiff(); }, "Capture tensors do not support autodiff");
    EXPECT_ERROR(
        CaptureError, [&] { dev.capture_scope([](CaptureScope t) { return t.complete({}, {}); }); },
        "a capture scope is already active on this device");
    return s.complete({}, {});
  });
}

TEST(GraphErrors, Gradients) {
  EXPECT_ERROR(
      GradientError, [] { grad(g, {1}); }, "[grad] there is no input 1 to differentiate by; the function has 1 input");
  const Graph vector = capture([](Tensor t) { return t * 2.0; }, {spec(DType::F32, {2})});
  EXPECT_ERROR(GradientError, [&] { grad(vector, {0}); }, "[grad] output 0 has shape 2; only a scalar has a gradient");
  const Graph integer = capture([](Tensor t) { return sum(t); }, {spec(DType::I32, {2})});
  EXPECT_ERROR(GradientError, [&] { grad(integer, {0}); }, "[grad] output 0 is i32; only a float has a gradient");
  const Graph key = capture([](Tensor t, Tensor) { return sum(t); }, {spec(DType::F32, {2}), spec(DType::I64, {2})});
  EXPECT_ERROR(GradientError, [&] { grad(key, {1}); }, "[grad] input 1 is i64; only a float has a gradient");
}

TEST(GraphErrors, GraphsAsFunctions) {
  EXPECT_ERROR(ShapeError, [] { g(Tensor::zeros({3, 4})); }, "input 0 (x) of the graph has shape 3x4, not 2x3");
  EXPECT_ERROR(ShapeError, [] { g(x, x); }, "the graph takes 1 tensor, not 2");
}

TEST(GraphErrors, Calls) {
  const Executable f = compile(g);
  EXPECT_ERROR(ShapeError, [&] { f(Tensor::zeros({3, 2})); }, "input 0 'x' has shape 3x2, but the program takes 2x3");
  EXPECT_ERROR(
      DTypeError, [&] { f(Tensor::zeros({2, 3}, DType::F64)); }, "input 0 'x' is f64, but the program takes f32");
  EXPECT_ERROR(ShapeError, [&] { f(x, x); }, "the program takes 1 input, but was called with 2");
  EXPECT_ERROR(DispatchError, [&] { f(Tensor()); }, "input 0 'x' is an empty Tensor");
  EXPECT_ERROR(
      DispatchError, [&] { f(x.to(Device::reference())); },
      "input 0 'x' is on the device Reference; a compiled program takes tensors of Cpu");
  EXPECT_EQ(f(Tensor::ones({2, 3}))[0].item<float>(), 6); // a failed call leaves everything usable
}

TEST(GraphErrors, Options) {
  EXPECT_ERROR(
      CompileError, [] { compile(g, {.donate = {4}}); }, "there is no input 4 to donate; the graph has 1 input");
  EXPECT_ERROR(CompileError, [] { compile(g, {.donate = {0, 0}}); }, "input 0 is donated twice");
  EXPECT_ERROR(
      CompileError, [] { compile(g, {.threads = -2}); },
      "-2 threads cannot run a program; 0 means all of the machine's");
  EXPECT_ERROR(
      CompileError, [] { aot::compile(g, {.name = "not a name"}); },
      "'not a name' is no C identifier; the function needs one as its name");
}

TEST(GraphErrors, Files) {
  EXPECT_ERROR(IoError, [] { g.save("/nonexistent/x.mlir"); }, "cannot write /nonexistent/x.mlir");
  EXPECT_ERROR(IoError, [] { g.save("x.txt"); }, "cannot save a graph as x.txt: the suffix has to be .mlir or .mlirbc");
  EXPECT_ERROR(IoError, [] { Graph::load("/nonexistent.mlirbc"); }, "cannot read /nonexistent.mlirbc");
}

} // namespace
} // namespace ingot
