// log and log1p: x = 2^k m with m in [sqrt(1/2), sqrt(2)), log x = k ln 2 + log(1 + f), f = m - 1.
#include "ingot/ir/emit/MathBuilder.h"
#include "ingot/ir/emit/VectorMath.h"

using namespace mlir;

namespace ingot::emit {

namespace {

// (log(1 + f) - f) / f^2, relative error of the result 2^-27.3.
constexpr double seriesF32[] = {-0x1p-1,       0x1.555554p-2, -0x1.000228p-2, 0x1.99a01cp-3, -0x1.54721p-3,
                                0x1.22d9aep-3, -0x1.0d879p-3, 0x1.05590ap-3,  -0x1.389856p-4};
// (log((1 + s) / (1 - s)) - 2 s) / (s z) in z = s^2, to 2^-59.5.
constexpr double seriesF64[] = {0x1.5555555555592p-1, 0x1.999999997ff17p-2, 0x1.24924941e1abp-2, 0x1.c71c5213d7921p-3,
                                0x1.74663d114f21ap-3, 0x1.39a1e40f14dep-3,  0x1.2f03f4e925f63p-3};

/// k ln 2 + log(1 + f).
Expr logOf(Expr f, Expr k) {
  MathBuilder &m = *f.math;
  if (!m.isDouble()) {
    Expr tail = fma(k, -0x1.05c61p-29, f);
    return fma(k, 0x1.62e43p-1, fma(f * f, polynomial(f, seriesF32), tail));
  }
  // With s = f / (2 + f): log(1 + f) = f - (h - s (h + R)), h = f^2 / 2, the form of Ng's fdlibm, whose
  // rounding errors all sit in terms that are small beside f.
  Expr s = f / (f + 2.0), z = s * s, h = f * f * 0.5;
  Expr tail = fma(s, fma(z, polynomial(z, seriesF64), h), k * 0x1.ef35793c7673p-45);
  return fma(k, 0x1.62e42fefa38p-1, f - (h - tail));
}

struct Split {
  Expr m, k, negativeKBits; // the bits of -k in an exponent field
};

/// Normal positive x as 2^k m.
Split split(Expr x) {
  MathBuilder &m = *x.math;
  std::int64_t sqrtHalf = m.pick<std::int64_t>(0x3f3504f3, 0x3fe6a09e667f3bcd);
  std::int64_t one = m.bias() << m.mantissaBits();
  Expr bits = bitsOf(x);
  Expr shifted = bits - m.integer(sqrtHalf - one);
  Expr mBits = (shifted & m.integer((std::int64_t(1) << m.mantissaBits()) - 1)) + m.integer(sqrtHalf);
  // The biased exponent as the low mantissa bits of 2^mantissaBits: exact, and no conversion is needed.
  double power = double(std::int64_t(1) << m.mantissaBits());
  std::int64_t powerBits = (m.bias() + m.mantissaBits()) << m.mantissaBits();
  Expr k = floatOf((shifted >> m.mantissaBits()) | m.integer(powerBits)) - (power + double(m.bias()));
  return {floatOf(mBits), k, mBits - bits};
}

/// NaN below the pole at `pole`, -inf at it; infinity and NaN as they came.
Expr withSpecials(Expr result, Expr x, double pole) {
  MathBuilder &m = *x.math;
  result = select(x < m.infinity(), result, x);
  return select(x > pole, result, select(x == pole, -m.infinity(), m.nan()));
}

} // namespace

Value log(OpBuilder &b, Location loc, Value value) {
  MathBuilder m(b, loc, value.getType());
  Expr x = m.wrap(value);
  Expr tiny = x < m.pick(0x1p-126, 0x1p-1022);
  double lift = m.pick(23.0, 52.0);
  Split parts = split(select(tiny, x * m.pick(0x1p23, 0x1p52), x));
  Expr k = parts.k - select(tiny, lift, m.number(0));
  return withSpecials(logOf(parts.m - 1.0, k), x, 0);
}

Value log1p(OpBuilder &b, Location loc, Value value) {
  // 1 + x = u + c exactly; c joins f at m's scale, so nothing is lost and no division is needed.
  MathBuilder m(b, loc, value.getType());
  Expr x = m.wrap(value), one = m.number(1);
  Expr larger = select(x > one, x, one), smaller = select(x > one, one, x);
  TwoTerms sum = fastTwoSum(larger, smaller);
  Split parts = split(sum.hi);
  // 2^-k; beyond its range c is far below m's last bit and 0 serves as well.
  Expr scaleBits = parts.negativeKBits + m.integer(m.bias() << m.mantissaBits());
  Expr scale = floatOf(select(scaleBits > m.integer(0), scaleBits, m.integer(0)));
  Expr f = fma(sum.lo, scale, parts.m - 1.0);
  return copysign(withSpecials(logOf(f, parts.k), x, -1), x);
}

} // namespace ingot::emit
