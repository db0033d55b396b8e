// Arithmetic with defined results everywhere (the number rules of the ABI), on scalars and fixed vectors.
// Nothing here traps and nothing is undefined.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace ingot::emit {

enum class Signedness { Signed, Unsigned };

/// Truncating quotient; x / 0 is all ones, MIN / -1 is MIN.
mlir::Value divInteger(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y,
                       Signedness sign = Signedness::Signed);
/// Remainder with the sign of x; x % 0 is x, MIN % -1 is 0.
mlir::Value remInteger(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y,
                       Signedness sign = Signedness::Signed);

/// Shifts; an amount at or past the width (or, read as signed, negative) gives 0, or the sign for the
/// arithmetic shift to the right.
mlir::Value shiftLeft(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value amount);
mlir::Value shiftRight(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value amount,
                       Signedness sign = Signedness::Signed);

/// Truncates towards zero and saturates at the bounds of `element` (i1 is "differs from zero", NaN included);
/// NaN gives 0. The result has x's shape.
mlir::Value floatToInt(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Type element,
                       Signedness sign = Signedness::Signed);
/// Rounds to nearest even; i1 gives 0 or 1.
mlir::Value intToFloat(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Type element,
                       Signedness sign = Signedness::Signed);
/// Between float widths; to the same width it is x itself.
mlir::Value floatToFloat(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Type element);
/// Between integer widths: wraps, or extends by `sign`, that of x; i1 is 0 or 1, and to i1 is "differs from
/// zero".
mlir::Value intToInt(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Type element,
                     Signedness sign = Signedness::Signed);

/// Larger and smaller of two floats or integers. A NaN operand gives NaN; -0 is less than +0.
mlir::Value maximum(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y,
                    Signedness sign = Signedness::Signed);
mlir::Value minimum(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y,
                    Signedness sign = Signedness::Signed);

} // namespace ingot::emit
