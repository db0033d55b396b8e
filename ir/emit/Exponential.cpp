// exp and expm1. Cody-Waite reduction by multiples of ln 2 with fused multiply-adds (the first step is
// exact), then a near-minimax polynomial for (e^r - 1 - r) / r^2 fitted to the relative error of the result.
#include "ingot/ir/emit/Exponential.h"

#include "ingot/ir/emit/VectorMath.h"

using namespace mlir;

namespace ingot::emit {

namespace {

// |r| <= ln 2: relative error 2^-26.0 and 2^-56.5.
constexpr double wideF32[] = {0x1.00000cp-1, 0x1.555512p-3,  0x1.5549dcp-5,
                              0x1.112722p-7, 0x1.71c4d2p-10, 0x1.9bb182p-13};
constexpr double wideF64[] = {0x1.ffffffffffff3p-2,  0x1.55555555555b7p-3,  0x1.5555555556949p-5,
                              0x1.11111111081bdp-7,  0x1.6c16c169c08f2p-10, 0x1.a01a01b24b2cp-13,
                              0x1.a01a05814c31cp-16, 0x1.71de29edf9b1bp-19, 0x1.27e1ca5f7f2dap-22,
                              0x1.ae714388a36d4p-26, 0x1.217a78f027fdbp-29, 0x1.5e67df71081a7p-33};
// |r| <= ln 2 / 2, relative to e^r - 1: 2^-31.1 and 2^-61.6.
constexpr double narrowF32[] = {0x1p-1, 0x1.555554p-3, 0x1.5554f6p-5, 0x1.1112fap-7, 0x1.6d3c9ap-10, 0x1.9e26d4p-13};
constexpr double narrowF64[] = {0x1p-1,
                                0x1.5555555555559p-3,
                                0x1.5555555555551p-5,
                                0x1.111111110f659p-7,
                                0x1.6c16c16c18e35p-10,
                                0x1.a01a01b0009b8p-13,
                                0x1.a01a01970f7eep-16,
                                0x1.71ddf81937d13p-19,
                                0x1.27e5005318848p-22,
                                0x1.af5f1779cf637p-26,
                                0x1.1f36aacfd9f3dp-29};

struct Reduction {
  Expr k, scaleBits; // the multiple, and the bits of 2^(k + doublings)
};

/// k = round(x * perUnit). The shifter's low bits become an exponent field: 1.5 * 2^mantissaBits puts
/// integers into the low mantissa bits, and the bias is added beforehand.
Reduction roundToPower(Expr x, double perUnit, int doublings) {
  MathBuilder &m = *x.math;
  double shifter = 1.5 * double(std::int64_t(1) << m.mantissaBits());
  Expr shifted = fma(x, perUnit, shifter + double(m.bias() + doublings));
  return {shifted - (shifter + double(m.bias() + doublings)), bitsOf(shifted) << m.mantissaBits()};
}

/// scale and p of e^(factor x) = scale (1 + factor p), factor a power of two: only exponents of the constants
/// change.
ScaledExpm1 scaledExpm1(Expr x, int doublings, double factor) {
  MathBuilder &m = *x.math;
  Reduction red = roundToPower(x, factor * 0x1.71547652b82fep+0, doublings);
  SmallVector<double> c =
      m.isDouble() ? SmallVector<double>(ArrayRef(narrowF64)) : SmallVector<double>(ArrayRef(narrowF32));
  double power = factor;
  for (double &coefficient : c) {
    coefficient *= power;
    power *= factor;
  }
  Expr scale = floatOf(red.scaleBits);
  Expr head = fma(red.k, m.pick(-0x1.62e43p-1, -0x1.62e42fefa39efp-1) / factor, x);
  if (!m.isDouble()) {
    Expr r = fma(red.k, 0x1.05c61p-29 / factor, head);
    return {scale, fma(r * r, polynomial(r, c), r)};
  }
  // The rounding of r stays out of the leading term, which two instructions buy.
  Expr rest = red.k * (-0x1.abc9e3b39803fp-56 / factor), r = head + rest;
  return {scale, head + fma(r * r, polynomial(r, c), rest)};
}

} // namespace

Expr expInRange(Expr x) {
  // e^x = (2^h)^2 e^r with h = round(x / (2 ln 2)): one exponent field serves twice, and two multiplications
  // reach both denormals (rounded once, by the second) and the last binade. It costs one more coefficient
  // than halving |r| would and saves the integer work of splitting the exponent.
  MathBuilder &m = *x.math;
  Reduction red = roundToPower(x, 0x1.71547652b82fep-1, 0);
  Expr r = fma(red.k, m.pick(-0x1.62e43p+0, -0x1.62e42fefa39efp+0), x);
  r = fma(red.k, m.pick(0x1.05c61p-28, -0x1.abc9e3b39803fp-55), r);
  // The f32 chain is short enough for Horner's rule, which saves an instruction here.
  Expr p = m.isDouble() ? fma(r * r, polynomial(r, wideF64), r) + 1.0 : fma(fma(horner(r, wideF32), r, 1.0), r, 1.0);
  Expr scale = floatOf(red.scaleBits);
  return (p * scale) * scale;
}

ScaledExpm1 scaledExpm1(Expr x, int doublings) { return scaledExpm1(x, doublings, 1); }

Expr halfExpm1OfDouble(Expr x) {
  ScaledExpm1 e = scaledExpm1(x, 0, 2);
  return fma(e.scale, e.p, fma(e.scale, 0.5, -0.5));
}

Value exp(OpBuilder &b, Location loc, Value value) {
  MathBuilder m(b, loc, value.getType());
  Expr x = clampAbove(m.wrap(value), m.pick(88.8, 709.8));
  return expInRange(clampBelow(x, m.pick(-104.0, -746.0)));
}

Value expm1(OpBuilder &b, Location loc, Value value) {
  // 2^k - 1 + 2^k p, taken at half its size because 2^k may be one past the largest power.
  MathBuilder m(b, loc, value.getType());
  Expr given = m.wrap(value);
  Expr x = clampBelow(clampAbove(given, m.pick(88.8, 709.8)), m.pick(-18.0, -38.0));
  ScaledExpm1 e = scaledExpm1(x, -1);
  Expr half = fma(e.scale, e.p, e.scale - 0.5);
  // Halving would round denormals, and -0 would lose its sign.
  return select(abs(given) < m.pick(0x1p-30, 0x1p-60), given, half + half);
}

} // namespace ingot::emit
