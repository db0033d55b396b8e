#include "ingot/passes/IndexRange.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/Matchers.h"

namespace ingot {

using namespace mlir;

Value throughViews(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    if (!llvm::isa<BroadcastOp, ReshapeOp, TransposeOp, ReverseOp>(op))
      break;
    v = op->getOperand(0);
  }
  return v;
}

bool knownInRange(Value indices, int64_t size) {
  DenseIntElementsAttr literal;
  if (matchPattern(indices, m_Constant(&literal)))
    return llvm::all_of(literal, [&](const APInt &i) { return i.getSExtValue() >= -size && i.getSExtValue() < size; });
  if (auto iota = indices.getDefiningOp<IotaOp>())
    return iota.getShape()[size_t(iota.getAxis())] <= size;
  if (Operation *op = indices.getDefiningOp(); op && llvm::isa<ArgMaxOp, ArgMinOp>(op)) {
    const int64_t axis = llvm::cast<ReductionOpInterface>(op).reducedAxes()[0];
    return llvm::cast<ShapedType>(op->getOperand(0).getType()).getShape()[size_t(axis)] <= size;
  }
  return false;
}

bool checkedInRange(Value indices, int64_t size) {
  return llvm::any_of(indices.getUsers(), [&](Operation *user) {
    auto check = llvm::dyn_cast<CheckIndexOp>(user);
    return check && int64_t(check.getSize()) <= size;
  });
}

} // namespace ingot
