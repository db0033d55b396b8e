// Division of many numbers by one: a multiplication and two fused multiply-adds with the divisor's reciprocal, where
// the hardware's division costs several times as much. The same bits as that division.
//
// Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor" (1990): with r the rounded
// reciprocal of s, q = x r and q' = q + (x - s q) r, each rounded once, q' is x / s rounded to nearest, as long as
// nothing on the way overflows or loses bits below the smallest normal number. Lanes where it might take the division.
#include "ingot/ir/emit/MathBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace ingot::emit {

namespace {

/// Divisions by fewer vectors than this outside any loop do not pay for the reciprocal.
constexpr std::size_t kWorthwhile = 4;

/// What all divisions by one number share, as splats. The short way is exact for dividends whose magnitudes, as
/// integers, are `zero` or from `lowest` to `lowest` + `range`: none when the divisor itself is out of bounds.
struct Divisor {
  Value value, reciprocal, zero, lowest, range;
};

Divisor prepare(OpBuilder &b, Location loc, Value scalar, VectorType type) {
  MathBuilder m(b, loc, scalar.getType());
  Expr s = m.wrap(scalar), magnitude = abs(s);
  // The rest x - s q is a multiple of the product of two last bits, 2^-2p of x; the quotient has to be normal.
  const double small = m.pick(0x1p-100, 0x1p-900), large = 1 / small;
  Expr least = magnitude * m.pick(0x1p-125, 0x1p-1021), most = magnitude * m.pick(0x1p126, 0x1p1022);
  Expr lowest = select(least > small, least, m.number(small));
  Expr highest = select(most < m.pick(0x1p127, 0x1p1023), most, m.number(m.pick(0x1p127, 0x1p1023)));
  Expr usable = (magnitude >= small) & (magnitude <= large);
  Expr from = bitsOf(lowest);
  Expr range = select(usable, bitsOf(highest) - from, m.integer(0));
  from = select(usable, from, m.integer(-1));
  Expr zero = select(usable, m.integer(0), m.integer(-1));
  auto splat = [&](Value v) { return Value(b.create<vector::SplatOp>(loc, type.clone(v.getType()), v)); };
  return {splat(s), splat(1.0 / s), splat(zero), splat(from), splat(range)};
}

Value divide(OpBuilder &b, Location loc, Value dividend, const Divisor &by) {
  MathBuilder m(b, loc, dividend.getType());
  Expr x = m.wrap(dividend), s = m.wrap(by.value), r = m.wrap(by.reciprocal);
  Expr near = x * r;
  Expr rest = fma(-near, s, x);
  Expr magnitude = bitsOf(abs(x));
  Value offset = magnitude - m.wrap(by.lowest);
  Expr exact = m.wrap(b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ule, offset, by.range));
  // Zeros are exact before the correction, which would lose their sign.
  Expr quotient = select(exact, fma(rest, r, near), near);
  Expr wrong = (!exact) & (magnitude != m.wrap(by.zero));
  auto branch = b.create<scf::IfOp>(
      loc, m.any(wrong), [&](OpBuilder &, Location) { b.create<scf::YieldOp>(loc, Value(x / s)); },
      [&](OpBuilder &, Location) { b.create<scf::YieldOp>(loc, Value(quotient)); });
  b.setInsertionPointAfter(branch);
  return branch.getResult(0);
}

/// The scalar that every lane of a divisor is; null where lanes differ.
Value scalarOf(Value divisor) {
  auto splat = divisor.getDefiningOp<vector::SplatOp>();
  return splat ? splat.getInput() : Value();
}

/// Whether code at `op` runs more often than code where `value` is made.
bool inLoopBelow(Operation *op, Value value) {
  for (Operation *outer = op->getParentOp(); outer && !outer->isAncestor(value.getParentBlock()->getParentOp());
       outer = outer->getParentOp())
    if (isa<LoopLikeOpInterface>(outer))
      return true;
  return false;
}

} // namespace

void shareReciprocals(Operation *root) {
  llvm::MapVector<Value, SmallVector<arith::DivFOp>> byDivisor;
  root->walk([&](arith::DivFOp op) {
    if (isa<VectorType>(op.getType()))
      if (Value scalar = scalarOf(op.getRhs()))
        byDivisor[scalar].push_back(op);
  });
  for (auto &[scalar, divisions] : byDivisor) {
    const bool repeated = llvm::any_of(divisions, [&](Operation *op) { return inLoopBelow(op, scalar); });
    if (!repeated && divisions.size() < kWorthwhile)
      continue;
    llvm::SmallDenseMap<Type, Divisor> prepared; // for each vector length
    for (arith::DivFOp op : divisions) {
      auto type = cast<VectorType>(op.getType());
      OpBuilder b(op);
      auto [known, isNew] = prepared.try_emplace(type);
      if (isNew) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointAfterValue(scalar);
        known->second = prepare(b, op.getLoc(), scalar, type);
      }
      op.replaceAllUsesWith(divide(b, op.getLoc(), op.getLhs(), known->second));
      op.erase();
    }
  }
}

} // namespace ingot::emit
