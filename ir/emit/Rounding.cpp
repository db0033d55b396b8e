// Functions with an exact or nearly exact hardware operation: rounding to integers, 1 / sqrt, fmod.
#include "ingot/ir/emit/MathBuilder.h"
#include "ingot/ir/emit/VectorMath.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace ingot::emit {

Value floor(OpBuilder &b, Location loc, Value x) { return b.create<math::FloorOp>(loc, x); }
Value ceil(OpBuilder &b, Location loc, Value x) { return b.create<math::CeilOp>(loc, x); }
Value roundEven(OpBuilder &b, Location loc, Value x) { return b.create<math::RoundEvenOp>(loc, x); }
Value trunc(OpBuilder &b, Location loc, Value x) { return b.create<math::TruncOp>(loc, x); }

Value rsqrt(OpBuilder &b, Location loc, Value value) {
  MathBuilder m(b, loc, value.getType());
  return 1.0 / sqrt(m.wrap(value));
}

Value remainderTrunc(OpBuilder &b, Location loc, Value xValue, Value yValue) {
  // While |r| >= |y|: r -= q |y| with q the quotient rounded to the mantissa's bits. The result of each step
  // is a multiple of the last bit of q |y| and at most half as large as q's granule times |y|, so the fused
  // multiply-add is exact and a step removes a mantissa's worth of quotient bits (f64: at most 41 steps,
  // mostly 1).
  MathBuilder m(b, loc, xValue.getType());
  Expr x = m.wrap(xValue), divisor = abs(m.wrap(yValue));
  Expr defined = (abs(x) < m.infinity()) & (divisor > 0.0) & (divisor < m.infinity());
  Expr start = select(defined, abs(x), m.number(0));
  Expr y = select(defined, divisor, m.number(1));

  // Multiples of y to divide by where the quotient by y might overflow.
  Expr far = y * m.pick(0x1p100, 0x1p700), farther = far * m.pick(0x1p100, 0x1p700);
  auto loop = b.create<scf::WhileOp>(
      loc, TypeRange{xValue.getType()}, ValueRange{start},
      [&](OpBuilder &, Location, ValueRange args) {
        Expr again = abs(m.wrap(args[0])) >= y;
        b.create<scf::ConditionOp>(loc, m.any(again), args);
      },
      [&](OpBuilder &, Location, ValueRange args) {
        Expr r = m.wrap(args[0]), magnitude = abs(r);
        Expr step = select(magnitude >= farther, farther, select(magnitude >= far, far, y));
        Expr quotient = m.wrap(trunc(b, loc, r / step));
        b.create<scf::YieldOp>(loc, Value(fma(-quotient, step, r)));
      });
  b.setInsertionPointAfter(loop);
  Expr r = m.wrap(loop.getResult(0));
  r = copysign(select(r < 0.0, r + y, r), x);
  // y infinite leaves x; x infinite or NaN, y zero or NaN give NaN.
  Expr unchanged = (abs(x) < m.infinity()) & (divisor == m.infinity());
  return select(defined, r, select(unchanged, x, m.nan()));
}

} // namespace ingot::emit
