// erf: an odd polynomial near zero, 1 - 2^L(|x|) beyond, where L is a polynomial for log2(erfc) whose fit is
// weighted by erfc, so that its error counts only as far as it reaches the result.
#include "ingot/ir/emit/MathBuilder.h"
#include "ingot/ir/emit/VectorMath.h"

using namespace mlir;

namespace ingot::emit {

namespace {

// erf(x) / x - 1 in x^2 on [0, 0.85] (2^-27.1) and [0, 1] (2^-56.2).
constexpr double nearF32[] = {0x1.06eba8p-3,  -0x1.812724p-2, 0x1.ce251p-4,
                              -0x1.b730aep-6, 0x1.4b5668p-8,  -0x1.4c5088p-11};
constexpr double nearF64[] = {0x1.06eba8214db68p-3,   -0x1.812746b0379aap-2,  0x1.ce2f21a040432p-4,
                              -0x1.b82ce311ddee4p-6,  0x1.565bccf60fc3bp-8,   -0x1.c02dafd602dd4p-11,
                              0x1.f9a2b20786de3p-14,  -0x1.f4c9d5a94d8bfp-17, 0x1.b97b9bb980109p-20,
                              -0x1.5bef505e208dbp-23, 0x1.d681c1bf45365p-27,  -0x1.aa021dc883b79p-31};
// log2(erfc(x)) on [0.84, 4] and [0.99, 6], to 2^-28.8 and 2^-56.9 of erf.
constexpr double farF32[] = {-0x1.1d46dep-13, -0x1.a0a4a4p+0, -0x1.d61ce8p-1, -0x1.350cbap-3,
                             0x1.0a925ap-5,   -0x1.27af02p-8, 0x1.35a1acp-12};
constexpr double farF64[] = {-0x1.6c1e7a446ff76p-21, -0x1.a0be1056a2721p+0,  -0x1.d6431a11ca193p-1,
                             -0x1.2f764a8c76fbdp-3,  0x1.c106f155b6a69p-6,   0x1.2fee9846d1459p-11,
                             -0x1.68978dfce8549p-9,  0x1.20bdf363bcb4fp-10,  -0x1.8b1a01984fd2ep-13,
                             -0x1.0fc848e3a555ap-15, 0x1.1e771643a7d6p-15,   -0x1.b00672f2b22fbp-17,
                             0x1.a940c395495c5p-19,  -0x1.297bb89c201a5p-21, 0x1.285bba6a76c17p-24,
                             -0x1.9294f910d0f98p-28, 0x1.4f7fed16e2f09p-32,  -0x1.03529107a1a09p-37};
// 2^f for |f| <= 1/2, to 2^-23 (at most a sixth of it reaches the result) and 2^-57.8.
constexpr double exp2F32[] = {0x1.000002p+0, 0x1.62e432p-1, 0x1.ebf8bp-3, 0x1.c6af4cp-5, 0x1.3d2122p-7, 0x1.5ecbb2p-10};
constexpr double exp2F64[] = {0x1p+0,
                              0x1.62e42fefa39efp-1,
                              0x1.ebfbdff82c59dp-3,
                              0x1.c6b08d704a0d8p-5,
                              0x1.3b2ab6fba0fc5p-7,
                              0x1.5d87fe78b29e4p-10,
                              0x1.4309130c63fb9p-13,
                              0x1.ffcbfbff0cb67p-17,
                              0x1.62bfccfd81c29p-20,
                              0x1.b525ff601edf7p-24,
                              0x1.e61306439d1a8p-28,
                              0x1.e8257f39bd189p-32};

} // namespace

Value erf(OpBuilder &b, Location loc, Value value) {
  MathBuilder m(b, loc, value.getType());
  Expr x = m.wrap(value);
  Expr square = x * x;
  Expr nearZero = fma(x, m.isDouble() ? polynomial(square, nearF64) : polynomial(square, nearF32), x);

  Expr a = clampAbove(abs(x), m.pick(4.0, 6.0));
  Expr exponent = m.isDouble() ? polynomial(a, farF64) : polynomial(a, farF32);
  double shifter = 1.5 * double(std::int64_t(1) << m.mantissaBits()) + double(m.bias());
  Expr shifted = exponent + shifter;
  Expr fraction = exponent - (shifted - shifter);
  Expr scale = floatOf(bitsOf(shifted) << m.mantissaBits());
  Expr power = m.isDouble() ? polynomial(fraction, exp2F64) : polynomial(fraction, exp2F32);
  Expr far = withSignOf(fma(-scale, power, 1.0), x);
  return select(abs(x) < m.pick(0.845, 1.0), nearZero, far);
}

} // namespace ingot::emit
