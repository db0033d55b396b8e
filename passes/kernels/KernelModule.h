// One kernel as a module of its own, and what its calls need to know.
#pragma once

#include "ingot/passes/kernels/ClusterEmitter.h"

#include "mlir/IR/BuiltinOps.h"

namespace ingot {

struct EmittedKernel {
  std::string name;
  KernelNeeds needs;
};

/// Emits the cluster into a new module at the end of `parent`, as the function `name` (pointer to argument
/// pointers, i64 task, i32 slot).
mlir::FailureOr<EmittedKernel> emitKernelModule(mlir::ModuleOp parent, FusionOp fusion, const Target &target,
                                                const std::string &name);

/// Equal for two clusters exactly when the same kernel serves both: structure, types, attributes, kind.
std::string clusterKey(FusionOp fusion);

/// Arithmetic and bytes that the cluster cannot avoid.
void countWork(FusionOp fusion, double &flops, double &bytes);

} // namespace ingot
