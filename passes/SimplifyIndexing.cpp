// A scatter of one index per line is a comparison of positions: pointwise, so it fuses.
#include "ingot/passes/IndexRange.h"
#include "ingot/passes/SimplifyPatterns.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/Matchers.h"

namespace ingot {
namespace {

using namespace mlir;

LogicalResult scatterAsComparison(ScatterAddOp op, PatternRewriter &rewriter) {
  auto x = llvm::cast<RankedTensorType>(op.getX().getType());
  auto indices = llvm::cast<RankedTensorType>(op.getIndices().getType());
  const int64_t axis = op.getAxis(), size = x.getShape()[size_t(axis)];
  if (indices.getShape()[size_t(axis)] != 1)
    return rewriter.notifyMatchFailure(op, "several updates may meet");
  Location loc = op.getLoc();
  if (indices.getNumElements() > 0)
    rewriter.create<CheckIndexOp>(loc, op.getIndices(), rewriter.getI64IntegerAttr(size),
                                  rewriter.getStringAttr("scatter_add"));
  Value zero = splatConstant(rewriter, loc, 0, indices), length = splatConstant(rewriter, loc, double(size), indices);
  Value negative = rewriter.create<LtOp>(loc, op.getIndices(), zero);
  Value wrapped =
      rewriter.create<SelectOp>(loc, negative, rewriter.create<AddOp>(loc, op.getIndices(), length), op.getIndices());
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, x.getRank()));
  auto spread = [&](Value v) { return Value(rewriter.create<BroadcastOp>(loc, v, x.getShape(), all)); };
  Value position = rewriter.create<IotaOp>(loc, x.getShape(), axis, indices.getElementType());
  Value here = rewriter.create<EqOp>(loc, spread(wrapped), position);
  DenseElementsAttr base;
  bool fromZero = matchPattern(op.getX(), m_Constant(&base)) && base.isSplat() && isFloatTensor(x) &&
                  base.getSplatValue<APFloat>().isPosZero();
  Value update = spread(op.getUpdates());
  if (!fromZero)
    update = rewriter.create<AddOp>(loc, op.getX(), update);
  rewriter.replaceOpWithNewOp<SelectOp>(op, here, update, op.getX());
  return success();
}

/// Whether a check makes sure that `wrapped`, made of indices by adding `size` to negative ones, is in [0, size).
bool isCheckedPosition(Value wrapped, int64_t size) {
  auto choice = wrapped.getDefiningOp<SelectOp>();
  auto negative = choice ? choice.getC().getDefiningOp<LtOp>() : LtOp();
  auto sum = choice ? choice.getA().getDefiningOp<AddOp>() : AddOp();
  if (!negative || !sum || splatNumber(negative.getB()) != 0.0 || negative.getA() != choice.getB())
    return false;
  if (sum.getA() != choice.getB() || splatNumber(sum.getB()) != double(size))
    return false;
  return checkedInRange(choice.getB(), size);
}

/// The sum along the axis of a scatter of one constant per line into zeros is that constant.
LogicalResult sumOfComparison(ReduceSumOp op, PatternRewriter &rewriter) {
  auto choice = op.getX().getDefiningOp<SelectOp>();
  auto compare = choice ? choice.getC().getDefiningOp<EqOp>() : EqOp();
  if (!compare || op.getAxes().size() != 1)
    return rewriter.notifyMatchFailure(op, "operand is no comparison of positions");
  Value index = compare.getA(), position = compare.getB();
  if (index.getDefiningOp<IotaOp>())
    std::swap(index, position);
  auto iota = position.getDefiningOp<IotaOp>();
  auto spread = index.getDefiningOp<BroadcastOp>();
  const int64_t axis = op.getAxes()[0];
  if (!iota || !spread || int64_t(iota.getAxis()) != axis)
    return rewriter.notifyMatchFailure(op, "does not compare positions along the axis");
  auto from = llvm::cast<ShapedType>(spread.getX().getType()).getShape();
  for (auto [size, dim] : llvm::zip(from, spread.getDims()))
    if (dim == axis && size != 1)
      return rewriter.notifyMatchFailure(op, "the index varies along the axis");
  const int64_t size = iota.getShape()[size_t(axis)];
  std::optional<double> there = splatNumber(choice.getA()), elsewhere = splatNumber(choice.getB());
  if (!there || *there == 0 || elsewhere != 0.0 || !isCheckedPosition(spread.getX(), size))
    return rewriter.notifyMatchFailure(op, "is not one constant among zeros");
  rewriter.replaceOp(op, splatConstant(rewriter, op.getLoc(), *there, op.getType()));
  return success();
}

} // namespace

void populateIndexingPatterns(RewritePatternSet &patterns) { patterns.add(scatterAsComparison).add(sumOfComparison); }

} // namespace ingot
