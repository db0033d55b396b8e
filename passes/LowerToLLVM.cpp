// A kernel's or main's module to the LLVM dialect: direct conversions, then the facts that code generation needs.
#include "ingot/passes/Pipeline.h"

#include "ingot/ir/emit/VectorMath.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace ingot {
namespace {

using namespace mlir;

struct ConvertPass : PassWrapper<ConvertPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertPass)
  StringRef getArgument() const override { return "ingot-convert-to-llvm"; }
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter types(context, options);
    RewritePatternSet patterns(context);
    populateFuncToLLVMConversionPatterns(types, patterns);
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    populateMathToLLVMConversionPatterns(types, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(types, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    populateVectorToLLVMConversionPatterns(types, patterns, /*reassociateFPReductions=*/false,
                                           /*force32BitVectorIndices=*/false);
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

/// Nothing unwinds, nothing outside the program sees kernels, calls stay what they are.
struct MarkPass : PassWrapper<MarkPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MarkPass)
  StringRef getArgument() const override { return "ingot-mark-functions"; }
  void runOnOperation() override {
    Builder b(&getContext());
    getOperation().walk([&](LLVM::LLVMFuncOp function) {
      if (function.isExternal())
        return;
      function.setDsoLocal(true);
      function.setVisibility_(LLVM::Visibility::Hidden);
      function.setPassthroughAttr(b.getArrayAttr({b.getStringAttr("nounwind"), b.getStringAttr("no-builtins")}));
    });
  }
};

} // namespace

LogicalResult lowerToLLVM(ModuleOp module, const Target &target) {
  emit::expandForTarget(module, target);
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.enableVerifier(false);
  passes.addPass(createCSEPass());
  passes.addPass(createLoopInvariantCodeMotionPass());
  passes.addPass(createConvertSCFToCFPass());
  passes.addPass(std::make_unique<ConvertPass>());
  passes.addPass(createReconcileUnrealizedCastsPass());
  passes.addPass(createCSEPass());
  passes.addPass(std::make_unique<MarkPass>());
  if (failed(passes.run(module)))
    return failure();
  bool ok = true;
  module.walk([&](Operation *op) {
    if (!llvm::isa<ModuleOp>(op) && op->getDialect() && op->getDialect()->getNamespace() != "llvm") {
      op->emitError() << "'" << op->getName() << "' is left after lowering; an op was emitted without its expansion";
      ok = false;
    }
  });
  return success(ok);
}

} // namespace ingot
