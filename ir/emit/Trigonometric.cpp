// sin, cos and tan. Arguments up to 2^17 (f32) or 2^24 (f64) are reduced by Cody and Waite's method with
// fused multiply-adds; larger ones, lane by lane behind a branch, by Payne and Hanek's with the bits of 2 /
// pi.
#include "ingot/ir/emit/MathBuilder.h"
#include "ingot/ir/emit/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace ingot::emit {

namespace {

// (sin r - r) / r^3 and (cos r - 1 + r^2 / 2) / r^4 in r^2, |r| <= pi / 4: 2^-27.9, 2^-33; 2^-57.9, 2^-63.9.
constexpr double sinF32[] = {-0x1.555546p-3, 0x1.110778p-7, -0x1.9954p-13};
constexpr double cosF32[] = {0x1.55554ap-5, -0x1.6c0c2ap-10, 0x1.99e91p-16};
constexpr double sinF64[] = {-0x1.5555555555548p-3, 0x1.111111110f75bp-7,   -0x1.a01a019bf1d4ap-13,
                             0x1.71de355ec1c8bp-19, -0x1.ae5e5440b26d4p-26, 0x1.5d8e282ee900ep-33};
constexpr double cosF64[] = {0x1.555555555554bp-5,   -0x1.6c16c16c15016p-10, 0x1.a01a019c8f413p-16,
                             -0x1.27e4f7f1a11a1p-22, 0x1.1ee9dbd4f4a53p-29,  -0x1.8fa684cc6833bp-37};

// 64 zero bits, then those of 2 / pi after the point.
constexpr std::uint64_t twoOverPi[] = {0,
                                       0xa2f9836e4e441529,
                                       0xfc2757d1f534ddc0,
                                       0xdb6295993c439041,
                                       0xfe5163abdebbc561,
                                       0xb7246e3a424dd2e0,
                                       0x06492eea09d1921c,
                                       0xfe1deb1cb129a73e,
                                       0xe88235f52ebb4484,
                                       0xe99c7026b45f7e41,
                                       0x3991d639835339f4,
                                       0x9c845f8bbdf9283b,
                                       0x1ff897ffde05980f,
                                       0xef2f118b5a0a6d1f,
                                       0x6d367ecf27cb09b7,
                                       0x4f463f669e5fea2d,
                                       0x7527bac7ebe5f17b,
                                       0x3d0739f78a5292ea,
                                       0x6bfb5fb11f8d5d08,
                                       0x56033046fc7b6bab,
                                       0xf0cfbc209af4361d};

/// x = quadrant * pi / 2 + r.hi + r.lo, |r| <= pi / 4 and a little; only the quadrant's two low bits count.
struct Reduced {
  TwoTerms r;
  Expr quadrant;
};

Reduced reduceSmall(Expr x) {
  MathBuilder &m = *x.math;
  double shifter = 1.5 * double(std::int64_t(1) << m.mantissaBits());
  Expr shifted = fma(x, 0x1.45f306dc9c883p-1, shifter);
  Expr k = shifted - shifter;
  // Exact: r is a multiple of x's or the constant's last bit and small.
  Expr r = fma(k, m.pick(-0x1.921fb6p+0, -0x1.921fb54442d18p+0), x);
  double second = m.pick(0x1.777a5cp-25, -0x1.1a62633145c07p-54);
  double third = m.pick(0x1.ee59dap-50, 0x1.f1976b7ed8fbcp-110);
  TwoTerms next = twoProduct(k, m.number(second));
  TwoTerms sum = twoSum(r, next.hi);
  TwoTerms reduced = fastTwoSum(sum.hi, fma(k, third, sum.lo + next.lo));
  return {reduced, bitsOf(shifted)};
}

/// Scalar integer arithmetic on 64 bits for the reduction of large arguments.
class Words {
public:
  Words(OpBuilder &b, Location loc) : b(b), loc(loc) {}
  Value constant(std::int64_t v) { return b.create<arith::ConstantIntOp>(loc, v, 64); }
  Value add(Value x, Value y) { return b.create<arith::AddIOp>(loc, x, y); }
  Value mul(Value x, Value y) { return b.create<arith::MulIOp>(loc, x, y); }
  Value bitAnd(Value x, Value y) { return b.create<arith::AndIOp>(loc, x, y); }
  Value bitOr(Value x, Value y) { return b.create<arith::OrIOp>(loc, x, y); }
  Value left(Value x, Value n) { return b.create<arith::ShLIOp>(loc, x, n); }
  Value right(Value x, Value n) { return b.create<arith::ShRUIOp>(loc, x, n); }
  Value rightSigned(Value x, Value n) { return b.create<arith::ShRSIOp>(loc, x, n); }
  /// The 128-bit product's low and high words.
  std::pair<Value, Value> wide(Value x, Value y) {
    auto product = b.create<arith::MulUIExtendedOp>(loc, x, y);
    return {product.getLow(), product.getHigh()};
  }
  /// x + y and the carry as 0 or 1.
  std::pair<Value, Value> addCarry(Value x, Value y) {
    auto sum = b.create<arith::AddUIExtendedOp>(loc, x, y);
    return {sum.getSum(), b.create<arith::ExtUIOp>(loc, b.getI64Type(), sum.getOverflow())};
  }
  Value toDouble(Value x) { return b.create<arith::SIToFPOp>(loc, b.getF64Type(), x); }

private:
  OpBuilder &b;
  Location loc;
};

/// One finite x of at least 2^17, as f64. The window of 2 / pi that matters begins where the product's bits
/// weigh less than 4; 192 bits of it leave more than 64 right ones after the worst cancellation.
Reduced reduceLarge(MathBuilder &scalar, Expr x) {
  OpBuilder &b = scalar.builder();
  Location loc = scalar.location();
  Words w(b, loc);
  Value bits = bitsOf(abs(x));
  Value mantissa = w.bitOr(w.bitAnd(bits, w.constant((std::int64_t(1) << 52) - 1)), w.constant(std::int64_t(1) << 52));
  // x = mantissa 2^e: skip the e - 2 bits that give multiples of 4, counted from the 64 zero bits on.
  Value skip = w.add(w.right(bits, w.constant(52)), w.constant(64 - 2 - 1075));
  Value shift = w.bitAnd(skip, w.constant(63)), back = w.add(w.constant(63), w.mul(shift, w.constant(-1)));
  Value first = b.create<arith::IndexCastOp>(loc, b.getIndexType(), w.right(skip, w.constant(6)));
  auto type = VectorType::get({std::int64_t(std::size(twoOverPi))}, b.getI64Type());
  Value table = b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(type, llvm::ArrayRef(twoOverPi)));
  SmallVector<Value, 4> words;
  for (int i = 0; i < 4; ++i) {
    Value at = b.create<arith::AddIOp>(loc, first, b.create<arith::ConstantIndexOp>(loc, i));
    words.push_back(b.create<vector::ExtractElementOp>(loc, table, at));
  }
  auto window = [&](int i) {
    Value low = w.right(w.right(words[i + 1], w.constant(1)), back);
    return w.bitOr(w.left(words[i], shift), low);
  };
  // mantissa * window modulo 2^192: a fraction of a whole turn.
  auto [low0, low1] = w.wide(mantissa, window(2));
  auto [mid0, mid1] = w.wide(mantissa, window(1));
  auto [middle, carry] = w.addCarry(mid0, low1);
  Value top = w.add(w.add(w.mul(mantissa, window(0)), mid1), carry);
  // Two bits of quadrant, then the signed fraction of a quarter turn, to nearest.
  Value two = w.constant(2), rest = w.constant(62);
  Value high = w.bitOr(w.left(top, two), w.right(middle, rest));
  Value low = w.bitOr(w.left(middle, two), w.right(low0, rest));
  Value quadrant = w.add(w.right(top, rest), w.right(high, w.constant(63)));
  auto number = [&](Value v, double unit) { return scalar.wrap(w.toDouble(v)) * unit; };
  Expr upper = number(w.rightSigned(high, w.constant(32)), 0x1p-32);
  Expr lower = number(w.bitAnd(high, w.constant(0xffffffff)), 0x1p-64);
  Expr tail = number(w.right(low, w.constant(11)), 0x1p-117);
  TwoTerms fraction = twoSum(upper, lower);
  fraction = fastTwoSum(fraction.hi, fraction.lo + tail);
  TwoTerms r = twoProduct(fraction.hi, scalar.number(0x1.921fb54442d18p+0));
  r.lo = fma(fraction.hi, 0x1.1a62633145c07p-54, fma(fraction.lo, 0x1.921fb54442d18p+0, r.lo));
  r = fastTwoSum(r.hi, r.lo);
  Expr negative = x < 0.0;
  Expr turns = scalar.wrap(quadrant);
  return {{select(negative, -r.hi, r.hi), select(negative, -r.lo, r.lo)}, select(negative, -turns, turns)};
}

/// The reduced value `from` with every lane that is `large` in x reduced anew.
SmallVector<Value> reduceLanes(MathBuilder &m, Expr x, Expr large, const Reduced &from) {
  OpBuilder &b = m.builder();
  Location loc = m.location();
  MathBuilder scalar(b, loc, b.getF64Type());
  Type element = m.isDouble() ? Type(b.getF64Type()) : Type(b.getF32Type());
  Type integer = b.getIntegerType(m.isDouble() ? 64 : 32);
  auto reduceOne = [&](Value lane) -> SmallVector<Value> {
    if (m.isDouble()) {
      Reduced r = reduceLarge(scalar, scalar.wrap(lane));
      return {r.r.hi, r.r.lo, r.quadrant};
    }
    Reduced r = reduceLarge(scalar, scalar.wrap(b.create<arith::ExtFOp>(loc, b.getF64Type(), lane)));
    Value hi = b.create<arith::TruncFOp>(loc, element, r.r.hi.value);
    Expr rest = r.r.hi - scalar.wrap(b.create<arith::ExtFOp>(loc, b.getF64Type(), hi));
    return {hi, b.create<arith::TruncFOp>(loc, element, rest.value),
            b.create<arith::TruncIOp>(loc, integer, r.quadrant.value)};
  };
  auto type = dyn_cast<VectorType>(x.value.getType());
  if (!type)
    return reduceOne(x);
  Value zero = b.create<arith::ConstantIndexOp>(loc, 0), one = b.create<arith::ConstantIndexOp>(loc, 1);
  Value lanes = b.create<arith::ConstantIndexOp>(loc, type.getNumElements());
  auto loop = b.create<scf::ForOp>(loc, zero, lanes, one, ValueRange{from.r.hi, from.r.lo, from.quadrant},
                                   [&](OpBuilder &, Location, Value lane, ValueRange results) {
                                     Value isLarge = b.create<vector::ExtractElementOp>(loc, large, lane);
                                     auto branch = b.create<scf::IfOp>(
                                         loc, isLarge,
                                         [&](OpBuilder &, Location) {
                                           SmallVector<Value> updated =
                                               reduceOne(b.create<vector::ExtractElementOp>(loc, x, lane));
                                           for (auto [value, result] : llvm::zip(updated, results))
                                             value = b.create<vector::InsertElementOp>(loc, value, result, lane);
                                           b.create<scf::YieldOp>(loc, updated);
                                         },
                                         [&](OpBuilder &, Location) { b.create<scf::YieldOp>(loc, results); });
                                     b.setInsertionPointAfter(branch);
                                     b.create<scf::YieldOp>(loc, branch.getResults());
                                   });
  b.setInsertionPointAfter(loop);
  return loop.getResults();
}

Reduced reduce(Expr x) {
  MathBuilder &m = *x.math;
  OpBuilder &b = m.builder();
  Reduced small = reduceSmall(x);
  // Infinities and NaN take the short way: it makes them NaN.
  Expr large = (abs(x) > m.pick(0x1p17, 0x1p24)) & (abs(x) < m.infinity());
  auto branch = b.create<scf::IfOp>(
      m.location(), m.any(large),
      [&](OpBuilder &, Location loc) { b.create<scf::YieldOp>(loc, reduceLanes(m, x, large, small)); },
      [&](OpBuilder &, Location loc) {
        b.create<scf::YieldOp>(loc, ValueRange{small.r.hi, small.r.lo, small.quadrant});
      });
  b.setInsertionPointAfter(branch);
  return {{m.wrap(branch.getResult(0)), m.wrap(branch.getResult(1))}, m.wrap(branch.getResult(2))};
}

/// sin r and cos r, each as a head and a small rest.
TwoTerms sinOf(TwoTerms r) {
  Expr z = r.hi * r.hi;
  Expr p = r.hi.math->isDouble() ? polynomial(z, sinF64) : polynomial(z, sinF32);
  return {r.hi, fma(z * r.hi, p, fma(z * -0.5, r.lo, r.lo))};
}

TwoTerms cosOf(TwoTerms r) {
  // 1 - z / 2 with its rounding error in the rest.
  Expr z = r.hi * r.hi, half = z * 0.5;
  Expr p = r.hi.math->isDouble() ? polynomial(z, cosF64) : polynomial(z, cosF32);
  Expr head = 1.0 - half;
  return {head, ((1.0 - head) - half) + fma(z * z, p, -(r.hi * r.lo))};
}

Expr isOdd(Expr quadrant) { return (quadrant & quadrant.math->integer(1)) != quadrant.math->integer(0); }

/// sin of the reduced argument advanced by `quarters` quarter turns.
Expr sinQuadrant(const Reduced &x, std::int64_t quarters) {
  MathBuilder &m = *x.quadrant.math;
  Expr quadrant = quarters ? x.quadrant + m.integer(quarters) : x.quadrant;
  Expr odd = isOdd(quadrant);
  TwoTerms s = sinOf(x.r), c = cosOf(x.r);
  Expr value = select(odd, c.hi, s.hi) + select(odd, c.lo, s.lo);
  Expr sign = (quadrant & m.integer(2)) << (m.isDouble() ? 62 : 30);
  return floatOf(bitsOf(value) ^ sign);
}

} // namespace

Value sin(OpBuilder &b, Location loc, Value value) {
  MathBuilder m(b, loc, value.getType());
  Expr x = m.wrap(value);
  return select(abs(x) < m.pick(0x1p-12, 0x1p-27), x, sinQuadrant(reduce(x), 0));
}

Value cos(OpBuilder &b, Location loc, Value value) {
  MathBuilder m(b, loc, value.getType());
  return sinQuadrant(reduce(m.wrap(value)), 1);
}

Value tan(OpBuilder &b, Location loc, Value value) {
  MathBuilder m(b, loc, value.getType());
  Expr x = m.wrap(value);
  Reduced reduced = reduce(x);
  // s / c or -c / s, corrected by what the heads and the rounded quotient leave out.
  Expr odd = isOdd(reduced.quadrant);
  TwoTerms s = sinOf(reduced.r), c = cosOf(reduced.r);
  s = fastTwoSum(s.hi, s.lo);
  c = fastTwoSum(c.hi, c.lo);
  TwoTerms over = {select(odd, -c.hi, s.hi), select(odd, -c.lo, s.lo)};
  TwoTerms under = {select(odd, s.hi, c.hi), select(odd, s.lo, c.lo)};
  Expr inverse = 1.0 / under.hi;
  Expr quotient = over.hi * inverse;
  Expr rest = fma(-quotient, under.hi, over.hi) + fma(-quotient, under.lo, over.lo);
  Expr result = fma(rest, inverse, quotient);
  return select(abs(x) < m.pick(0x1p-12, 0x1p-27), x, result);
}

} // namespace ingot::emit
