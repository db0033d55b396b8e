// Movement ops: derivatives are movement the other way. Emission is in ViewEmission.cpp.
#include "ingot/ir/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/view/View.cpp.inc"

namespace ingot {

using namespace mlir;
using Values = llvm::SmallVectorImpl<Value>;

namespace {

ArrayRef<int64_t> shapeOf(Value v) { return llvm::cast<ShapedType>(v.getType()).getShape(); }

Value reshapeTo(OpBuilder &b, Location loc, Value x, ArrayRef<int64_t> shape) {
  return shapeOf(x) == shape ? x : Value(b.create<ReshapeOp>(loc, x, shape));
}

Value scalarZero(OpBuilder &b, Location loc, Value like) {
  return splatConstant(b, loc, 0, RankedTensorType::get({}, llvm::cast<ShapedType>(like.getType()).getElementType()));
}

Value padTo(OpBuilder &b, Location loc, Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  auto zero = [](int64_t d) { return d == 0; };
  if (llvm::all_of(low, zero) && llvm::all_of(high, zero))
    return x;
  return b.create<PadOp>(loc, x, scalarZero(b, loc, x), low, high);
}

/// x with step - 1 zeros behind every element along `axis`.
Value dilate(OpBuilder &b, Location loc, Value x, int64_t axis, int64_t step) {
  llvm::SmallVector<int64_t> split(shapeOf(x)), low(split.size() + 1, 0), high(split.size() + 1, 0);
  split.insert(split.begin() + axis + 1, 1);
  high[size_t(axis) + 1] = step - 1;
  Value padded = padTo(b, loc, reshapeTo(b, loc, x, split), low, high);
  llvm::SmallVector<int64_t> merged(shapeOf(x));
  merged[size_t(axis)] *= step;
  return reshapeTo(b, loc, padded, merged);
}

Value sliceOf(OpBuilder &b, Location loc, Value x, ArrayRef<int64_t> starts, ArrayRef<int64_t> stops) {
  llvm::SmallVector<int64_t> ones(starts.size(), 1);
  return b.create<SliceOp>(loc, x, starts, stops, ones);
}

Value sumAll(OpBuilder &b, Location loc, Value x) {
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, int64_t(shapeOf(x).size())));
  return b.create<ReduceSumOp>(loc, x, axes);
}

} // namespace

LogicalResult BroadcastOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  if (!cotangents[0]) {
    out.push_back({});
    return success();
  }
  llvm::SmallVector<int64_t> summed;
  ArrayRef<int64_t> from = shapeOf(getX()), to = shapeOf(getResult());
  for (int64_t d = 0; d < int64_t(to.size()); ++d) {
    auto source = llvm::find(getDims(), d);
    if (source == getDims().end() || from[size_t(source - getDims().begin())] != to[size_t(d)])
      summed.push_back(d);
  }
  Value g = cotangents[0];
  if (!summed.empty())
    g = b.create<ReduceSumOp>(getLoc(), g, summed);
  out.push_back(reshapeTo(b, getLoc(), g, from));
  return success();
}

LogicalResult ReshapeOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  out.push_back(cotangents[0] ? reshapeTo(b, getLoc(), cotangents[0], shapeOf(getX())) : Value());
  return success();
}

LogicalResult TransposeOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  llvm::SmallVector<int64_t> inverse(getPermutation().size());
  for (auto [i, d] : llvm::enumerate(getPermutation()))
    inverse[size_t(d)] = int64_t(i);
  out.push_back(cotangents[0] ? Value(b.create<TransposeOp>(getLoc(), cotangents[0], inverse)) : Value());
  return success();
}

LogicalResult SliceOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  Value g = cotangents[0];
  if (!g) {
    out.push_back({});
    return success();
  }
  ArrayRef<int64_t> from = shapeOf(getX());
  llvm::SmallVector<int64_t> low(getStarts()), high, ends;
  for (size_t d = 0; d < from.size(); ++d) {
    if (getSteps()[d] > 1 && shapeOf(g)[d] > 1)
      g = dilate(b, getLoc(), g, int64_t(d), getSteps()[d]);
    // Zeros behind the last element may reach past the end.
    ends.push_back(std::min(shapeOf(g)[d], from[d] - low[d]));
    high.push_back(from[d] - low[d] - ends[d]);
  }
  if (ArrayRef<int64_t>(ends) != shapeOf(g))
    g = sliceOf(b, getLoc(), g, llvm::SmallVector<int64_t>(from.size(), 0), ends);
  out.push_back(padTo(b, getLoc(), g, low, high));
  return success();
}

LogicalResult ReverseOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  out.push_back(cotangents[0] ? Value(b.create<ReverseOp>(getLoc(), cotangents[0], getAxes())) : Value());
  return success();
}

LogicalResult PadOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  Value g = cotangents[0];
  if (!g) {
    out.append(2, Value());
    return success();
  }
  llvm::SmallVector<int64_t> stops;
  for (auto [low, size] : llvm::zip(getLow(), shapeOf(getX())))
    stops.push_back(low + size);
  Value inner = sliceOf(b, getLoc(), g, getLow(), stops);
  out.push_back(inner);
  out.push_back(b.create<SubOp>(getLoc(), sumAll(b, getLoc(), g), sumAll(b, getLoc(), inner)));
  return success();
}

LogicalResult ConcatOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  int64_t at = 0;
  for (Value piece : getXs()) {
    if (!cotangents[0]) {
      out.push_back({});
      continue;
    }
    llvm::SmallVector<int64_t> starts(shapeOf(piece).size(), 0), stops(shapeOf(piece));
    starts[size_t(getAxis())] = at;
    stops[size_t(getAxis())] = at += shapeOf(piece)[size_t(getAxis())];
    out.push_back(sliceOf(b, getLoc(), cotangents[0], starts, stops));
  }
  return success();
}

namespace {

/// A view of nothing new: same type in and out.
template <class Op> LogicalResult dropIdentity(Op op, PatternRewriter &rewriter) {
  if (op.getX().getType() != op.getResult().getType())
    return rewriter.notifyMatchFailure(op, "changes its type");
  rewriter.replaceOp(op, op.getX());
  return success();
}

/// reshape(reshape(x)) is one reshape.
LogicalResult mergeReshapes(ReshapeOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<ReshapeOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "no reshape before it");
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, inner.getX(), op.getShape());
  return success();
}

/// transpose(transpose(x)) is one transpose.
LogicalResult mergeTransposes(TransposeOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<TransposeOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "no transpose before it");
  llvm::SmallVector<int64_t> composed;
  for (int64_t d : op.getPermutation())
    composed.push_back(inner.getPermutation()[size_t(d)]);
  rewriter.replaceOpWithNewOp<TransposeOp>(op, inner.getX(), composed);
  return success();
}

LogicalResult dropIdentityTranspose(TransposeOp op, PatternRewriter &rewriter) {
  for (auto [i, d] : llvm::enumerate(op.getPermutation()))
    if (int64_t(i) != d)
      return rewriter.notifyMatchFailure(op, "permutes dimensions");
  rewriter.replaceOp(op, op.getX());
  return success();
}

/// broadcast(broadcast(x)) is one broadcast.
LogicalResult mergeBroadcasts(BroadcastOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<BroadcastOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "no broadcast before it");
  llvm::SmallVector<int64_t> dims;
  for (int64_t d : inner.getDims())
    dims.push_back(op.getDims()[size_t(d)]);
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, inner.getX(), op.getShape(), dims);
  return success();
}

/// A view of a splat is a splat.
template <class Op> LogicalResult foldSplat(Op op, PatternRewriter &rewriter) {
  DenseElementsAttr literal;
  if (!matchPattern(op.getX(), m_Constant(&literal)) || !literal.isSplat())
    return rewriter.notifyMatchFailure(op, "operand is no splat");
  auto type = llvm::cast<RankedTensorType>(op.getResult().getType());
  rewriter.replaceOpWithNewOp<ConstantOp>(op,
                                          DenseElementsAttr::get(type, literal.template getSplatValue<Attribute>()));
  return success();
}

} // namespace

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(mergeBroadcasts).add(foldSplat<BroadcastOp>).add(dropIdentity<BroadcastOp>);
}
void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(mergeReshapes).add(foldSplat<ReshapeOp>).add(dropIdentity<ReshapeOp>);
}
void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(mergeTransposes).add(foldSplat<TransposeOp>).add(dropIdentityTranspose);
}

} // namespace ingot
