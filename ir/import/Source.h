// Programs as bytes: text, or bytecode sealed with a hash. Whatever the bytes hold, reading them ends with a module or
// a diagnostic.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace ingot {

/// The module as MLIR bytecode; its producer field names Ingot and holds a hash of all other bytes.
mlir::FailureOr<std::string> writeSealedBytecode(mlir::ModuleOp module);

/// The module that text or sealed bytecode holds, verified; positions are in the file `name`. Null after a diagnostic.
/// MLIR's own readers end the process on some damaged bytecode and on text nested without bound, so bytecode has to be
/// as it was written and nesting is limited.
mlir::OwningOpRef<mlir::ModuleOp> parseSource(llvm::StringRef bytes, llvm::StringRef name, mlir::MLIRContext &context);

} // namespace ingot
