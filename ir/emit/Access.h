// Where a movement op reads: coordinates of operands as affine functions of the reader's coordinates.
#pragma once

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace ingot {

/// Per dimension of the value that is read, the coordinate as an affine function of the reader's coordinates;
/// nothing where it depends on data or is guarded.
using AccessMap = llvm::SmallVector<std::optional<mlir::AffineExpr>, 6>;

} // namespace ingot
