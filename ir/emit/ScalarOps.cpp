#include "ingot/ir/emit/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"

namespace ingot::emit {

using namespace mlir;

Type elementOf(Type type) {
  auto vector = llvm::dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

Type withElement(Type type, Type element) {
  auto vector = llvm::dyn_cast<VectorType>(type);
  return vector ? Type(VectorType::get(vector.getShape(), element)) : element;
}

namespace {

bool isFloat(Value x) { return llvm::isa<FloatType>(elementOf(x.getType())); }
bool isBool(Value x) { return elementOf(x.getType()).isInteger(1); }

Value splatConstant(OpBuilder &b, Location loc, TypedAttr element, Type type) {
  if (auto vector = llvm::dyn_cast<VectorType>(type))
    return b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(vector, Attribute(element)));
  return b.create<arith::ConstantOp>(loc, element);
}

/// Floats compare ordered (unordered only for ne); bools as 0 and 1.
Value compare(OpBuilder &b, Location loc, Value x, Value y, arith::CmpFPredicate forFloat, arith::CmpIPredicate forInt,
              arith::CmpIPredicate forBool) {
  if (isFloat(x))
    return b.create<arith::CmpFOp>(loc, forFloat, x, y);
  return b.create<arith::CmpIOp>(loc, isBool(x) ? forBool : forInt, x, y);
}

} // namespace

Value ScalarOps::add(Value x, Value y) {
  return isFloat(x) ? Value(b.create<arith::AddFOp>(loc, x, y)) : Value(b.create<arith::AddIOp>(loc, x, y));
}
Value ScalarOps::sub(Value x, Value y) {
  return isFloat(x) ? Value(b.create<arith::SubFOp>(loc, x, y)) : Value(b.create<arith::SubIOp>(loc, x, y));
}
Value ScalarOps::mul(Value x, Value y) {
  return isFloat(x) ? Value(b.create<arith::MulFOp>(loc, x, y)) : Value(b.create<arith::MulIOp>(loc, x, y));
}
Value ScalarOps::div(Value x, Value y) {
  return isFloat(x) ? Value(b.create<arith::DivFOp>(loc, x, y)) : divInteger(b, loc, x, y);
}
Value ScalarOps::rem(Value x, Value y) { return isFloat(x) ? remainderTrunc(b, loc, x, y) : remInteger(b, loc, x, y); }
Value ScalarOps::fma(Value x, Value y, Value z) { return b.create<math::FmaOp>(loc, x, y, z); }
Value ScalarOps::neg(Value x) {
  return isFloat(x) ? Value(b.create<arith::NegFOp>(loc, x)) : sub(constantInt(0, x.getType()), x);
}
Value ScalarOps::abs(Value x) {
  if (isFloat(x))
    return b.create<math::AbsFOp>(loc, x);
  return select(lt(x, constantInt(0, x.getType())), neg(x), x);
}
Value ScalarOps::sign(Value x) {
  Type type = x.getType();
  Value zero = constant(0, type), one = constant(1, type);
  Value result = select(gt(x, zero), one, select(lt(x, zero), neg(one), zero));
  return isFloat(x) ? select(ne(x, x), x, result) : result;
}
Value ScalarOps::sqrt(Value x) { return b.create<math::SqrtOp>(loc, x); }

Value ScalarOps::eq(Value x, Value y) {
  return compare(b, loc, x, y, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq, arith::CmpIPredicate::eq);
}
Value ScalarOps::ne(Value x, Value y) {
  return compare(b, loc, x, y, arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne, arith::CmpIPredicate::ne);
}
Value ScalarOps::lt(Value x, Value y) {
  return compare(b, loc, x, y, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt, arith::CmpIPredicate::ult);
}
Value ScalarOps::le(Value x, Value y) {
  return compare(b, loc, x, y, arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle, arith::CmpIPredicate::ule);
}
Value ScalarOps::gt(Value x, Value y) {
  return compare(b, loc, x, y, arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt, arith::CmpIPredicate::ugt);
}
Value ScalarOps::ge(Value x, Value y) {
  return compare(b, loc, x, y, arith::CmpFPredicate::OGE, arith::CmpIPredicate::sge, arith::CmpIPredicate::uge);
}

Value ScalarOps::bitAnd(Value x, Value y) { return b.create<arith::AndIOp>(loc, x, y); }
Value ScalarOps::bitOr(Value x, Value y) { return b.create<arith::OrIOp>(loc, x, y); }
Value ScalarOps::bitXor(Value x, Value y) { return b.create<arith::XOrIOp>(loc, x, y); }
Value ScalarOps::bitNot(Value x) { return bitXor(x, constantInt(-1, x.getType())); }
Value ScalarOps::select(Value c, Value x, Value y) { return b.create<arith::SelectOp>(loc, c, x, y); }

Value ScalarOps::convert(Value x, Type element) {
  Type from = elementOf(x.getType());
  if (from == element)
    return x;
  bool toFloat = llvm::isa<FloatType>(element);
  if (isFloat(x))
    return toFloat ? floatToFloat(b, loc, x, element) : floatToInt(b, loc, x, element);
  return toFloat ? intToFloat(b, loc, x, element) : intToInt(b, loc, x, element);
}

Value ScalarOps::constant(double value, Type type) {
  Type element = elementOf(type);
  if (auto real = llvm::dyn_cast<FloatType>(element))
    return splatConstant(b, loc, FloatAttr::get(real, value), type);
  return constantInt(int64_t(value), type);
}
Value ScalarOps::constantInt(int64_t value, Type type) {
  return splatConstant(b, loc, IntegerAttr::get(elementOf(type), value), type);
}
Value ScalarOps::lowest(Type type) {
  if (auto real = llvm::dyn_cast<FloatType>(elementOf(type)))
    return splatConstant(b, loc, FloatAttr::get(real, APFloat::getInf(real.getFloatSemantics(), /*Negative=*/true)),
                         type);
  unsigned width = elementOf(type).getIntOrFloatBitWidth();
  return splatConstant(b, loc, IntegerAttr::get(elementOf(type), APInt::getSignedMinValue(width)), type);
}
Value ScalarOps::highest(Type type) {
  if (auto real = llvm::dyn_cast<FloatType>(elementOf(type)))
    return splatConstant(b, loc, FloatAttr::get(real, APFloat::getInf(real.getFloatSemantics())), type);
  unsigned width = elementOf(type).getIntOrFloatBitWidth();
  return splatConstant(b, loc, IntegerAttr::get(elementOf(type), APInt::getSignedMaxValue(width)), type);
}

} // namespace ingot::emit
