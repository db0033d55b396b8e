// tanh and the logistic function, on the exponential.
#include "ingot/ir/emit/Exponential.h"
#include "ingot/ir/emit/VectorMath.h"

using namespace mlir;

namespace ingot::emit {

Value tanh(OpBuilder &b, Location loc, Value value) {
  // tanh |x| = H / (1 + H) with H = (e^(2|x|) - 1) / 2: no cancellation, and an error of H only shrinks in
  // it. Small ones as H - H (H / (1 + H)), which keeps the roundings of sum and quotient out of the result.
  MathBuilder m(b, loc, value.getType());
  Expr x = m.wrap(value);
  Expr half = halfExpm1OfDouble(clampAbove(abs(x), m.pick(10.0, 22.0)));
  Expr quotient = half / (half + 1.0);
  return withSignOf(select(half < 0.34, fma(-half, quotient, half), quotient), x);
}

Value logistic(OpBuilder &b, Location loc, Value value) {
  // With e = exp(-|x|) and t = e / (1 + e): 1 - t on the right, e - e t on the left. Nothing overflows and
  // the roundings of sum and quotient reach the result only scaled down.
  MathBuilder m(b, loc, value.getType());
  Expr x = m.wrap(value);
  ScaledExpm1 parts = scaledExpm1(clampBelow(-abs(x), m.pick(-104.0, -746.0)), m.pick(64, 512));
  Expr e = fma(parts.p, parts.scale, parts.scale) * m.pick(0x1p-64, 0x1p-512);
  Expr t = e / (e + 1.0);
  Expr whole = selectNegative(x, e, m.number(1));
  return fma(-whole, t, whole);
}

} // namespace ingot::emit
