// The oracle: runs a module that consists of ingot ops on the reference kernels, one op after the other. Works
// after every phase up to Planned.
#pragma once

#include "ingot/ir/OpTable.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <vector>

namespace ingot {

/// A tensor value of the interpreter.
struct Evaluated {
  TensorType type;
  std::shared_ptr<const Buffer> data;
};

struct Evaluation {
  std::vector<Evaluated> outputs;
  /// Set when an op failed at run time: an index out of range.
  KernelFault fault;
  mlir::Operation *failed = nullptr;
};

/// Runs `main` on the inputs, whose types must be its own. Fails after a diagnostic at an op that has no
/// reference kernel.
mlir::FailureOr<Evaluation> interpret(mlir::ModuleOp module, const std::vector<Evaluated> &inputs);

} // namespace ingot
