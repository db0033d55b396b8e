#include "ingot/ir/emit/MathBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace ingot::emit {

namespace {

bool isFloat(Expr x) { return isa<FloatType>(getElementTypeOrSelf(x.value.getType())); }

template <class Op, class... Args> Expr make(Expr x, Args... args) {
  MathBuilder &m = *x.math;
  return m.wrap(m.builder().create<Op>(m.location(), args...));
}

template <class FloatOp, class IntOp> Expr binary(Expr a, Expr b) {
  return isFloat(a) ? make<FloatOp>(a, a.value, b.value) : make<IntOp>(a, a.value, b.value);
}

Expr compare(Expr a, Expr b, arith::CmpFPredicate floats, arith::CmpIPredicate integers) {
  return isFloat(a) ? make<arith::CmpFOp>(a, floats, a.value, b.value)
                    : make<arith::CmpIOp>(a, integers, a.value, b.value);
}

Expr constant(MathBuilder &m, Type type, TypedAttr element) {
  if (auto vector = dyn_cast<VectorType>(type))
    element = DenseElementsAttr::get(vector, ArrayRef<Attribute>(element));
  return m.wrap(m.builder().create<arith::ConstantOp>(m.location(), element));
}

Expr floatConstant(MathBuilder &m, Type type, APFloat v) {
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  bool inexact;
  v.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
  return constant(m, type, FloatAttr::get(element, v));
}

Expr integerConstant(MathBuilder &m, Type type, std::int64_t v) {
  Type element = getElementTypeOrSelf(type);
  APInt bits(64, std::uint64_t(v), true);
  return constant(m, type, IntegerAttr::get(element, bits.sextOrTrunc(element.getIntOrFloatBitWidth())));
}

} // namespace

Expr operator+(Expr a, Expr b) { return binary<arith::AddFOp, arith::AddIOp>(a, b); }
Expr operator-(Expr a, Expr b) { return binary<arith::SubFOp, arith::SubIOp>(a, b); }
Expr operator*(Expr a, Expr b) { return binary<arith::MulFOp, arith::MulIOp>(a, b); }
Expr operator/(Expr a, Expr b) { return make<arith::DivFOp>(a, a.value, b.value); }
Expr operator-(Expr a) { return isFloat(a) ? make<arith::NegFOp>(a, a.value) : a.math->constantLike(a, 0) - a; }
Expr operator&(Expr a, Expr b) { return make<arith::AndIOp>(a, a.value, b.value); }
Expr operator|(Expr a, Expr b) { return make<arith::OrIOp>(a, a.value, b.value); }
Expr operator^(Expr a, Expr b) { return make<arith::XOrIOp>(a, a.value, b.value); }
Expr operator<<(Expr a, unsigned bits) { return make<arith::ShLIOp>(a, a.value, a.math->constantLike(a, bits).value); }
Expr operator>>(Expr a, unsigned bits) { return make<arith::ShRUIOp>(a, a.value, a.math->constantLike(a, bits).value); }
Expr operator<(Expr a, Expr b) { return compare(a, b, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt); }
Expr operator>(Expr a, Expr b) { return compare(a, b, arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt); }
Expr operator<=(Expr a, Expr b) { return compare(a, b, arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle); }
Expr operator>=(Expr a, Expr b) { return compare(a, b, arith::CmpFPredicate::OGE, arith::CmpIPredicate::sge); }
Expr operator==(Expr a, Expr b) { return compare(a, b, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq); }
Expr operator!=(Expr a, Expr b) { return compare(a, b, arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne); }
Expr operator!(Expr a) { return a ^ a.math->constantLike(a, 1); }

Expr operator+(Expr a, double b) { return a + a.math->constantLike(a, b); }
Expr operator+(double a, Expr b) { return b.math->constantLike(b, a) + b; }
Expr operator-(Expr a, double b) { return a - a.math->constantLike(a, b); }
Expr operator-(double a, Expr b) { return b.math->constantLike(b, a) - b; }
Expr operator*(Expr a, double b) { return a * a.math->constantLike(a, b); }
Expr operator*(double a, Expr b) { return b.math->constantLike(b, a) * b; }
Expr operator/(double a, Expr b) { return b.math->constantLike(b, a) / b; }
Expr operator<(Expr a, double b) { return a < a.math->constantLike(a, b); }
Expr operator>(Expr a, double b) { return a > a.math->constantLike(a, b); }
Expr operator<=(Expr a, double b) { return a <= a.math->constantLike(a, b); }
Expr operator>=(Expr a, double b) { return a >= a.math->constantLike(a, b); }
Expr operator==(Expr a, double b) { return a == a.math->constantLike(a, b); }

Expr fma(Expr a, Expr b, Expr c) { return make<math::FmaOp>(a, a.value, b.value, c.value); }
Expr fma(Expr a, double b, Expr c) { return fma(a, a.math->constantLike(a, b), c); }
Expr fma(Expr a, Expr b, double c) { return fma(a, b, a.math->constantLike(a, c)); }
Expr fma(Expr a, double b, double c) { return fma(a, a.math->constantLike(a, b), a.math->constantLike(a, c)); }

Expr select(Expr condition, Expr a, Expr b) { return make<arith::SelectOp>(a, condition.value, a.value, b.value); }
Expr select(Expr condition, double a, Expr b) { return select(condition, b.math->constantLike(b, a), b); }
Expr select(Expr condition, Expr a, double b) { return select(condition, a, a.math->constantLike(a, b)); }

Expr abs(Expr x) { return make<math::AbsFOp>(x, x.value); }
Expr sqrt(Expr x) { return make<math::SqrtOp>(x, x.value); }
Expr copysign(Expr magnitude, Expr sign) { return make<math::CopySignOp>(magnitude, magnitude.value, sign.value); }

Expr withSignOf(Expr positive, Expr sign) {
  MathBuilder &m = *sign.math;
  Expr signBit = bitsOf(sign) & (m.integer(1) << (m.isDouble() ? 63 : 31));
  return floatOf(bitsOf(positive) | signBit);
}

Expr selectNegative(Expr x, Expr whenNegative, Expr otherwise) {
  return select(bitsOf(x) < x.math->integer(0), whenNegative, otherwise);
}

Expr horner(Expr x, ArrayRef<double> c) {
  Expr y = x.math->constantLike(x, c.back());
  for (double coefficient : llvm::reverse(c.drop_back()))
    y = fma(y, x, coefficient);
  return y;
}

Expr polynomial(Expr x, ArrayRef<double> c) {
  // Pairs side by side, then pairs of pairs while many remain (Estrin), then Horner's rule: the chain of
  // dependent operations, not their number, bounds a loop over vectors.
  MathBuilder &m = *x.math;
  SmallVector<Expr> terms;
  for (size_t i = 0; i + 1 < c.size(); i += 2)
    terms.push_back(fma(x, c[i + 1], c[i]));
  if (c.size() % 2)
    terms.push_back(m.constantLike(x, c.back()));
  if (terms.size() == 1)
    return terms[0];
  Expr power = x * x;
  while (terms.size() > 3) {
    for (size_t i = 0; i < terms.size(); i += 2)
      terms[i / 2] = i + 1 < terms.size() ? fma(terms[i + 1], power, terms[i]) : terms[i];
    terms.resize((terms.size() + 1) / 2);
    power = power * power;
  }
  Expr y = terms.back();
  for (Expr term : llvm::reverse(ArrayRef(terms).drop_back()))
    y = fma(y, power, term);
  return y;
}

Expr clampAbove(Expr x, double bound) {
  Expr limit = x.math->constantLike(x, bound);
  return select(limit < x, limit, x);
}
Expr clampBelow(Expr x, double bound) {
  Expr limit = x.math->constantLike(x, bound);
  return select(limit > x, limit, x);
}

Expr bitsOf(Expr x) {
  Type integer = x.math->builder().getIntegerType(x.math->isDouble() ? 64 : 32);
  return make<arith::BitcastOp>(x, x.math->with(integer), x.value);
}
Expr floatOf(Expr bits) {
  OpBuilder &b = bits.math->builder();
  Type element = bits.math->isDouble() ? Type(b.getF64Type()) : Type(b.getF32Type());
  return make<arith::BitcastOp>(bits, bits.math->with(element), bits.value);
}

TwoTerms twoSum(Expr a, Expr b) {
  Expr sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
TwoTerms fastTwoSum(Expr a, Expr b) {
  Expr sum = a + b;
  return {sum, b - (sum - a)};
}
TwoTerms twoProduct(Expr a, Expr b) {
  Expr product = a * b;
  return {product, fma(a, b, -product)};
}

Expr MathBuilder::number(double v) { return floatConstant(*this, like, APFloat(v)); }
Expr MathBuilder::integer(std::int64_t v) {
  return integerConstant(*this, with(b.getIntegerType(isDouble() ? 64 : 32)), v);
}
Expr MathBuilder::nan() { return floatConstant(*this, like, APFloat::getQNaN(APFloat::IEEEdouble())); }
Expr MathBuilder::infinity() { return floatConstant(*this, like, APFloat::getInf(APFloat::IEEEdouble())); }

Expr MathBuilder::constantLike(Expr x, double v) {
  Type type = x.value.getType();
  return isFloat(x) ? floatConstant(*this, type, APFloat(v)) : integerConstant(*this, type, std::int64_t(v));
}

bool MathBuilder::isDouble() const { return getElementTypeOrSelf(like).isF64(); }

Type MathBuilder::with(Type element) const {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(element);
  return element;
}

Expr MathBuilder::extend(Expr x, Type element) { return wrap(b.create<arith::ExtFOp>(loc, with(element), x.value)); }
Expr MathBuilder::truncate(Expr x, Type element) {
  return wrap(b.create<arith::TruncFOp>(loc, with(element), x.value));
}

Value MathBuilder::any(Expr condition) {
  if (!isa<VectorType>(condition.value.getType()))
    return condition.value;
  return b.create<vector::ReductionOp>(loc, vector::CombiningKind::OR, condition.value);
}

} // namespace ingot::emit
