// Lets derivative rules read as formulas: expressions over values of the IR that build ops as they are written.
// Constants fold where a product with 0 or 1 would be left.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace ingot {

/// A value of the IR, or a number that stands for a tensor of whatever type the expression needs.
class GradientValue {
public:
  GradientValue(double number) : number(number) {}
  GradientValue(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value)
      : builder(&builder), loc(loc), value(value) {}

  bool isNumber() const { return !value; }
  bool is(double n) const { return isNumber() && *number == n; }
  double asNumber() const { return *number; }
  mlir::Value raw() const { return value; }
  mlir::OpBuilder *builder = nullptr;
  std::optional<mlir::Location> loc;

private:
  std::optional<double> number;
  mlir::Value value;
};

/// No gradient flows to the operand.
struct NoGradient {};

/// An operand's cotangent, stated as a whole instead of as a factor of the op's.
struct WholeGradient {
  GradientValue value;
};

namespace gradient {
inline constexpr NoGradient none;
inline WholeGradient whole(GradientValue value) { return {std::move(value)}; }

GradientValue operator+(const GradientValue &a, const GradientValue &b);
GradientValue operator-(const GradientValue &a, const GradientValue &b);
GradientValue operator*(const GradientValue &a, const GradientValue &b);
GradientValue operator/(const GradientValue &a, const GradientValue &b);
GradientValue operator-(const GradientValue &a);
#include "ingot-gen/ir/GradientFunctions.h.inc"
GradientValue select(const GradientValue &c, const GradientValue &a, const GradientValue &b);
} // namespace gradient

class GradientBuilder {
public:
  /// For an elementwise op and the cotangent of its result, which may be null.
  GradientBuilder(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value cotangent)
      : builder(builder), op(op), loc(op->getLoc()), cotangent(cotangent) {}

  GradientValue operator()(mlir::Value value) { return {builder, loc, value}; }
  /// The cotangent of the op's result; a 0 when there is none.
  GradientValue incoming() { return cotangent ? GradientValue(builder, loc, cotangent) : GradientValue(0.0); }
  /// Appends the cotangent of the next operand: the op's cotangent times the partial derivative, in the operand's
  /// dtype; a null value where none flows (no cotangent came in, the operand is no float, or `none`).
  void push(llvm::SmallVectorImpl<mlir::Value> &out, const GradientValue &partial);
  void push(llvm::SmallVectorImpl<mlir::Value> &out, NoGradient);
  void push(llvm::SmallVectorImpl<mlir::Value> &out, const WholeGradient &operandCotangent);

private:
  mlir::OpBuilder &builder;
  mlir::Operation *op;
  mlir::Location loc;
  mlir::Value cotangent;
};

/// A splat constant of the type.
mlir::Value splatConstant(mlir::OpBuilder &builder, mlir::Location loc, double value, mlir::Type type);
bool isFloatTensor(mlir::Type type);

} // namespace ingot
