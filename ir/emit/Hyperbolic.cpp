// tanh and the logistic function, on the exponential.
#include "ingot/ir/emit/Exponential.h"
#include "ingot/ir/emit/VectorMath.h"

using namespace mlir;

namespace ingot::emit {

Value tanh(OpBuilder &b, Location loc, Value value) {
  // tanh |x| = E / (E + 2) with E = e^(2|x|) - 1: no cancellation, and an error of E only shrinks in it.
  MathBuilder m(b, loc, value.getType());
  Expr x = m.wrap(value);
  Expr magnitude = clampAbove(abs(x), m.pick(10.0, 22.0));
  ScaledExpm1 e = scaledExpm1(magnitude + magnitude);
  Expr whole = fma(e.scale, e.p, e.scale - 1.0);
  return copysign(whole / (whole + 2.0), x);
}

Value logistic(OpBuilder &b, Location loc, Value value) {
  // With e = exp(-|x|) nothing overflows: 1 / (1 + e) on the right, e / (1 + e) on the left.
  MathBuilder m(b, loc, value.getType());
  Expr x = m.wrap(value);
  Expr e = expInRange(clampBelow(-abs(x), m.pick(-104.0, -746.0)));
  return select(x < 0.0, e, 1.0) / (e + 1.0);
}

} // namespace ingot::emit
