// Which indices are in range whatever the inputs are.
#pragma once

#include "mlir/IR/Value.h"

namespace ingot {

/// The value that has the same elements as `v` under another shape or order.
mlir::Value throughViews(mlir::Value v);

/// Whether every element of `indices`, which is no view, is known to be in [-size, size).
bool knownInRange(mlir::Value indices, int64_t size);

/// Whether some ingot.check_index makes sure of it.
bool checkedInRange(mlir::Value indices, int64_t size);

} // namespace ingot
