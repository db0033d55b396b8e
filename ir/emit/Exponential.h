// Shared parts of the functions built on exp. Internal to ir/emit.
#pragma once

#include "ingot/ir/emit/MathBuilder.h"

namespace ingot::emit {

/// exp(x) for x no further below zero than underflow and no further above than overflow needs (or NaN).
Expr expInRange(Expr x);

/// e^x = scale * (1 + p) * 2^-`doublings`, scale a power of two and |p| < 0.42; x must leave scale a normal
/// number.
struct ScaledExpm1 {
  Expr scale, p;
};
ScaledExpm1 scaledExpm1(Expr x, int doublings);

/// (e^(2x) - 1) / 2 for 0 <= x where e^(2x) is finite (or NaN).
Expr halfExpm1OfDouble(Expr x);

} // namespace ingot::emit
