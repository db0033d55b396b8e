// Dialect to trace: for programs that come as text or bytecode.
#pragma once

#include "ingot/capture/Trace.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace ingot {

/// The program of a module's function `main`, which must consist of ops of the table. Fails after a diagnostic at
/// what it cannot express.
mlir::FailureOr<std::shared_ptr<const Trace>> exportTrace(mlir::ModuleOp module);

} // namespace ingot
