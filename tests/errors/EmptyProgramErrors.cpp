// Graph, Executable and aot::Library as members: empty until something is put there, and refused by name until then.
#include "Expect.h"

namespace ingot {
namespace {

struct Model {
  Graph graph;
  Executable step;
  aot::Library library;
};

const std::string kGraph = "the Graph is empty; capture, load or parse makes one";
const std::string kExecutable = "the Executable is empty; compile makes one";
const std::string kLibrary = "the aot::Library is empty; aot::compile makes one";

TEST(EmptyProgramErrors, Graph) {
  const Model m;
  const Tensor x = Tensor::ones({2});
  EXPECT_FALSE(m.graph);
  EXPECT_ERROR(CaptureError, [&] { m.graph.inputs(); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { m.graph.outputs(); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { m.graph.str(); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { m.graph.str(Phase::Fused); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { m.graph.dot(); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { m.graph.hash(); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { m.graph.save("x.mlir"); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { m.graph(); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { m.graph(x); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { grad(m.graph, {0}); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { value_and_grad(m.graph, {0}); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { compile(m.graph); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { compile(m.graph, {.donate = {0}}); }, kGraph);
  EXPECT_ERROR(CaptureError, [&] { aot::compile(m.graph, {.name = "step"}); }, kGraph);
  capture(
      [&](Tensor t) {
        EXPECT_ERROR(CaptureError, [&] { m.graph(t); }, kGraph);
        return t;
      },
      {spec(DType::F32, {2})});
}

TEST(EmptyProgramErrors, Executable) {
  const Model m;
  const Tensor x = Tensor::ones({2});
  EXPECT_FALSE(m.step);
  EXPECT_ERROR(CompileError, [&] { m.step(); }, kExecutable);
  EXPECT_ERROR(CompileError, [&] { m.step(x); }, kExecutable);
  EXPECT_ERROR(CompileError, [&] { m.step(std::vector<Tensor>{x}); }, kExecutable);
  EXPECT_ERROR(CompileError, [&] { m.step.inputs(); }, kExecutable);
  EXPECT_ERROR(CompileError, [&] { m.step.outputs(); }, kExecutable);
  EXPECT_ERROR(CompileError, [&] { m.step.memory(); }, kExecutable);
  EXPECT_ERROR(CompileError, [&] { m.step.kernels(); }, kExecutable);
  EXPECT_EQ(m.step.run(nullptr, nullptr, nullptr), Executable::kNoProgram);
  EXPECT_EQ(m.step.run(nullptr, nullptr, nullptr, nullptr), Executable::kNoProgram);
}

TEST(EmptyProgramErrors, Library) {
  const Model m;
  EXPECT_FALSE(m.library);
  EXPECT_ERROR(CompileError, [&] { m.library.memory(); }, kLibrary);
  EXPECT_ERROR(CompileError, [&] { m.library.header(); }, kLibrary);
  EXPECT_ERROR(CompileError, [&] { m.library.write_object("x.o"); }, kLibrary);
  EXPECT_ERROR(CompileError, [&] { m.library.write_header("x.h"); }, kLibrary);
  EXPECT_ERROR(CompileError, [&] { m.library.write_shared("x.so"); }, kLibrary);
  EXPECT_ERROR(CompileError, [&] { m.library.write_assembly("x.s"); }, kLibrary);
  EXPECT_ERROR(CompileError, [&] { m.library.write_llvm_ir("x.ll"); }, kLibrary);
}

TEST(EmptyProgramErrors, AMemberIsFilledLater) {
  Model m;
  m.graph = capture([](Tensor x) { return x + 1; }, {spec(DType::F32, {2})});
  m.step = compile(m.graph);
  m.library = aot::compile(m.graph, {.name = "later"});
  EXPECT_TRUE(m.graph && m.step && m.library);
  EXPECT_EQ(m.step(Tensor::ones({2}))[0].to_vector<float>(), (std::vector<float>{2, 2}));
  Model moved = std::move(m);
  EXPECT_EQ(moved.library.memory(), moved.step.memory());
}

} // namespace
} // namespace ingot
