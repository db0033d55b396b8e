// Sizes that are known only when a program runs end before the phases that compute with sizes.
#pragma once

#include "ingot/runtime/Phase.h"

#include "mlir/IR/Operation.h"

namespace ingot {

/// Whether a result or an argument of the op has a size that is no number.
bool hasUnknownSize(mlir::Operation *op);

/// An error at each op inside `root` that has one, in the name of the phase that does not know what to do with it.
llvm::LogicalResult requireKnownSizes(mlir::Operation *root, Phase phase);

} // namespace ingot
