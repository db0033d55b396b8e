// From a trace to a module of any phase, in one context.
#pragma once

#include "ingot/capture/Options.h"
#include "ingot/capture/Trace.h"
#include "ingot/jit/ContextPool.h"
#include "ingot/passes/Pipeline.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace ingot {

/// The options of the pipeline for a compilation, with what the environment of this process adds
/// (INGOT_DUMP, INGOT_SKIP).
PipelineOptions pipelineOptions(const CompileOptions &options, const Trace &trace);

/// The worker slots a program may use: the option's, or the machine's.
int slotsOf(const CompileOptions &options);

/// A module of the Captured phase. Throws CompileError.
mlir::OwningOpRef<mlir::ModuleOp> importModule(const Trace &trace, mlir::MLIRContext &context);

/// Takes the module from one phase to another. Throws CompileError with the first diagnostic.
void runPhases(mlir::ModuleOp module, const PipelineOptions &options, Phase from, Phase to);

/// The text of a module.
std::string printModule(mlir::ModuleOp module, bool withLocations);

} // namespace ingot
