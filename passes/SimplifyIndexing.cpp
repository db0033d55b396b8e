// A scatter of one index per line is a comparison of positions: pointwise, so it fuses.
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

} // namespace

void populateIndexingPatterns(RewritePatternSet &patterns) { patterns.add(scatterAsComparison); }

} // namespace ingot
