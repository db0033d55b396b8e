#include "ingot/jit/Codegen.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

#include <mutex>

namespace ingot {

void initializeCodegen() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
  });
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeTargetMachine(const Target &target) {
  initializeCodegen();
  std::string triple = target.triple, message;
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
  const std::unique_ptr<llvm::MCSubtargetInfo> known(backend->createMCSubtargetInfo(triple, "", ""));
  if (!known || !known->isCPUStringValid(target.cpu))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "the code generator knows no cpu `" + target.cpu + "` for " + triple);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> machine(
      backend->createTargetMachine(triple, target.cpu, target.features, options, llvm::Reloc::PIC_,
                                   llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
  if (!machine)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "no code generator for " + triple);
  return machine;
}

void prepareModule(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
}

void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
  llvm::ModulePassManager pipeline;
  pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  pipeline.run(module, modules);
}

llvm::Expected<ObjectBytes> emitCode(llvm::Module &module, llvm::TargetMachine &machine, CodeFormat format) {
  ObjectBytes bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  auto kind = format == CodeFormat::Object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind, /*DisableVerify=*/true))
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "the target cannot emit this kind of file");
  passes.run(module);
  return bytes;
}

llvm::Error checkUndefined(llvm::ArrayRef<char> object, llvm::ArrayRef<std::string> provided) {
  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(object.data(), object.size()), "object"));
  if (!file)
    return file.takeError();
  llvm::StringSet<> known{"memcpy", "memset", "memmove", "_GLOBAL_OFFSET_TABLE_"};
  for (const std::string &name : provided)
    known.insert(name);
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty() && !known.contains(*name))
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "generated code needs the external symbol '" + name->str() +
                                         "'; an op reached code generation without its own expansion");
  }
  return llvm::Error::success();
}

} // namespace ingot
