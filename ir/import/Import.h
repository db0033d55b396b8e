// Trace to dialect: one function, generic over the op table.
#pragma once

#include "ingot/capture/Trace.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ingot {

/// A module of the Captured phase with the program as `main`. Every op carries its ordinal, scope and the user's
/// line. Null after a diagnostic when a size is known only at run time or the module does not verify.
mlir::OwningOpRef<mlir::ModuleOp> importTrace(const Trace &trace, mlir::MLIRContext &context);

} // namespace ingot
