#include "ingot/passes/IndexRange.h"
#include "ingot/passes/Passes.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace ingot {

#define GEN_PASS_DEF_CHECKINDICESPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

/// A check that is due: of the smallest axis that the indices are used on, at the first op that uses them.
struct Check {
  int64_t size;
  Location loc;
  StringAttr op;
};

struct CheckIndicesPass : impl::CheckIndicesPassBase<CheckIndicesPass> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    llvm::MapVector<Value, Check> checks;
    auto need = [&](Value indices, int64_t size, Location loc, StringAttr op) {
      if (knownInRange(indices, size))
        return;
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
        if (llvm::cast<ShapedType>(op.getOperand(1).getType()).getNumElements() > 0)
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
