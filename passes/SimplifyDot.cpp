// Products in canonical form: at most one batch, one row, one column and one summed dimension; those of vectors as
// sums.
#include "ingot/passes/SimplifyPatterns.h"

#include "ingot/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"

namespace ingot {
namespace {

using namespace mlir;
using Dims = llvm::SmallVector<int64_t>;

ArrayRef<int64_t> shapeOf(Value v) { return llvm::cast<ShapedType>(v.getType()).getShape(); }

Dims freeDims(int64_t rank, ArrayRef<int64_t> batch, ArrayRef<int64_t> contract) {
  Dims rest;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(batch, d) && !llvm::is_contained(contract, d))
      rest.push_back(d);
  return rest;
}

/// One operand of a product with its dimensions in three groups.
struct Side {
  Value value;
  Dims batch, free, contract;

  Side(Value v, ArrayRef<int64_t> batch, ArrayRef<int64_t> contract)
      : value(v), batch(batch), free(freeDims(int64_t(shapeOf(v).size()), batch, contract)), contract(contract) {}
  bool canonical() const { return batch.size() <= 1 && free.size() <= 1 && contract.size() <= 1; }
};

int64_t product(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  int64_t size = 1;
  for (int64_t d : dims)
    size *= shape[size_t(d)];
  return size;
}

/// Whether the group's dimensions follow each other in memory in the group's order.
bool isRun(ArrayRef<int64_t> dims) {
  for (size_t i = 1; i < dims.size(); ++i)
    if (dims[i] != dims[i - 1] + 1)
      return false;
  return true;
}

/// Merges each group into one dimension; moves data only when a group is scattered.
void collapse(Side &side, PatternRewriter &rewriter, Location loc) {
  if (!isRun(side.batch) || !isRun(side.free) || !isRun(side.contract)) {
    Dims order = side.batch;
    llvm::append_range(order, side.free);
    llvm::append_range(order, side.contract);
    side.value = rewriter.create<TransposeOp>(loc, side.value, order);
    int64_t next = 0;
    for (Dims *group : {&side.batch, &side.free, &side.contract})
      for (int64_t &d : *group)
        d = next++;
  }
  ArrayRef<int64_t> shape = shapeOf(side.value);
  llvm::SmallVector<std::pair<int64_t, Dims *>> groups;
  for (Dims *group : {&side.batch, &side.free, &side.contract})
    if (!group->empty())
      groups.push_back({group->front(), group});
  llvm::sort(groups);
  Dims merged;
  for (auto [first, group] : groups) {
    int64_t size = product(shape, *group);
    *group = {int64_t(merged.size())};
    merged.push_back(size);
  }
  if (ArrayRef<int64_t>(merged) != shape)
    side.value = rewriter.create<ReshapeOp>(loc, side.value, merged);
}

LogicalResult makeCanonical(DotOp op, PatternRewriter &rewriter) {
  Side a(op.getA(), op.getLhsBatch(), op.getLhsContract()), b(op.getB(), op.getRhsBatch(), op.getRhsContract());
  if (a.canonical() && b.canonical())
    return rewriter.notifyMatchFailure(op, "is canonical");
  collapse(a, rewriter, op.getLoc());
  collapse(b, rewriter, op.getLoc());
  Value dot = rewriter.create<DotOp>(op.getLoc(), a.value, b.value, a.batch, b.batch, a.contract, b.contract);
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, dot, shapeOf(op.getResult()));
  return success();
}

/// dot(transpose(x), y) reads x itself.
LogicalResult absorbOperandTranspose(DotOp op, PatternRewriter &rewriter) {
  Value operands[] = {op.getA(), op.getB()};
  Dims batch[] = {Dims(op.getLhsBatch()), Dims(op.getRhsBatch())},
       contract[] = {Dims(op.getLhsContract()), Dims(op.getRhsContract())};
  bool changed = false;
  for (int side : {0, 1}) {
    auto transpose = operands[side].getDefiningOp<TransposeOp>();
    if (!transpose || Side(operands[side], batch[side], contract[side]).free.size() > 1)
      continue;
    for (Dims *group : {&batch[side], &contract[side]})
      for (int64_t &d : *group)
        d = transpose.getPermutation()[size_t(d)];
    operands[side] = transpose.getX();
    changed = true;
  }
  if (!changed)
    return rewriter.notifyMatchFailure(op, "no operand is a transpose");
  rewriter.replaceOpWithNewOp<DotOp>(op, operands[0], operands[1], batch[0], batch[1], contract[0], contract[1]);
  return success();
}

/// The transpose of a product of two matrices is the product in the other order.
LogicalResult absorbResultTranspose(TransposeOp op, PatternRewriter &rewriter) {
  auto dot = op.getX().getDefiningOp<DotOp>();
  if (!dot || !dot->hasOneUse())
    return rewriter.notifyMatchFailure(op, "operand is no product of its own");
  Side a(dot.getA(), dot.getLhsBatch(), dot.getLhsContract()), b(dot.getB(), dot.getRhsBatch(), dot.getRhsContract());
  if (!a.canonical() || !b.canonical() || a.free.size() != 1 || b.free.size() != 1)
    return rewriter.notifyMatchFailure(op, "product is not canonical");
  Dims swap = a.batch.empty() ? Dims{1, 0} : Dims{0, 2, 1};
  if (op.getPermutation() != ArrayRef<int64_t>(swap))
    return rewriter.notifyMatchFailure(op, "does not swap rows and columns");
  rewriter.replaceOpWithNewOp<DotOp>(op, dot.getB(), dot.getA(), b.batch, a.batch, b.contract, a.contract);
  return success();
}

/// A product of vectors is the sum of their elements' products: lanes go along the summed dimension, where a product's
/// go along rows or columns.
LogicalResult reduceVectors(DotOp op, PatternRewriter &rewriter) {
  Side a(op.getA(), op.getLhsBatch(), op.getLhsContract()), b(op.getB(), op.getRhsBatch(), op.getRhsContract());
  if (!a.canonical() || !b.canonical() || a.contract.empty())
    return rewriter.notifyMatchFailure(op, "is not canonical, or sums nothing");
  if (product(shapeOf(a.value), a.free) * product(shapeOf(b.value), b.free) != 1)
    return rewriter.notifyMatchFailure(op, "has several results for a batch");
  auto batchFirst = [](const Side &side) { return !side.batch.empty() && side.batch < side.contract; };
  const int64_t k = product(shapeOf(a.value), a.contract), batch = product(shapeOf(a.value), a.batch);
  if (batch != 1 && batchFirst(a) != batchFirst(b))
    return rewriter.notifyMatchFailure(op, "operands lie differently in memory");
  const Dims shape = batch == 1 ? Dims{k} : batchFirst(a) ? Dims{batch, k} : Dims{k, batch};
  auto flat = [&](Value v) { return rewriter.createOrFold<ReshapeOp>(op.getLoc(), v, shape); };
  Value products = rewriter.create<MulOp>(op.getLoc(), flat(a.value), flat(b.value));
  Value sum = rewriter.create<ReduceSumOp>(op.getLoc(), products, Dims{batch != 1 && batchFirst(a) ? 1 : 0});
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, sum, shapeOf(op.getResult()));
  return success();
}

} // namespace

void populateDotPatterns(RewritePatternSet &patterns) {
  patterns.add(makeCanonical).add(absorbOperandTranspose).add(absorbResultTranspose).add(reduceVectors);
}

} // namespace ingot
