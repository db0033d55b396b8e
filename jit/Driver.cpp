#include "ingot/jit/Driver.h"

#include "ingot/ir/import/Import.h"
#include "ingot/jit/Errors.h"
#include "ingot/runtime/Error.h"
#include "ingot/runtime/ThreadPool.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace ingot {

int slotsOf(const CompileOptions &options) {
  return options.threads > 0 ? options.threads : ThreadPool::available_cpus();
}

PipelineOptions pipelineOptions(const CompileOptions &options, const Trace &trace) {
  PipelineOptions pipeline;
  pipeline.target = options.target.value_or(Target::host());
  if (const std::string fault = pipeline.target->fault(); !fault.empty())
    throw CompileError("target `" + pipeline.target->name + "`: " + fault);
  pipeline.maxSlots = slotsOf(options);
  pipeline.donate.assign(options.donate.begin(), options.donate.end());
  pipeline.memoryLimit = int64_t(options.memory_limit);
  pipeline.fastMath = options.fast_math;
  if (const char *skip = std::getenv("INGOT_SKIP")) {
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef(skip).split(names, ',', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef name : names)
      pipeline.skip.insert(name.str());
  }
  if (const char *dump = std::getenv("INGOT_DUMP"))
    pipeline.dump = [wanted = std::string(dump)](Phase phase, mlir::ModuleOp module) {
      if (wanted == "all" || wanted == phase_name(phase))
        llvm::errs() << "// phase " << phase_name(phase) << "\n" << printModule(module, false);
    };
  return pipeline;
}

mlir::OwningOpRef<mlir::ModuleOp> importModule(const Trace &trace, mlir::MLIRContext &context) {
  Diagnostics diagnostics(context);
  mlir::OwningOpRef<mlir::ModuleOp> module = importTrace(trace, context);
  if (!module)
    diagnostics.raise("the program cannot be imported");
  return module;
}

void runPhases(mlir::ModuleOp module, const PipelineOptions &options, Phase from, Phase to) {
  Diagnostics diagnostics(*module.getContext());
  mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
  passes.enableVerifier(options.verify);
  buildPipeline(passes, options, from, to);
  if (mlir::failed(passes.run(module)))
    diagnostics.raise(std::string("the program cannot be brought to the phase ") + phase_name(to));
}

std::string printModule(mlir::ModuleOp module, bool withLocations) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::OpPrintingFlags flags;
  if (withLocations)
    flags.enableDebugInfo(true, /*prettyForm=*/false);
  module.print(stream, flags);
  stream << '\n';
  return text;
}

} // namespace ingot
