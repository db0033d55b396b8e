// The pipeline: which passes lead from one phase to the next.
#pragma once

#include "ingot/runtime/Phase.h"
#include "ingot/runtime/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ingot {

struct PipelineOptions {
  std::optional<Target> target; // unset: the module's own
  std::string entry = "main";   // symbol of the compiled function
  int maxSlots = 1;             // workers a call may use
  std::vector<int64_t> donate;  // inputs whose memory outputs may take
  int64_t memoryLimit = 0;      // bytes of workspace; 0 is no limit
  bool fastMath = false;
  bool verify = false;                             // the verifier after each pass and the contract after each phase
  std::set<std::string> skip;                      // pass arguments to leave out, for bisection
  std::function<void(Phase, mlir::ModuleOp)> dump; // called after each phase
};

/// Appends the passes that take a module from the phase `from` to the phase `to`, which is Kernels at the most.
void buildPipeline(mlir::OpPassManager &passes, const PipelineOptions &options, Phase from, Phase to);

/// A kernel's or main's module of the Kernels phase into the LLVM dialect.
llvm::LogicalResult lowerToLLVM(mlir::ModuleOp module, const Target &target);

/// Registers the pipelines of the pass driver: ingot-to-fused, ...
void registerIngotPipelines();

} // namespace ingot
