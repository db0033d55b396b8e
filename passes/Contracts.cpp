#include "ingot/passes/Passes.h"

#include "ingot/ir/Dialect.h"
#include "ingot/runtime/Phase.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

namespace ingot {

#define GEN_PASS_DEF_CONTRACTPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

/// What holds from a phase on, op by op; null when the op keeps it.
const char *violation(Operation *op, Phase phase) {
  if (phase >= Phase::Differentiated && llvm::isa<GradOp>(op))
    return "must be expanded by now";
  if (phase >= Phase::Simplified)
    if (auto dot = llvm::dyn_cast<DotOp>(op))
      if (dot.getLhsBatch().size() > 1 || dot.getLhsContract().size() > 1 ||
          llvm::cast<ShapedType>(dot.getA().getType()).getRank() - int64_t(dot.getLhsBatch().size() + dot.getLhsContract().size()) > 1)
        return "must be in canonical form by now";
  bool topLevel = llvm::isa<func::FuncOp>(op->getParentOp());
  if (phase >= Phase::Fused && phase <= Phase::Planned && topLevel && op->hasTrait<OpTrait::ConstantLike>() == false &&
      !llvm::isa<FusionOp, ReshapeOp, func::ReturnOp>(op))
    return "must lie in a fusion by now";
  if (phase == Phase::Planned)
    if (auto fusion = llvm::dyn_cast<FusionOp>(op); fusion && fusion.getNumResults() && !fusion.getBuffers())
      return "must have buffers by now";
  if (phase >= Phase::Kernels && op->getDialect() && llvm::isa<IngotDialect>(op->getDialect()))
    return "must be emitted by now";
  return nullptr;
}

struct ContractPass : impl::ContractPassBase<ContractPass> {
  using ContractPassBase::ContractPassBase;
  void runOnOperation() override {
    std::optional<Phase> which = parse_phase(phase.getValue());
    if (!which) {
      getOperation().emitError() << "there is no phase '" << phase << "'";
      return signalPassFailure();
    }
    getOperation()->walk([&](Operation *op) {
      if (llvm::isa<ModuleOp, func::FuncOp>(op))
        return;
      if (const char *text = violation(op, *which)) {
        op->emitOpError(text) << " (contract of the phase " << phase_name(*which) << ")";
        signalPassFailure();
      }
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace ingot
