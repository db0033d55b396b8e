#include "ingot/passes/Passes.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

namespace ingot {

#define GEN_PASS_DEF_CHECKINDICESPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

/// The value that has the same elements as `v` under another shape or order.
Value throughViews(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    if (!llvm::isa<BroadcastOp, ReshapeOp, TransposeOp, ReverseOp>(op))
      break;
    v = op->getOperand(0);
  }
  return v;
}

/// Whether every element is in [-size, size) whatever the inputs are.
bool knownInRange(Value indices, int64_t size) {
  DenseIntElementsAttr literal;
  if (matchPattern(indices, m_Constant(&literal)))
    return llvm::all_of(literal, [&](const APInt &i) { return i.getSExtValue() >= -size && i.getSExtValue() < size; });
  if (auto iota = indices.getDefiningOp<IotaOp>())
    return iota.getShape()[size_t(iota.getAxis())] <= size;
  if (auto reduction = indices.getDefiningOp<ReductionOpInterface>())
    if (reduction->getOperand(0).getType() != indices.getType() && !reduction.reducedAxes().empty()) {
      auto x = llvm::cast<ShapedType>(reduction->getOperand(0).getType());
      auto table = llvm::cast<TableOpInterface>(*reduction);
      bool position = op_info(table.kind()).attributes.size() == 1 && op_info(table.kind()).attributes[0].kind == AttrKind::Int;
      return position && x.getShape()[size_t(reduction.reducedAxes()[0])] <= size;
    }
  return false;
}

/// A check that is due: of the smallest axis that the indices are used on, at the first op that uses them.
struct Check {
  int64_t size;
  Location loc;
  StringAttr op;
};

struct CheckIndicesPass : impl::CheckIndicesPassBase<CheckIndicesPass> {
  void runOnOperation() override {
    llvm::MapVector<Value, Check> checks;
    auto need = [&](Value indices, int64_t size, Location loc, StringAttr op) {
      auto [entry, first] = checks.insert({indices, Check{size, loc, op}});
      if (!first && size < entry->second.size)
        entry->second = Check{size, loc, op};
    };
    for (Operation &op : llvm::make_early_inc_range(getOperation().front())) {
      if (auto check = llvm::dyn_cast<CheckIndexOp>(op)) {
        need(throughViews(check.getIndices()), check.getSize(), op.getLoc(), check.getOpAttr());
        check.erase();
      } else if (llvm::isa<GatherOp, ScatterAddOp>(op)) {
        auto axis = op.getAttrOfType<IntegerAttr>("axis").getInt();
        int64_t size = llvm::cast<ShapedType>(op.getOperand(0).getType()).getShape()[size_t(axis)];
        Value indices = throughViews(op.getOperand(1));
        if (llvm::cast<ShapedType>(op.getOperand(1).getType()).getNumElements() > 0 && !knownInRange(indices, size))
          need(indices, size, op.getLoc(), StringAttr::get(&getContext(), op.getName().stripDialect()));
      }
    }
    for (auto &[indices, check] : checks) {
      OpBuilder builder(&getContext());
      builder.setInsertionPointAfterValue(indices);
      builder.create<CheckIndexOp>(check.loc, indices, builder.getI64IntegerAttr(check.size), check.op);
    }
  }
};

} // namespace
} // namespace ingot
