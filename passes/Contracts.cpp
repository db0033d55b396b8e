// What holds after each phase. Guarantees of earlier phases stand until ops of the dialect are gone.
#include "ingot/passes/IndexRange.h"
#include "ingot/passes/KnownSizes.h"
#include "ingot/passes/Passes.h"

#include "ingot/ir/Dialect.h"
#include "ingot/runtime/Phase.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace ingot {

#define GEN_PASS_DEF_CONTRACTPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

int64_t rankOf(Value v) { return llvm::cast<ShapedType>(v.getType()).getRank(); }

/// At most one batch, one free and one summed dimension on each side.
bool isCanonical(DotOp dot) {
  auto free = [](Value v, size_t batch, size_t contract) { return rankOf(v) - int64_t(batch + contract); };
  const size_t batch = dot.getLhsBatch().size(), contract = dot.getLhsContract().size();
  return batch <= 1 && contract <= 1 && free(dot.getA(), batch, contract) <= 1 &&
         free(dot.getB(), batch, contract) <= 1;
}

/// Where gathers and scatters read or write along their axis.
bool hasCheckedIndices(Operation *op) {
  auto axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
  const int64_t size = llvm::cast<ShapedType>(op->getOperand(0).getType()).getShape()[size_t(axis)];
  Value indices = throughViews(op->getOperand(1));
  return llvm::cast<ShapedType>(indices.getType()).getNumElements() == 0 || knownInRange(indices, size) ||
         checkedInRange(indices, size);
}

bool hasUncontractedSum(MulOp product) {
  return isFloatTensor(product.getType()) && product->hasOneUse() && llvm::isa<AddOp, SubOp>(*product->user_begin());
}

const char *afterSimplified(Operation *op, Phase phase) {
  if (auto dot = llvm::dyn_cast<DotOp>(op); dot && !isCanonical(dot))
    return "must be in canonical form by now";
  if (llvm::isa<StopGradientOp, SavedOp>(op))
    return "must be dropped by now";
  if (auto scatter = llvm::dyn_cast<ScatterAddOp>(op))
    if (llvm::cast<ShapedType>(scatter.getIndices().getType()).getShape()[size_t(scatter.getAxis())] == 1)
      return "must be a comparison of positions by now";
  if (phase < Phase::Fused && llvm::isa<GatherOp, ScatterAddOp>(op) && !hasCheckedIndices(op))
    return "must have its indices checked by now";
  // Recomputation may leave a product with one of its two readers.
  if (auto product = llvm::dyn_cast<MulOp>(op); product && phase == Phase::Simplified && hasUncontractedSum(product))
    return "must be contracted with its sum by now";
  return nullptr;
}

const char *afterFused(Operation *op, Phase phase) {
  bool topLevel = llvm::isa<func::FuncOp>(op->getParentOp());
  bool memory = op->hasTrait<OpTrait::ConstantLike>() || llvm::isa<ReshapeOp, func::ReturnOp>(op);
  auto fusion = llvm::dyn_cast<FusionOp>(op);
  if (topLevel && !memory && !fusion)
    return "must lie in a fusion by now";
  if (!fusion)
    return nullptr;
  constexpr llvm::StringLiteral kinds[] = {"loop", "row", "column", "contract", "scatter", "check", "custom"};
  if (!llvm::is_contained(kinds, fusion.getKind()))
    return "must be of a known kind by now";
  if (phase == Phase::Planned && fusion.getNumResults() && !fusion.getBuffers())
    return "must have buffers by now";
  return nullptr;
}

const char *afterKernels(Operation *op) {
  auto isTensor = [](Type type) { return llvm::isa<mlir::TensorType>(type); };
  if (llvm::isa_and_nonnull<IngotDialect>(op->getDialect()))
    return "must be emitted by now";
  auto function = llvm::dyn_cast<func::FuncOp>(op);
  if (llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor) ||
      (function && llvm::any_of(function.getArgumentTypes(), isTensor)))
    return "must not have tensors by now";
  return nullptr;
}

/// What the op breaks of the guarantees that hold at the end of the phase; null when it keeps them.
const char *violation(Operation *op, Phase phase) {
  if (phase >= Phase::Differentiated && phase < Phase::Kernels && hasUnknownSize(op))
    return "must have known sizes by now";
  if (phase >= Phase::Kernels)
    return afterKernels(op);
  if (llvm::isa<func::FuncOp>(op))
    return nullptr;
  if (phase >= Phase::Differentiated && llvm::isa<GradOp>(op))
    return "must be expanded by now";
  const char *text = phase >= Phase::Simplified ? afterSimplified(op, phase) : nullptr;
  return text || phase < Phase::Fused ? text : afterFused(op, phase);
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
      if (llvm::isa<ModuleOp>(op))
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
