// Comparisons and choices.
#include "ingot/passes/SimplifyPatterns.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace ingot {
namespace {

using namespace mlir;

LogicalResult chooseConstant(SelectOp op, PatternRewriter &rewriter) {
  if (op.getA() == op.getB()) {
    rewriter.replaceOp(op, op.getA());
    return success();
  }
  std::optional<double> condition = splatNumber(op.getC());
  if (!condition)
    return rewriter.notifyMatchFailure(op, "condition is not constant");
  rewriter.replaceOp(op, *condition ? op.getA() : op.getB());
  return success();
}

LogicalResult chooseByNegation(SelectOp op, PatternRewriter &rewriter) {
  auto negation = op.getC().getDefiningOp<NotOp>();
  if (!negation)
    return rewriter.notifyMatchFailure(op, "condition is no negation");
  rewriter.replaceOpWithNewOp<SelectOp>(op, negation.getX(), op.getB(), op.getA());
  return success();
}

LogicalResult dropDoubleNot(NotOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<NotOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "operand is no negation");
  rewriter.replaceOp(op, inner.getX());
  return success();
}

/// y = select(x <= c, c, x), a rectifier: elsewhere x <= c is y <= c, for NaN too. The mask can then be made from the
/// result, which products read anyway, instead of from x or being kept. Likewise >= c, and select(x > c, x, c).
template <class Compare, bool keepsWhereTrue> LogicalResult compareResult(SelectOp op, PatternRewriter &rewriter) {
  auto compare = op.getC().getDefiningOp<Compare>();
  Value x = keepsWhereTrue ? op.getA() : op.getB(), bound = keepsWhereTrue ? op.getB() : op.getA();
  if (!compare || compare.getA() != x || compare.getB() != bound || !splatNumber(bound))
    return rewriter.notifyMatchFailure(op, "is no rectifier");
  auto later = [&](OpOperand &use) {
    return use.getOwner() != op && use.getOwner()->getBlock() == op->getBlock() && op->isBeforeInBlock(use.getOwner());
  };
  if (llvm::none_of(compare->getUses(), later))
    return rewriter.notifyMatchFailure(op, "nothing else reads the mask");
  rewriter.setInsertionPointAfter(op);
  Value mask = rewriter.create<Compare>(compare.getLoc(), op.getResult(), bound);
  rewriter.replaceUsesWithIf(compare.getResult(), mask, later);
  return success();
}

/// f(select(c, 1, 0)) is select(c, f(1), f(0)), which folds; f may have more operands that are splats.
struct ApplyToBranches : RewritePattern {
  explicit ApplyToBranches(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    auto table = llvm::dyn_cast<TableOpInterface>(op);
    if (!table || !op_info(table.kind()).has(kElementwise))
      return failure();
    SelectOp choice;
    for (Value v : op->getOperands()) {
      if (splatNumber(v))
        continue;
      auto select = v.getDefiningOp<SelectOp>();
      if (choice || !select || !splatNumber(select.getA()) || !splatNumber(select.getB()))
        return rewriter.notifyMatchFailure(op, "operands are not one choice between splats and splats");
      choice = select;
    }
    if (!choice)
      return failure();
    auto apply = [&](Value branch) {
      IRMapping mapping;
      mapping.map(choice.getResult(), branch);
      return rewriter.clone(*op, mapping)->getResult(0);
    };
    Value a = apply(choice.getA()), b = apply(choice.getB());
    rewriter.replaceOpWithNewOp<SelectOp>(op, choice.getC(), a, b);
    return success();
  }
};

} // namespace

void populateSelectionPatterns(RewritePatternSet &patterns) {
  patterns.add<ApplyToBranches>(patterns.getContext());
  patterns.add(chooseConstant).add(chooseByNegation).add(dropDoubleNot);
  patterns.add(compareResult<LeOp, false>).add(compareResult<GeOp, false>);
  patterns.add(compareResult<GtOp, true>).add(compareResult<LtOp, true>);
}

} // namespace ingot
