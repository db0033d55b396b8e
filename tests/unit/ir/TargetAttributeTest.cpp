// A target keeps every field on its way through a module, its text and its bytecode.
#include "ingot/ir/TargetAttribute.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

namespace ingot {
namespace {

Target unusual() {
  Target target;
  target.name = "own \"name\"";
  target.triple = "aarch64-unknown-linux-gnu";
  target.cpu = "cpu";
  target.features = "+a,-b";
  target.vector_bits = 1024;
  target.vector_registers = 21;
  target.fma_ports = 3;
  target.fma_latency = 7;
  target.l1 = 1 << 17;
  target.l2 = std::int64_t(1) << 40;
  target.l3 = 0;
  target.line = 256;
  target.required_features = {"neon", "sve"};
  return target;
}

struct TargetAttributeTest : ::testing::Test {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  TargetAttributeTest() { context.loadDialect<IngotDialect>(); }
};

TEST_F(TargetAttributeTest, EveryFieldComesBack) {
  for (const Target &target : {unusual(), Target::host(), Target::named("aarch64"), Target::named("x86-64-v4")})
    EXPECT_EQ(toTarget(toAttribute(target, &context)), target);
}

TEST_F(TargetAttributeTest, EveryFieldComesBackFromText) {
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  EXPECT_FALSE(hasTarget(*module));
  setTarget(*module, unusual());
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  auto again = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(again) << text;
  mlir::FailureOr<Target> target = targetOf(*again);
  ASSERT_TRUE(mlir::succeeded(target));
  EXPECT_EQ(*target, unusual());
}

} // namespace
} // namespace ingot
