#include "ingot/jit/JitCompiler.h"

#include "ingot/ir/Dialect.h"
#include "ingot/ir/NativeOps.h"
#include "ingot/ir/import/Export.h"
#include "ingot/ir/import/Source.h"
#include "ingot/jit/Driver.h"
#include "ingot/jit/Errors.h"
#include "ingot/jit/ImageWriter.h"
#include "ingot/jit/ProgramFacts.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace ingot {
namespace {

constexpr const char *kEntry = "ingot_main";

std::vector<std::byte> toBytes(llvm::StringRef text) {
  const auto *begin = reinterpret_cast<const std::byte *>(text.data());
  return {begin, begin + text.size()};
}

/// Custom ops are functions of this process.
[[noreturn]] void refuseNative(const Trace &trace, uint32_t ordinal) {
  const Record *record = trace.at_ordinal(ordinal).second;
  INGOT_CHECK(record, "a native op of a program is a record of its trace");
  throw CompileError("[" + std::get<NativeOpRef>(record->attributes[0]).name +
                         "] a native custom op is a function of this process; a program that is compiled ahead of time "
                         "cannot call it",
                     record->site);
}

} // namespace

std::shared_ptr<Engine> JitCompiler::sharedEngine() {
  std::lock_guard lock(engineMutex);
  if (!engine)
    engine = valueOrThrow(Engine::create(), "the execution engine cannot start");
  return engine;
}

std::vector<CompilationUnit> JitCompiler::lower(const Trace &trace, const CompileOptions &options,
                                                const std::string &symbol, ProgramInfo &info) {
  PipelineOptions pipeline = pipelineOptions(options, trace);
  pipeline.entry = symbol;
  ContextPool::Lease context = contexts.acquire();
  mlir::OwningOpRef<mlir::ModuleOp> module = importModule(trace, *context);
  runPhases(*module, pipeline, Phase::Captured, Phase::Planned);
  info = ProgramInfo{};
  info.entry = symbol;
  readSignature(*module, info);
  runPhases(*module, pipeline, Phase::Planned, Phase::Kernels);
  readFacts(*module, pipeline.maxSlots, info);
  info.required_features = pipeline.target->required_features;
  return splitUnits(*module);
}

CompiledProgram JitCompiler::compile(const Trace &trace, const CompileOptions &options) {
  CompiledProgram program;
  const Target target = options.target.value_or(Target::host());
  std::vector<CompilationUnit> units = lower(trace, options, kEntry, program.info);
  std::vector<ObjectBytes> objects = compileUnits(units, target, contexts, CodeUse::Process);
  if (target.is_x86())
    program.image = valueOrThrow(writeImage(objects, {program.info.entry}, "ingot-program", ImageForm::Loadable),
                                 "the program's image");
  if (target.host_can_run())
    program.code = valueOrThrow(sharedEngine()->load(std::move(objects), kEntry), "the program cannot be loaded");
  return program;
}

std::vector<std::byte> JitCompiler::artifact(const Trace &trace, const CompileOptions &options,
                                             const ArtifactRequest &request, ProgramInfo *info) {
  const auto &[kind, symbol, soname] = request;
  ProgramInfo facts;
  const Target target = options.target.value_or(Target::host());
  std::vector<CompilationUnit> units = lower(trace, options, symbol, facts);
  if (info)
    *info = facts;
  if (!facts.native_ops.empty() && kind != ArtifactKind::LlvmIr)
    refuseNative(trace, facts.native_ops.front());
  if (kind == ArtifactKind::Shared) {
    if (!target.is_x86())
      throw CompileError("a shared object can be written for x86-64 only, not for " + target.name +
                         "; write an object and link it");
    return valueOrThrow(
        writeImage(compileUnits(units, target, contexts, CodeUse::File), {symbol}, soname, ImageForm::Complete),
        "the program's image");
  }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = linkUnits(units, target, contexts, context, symbol);
  if (kind == ArtifactKind::LlvmIr) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    code->print(stream, nullptr);
    return toBytes(text);
  }
  auto machine = valueOrThrow(makeTargetMachine(target), "target " + target.name);
  CodeFormat format = kind == ArtifactKind::Object ? CodeFormat::Object : CodeFormat::Assembly;
  ObjectBytes bytes = valueOrThrow(emitCode(*code, *machine, format), symbol);
  if (format == CodeFormat::Object)
    throwIfError(checkUndefined(bytes, {}), symbol);
  return toBytes(llvm::StringRef(bytes.data(), bytes.size()));
}

std::string JitCompiler::print(const Trace &trace, Phase phase, const CompileOptions &options, bool withLocations) {
  if (phase == Phase::Native) {
    std::vector<std::byte> text = artifact(trace, options, {ArtifactKind::LlvmIr, "main"}, nullptr);
    return {reinterpret_cast<const char *>(text.data()), text.size()};
  }
  ContextPool::Lease context = contexts.acquire();
  mlir::OwningOpRef<mlir::ModuleOp> module = importModule(trace, *context);
  runPhases(*module, pipelineOptions(options, trace), Phase::Captured, phase);
  return printModule(*module, withLocations);
}

std::shared_ptr<const Trace> JitCompiler::parse(std::string_view bytes, const std::string &name) {
  ContextPool::Lease context = contexts.acquire();
  Diagnostics diagnostics(*context);
  auto fail = [&](const char *otherwise) {
    std::string message = name + ": " + (diagnostics.any() ? diagnostics.message() : std::string(otherwise));
    throw CompileError(message, diagnostics.where());
  };
  mlir::OwningOpRef<mlir::ModuleOp> module = parseSource(llvm::StringRef(bytes.data(), bytes.size()), name, *context);
  if (!module)
    fail("this is no program");
  // A file names ops; which registration that is, this process says.
  module->walk([&](CustomCallOp call) {
    std::string op = call.getCallee().getName().str();
    call.setCalleeAttr(NativeOpAttr::get(&*context, op, find_native_op(op).registration));
  });
  mlir::FailureOr<std::shared_ptr<const Trace>> trace = exportTrace(*module);
  if (mlir::failed(trace))
    fail("this is no captured program");
  return *trace;
}

std::string JitCompiler::bytecode(const Trace &trace) {
  ContextPool::Lease context = contexts.acquire();
  mlir::OwningOpRef<mlir::ModuleOp> module = importModule(trace, *context);
  mlir::FailureOr<std::string> bytes = writeSealedBytecode(*module);
  if (mlir::failed(bytes))
    throw InternalError("a program cannot be written as bytecode");
  return std::move(*bytes);
}

std::shared_ptr<const Trace> JitCompiler::expand(const Trace &trace) {
  ContextPool::Lease context = contexts.acquire();
  mlir::OwningOpRef<mlir::ModuleOp> module = importModule(trace, *context);
  runPhases(*module, pipelineOptions({}, trace), Phase::Captured, Phase::Differentiated);
  Diagnostics diagnostics(*context);
  mlir::FailureOr<std::shared_ptr<const Trace>> expanded = exportTrace(*module);
  if (mlir::failed(expanded))
    diagnostics.raise("the program cannot be expanded");
  return *expanded;
}

} // namespace ingot
