// The pass driver: every pass and pipeline of the compiler over a file of IR.
#include "ingot/passes/Passes.h"
#include "ingot/passes/Pipeline.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ingot::registerPipelineDialects(registry);
  ingot::registerIngotPasses();
  ingot::registerIngotPipelines();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Ingot's pass driver\n", registry));
}
