// pow: |x|^y = exp(y log |x|). f32 computes in f64; f64 carries the logarithm and the product as two terms,
// about 2^-66 relative, because an exponent of up to 1075 multiplies its error.
#include "ingot/ir/emit/MathBuilder.h"
#include "ingot/ir/emit/VectorMath.h"

using namespace mlir;

namespace ingot::emit {

namespace {

// log2((1 + s) / (1 - s)) / s in s^2 for |s| <= 0.1716, to 2^-37.8.
constexpr double log2Short[] = {0x1.71547652bedf2p+1, 0x1.ec709d12d250ep-1, 0x1.27777fe5977f2p-1, 0x1.a58d8a4d30834p-2,
                                0x1.5ce837be1edfap-2};
// 2^f for |f| <= 1/2, to 2^-34.3.
constexpr double exp2Short[] = {0x1p+0,
                                0x1.62e42ff0e24aap-1,
                                0x1.ebfbe077c5411p-3,
                                0x1.c6b08abe967cp-5,
                                0x1.3b29f364db3cep-7,
                                0x1.5d8a87b199f81p-10,
                                0x1.445cb185c00adp-13,
                                0x1.fde451a8cfaa7p-17};
// ((log((1 + s) / (1 - s)) - 2 s) / (s z) - 2/3) / z in z = s^2, to 2^-66 of the logarithm.
constexpr double logTail[] = {0x1.9999999999b3p-2,  0x1.2492492457d69p-2, 0x1.c71c722d654dep-3, 0x1.745ce9e3a9ccp-3,
                              0x1.3b1eec015e30ap-3, 0x1.0f7fe9fc97ab4p-3, 0x1.0e42adc21035fp-3};
// (e^r - 1 - r) / r^2 for |r| <= ln 2, as exp uses it.
constexpr double expTail[] = {0x1.ffffffffffff3p-2,  0x1.55555555555b7p-3,  0x1.5555555556949p-5,
                              0x1.11111111081bdp-7,  0x1.6c16c169c08f2p-10, 0x1.a01a01b24b2cp-13,
                              0x1.a01a05814c31cp-16, 0x1.71de29edf9b1bp-19, 0x1.27e1ca5f7f2dap-22,
                              0x1.ae714388a36d4p-26, 0x1.217a78f027fdbp-29, 0x1.5e67df71081a7p-33};

constexpr double power52 = 0x1p52;

/// Normal positive x as 2^k m, m in [sqrt(1/2), sqrt(2)).
void split(Expr x, Expr &mantissa, Expr &k) {
  MathBuilder &m = *x.math;
  Expr shifted = bitsOf(x) - m.integer(0x3fe6a09e667f3bcd - 0x3ff0000000000000);
  mantissa = floatOf((shifted & m.integer(0xfffffffffffff)) + m.integer(0x3fe6a09e667f3bcd));
  k = floatOf((shifted >> 52) | m.integer(0x4330000000000000)) - (power52 + 1023.0);
}

/// log of positive finite x, denormals included, as two terms.
TwoTerms logTwoTerms(Expr x) {
  MathBuilder &m = *x.math;
  Expr tiny = x < 0x1p-1022;
  Expr mantissa, k;
  split(select(tiny, x * power52, x), mantissa, k);
  k = k - select(tiny, 52.0, m.number(0));
  // s = (m - 1) / (m + 1), and what its division and the sum leave over.
  Expr over = mantissa - 1.0, under = mantissa + 1.0;
  Expr underRest = mantissa - (under - 1.0);
  Expr inverse = 1.0 / under;
  Expr s = over * inverse;
  Expr sRest = (fma(-s, under, over) - s * underRest) * inverse;
  TwoTerms z = twoProduct(s, s);
  z.lo = fma(s + s, sRest, z.lo);
  // log m = s (2 + z (2/3 + z tail)).
  TwoTerms u = fastTwoSum(m.number(0x1.5555555555555p-1), z.hi * polynomial(z.hi, logTail));
  u.lo = u.lo + 0x1.5555555555555p-55;
  TwoTerms w = twoProduct(z.hi, u.hi);
  w.lo = w.lo + fma(z.hi, u.lo, z.lo * u.hi);
  TwoTerms a = fastTwoSum(m.number(2), w.hi);
  a.lo = a.lo + w.lo;
  TwoTerms log = twoProduct(s, a.hi);
  log.lo = log.lo + fma(s, a.lo, sRest * a.hi);
  // k times the upper 42 bits of ln 2 is exact and, unless k is 0, larger than log m.
  TwoTerms sum = fastTwoSum(k * 0x1.62e42fefa38p-1, log.hi);
  return fastTwoSum(sum.hi, sum.lo + fma(k, 0x1.ef35793c7673p-45, log.lo));
}

/// e^(p.hi + p.lo) for p.hi from -746 to 710 (or NaN).
Expr expTwoTerms(TwoTerms p) {
  double shifter = 1.5 * power52 + 1023.0;
  Expr shifted = fma(p.hi, 0x1.71547652b82fep-1, shifter);
  Expr h = shifted - shifter, scale = floatOf(bitsOf(shifted) << 52);
  Expr head = fma(h, -0x1.62e42fefa39efp+0, p.hi);
  Expr rest = fma(h, -0x1.abc9e3b39803fp-55, p.lo);
  TwoTerms r = fastTwoSum(head, rest);
  Expr tail = fma(r.hi * r.hi, polynomial(r.hi, expTail), fma(r.hi, r.lo, r.lo));
  return ((r.hi + tail + 1.0) * scale) * scale;
}

/// |x|^y for f64, right wherever y log |x| is a number.
Expr magnitudeF64(Expr x, Expr y) {
  MathBuilder &m = *x.math;
  TwoTerms log = logTwoTerms(x);
  log.hi = select(x == 0.0, -m.infinity(), select(x < m.infinity(), log.hi, x));
  TwoTerms p = twoProduct(y, log.hi);
  p.lo = fma(y, log.lo, p.lo);
  // Past the range of exp the rest is noise, or NaN where the product overflowed.
  p.lo = select(abs(p.hi) < 0x1p10, p.lo, 0.0);
  p.hi = clampBelow(clampAbove(p.hi, 709.8), -746.0);
  return expTwoTerms(p);
}

/// The same for f32, given and returned as f64 that rounds to the result.
Expr magnitudeF32(Expr x, Expr y) {
  MathBuilder &m = *x.math;
  Expr mantissa, k;
  split(x, mantissa, k);
  Expr s = (mantissa - 1.0) / (mantissa + 1.0);
  Expr log = fma(s, polynomial(s * s, log2Short), k);
  log = select(x == 0.0, -m.infinity(), select(x < m.infinity(), log, x));
  Expr p = clampBelow(clampAbove(y * log, 200.0), -200.0);
  double shifter = 1.5 * power52 + 1023.0;
  Expr shifted = p + shifter;
  return polynomial(p - (shifted - shifter), exp2Short) * floatOf(bitsOf(shifted) << 52);
}

} // namespace

Value pow(OpBuilder &b, Location loc, Value xValue, Value yValue) {
  MathBuilder m(b, loc, xValue.getType());
  Expr x = m.wrap(xValue), y = m.wrap(yValue), magnitude = abs(x), result;
  if (m.isDouble()) {
    result = magnitudeF64(magnitude, y);
  } else {
    MathBuilder wide(b, loc, m.with(b.getF64Type()));
    Expr x64 = wide.wrap(m.extend(magnitude, b.getF64Type())), y64 = wide.wrap(m.extend(y, b.getF64Type()));
    result = m.wrap(wide.truncate(magnitudeF32(x64, y64), b.getF32Type()));
  }
  // A negative base, -0 included, takes integers only and gives its sign to odd powers.
  Expr half = y * 0.5;
  Expr whole = m.wrap(trunc(b, loc, y)) == y;
  Expr odd = whole & (m.wrap(trunc(b, loc, half)) != half);
  result = copysign(result, select(odd, x, 1.0));
  Expr undefined = (x < 0.0) & !whole & (magnitude < m.infinity()) & (y == y);
  result = select(undefined, m.nan(), result);
  // |x| = 1 with infinite y, then what is 1 whatever the other operand is, NaN included.
  Expr unitToInfinity = (magnitude == 1.0) & (abs(y) == m.infinity());
  return select(unitToInfinity | (x == 1.0) | (y == 0.0), 1.0, result);
}

} // namespace ingot::emit
