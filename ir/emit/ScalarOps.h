// The arithmetic that op records emit: every operation on scalars and fixed vectors alike, by the values' type.
#pragma once

#include "ingot/ir/emit/Arithmetic.h"
#include "ingot/ir/emit/VectorMath.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace ingot::emit {

class ScalarOps {
public:
  ScalarOps(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  using Value = mlir::Value;
  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value div(Value x, Value y);
  Value rem(Value x, Value y);
  Value fma(Value x, Value y, Value z);
  Value neg(Value x);
  Value abs(Value x);
  Value sign(Value x);
  Value max(Value x, Value y) { return maximum(b, loc, x, y); }
  Value min(Value x, Value y) { return minimum(b, loc, x, y); }
  Value sqrt(Value x);
  Value pow(Value x, Value y) { return emit::pow(b, loc, x, y); }
  Value exp(Value x) { return emit::exp(b, loc, x); }
  Value expm1(Value x) { return emit::expm1(b, loc, x); }
  Value log(Value x) { return emit::log(b, loc, x); }
  Value log1p(Value x) { return emit::log1p(b, loc, x); }
  Value rsqrt(Value x) { return emit::rsqrt(b, loc, x); }
  Value tanh(Value x) { return emit::tanh(b, loc, x); }
  Value logistic(Value x) { return emit::logistic(b, loc, x); }
  Value erf(Value x) { return emit::erf(b, loc, x); }
  Value sin(Value x) { return emit::sin(b, loc, x); }
  Value cos(Value x) { return emit::cos(b, loc, x); }
  Value floor(Value x) { return emit::floor(b, loc, x); }
  Value ceil(Value x) { return emit::ceil(b, loc, x); }
  Value round(Value x) { return emit::roundEven(b, loc, x); }
  Value trunc(Value x) { return emit::trunc(b, loc, x); }

  Value eq(Value x, Value y);
  Value ne(Value x, Value y);
  Value lt(Value x, Value y);
  Value le(Value x, Value y);
  Value gt(Value x, Value y);
  Value ge(Value x, Value y);
  Value bitAnd(Value x, Value y);
  Value bitOr(Value x, Value y);
  Value bitXor(Value x, Value y);
  Value bitNot(Value x);
  Value select(Value c, Value x, Value y);
  /// x with elements of another type, by the ABI's conversion rules.
  Value convert(Value x, mlir::Type element);

  /// A scalar or splat of `type` (scalar or vector type).
  Value constant(double value, mlir::Type type);
  Value constantInt(int64_t value, mlir::Type type);
  /// The value below and above all others of the type: infinities, or the integer bounds.
  Value lowest(mlir::Type type);
  Value highest(mlir::Type type);

private:
  mlir::OpBuilder &b;
  mlir::Location loc;
};

/// The element type of a scalar or vector type.
mlir::Type elementOf(mlir::Type type);
/// `type` with another element type and the same vector shape.
mlir::Type withElement(mlir::Type type, mlir::Type element);

} // namespace ingot::emit
