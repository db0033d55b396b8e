// Elementary functions as expansions on `arith` and `math` values. Each works on f32 and f64, scalars and
// fixed vectors of any length (the value's type decides), gives a lane the bits the scalar form gives,
// follows C99 on special values, keeps denormals and stays within 2 ulp. Only operations that are one
// instruction remain, provided `expandForTarget` has run where the target lacks some.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace ingot {
struct Target;
}

namespace ingot::emit {

mlir::Value exp(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value expm1(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value log(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value log1p(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value tanh(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
/// 1 / (1 + exp(-x)).
mlir::Value logistic(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value erf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value rsqrt(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value pow(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y);
/// sin, cos and tan reduce every finite argument exactly enough; large ones take a branch (scf.if, scf.for).
mlir::Value sin(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value cos(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value tan(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
/// C's fmod: x - trunc(x / y) * y, exact, with the sign of x. Emits a loop (scf.while) that rarely runs
/// twice.
mlir::Value remainderTrunc(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y);
mlir::Value floor(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value ceil(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value roundEven(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value trunc(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);

/// Replaces under `root` the operations that `target` has no instruction for: math.fma (by an exact
/// emulation) and the rounding operations (floor, ceil, trunc, roundeven). Where it has math.fma, divisions by one
/// number that recur use it (UniformDivision.cpp). Run before the conversion to LLVM; without it a call of libm would
/// remain on such a target. No bit changes.
void expandForTarget(mlir::Operation *root, const Target &target);

} // namespace ingot::emit
