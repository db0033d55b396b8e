#include "ingot/tests/errors/Expect.h"

namespace ingot {
namespace {

Graph graph() {
  return capture([](Tensor x) { return exp(x) + x; }, {spec(DType::F32, {64}, "x")});
}

CompileOptions with(Target target) { return {.target = std::move(target), .cache_dir = ""}; }

TEST(TargetErrors, AnUnsoundFieldIsNamedAtTheLineOfTheCall) {
  Target target = Target::host();
  target.vector_bits = 0;
  const Graph program = graph();
  const std::string text = "target `host`: vector_bits is 0 and must be a power of two from 64 to 2048";
  EXPECT_ERROR(CompileError, [&] { compile(program, with(target)); }, text);
  EXPECT_ERROR(CompileError, [&] { aot::compile(program, {.name = "f", .target = target}); }, text);
}

TEST(TargetErrors, AnUnknownMachineIsNamedAtTheLineOfTheCall) {
  Target target = Target::named("x86-64");
  target.name = "own";
  target.cpu = "pdp-11";
  const Graph program = graph();
  EXPECT_ERROR(
      CompileError, [&] { aot::compile(program, {.name = "f", .target = target}); },
      "target own: the code generator knows no cpu `pdp-11` for x86_64-unknown-linux-gnu");
}

} // namespace
} // namespace ingot
