// How much passes did, counted and not timed: so that a test can show that it grows with the program and no faster.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ingot {

/// On a function whose passes are to count; a dictionary from a pass's name to its visits of ops, edges and the like.
constexpr llvm::StringLiteral kWork = "ingot.work";

/// Adds to the function's count of `pass`, where it has one.
void noteVisits(mlir::func::FuncOp function, llvm::StringRef pass, size_t visits);

} // namespace ingot
