#include "ingot/passes/Pipeline.h"

#include "ingot/ir/Dialect.h"
#include "ingot/ir/TargetAttribute.h"
#include "ingot/passes/KnownSizes.h"
#include "ingot/passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

namespace ingot {
namespace {

using namespace mlir;

/// Calls the dump callback; a pass of its own, so that it sees the module right after a phase.
struct DumpPass : PassWrapper<DumpPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DumpPass)
  DumpPass(Phase phase, std::function<void(Phase, ModuleOp)> dump) : phase(phase), dump(std::move(dump)) {}
  StringRef getArgument() const override { return "ingot-dump"; }
  void runOnOperation() override { dump(phase, getOperation()); }
  Phase phase;
  std::function<void(Phase, ModuleOp)> dump;
};

/// Sets the target that the options hold, whatever the module says.
struct UseTargetPass : PassWrapper<UseTargetPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UseTargetPass)
  explicit UseTargetPass(Target target) : target(std::move(target)) {}
  StringRef getArgument() const override { return "ingot-use-target"; }
  void runOnOperation() override {
    setTarget(getOperation(), target);
    markAllAnalysesPreserved();
  }
  Target target;
};

/// No phase from here on knows sizes that are no numbers; whether the contracts are checked or not.
struct KnownSizesPass : PassWrapper<KnownSizesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KnownSizesPass)
  explicit KnownSizesPass(Phase phase) : phase(phase) {}
  StringRef getArgument() const override { return "ingot-known-sizes"; }
  void runOnOperation() override {
    if (failed(requireKnownSizes(getOperation(), phase)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
  Phase phase;
};

/// Marks donated inputs; the memory plan and the schedule read the marks.
struct DonatePass : PassWrapper<DonatePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DonatePass)
  explicit DonatePass(std::vector<int64_t> inputs) : inputs(std::move(inputs)) {}
  StringRef getArgument() const override { return "ingot-donate"; }
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    for (int64_t input : inputs) {
      if (!main || input < 0 || input >= int64_t(main.getNumArguments())) {
        getOperation().emitError() << "there is no input " << input << " to donate; the program has "
                                   << (main ? main.getNumArguments() : 0) << " inputs";
        return signalPassFailure();
      }
      main.setArgAttr(unsigned(input), "ingot.donated", UnitAttr::get(&getContext()));
    }
  }
  std::vector<int64_t> inputs;
};

class Builder {
public:
  Builder(OpPassManager &passes, const PipelineOptions &options) : passes(passes), options(options) {}

  void function(std::unique_ptr<Pass> pass) {
    if (!options.skip.count(pass->getArgument().str()))
      passes.addNestedPass<func::FuncOp>(std::move(pass));
  }
  void fusion(std::unique_ptr<Pass> pass) {
    if (!options.skip.count(pass->getArgument().str()))
      passes.nest<func::FuncOp>().addNestedPass<FusionOp>(std::move(pass));
  }
  void module(std::unique_ptr<Pass> pass) {
    if (!options.skip.count(pass->getArgument().str()))
      passes.addPass(std::move(pass));
  }
  void endOf(Phase phase) {
    if (options.verify)
      passes.addPass(createContractPass({phase_name(phase)}));
    if (options.dump)
      passes.addPass(std::make_unique<DumpPass>(phase, options.dump));
  }

private:
  OpPassManager &passes;
  const PipelineOptions &options;
};

} // namespace

void buildPipeline(OpPassManager &passes, const PipelineOptions &options, Phase from, Phase to) {
  Builder add(passes, options);
  auto leadsTo = [&](Phase phase) { return from < phase && phase <= to; };
  if (options.target && from < to)
    passes.addPass(std::make_unique<UseTargetPass>(*options.target));

  if (leadsTo(Phase::Differentiated)) {
    passes.addPass(std::make_unique<KnownSizesPass>(Phase::Differentiated));
    add.function(createDifferentiatePass());
    add.endOf(Phase::Differentiated);
  }
  if (leadsTo(Phase::Simplified)) {
    add.function(createCSEPass()); // duplicate work is found before patterns look at uses
    SimplifyPassOptions simplify;
    simplify.fastMath = options.fastMath;
    add.function(createSimplifyPass(simplify));
    add.function(createCSEPass());
    add.function(createFormFmaPass());
    add.function(createCheckIndicesPass());
    add.endOf(Phase::Simplified);
  }
  if (leadsTo(Phase::Partitioned)) {
    add.function(createPartitionPass({/*recomputeExpensive=*/options.memoryLimit > 0}));
    add.endOf(Phase::Partitioned);
  }
  if (leadsTo(Phase::Fused)) {
    add.function(createFusePass());
    add.fusion(createCSEPass()); // recomputed values that met their originals in one kernel
    add.endOf(Phase::Fused);
  }
  if (leadsTo(Phase::Planned)) {
    if (!options.donate.empty())
      add.module(std::make_unique<DonatePass>(options.donate));
    add.function(createSchedulePass());
    add.function(createPlanPass({options.memoryLimit}));
    add.endOf(Phase::Planned);
  }
  if (leadsTo(Phase::Kernels)) {
    add.module(createEmitKernelsPass({options.entry}));
    add.endOf(Phase::Kernels);
  }
}

void registerPipelineDialects(DialectRegistry &registry) {
  registry.insert<IngotDialect, func::FuncDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                  vector::VectorDialect, memref::MemRefDialect, LLVM::LLVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

namespace {
struct DriverOptions : PassPipelineOptions<DriverOptions> {
  Option<std::string> target{*this, "target", llvm::cl::desc("name of the target; else the module's, else the host")};
};
} // namespace

void registerIngotPipelines() {
  for (Phase phase : kPhases) {
    if (phase == Phase::Captured || phase == Phase::Native)
      continue;
    PassPipelineRegistration<DriverOptions>(std::string("ingot-to-") + phase_name(phase),
                                            std::string("all passes up to the phase ") + phase_name(phase),
                                            [phase](OpPassManager &passes, const DriverOptions &driver) {
                                              passes.addPass(createSetTargetPass({driver.target}));
                                              PipelineOptions options;
                                              options.verify = true;
                                              buildPipeline(passes, options, Phase::Captured, phase);
                                            });
  }
}

} // namespace ingot
