// What math operations become on targets without an instruction for them.
#include "ingot/ir/emit/MathBuilder.h"
#include "ingot/ir/emit/VectorMath.h"

#include "ingot/runtime/Target.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace ingot::emit {

namespace {

Expr nonzero(Expr x) { return (x > 0.0) | (x < 0.0); }

/// Rounds to nearest even for |x| < 2^mantissaBits, where adding that power leaves no fraction bits.
Expr nearest(Expr x) {
  double power = double(std::int64_t(1) << x.math->mantissaBits());
  return (x + power) - power;
}

template <class Correct> Value expandRounding(Expr x, Correct correct) {
  double power = double(std::int64_t(1) << x.math->mantissaBits());
  Expr magnitude = abs(x);
  return select(magnitude < power, copysign(correct(magnitude), x), x);
}

/// a + b rounded to odd: rounding that sum again to fewer bits gives the bits of rounding once.
Expr addToOdd(Expr a, Expr b) {
  MathBuilder &m = *a.math;
  TwoTerms sum = twoSum(a, b);
  Expr bits = bitsOf(sum.hi);
  Expr even = (bits & m.integer(1)) == m.integer(0);
  Expr outward = (sum.lo > 0.0) ^ (sum.hi < 0.0);
  Expr odd = select(outward, bits + m.integer(1), bits - m.integer(1));
  return floatOf(select(nonzero(sum.lo) & even, odd, bits));
}

/// The product of two f32 is exact in f64.
Value expandFmaF32(OpBuilder &b, math::FmaOp op) {
  MathBuilder single(b, op.getLoc(), op.getType());
  MathBuilder wide(b, op.getLoc(), single.with(b.getF64Type()));
  auto extend = [&](Value v) { return wide.wrap(single.extend(single.wrap(v), b.getF64Type())); };
  Expr sum = addToOdd(extend(op.getA()) * extend(op.getB()), extend(op.getC()));
  return wide.truncate(sum, b.getF32Type());
}

/// a * b exactly without a fused operation (Dekker, Veltkamp splitting).
TwoTerms splitProduct(Expr a, Expr b) {
  auto split = [](Expr v) {
    Expr big = v * 134217729.0;
    Expr hi = big - (big - v);
    return TwoTerms{hi, v - hi};
  };
  TwoTerms x = split(a), y = split(b);
  Expr product = a * b;
  Expr error = ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo;
  return {product, error};
}

/// Boldo and Melquiond's emulation through rounding to odd. Factors far from 1 are brought nearer first, so
/// that no part overflows; results below the normal range may be rounded twice.
Value expandFmaF64(OpBuilder &builder, math::FmaOp op) {
  MathBuilder m(builder, op.getLoc(), op.getType());
  Expr a = m.wrap(op.getA()), b = m.wrap(op.getB()), c = m.wrap(op.getC());
  auto scaleOf = [&](Expr v, double small, double large) {
    return select(abs(v) > 0x1p500, m.number(large), select(abs(v) < 0x1p-500, small, m.number(1)));
  };
  Expr down = scaleOf(a, 0x1p500, 0x1p-500), across = scaleOf(b, 0x1p500, 0x1p-500);
  Expr addend = c * down * across;
  TwoTerms product = splitProduct(a * down, b * across);
  TwoTerms low = twoSum(addend, product.lo);
  TwoTerms high = twoSum(product.hi, low.hi);
  Expr sum = high.hi + addToOdd(low.lo, high.lo);
  Expr result = sum * scaleOf(a, 0x1p-500, 0x1p500) * scaleOf(b, 0x1p-500, 0x1p500);
  result = select(abs(addend) == m.infinity(), c, result);
  // Zero factors, the sign of exact zeros and the rules of infinities and NaN: all as the plain operations
  // do.
  Expr plain = a * b + c;
  Expr finite = ((a - a) + (b - b) + (c - c)) == 0.0;
  return select(finite & nonzero(a) & nonzero(b) & nonzero(result), result, plain);
}

} // namespace

void expandForTarget(Operation *root, const Target &target) {
  bool rounds = !target.is_x86() || target.has("sse4.1");
  bool fuses = !target.is_x86() || target.has("fma");
  if (fuses)
    shareReciprocals(root);
  if (rounds && fuses)
    return;
  SmallVector<Operation *> work;
  root->walk([&](Operation *op) {
    if ((!fuses && isa<math::FmaOp>(op)) ||
        (!rounds && isa<math::FloorOp, math::CeilOp, math::TruncOp, math::RoundEvenOp>(op)))
      work.push_back(op);
  });
  for (Operation *op : work) {
    OpBuilder b(op);
    Value result;
    if (auto fused = dyn_cast<math::FmaOp>(op)) {
      result = getElementTypeOrSelf(fused.getType()).isF64() ? expandFmaF64(b, fused) : expandFmaF32(b, fused);
    } else {
      MathBuilder m(b, op->getLoc(), op->getResult(0).getType());
      Expr x = m.wrap(op->getOperand(0));
      auto truncated = [&](Expr a) {
        Expr t = nearest(a);
        return select(t > a, t - 1.0, t);
      };
      // Magnitudes: floor of a negative number rounds its magnitude up, and so on.
      auto raised = [&](Expr a) {
        Expr t = nearest(a);
        return select(t < a, t + 1.0, t);
      };
      result = expandRounding(x, [&](Expr a) {
        if (isa<math::RoundEvenOp>(op))
          return nearest(a);
        if (isa<math::TruncOp>(op))
          return truncated(a);
        bool towardsZeroWhenNegative = isa<math::CeilOp>(op);
        return towardsZeroWhenNegative ? select(x < 0.0, truncated(a), raised(a))
                                       : select(x < 0.0, raised(a), truncated(a));
      });
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
}

} // namespace ingot::emit
