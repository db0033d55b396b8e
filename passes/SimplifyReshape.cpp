// Reshapes that split dimensions move behind the ops that could work on the unsplit ones. Products in canonical form
// leave such reshapes behind; once they are out of the way, what follows a product fuses with it.
#include "ingot/passes/SimplifyPatterns.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

namespace ingot {
namespace {

using namespace mlir;
using Dims = llvm::SmallVector<int64_t>;

ArrayRef<int64_t> shapeOf(Value v) { return llvm::cast<ShapedType>(v.getType()).getShape(); }

Dims withoutUnits(ArrayRef<int64_t> shape) {
  Dims rest;
  llvm::copy_if(shape, std::back_inserter(rest), [](int64_t d) { return d != 1; });
  return rest;
}

/// A reshape of a computed value that splits each dimension `d` of it into the dimensions [begin[d], begin[d + 1]).
struct Split {
  ReshapeOp reshape;
  Dims begin;

  Value source() { return reshape.getX(); }
  int64_t size() const { return int64_t(begin.size()) - 1; }
  /// The dimension of the source that result dimension `d` is part of.
  int64_t groupOf(int64_t d) const { return llvm::upper_bound(begin, d) - begin.begin() - 1; }
};

std::optional<Split> matchSplit(Value v) {
  auto reshape = v.getDefiningOp<ReshapeOp>();
  if (!reshape || !reshape.getX().getDefiningOp())
    return std::nullopt;
  ArrayRef<int64_t> from = shapeOf(reshape.getX()), to = shapeOf(v);
  if (from.empty() || withoutUnits(from) == withoutUnits(to) || llvm::is_contained(from, 0))
    return std::nullopt;
  Split split{reshape, {}};
  size_t next = 0;
  for (int64_t size : from) {
    split.begin.push_back(int64_t(next));
    int64_t product = 1;
    do {
      if (next == to.size())
        return std::nullopt;
      product *= to[next++];
    } while (product < size);
    if (product != size)
      return std::nullopt;
  }
  while (next < to.size() && to[next] == 1)
    ++next;
  split.begin.push_back(int64_t(next));
  return next == to.size() ? std::optional(split) : std::nullopt;
}

/// How a broadcast to the split shape becomes one to the unsplit: x's shape and its dimensions in the result.
struct MergedBroadcast {
  Dims shape, dims;
};

/// Nothing when x has a part of a group only.
std::optional<MergedBroadcast> mergeBroadcast(BroadcastOp broadcast, const Split &split) {
  ArrayRef<int64_t> from = shapeOf(broadcast.getX()), to = broadcast.getShape();
  MergedBroadcast result;
  for (int64_t group = 0; group < split.size(); ++group) {
    int64_t own = 1, all = 1;
    for (int64_t d = split.begin[size_t(group)]; d < split.begin[size_t(group) + 1]; ++d) {
      all *= to[size_t(d)];
      auto source = llvm::find(broadcast.getDims(), d);
      if (source != broadcast.getDims().end())
        own *= from[size_t(source - broadcast.getDims().begin())];
    }
    if (own == 1)
      continue;
    if (own != all)
      return std::nullopt;
    result.shape.push_back(own);
    result.dims.push_back(group);
  }
  return result;
}

/// Whether a value of the split shape can be had in the unsplit one without moving it.
bool canMerge(Value v, const Split &split) {
  if (auto broadcast = v.getDefiningOp<BroadcastOp>())
    return mergeBroadcast(broadcast, split).has_value();
  return !v.getDefiningOp() || matchPattern(v, m_Constant()) || v.getDefiningOp<ReshapeOp>();
}

Value merged(Value v, Split &split, PatternRewriter &rewriter) {
  auto broadcast = v.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return rewriter.create<ReshapeOp>(v.getLoc(), v, shapeOf(split.source()));
  std::optional<MergedBroadcast> target = mergeBroadcast(broadcast, split);
  Value x = broadcast.getX();
  if (ArrayRef<int64_t>(target->shape) != shapeOf(x))
    x = rewriter.create<ReshapeOp>(broadcast.getLoc(), x, target->shape);
  return rewriter.create<BroadcastOp>(broadcast.getLoc(), x, shapeOf(split.source()), target->dims);
}

/// f(reshape(x), y) is reshape(f(x, y')).
struct HoistElementwise : RewritePattern {
  explicit HoistElementwise(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    auto table = llvm::dyn_cast<TableOpInterface>(op);
    if (!table || !op_info(table.kind()).has(kElementwise))
      return failure();
    std::optional<Split> split;
    for (Value v : op->getOperands())
      if (!split)
        split = matchSplit(v);
    if (!split || !llvm::all_of(op->getOperands(), [&](Value v) { return canMerge(v, *split); }))
      return rewriter.notifyMatchFailure(op, "no operand is a split, or another one would have to move");
    llvm::SmallVector<Value> operands;
    for (Value v : op->getOperands())
      operands.push_back(merged(v, *split, rewriter));
    auto type = llvm::cast<RankedTensorType>(op->getResult(0).getType());
    Operation *hoisted = rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands,
                                         Type(type.clone(shapeOf(split->source()))), op->getAttrs());
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, hoisted->getResult(0), type.getShape());
    return success();
  }
};

/// A reduction over dimensions that are not split, likewise.
template <class Op> LogicalResult hoistReduction(Op op, PatternRewriter &rewriter) {
  std::optional<Split> split = matchSplit(op.getX());
  if (!split)
    return rewriter.notifyMatchFailure(op, "operand is no split");
  Dims axes;
  for (int64_t d : op.getAxes()) {
    const size_t group = size_t(split->groupOf(d));
    if (split->begin[group + 1] - split->begin[group] != 1)
      return rewriter.notifyMatchFailure(op, "reduces a part of a dimension");
    axes.push_back(int64_t(group));
  }
  Value reduced = rewriter.create<Op>(op.getLoc(), split->source(), axes);
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, reduced, shapeOf(op.getResult()));
  return success();
}

/// broadcast(reshape(x)) with each group next to each other in the result, likewise.
LogicalResult hoistBroadcast(BroadcastOp op, PatternRewriter &rewriter) {
  std::optional<Split> split = matchSplit(op.getX());
  if (!split)
    return rewriter.notifyMatchFailure(op, "operand is no split");
  Dims shape, dims;
  ArrayRef<int64_t> middle = shapeOf(op.getX());
  int64_t next = 0; // result dimensions so far
  for (int64_t group = 0; group < split->size(); ++group) {
    int64_t size = 1;
    bool begun = false;
    for (int64_t d = split->begin[size_t(group)]; d < split->begin[size_t(group) + 1]; ++d) {
      const int64_t target = op.getDims()[size_t(d)];
      if (middle[size_t(d)] == 1)
        continue; // repeated or not, it is no part of the group's elements
      for (; !begun && next < target; ++next)
        shape.push_back(op.getShape()[size_t(next)]);
      if (next != target)
        return rewriter.notifyMatchFailure(op, "other dimensions stand between the parts of one");
      begun = true;
      size *= middle[size_t(d)];
      ++next;
    }
    if (!begun)
      return rewriter.notifyMatchFailure(op, "a dimension has size 1");
    dims.push_back(int64_t(shape.size()));
    shape.push_back(size);
  }
  for (; next < int64_t(op.getShape().size()); ++next)
    shape.push_back(op.getShape()[size_t(next)]);
  Value repeated = rewriter.create<BroadcastOp>(op.getLoc(), split->source(), shape, dims);
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, repeated, op.getShape());
  return success();
}

} // namespace

void populateReshapePatterns(RewritePatternSet &patterns) {
  patterns.add<HoistElementwise>(patterns.getContext());
  patterns.add(hoistReduction<ReduceSumOp>).add(hoistReduction<ReduceProdOp>);
  patterns.add(hoistReduction<ReduceMaxOp>).add(hoistReduction<ReduceMinOp>);
  patterns.add(hoistBroadcast);
}

} // namespace ingot
