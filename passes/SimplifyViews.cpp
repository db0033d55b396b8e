// Movement next to movement as one op, movement of nothing as none.
#include "ingot/passes/SimplifyPatterns.h"

#include "ingot/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"

namespace ingot {
namespace {

using namespace mlir;
using Dims = llvm::SmallVector<int64_t>;

ArrayRef<int64_t> shapeOf(Value v) { return llvm::cast<ShapedType>(v.getType()).getShape(); }

bool allZero(ArrayRef<int64_t> list) {
  return llvm::all_of(list, [](int64_t n) { return n == 0; });
}

/// A broadcast that repeats nothing is a reshape.
LogicalResult broadcastAsReshape(BroadcastOp op, PatternRewriter &rewriter) {
  if (llvm::cast<ShapedType>(op.getType()).getNumElements() !=
      llvm::cast<ShapedType>(op.getX().getType()).getNumElements())
    return rewriter.notifyMatchFailure(op, "repeats elements");
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getX(), op.getShape());
  return success();
}

/// A broadcast behind a reshape that only adds or drops dimensions of size 1 reads the reshape's operand.
LogicalResult broadcastOfUnitReshape(BroadcastOp op, PatternRewriter &rewriter) {
  auto reshape = op.getX().getDefiningOp<ReshapeOp>();
  if (!reshape)
    return rewriter.notifyMatchFailure(op, "no reshape before it");
  ArrayRef<int64_t> from = shapeOf(reshape.getX()), middle = shapeOf(reshape);
  Dims targets; // of the dimensions that are not 1
  for (auto [size, dim] : llvm::zip(middle, op.getDims()))
    if (size != 1)
      targets.push_back(dim);
  Dims dims;
  size_t next = 0;
  int64_t free = 0; // the first result dimension that is not taken
  for (auto [d, size] : llvm::enumerate(from)) {
    if (size != 1) {
      if (next == targets.size() || op.getShape()[size_t(targets[next])] != size || targets[next] < free)
        return rewriter.notifyMatchFailure(op, "the reshape changes more than dimensions of size 1");
      free = targets[next++];
    }
    if (free >= int64_t(op.getShape().size()))
      return rewriter.notifyMatchFailure(op, "no result dimension for a dimension of size 1");
    dims.push_back(free++);
  }
  if (next != targets.size())
    return rewriter.notifyMatchFailure(op, "the reshape changes more than dimensions of size 1");
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, reshape.getX(), op.getShape(), dims);
  return success();
}

/// A transpose that only moves dimensions of size 1 is a reshape.
LogicalResult transposeAsReshape(TransposeOp op, PatternRewriter &rewriter) {
  Dims moved;
  for (int64_t d : op.getPermutation())
    if (shapeOf(op.getX())[size_t(d)] != 1)
      moved.push_back(d);
  if (!llvm::is_sorted(moved))
    return rewriter.notifyMatchFailure(op, "permutes elements");
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getX(), shapeOf(op));
  return success();
}

/// transpose(broadcast(x)) is a broadcast of x when x's dimensions stay in order.
LogicalResult transposeOfBroadcast(TransposeOp op, PatternRewriter &rewriter) {
  auto broadcast = op.getX().getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return rewriter.notifyMatchFailure(op, "no broadcast before it");
  Dims dims;
  for (int64_t d : broadcast.getDims())
    dims.push_back(llvm::find(op.getPermutation(), d) - op.getPermutation().begin());
  if (!llvm::is_sorted(dims))
    return rewriter.notifyMatchFailure(op, "permutes the operand's own dimensions");
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, broadcast.getX(), shapeOf(op), dims);
  return success();
}

LogicalResult dropWholeSlice(SliceOp op, PatternRewriter &rewriter) {
  if (op.getX().getType() != op.getType())
    return rewriter.notifyMatchFailure(op, "cuts something");
  rewriter.replaceOp(op, op.getX());
  return success();
}

LogicalResult mergeSlices(SliceOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<SliceOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "no slice before it");
  Dims starts, stops, steps;
  for (size_t d = 0; d < op.getStarts().size(); ++d) {
    const int64_t size = shapeOf(op)[d], step = inner.getSteps()[d] * op.getSteps()[d];
    starts.push_back(inner.getStarts()[d] + op.getStarts()[d] * inner.getSteps()[d]);
    stops.push_back(size == 0 ? starts[d] : starts[d] + (size - 1) * step + 1);
    steps.push_back(step);
  }
  rewriter.replaceOpWithNewOp<SliceOp>(op, inner.getX(), starts, stops, steps);
  return success();
}

/// A slice within one operand of a concat reads that operand.
LogicalResult sliceOfConcat(SliceOp op, PatternRewriter &rewriter) {
  auto concat = op.getX().getDefiningOp<ConcatOp>();
  if (!concat)
    return rewriter.notifyMatchFailure(op, "no concat before it");
  const size_t axis = size_t(concat.getAxis());
  int64_t begin = 0;
  for (Value piece : concat.getXs()) {
    const int64_t end = begin + shapeOf(piece)[axis];
    if (op.getStarts()[axis] >= begin && op.getStops()[axis] <= end) {
      Dims starts(op.getStarts()), stops(op.getStops());
      starts[axis] -= begin;
      stops[axis] -= begin;
      rewriter.replaceOpWithNewOp<SliceOp>(op, piece, starts, stops, op.getSteps());
      return success();
    }
    begin = end;
  }
  return rewriter.notifyMatchFailure(op, "cuts across operands");
}

/// A slice of what was padded reads that.
LogicalResult sliceOfPad(SliceOp op, PatternRewriter &rewriter) {
  auto pad = op.getX().getDefiningOp<PadOp>();
  if (!pad)
    return rewriter.notifyMatchFailure(op, "no pad before it");
  Dims starts, stops;
  for (size_t d = 0; d < op.getStarts().size(); ++d) {
    starts.push_back(op.getStarts()[d] - pad.getLow()[d]);
    stops.push_back(op.getStops()[d] - pad.getLow()[d]);
    if (starts[d] < 0 || stops[d] > shapeOf(pad.getX())[d])
      return rewriter.notifyMatchFailure(op, "reads padding");
  }
  rewriter.replaceOpWithNewOp<SliceOp>(op, pad.getX(), starts, stops, op.getSteps());
  return success();
}

LogicalResult dropEmptyPad(PadOp op, PatternRewriter &rewriter) {
  if (!allZero(op.getLow()) || !allZero(op.getHigh()))
    return rewriter.notifyMatchFailure(op, "pads something");
  rewriter.replaceOp(op, op.getX());
  return success();
}

LogicalResult dropSingleConcat(ConcatOp op, PatternRewriter &rewriter) {
  if (op.getXs().size() != 1)
    return rewriter.notifyMatchFailure(op, "joins several tensors");
  rewriter.replaceOp(op, op.getXs()[0]);
  return success();
}

/// A concat of many operands is one of concats: what reads it looks at each operand, and a kernel holds so many.
LogicalResult splitWideConcat(ConcatOp op, PatternRewriter &rewriter) {
  constexpr size_t kMost = 32;
  llvm::SmallVector<Value> pieces(op.getXs());
  if (pieces.size() <= kMost)
    return rewriter.notifyMatchFailure(op, "joins few tensors");
  const size_t groups = (pieces.size() + kMost - 1) / kMost;
  llvm::SmallVector<Value> joined;
  for (size_t g = 0, from = 0; g < groups; ++g) { // as equal as they can be, so that their kernels are, too
    const size_t to = pieces.size() * (g + 1) / groups;
    joined.push_back(rewriter.create<ConcatOp>(op.getLoc(), ValueRange(pieces).slice(from, to - from), op.getAxis()));
    from = to;
  }
  rewriter.replaceOpWithNewOp<ConcatOp>(op, joined, op.getAxis());
  return success();
}

/// Reversal twice, or along dimensions of size 1.
LogicalResult dropReversal(ReverseOp op, PatternRewriter &rewriter) {
  if (llvm::all_of(op.getAxes(), [&](int64_t d) { return shapeOf(op)[size_t(d)] == 1; })) {
    rewriter.replaceOp(op, op.getX());
    return success();
  }
  auto inner = op.getX().getDefiningOp<ReverseOp>();
  if (!inner || inner.getAxes() != op.getAxes())
    return rewriter.notifyMatchFailure(op, "reverses something");
  rewriter.replaceOp(op, inner.getX());
  return success();
}

/// Dimensions of size 1 are not combined: a reduction over them alone is a reshape, over others too one of fewer axes.
template <class Op> LogicalResult dropUnitAxes(Op op, PatternRewriter &rewriter) {
  ArrayRef<int64_t> shape = shapeOf(op.getX());
  Dims rest, axes;
  for (int64_t d = 0; d < int64_t(shape.size()); ++d) {
    const bool reduced = llvm::is_contained(op.getAxes(), d);
    if (reduced && shape[size_t(d)] == 1)
      continue;
    if (reduced)
      axes.push_back(int64_t(rest.size()));
    rest.push_back(shape[size_t(d)]);
  }
  if (rest.size() == shape.size() && !axes.empty())
    return rewriter.notifyMatchFailure(op, "no axis has size 1");
  Value x = rest.size() == shape.size() ? op.getX() : rewriter.create<ReshapeOp>(op.getLoc(), op.getX(), rest);
  if (axes.empty())
    rewriter.replaceOp(op, x);
  else
    rewriter.replaceOpWithNewOp<Op>(op, x, axes);
  return success();
}

} // namespace

void populateViewPatterns(RewritePatternSet &patterns) {
  BroadcastOp::getCanonicalizationPatterns(patterns, patterns.getContext());
  ReshapeOp::getCanonicalizationPatterns(patterns, patterns.getContext());
  TransposeOp::getCanonicalizationPatterns(patterns, patterns.getContext());
  patterns.add(broadcastAsReshape).add(broadcastOfUnitReshape).add(transposeAsReshape).add(transposeOfBroadcast);
  patterns.add(dropWholeSlice).add(mergeSlices).add(sliceOfConcat).add(sliceOfPad);
  patterns.add(dropEmptyPad).add(dropSingleConcat).add(splitWideConcat).add(dropReversal);
  patterns.add(dropUnitAxes<ReduceSumOp>).add(dropUnitAxes<ReduceProdOp>);
  patterns.add(dropUnitAxes<ReduceMaxOp>).add(dropUnitAxes<ReduceMinOp>);
}

} // namespace ingot
