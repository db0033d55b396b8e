// Values with operators, so that the expansions read as formulas. Internal to ir/emit.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"

namespace ingot::emit {

class MathBuilder;

/// A scalar or vector value (float, integer or i1) and the builder that its operators append to.
struct Expr {
  MathBuilder *math = nullptr;
  mlir::Value value;
  operator mlir::Value() const { return value; }
};

// Float or integer, by the operands' type; a number beside an Expr becomes a constant of its type.
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator&(Expr a, Expr b);
Expr operator|(Expr a, Expr b);
Expr operator^(Expr a, Expr b);
Expr operator<<(Expr a, unsigned bits);
/// Logical.
Expr operator>>(Expr a, unsigned bits);
// Ordered comparisons of floats (false on NaN), signed ones of integers: i1 results.
Expr operator<(Expr a, Expr b);
Expr operator>(Expr a, Expr b);
Expr operator<=(Expr a, Expr b);
Expr operator>=(Expr a, Expr b);
Expr operator==(Expr a, Expr b);
/// Unordered or unequal for floats, so that x != x asks for NaN.
Expr operator!=(Expr a, Expr b);
Expr operator!(Expr a);

Expr operator+(Expr a, double b);
Expr operator+(double a, Expr b);
Expr operator-(Expr a, double b);
Expr operator-(double a, Expr b);
Expr operator*(Expr a, double b);
Expr operator*(double a, Expr b);
Expr operator/(double a, Expr b);
Expr operator<(Expr a, double b);
Expr operator>(Expr a, double b);
Expr operator<=(Expr a, double b);
Expr operator>=(Expr a, double b);
Expr operator==(Expr a, double b);

Expr fma(Expr a, Expr b, Expr c);
Expr fma(Expr a, double b, Expr c);
Expr fma(Expr a, Expr b, double c);
Expr fma(Expr a, double b, double c);
Expr select(Expr condition, Expr a, Expr b);
Expr select(Expr condition, double a, Expr b);
Expr select(Expr condition, Expr a, double b);
Expr abs(Expr x);
Expr sqrt(Expr x);
Expr copysign(Expr magnitude, Expr sign);
/// The same for a magnitude whose sign is known to be positive: one instruction less.
Expr withSignOf(Expr positive, Expr sign);
/// By the sign bit, -0 and NaN included; the comparison costs nothing.
Expr selectNegative(Expr x, Expr whenNegative, Expr otherwise);
/// c[0] + c[1] x + c[2] x^2 ..., evaluated with short chains, or with the fewest instructions (Horner's
/// rule).
Expr polynomial(Expr x, llvm::ArrayRef<double> c);
Expr horner(Expr x, llvm::ArrayRef<double> c);
// The bound where it is smaller (larger) than x, else x: a NaN passes. One instruction.
Expr clampAbove(Expr x, double bound);
Expr clampBelow(Expr x, double bound);
/// The bits of a float as integers of its width, and back.
Expr bitsOf(Expr x);
Expr floatOf(Expr bits);

/// Two floats whose unevaluated sum is the number.
struct TwoTerms {
  Expr hi, lo;
};
/// a + b exactly (Knuth), and the same for |a| >= |b| or a = 0 (Dekker).
TwoTerms twoSum(Expr a, Expr b);
TwoTerms fastTwoSum(Expr a, Expr b);
/// a * b exactly, barring underflow.
TwoTerms twoProduct(Expr a, Expr b);

/// Makes divisions of vectors by one number (a vector.splat) that recur, in a loop or beside each other, cheaper where
/// a fused multiply-add is one instruction; no bit changes. A part of expandForTarget.
void shareReciprocals(mlir::Operation *root);

class MathBuilder {
public:
  MathBuilder(mlir::OpBuilder &b, mlir::Location loc, mlir::Type like) : b(b), loc(loc), like(like) {}

  mlir::OpBuilder &builder() { return b; }
  mlir::Location location() const { return loc; }

  Expr wrap(mlir::Value v) { return {this, v}; }
  /// Constants of the float type worked in and of integers of the same width, splat over the lanes.
  Expr number(double v);
  Expr integer(std::int64_t v);
  Expr nan();
  Expr infinity();
  /// A constant of the type of `x`.
  Expr constantLike(Expr x, double v);

  bool isDouble() const;
  /// Bits of the stored mantissa (23, 52) and the exponent's bias.
  unsigned mantissaBits() const { return isDouble() ? 52 : 23; }
  std::int64_t bias() const { return isDouble() ? 1023 : 127; }
  /// Picks the coefficient or table of the type worked in.
  template <class T> T pick(T single, T wide) const { return isDouble() ? wide : single; }
  /// The type worked in with another element type.
  mlir::Type with(mlir::Type element) const;

  /// x to another float element type, one lane for one.
  Expr extend(Expr x, mlir::Type element);
  Expr truncate(Expr x, mlir::Type element);
  /// Whether any lane of an i1 value is set, as one i1.
  mlir::Value any(Expr condition);

private:
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type like;
};

} // namespace ingot::emit
