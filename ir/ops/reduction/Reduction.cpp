// Derivatives of reductions.
#include "ingot/ir/Dialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/reduction/Reduction.cpp.inc"

namespace ingot {

using namespace mlir;
using Values = llvm::SmallVectorImpl<Value>;

namespace {

ArrayRef<int64_t> shapeOf(Value v) { return llvm::cast<ShapedType>(v.getType()).getShape(); }

/// A reduced value repeated along the axes again.
Value spread(OpBuilder &b, Location loc, Value reduced, Value like, ArrayRef<int64_t> axes) {
  llvm::SmallVector<int64_t> kept;
  for (int64_t d = 0; d < int64_t(shapeOf(like).size()); ++d)
    if (!llvm::is_contained(axes, d))
      kept.push_back(d);
  return b.create<BroadcastOp>(loc, reduced, shapeOf(like), kept);
}

/// The cotangent goes to the elements that equal the result, in equal parts.
LogicalResult extremumVjp(OpBuilder &b, Location loc, Value x, Value y, ArrayRef<int64_t> axes, Value g, Values &out) {
  if (!g || !isFloatTensor(x.getType())) {
    out.push_back({});
    return success();
  }
  Type element = llvm::cast<ShapedType>(x.getType()).getElementType();
  Value chosen = b.create<EqOp>(loc, x, spread(b, loc, y, x, axes));
  Value ones = b.create<ConvertOp>(loc, chosen, TypeAttr::get(element));
  Value share = b.create<DivOp>(loc, g, b.create<ReduceSumOp>(loc, ones, axes));
  out.push_back(b.create<MulOp>(loc, spread(b, loc, share, x, axes), ones));
  return success();
}

} // namespace

LogicalResult ReduceSumOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  bool flows = cotangents[0] && isFloatTensor(getX().getType());
  out.push_back(flows ? spread(b, getLoc(), cotangents[0], getX(), getAxes()) : Value());
  return success();
}

LogicalResult ReduceMaxOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  return extremumVjp(b, getLoc(), getX(), getResult(), getAxes(), cotangents[0], out);
}
LogicalResult ReduceMinOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  return extremumVjp(b, getLoc(), getX(), getResult(), getAxes(), cotangents[0], out);
}

/// The product as a tree of products of two: halves of the line are multiplied with each other until one element is
/// left, and cotangents go back the same way. No division, so that zeros need no care, here or in further derivatives.
LogicalResult ReduceProdOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  Value g = cotangents[0], x = getX();
  if (!g || !isFloatTensor(x.getType())) {
    out.push_back({});
    return success();
  }
  Location loc = getLoc();
  ArrayRef<int64_t> shape = shapeOf(x);
  llvm::SmallVector<int64_t> order, back(shape.size());
  int64_t lines = 1, length = 1;
  for (int64_t d = 0; d < int64_t(shape.size()); ++d)
    if (!llvm::is_contained(getAxes(), d))
      order.push_back(d), lines *= shape[size_t(d)];
  for (int64_t d : getAxes())
    order.push_back(d), length *= shape[size_t(d)];
  llvm::SmallVector<int64_t> moved;
  for (auto [to, from] : llvm::enumerate(order)) {
    back[size_t(from)] = int64_t(to);
    moved.push_back(shape[size_t(from)]);
  }
  if (lines * length == 0) {
    out.push_back(splatConstant(b, loc, 0, x.getType()));
    return success();
  }
  auto columns = [&](Value line, int64_t begin, int64_t end) -> Value {
    return b.create<SliceOp>(loc, line, ArrayRef<int64_t>{0, begin}, ArrayRef<int64_t>{lines, end},
                             ArrayRef<int64_t>{1, 1});
  };
  Type element = llvm::cast<ShapedType>(x.getType()).getElementType();
  Value one = splatConstant(b, loc, 1, RankedTensorType::get({}, element));
  Value line = b.create<ReshapeOp>(loc, b.create<TransposeOp>(loc, x, order), ArrayRef<int64_t>{lines, length});
  llvm::SmallVector<std::pair<Value, Value>> halves;
  llvm::SmallVector<int64_t> lengths;
  for (int64_t n = length; n > 1; n = (n + 1) / 2) {
    if (n % 2)
      line = b.create<PadOp>(loc, line, one, ArrayRef<int64_t>{0, 0}, ArrayRef<int64_t>{0, 1});
    const int64_t half = (n + 1) / 2;
    halves.emplace_back(columns(line, 0, half), columns(line, half, 2 * half));
    lengths.push_back(n);
    line = b.create<MulOp>(loc, halves.back().first, halves.back().second);
  }
  Value flowing = b.create<ReshapeOp>(loc, g, ArrayRef<int64_t>{lines, 1});
  for (auto [pair, n] : llvm::reverse(llvm::zip(halves, lengths))) {
    Value low = b.create<MulOp>(loc, flowing, pair.second), high = b.create<MulOp>(loc, flowing, pair.first);
    flowing = b.create<ConcatOp>(loc, ValueRange{low, high}, 1);
    if (n % 2)
      flowing = columns(flowing, 0, n);
  }
  out.push_back(b.create<TransposeOp>(loc, b.create<ReshapeOp>(loc, flowing, moved), back));
  return success();
}

LogicalResult ArgMaxOp::vjp(OpBuilder &, ValueRange, Values &out) {
  out.push_back({});
  return success();
}
LogicalResult ArgMinOp::vjp(OpBuilder &, ValueRange, Values &out) {
  out.push_back({});
  return success();
}

} // namespace ingot
