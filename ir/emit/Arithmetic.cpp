#include "ingot/ir/emit/Arithmetic.h"

#include "ingot/ir/emit/MathBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;

namespace ingot::emit {

namespace {

unsigned widthOf(Value x) { return getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth(); }

/// A boolean is 0 or 1, never -1.
bool isSigned(Value x, Signedness sign) { return sign == Signedness::Signed && widthOf(x) > 1; }

Expr minimumOf(Expr x) {
  MathBuilder &m = *x.math;
  return m.constantLike(x, 1) << (widthOf(x) - 1);
}

struct Division {
  Expr byZero, divisor; // where y is 0, and y without the values that would trap
};

Division guard(Expr x, Expr y, bool isSigned) {
  MathBuilder &m = *x.math;
  Expr one = m.constantLike(y, 1);
  Expr byZero = y == m.constantLike(y, 0), bad = byZero;
  if (isSigned)
    bad = bad | ((x == minimumOf(x)) & (y == m.constantLike(y, -1)));
  return {byZero, select(bad, one, y)};
}

/// Whether lanes are better divided as floats: processors divide no integer vectors. A quotient of integers
/// of at most 16 (32) bits differs from the next integer by more than the rounding of f32 (f64), so
/// truncating is exact. Constant divisors are left to LLVM, which multiplies instead.
FloatType floatForDivision(OpBuilder &b, Value y) {
  if (!isa<VectorType>(y.getType()) || widthOf(y) > 32 || widthOf(y) == 1 || matchPattern(y, m_Constant()))
    return {};
  return widthOf(y) <= 16 ? b.getF32Type() : b.getF64Type();
}

Expr quotientOf(OpBuilder &b, Location loc, Expr x, Expr y, FloatType element, bool isSigned) {
  MathBuilder &m = *x.math;
  Type type = x.value.getType();
  if (element) {
    Type wide = m.with(element);
    auto toFloat = [&](Value v) -> Value {
      return isSigned ? b.create<arith::SIToFPOp>(loc, wide, v).getResult()
                      : b.create<arith::UIToFPOp>(loc, wide, v).getResult();
    };
    Value quotient = b.create<arith::DivFOp>(loc, toFloat(x), toFloat(y));
    return m.wrap(isSigned ? b.create<arith::FPToSIOp>(loc, type, quotient).getResult()
                           : b.create<arith::FPToUIOp>(loc, type, quotient).getResult());
  }
  return m.wrap(isSigned ? b.create<arith::DivSIOp>(loc, x, y).getResult()
                         : b.create<arith::DivUIOp>(loc, x, y).getResult());
}

template <class Signed, class Unsigned> Value bySign(OpBuilder &b, Location loc, bool isSigned, Value x, Value y) {
  return isSigned ? b.create<Signed>(loc, x, y).getResult() : b.create<Unsigned>(loc, x, y).getResult();
}

template <class Shift> Value shiftOrZero(OpBuilder &b, Location loc, Value x, Value amount) {
  MathBuilder m(b, loc, x.getType());
  Value zero = m.constantLike(m.wrap(x), 0);
  if (widthOf(x) == 1) // the width, 1, does not fit into the type
    return b.create<arith::SelectOp>(loc, amount, zero, x);
  Value width = m.constantLike(m.wrap(x), widthOf(x));
  Value inside = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, amount, width);
  return b.create<arith::SelectOp>(loc, inside, b.create<Shift>(loc, x, amount), zero);
}

} // namespace

Value divInteger(OpBuilder &b, Location loc, Value xValue, Value yValue, Signedness sign) {
  MathBuilder m(b, loc, xValue.getType());
  Expr x = m.wrap(xValue), y = m.wrap(yValue);
  bool withSign = isSigned(xValue, sign);
  Division division = guard(x, y, withSign);
  FloatType element = floatForDivision(b, yValue);
  Expr quotient = quotientOf(b, loc, x, division.divisor, element, withSign);
  return select(division.byZero, m.constantLike(x, -1), quotient);
}

Value remInteger(OpBuilder &b, Location loc, Value xValue, Value yValue, Signedness sign) {
  MathBuilder m(b, loc, xValue.getType());
  Expr x = m.wrap(xValue), y = m.wrap(yValue);
  bool withSign = isSigned(xValue, sign);
  Division division = guard(x, y, withSign);
  Expr rest;
  if (FloatType element = floatForDivision(b, yValue))
    rest = x - quotientOf(b, loc, x, division.divisor, element, withSign) * division.divisor;
  else
    rest = m.wrap(bySign<arith::RemSIOp, arith::RemUIOp>(b, loc, withSign, x, division.divisor));
  return select(division.byZero, x, rest);
}

Value shiftLeft(OpBuilder &b, Location loc, Value x, Value amount) {
  return shiftOrZero<arith::ShLIOp>(b, loc, x, amount);
}

Value shiftRight(OpBuilder &b, Location loc, Value x, Value amount, Signedness sign) {
  if (!isSigned(x, sign))
    return shiftOrZero<arith::ShRUIOp>(b, loc, x, amount);
  MathBuilder m(b, loc, x.getType());
  Value last = m.constantLike(m.wrap(x), widthOf(x) - 1);
  return b.create<arith::ShRSIOp>(loc, x, b.create<arith::MinUIOp>(loc, amount, last));
}

Value floatToInt(OpBuilder &b, Location loc, Value value, Type element, Signedness sign) {
  if (widthOf(value) < 32)
    value = floatToFloat(b, loc, value, b.getF32Type());
  MathBuilder m(b, loc, value.getType());
  Expr x = m.wrap(value);
  unsigned width = element.getIntOrFloatBitWidth();
  if (width == 1)
    return x != m.number(0);
  bool withSign = sign == Signedness::Signed;
  // The bounds as floats: `top` is the largest float that still converts.
  int bits = int(width) - (withSign ? 1 : 0);
  double past = std::ldexp(1.0, bits), bottom = withSign ? -past : 0;
  bool topIsMaximum = bits <= int(m.mantissaBits()) + 1;
  double top = topIsMaximum ? past - 1 : past - std::ldexp(1.0, bits - int(m.mantissaBits()) - 1);
  Expr known = select(x == x, x, 0.0);
  Expr inside = clampBelow(clampAbove(known, top), bottom);
  // Narrow types go through i32, the width that vectors convert to.
  Type through = width < 32 ? Type(b.getI32Type()) : element;
  Value result = withSign || width < 32 ? b.create<arith::FPToSIOp>(loc, m.with(through), inside).getResult()
                                        : b.create<arith::FPToUIOp>(loc, m.with(through), inside).getResult();
  if (width < 32)
    result = b.create<arith::TruncIOp>(loc, m.with(element), result);
  if (topIsMaximum)
    return result;
  Expr maximum = m.constantLike(m.wrap(result), -1);
  if (withSign)
    maximum = maximum >> 1;
  return select(x > top, maximum, m.wrap(result));
}

Value intToFloat(OpBuilder &b, Location loc, Value x, Type element, Signedness sign) {
  MathBuilder m(b, loc, x.getType());
  Type exact = element.getIntOrFloatBitWidth() < 32 ? Type(b.getF32Type()) : element;
  if (element != exact && widthOf(x) > 24)
    exact = b.getF64Type(); // rounding twice through f32 could miss the nearest
  Value result = isSigned(x, sign) ? b.create<arith::SIToFPOp>(loc, m.with(exact), x).getResult()
                                   : b.create<arith::UIToFPOp>(loc, m.with(exact), x).getResult();
  return floatToFloat(b, loc, result, element);
}

Value floatToFloat(OpBuilder &b, Location loc, Value x, Type element) {
  MathBuilder m(b, loc, x.getType());
  Type from = getElementTypeOrSelf(x.getType());
  if (from == element)
    return x;
  // f16 and bf16: their own expansions belong here where the target has no conversion instruction.
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return b.create<arith::ExtFOp>(loc, m.with(element), x);
  return b.create<arith::TruncFOp>(loc, m.with(element), x);
}

Value intToInt(OpBuilder &b, Location loc, Value x, Type element, Signedness sign) {
  MathBuilder m(b, loc, x.getType());
  unsigned from = widthOf(x), to = element.getIntOrFloatBitWidth();
  if (from == to)
    return x;
  if (to == 1)
    return m.wrap(x) != m.constantLike(m.wrap(x), 0);
  if (from > to)
    return b.create<arith::TruncIOp>(loc, m.with(element), x);
  return isSigned(x, sign) ? b.create<arith::ExtSIOp>(loc, m.with(element), x).getResult()
                           : b.create<arith::ExtUIOp>(loc, m.with(element), x).getResult();
}

Value maximum(OpBuilder &b, Location loc, Value x, Value y, Signedness sign) {
  if (isa<FloatType>(getElementTypeOrSelf(x.getType())))
    return b.create<arith::MaximumFOp>(loc, x, y);
  return bySign<arith::MaxSIOp, arith::MaxUIOp>(b, loc, isSigned(x, sign), x, y);
}

Value minimum(OpBuilder &b, Location loc, Value x, Value y, Signedness sign) {
  if (isa<FloatType>(getElementTypeOrSelf(x.getType())))
    return b.create<arith::MinimumFOp>(loc, x, y);
  return bySign<arith::MinSIOp, arith::MinUIOp>(b, loc, isSigned(x, sign), x, y);
}

} // namespace ingot::emit
