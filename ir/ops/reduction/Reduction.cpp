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

/// d prod / d x is the product of the others: with no zero the product over x; with one zero the product of the rest,
/// at the zero alone; with more zeros nothing.
LogicalResult ReduceProdOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  Value g = cotangents[0], x = getX();
  if (!g || !isFloatTensor(x.getType())) {
    out.push_back({});
    return success();
  }
  Location loc = getLoc();
  Type element = llvm::cast<ShapedType>(x.getType()).getElementType();
  auto number = [&](double n, Value like) { return splatConstant(b, loc, n, like.getType()); };
  Value isZero = b.create<EqOp>(loc, x, number(0, x));
  Value zeros = b.create<ReduceSumOp>(loc, b.create<ConvertOp>(loc, isZero, TypeAttr::get(element)), getAxes());
  Value nonzero = b.create<SelectOp>(loc, isZero, number(1, x), x);
  Value rest = b.create<ReduceProdOp>(loc, nonzero, getAxes());
  Value weighted = b.create<MulOp>(loc, g, rest);
  Value none = b.create<SelectOp>(loc, b.create<EqOp>(loc, zeros, number(0, zeros)), weighted, number(0, weighted));
  Value one = b.create<SelectOp>(loc, b.create<EqOp>(loc, zeros, number(1, zeros)), weighted, number(0, weighted));
  Value atOthers = b.create<DivOp>(loc, spread(b, loc, none, x, getAxes()), nonzero);
  out.push_back(b.create<SelectOp>(loc, isZero, spread(b, loc, one, x, getAxes()), atOthers));
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
