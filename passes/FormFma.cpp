#include "ingot/passes/Passes.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/Builders.h"

namespace ingot {

#define GEN_PASS_DEF_FORMFMAPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

/// The product that may be contracted into a sum: a float multiplication read by that sum alone.
MulOp contractible(Value v) {
  auto product = v.getDefiningOp<MulOp>();
  return product && v.hasOneUse() && isFloatTensor(v.getType()) ? product : MulOp();
}

struct FormFmaPass : impl::FormFmaPassBase<FormFmaPass> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    for (Operation &op : llvm::make_early_inc_range(getOperation().front())) {
      OpBuilder builder(&op);
      Value fused;
      MulOp product;
      if (auto sum = llvm::dyn_cast<AddOp>(op)) {
        Value other = sum.getB();
        if (!(product = contractible(sum.getA()))) {
          product = contractible(sum.getB());
          other = sum.getA();
        }
        if (product)
          fused = builder.create<FmaOp>(op.getLoc(), product.getA(), product.getB(), other);
      } else if (auto difference = llvm::dyn_cast<SubOp>(op)) {
        if ((product = contractible(difference.getA()))) {
          Value minus = builder.create<NegOp>(op.getLoc(), difference.getB());
          fused = builder.create<FmaOp>(op.getLoc(), product.getA(), product.getB(), minus);
        } else if ((product = contractible(difference.getB()))) {
          Value minus = builder.create<NegOp>(op.getLoc(), product.getA());
          fused = builder.create<FmaOp>(op.getLoc(), minus, product.getB(), difference.getA());
        }
      }
      if (!fused)
        continue;
      op.getResult(0).replaceAllUsesWith(fused);
      op.erase();
      product->erase();
    }
  }
};

} // namespace
} // namespace ingot
