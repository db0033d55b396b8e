// What a module of the Kernels phase says about its program, as runtime/Program.h states it.
#pragma once

#include "ingot/runtime/Program.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace ingot {

/// Reads the signature from `main`'s tensor types before kernels replaced them: call it on the Planned module.
void readSignature(mlir::ModuleOp planned, ProgramInfo &info);

/// Reads kernels, memory, errors and donation from the attributes that kernel emission left.
void readFacts(mlir::ModuleOp kernels, int maxSlots, ProgramInfo &info);

} // namespace ingot
