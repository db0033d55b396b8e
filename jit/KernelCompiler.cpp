#include "ingot/jit/KernelCompiler.h"

#include "ingot/jit/Errors.h"
#include "ingot/passes/Pipeline.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>
#include <thread>

namespace ingot {
namespace {

std::string toBytecode(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (mlir::failed(mlir::writeBytecodeToFile(module, stream)))
    throw InternalError("a kernel cannot be written as bytecode");
  return text;
}

/// The function that the module is there for.
std::string definedFunction(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::FunctionOpInterface>())
    if (!function.isExternal())
      return function.getName().str();
  throw InternalError("a module of a kernel defines no function");
}

/// Lowers one unit to LLVM IR in the LLVM context given.
std::unique_ptr<llvm::Module> lowerUnit(const CompilationUnit &unit, const Target &target, ContextPool &contexts,
                                        llvm::LLVMContext &context, llvm::TargetMachine &machine, CodeUse use) {
  ContextPool::Lease lease = contexts.acquire();
  Diagnostics diagnostics(*lease);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(unit.bytecode, mlir::ParserConfig(&*lease, /*verifyAfterParse=*/false));
  if (!module || mlir::failed(lowerToLLVM(*module, target)))
    diagnostics.raise("kernel " + unit.name + " cannot be lowered");
  std::unique_ptr<llvm::Module> code = mlir::translateModuleToLLVMIR(*module, context, unit.name);
  if (!code)
    diagnostics.raise("kernel " + unit.name + " has no LLVM IR");
  if (use == CodeUse::File)
    for (llvm::Function &function : *code)
      if (!function.isDeclaration())
        function.setUWTableKind(llvm::UWTableKind::Async);
  prepareModule(*code, machine);
  optimizeModule(*code, machine);
  return code;
}

ObjectBytes compileUnit(const CompilationUnit &unit, const Target &target, ContextPool &contexts,
                        llvm::TargetMachine &machine, llvm::ArrayRef<std::string> provided, CodeUse use) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = lowerUnit(unit, target, contexts, context, machine, use);
  ObjectBytes object = valueOrThrow(emitCode(*code, machine, CodeFormat::Object), unit.name);
  throwIfError(checkUndefined(object, provided), unit.name);
  return object;
}

} // namespace

std::vector<CompilationUnit> splitUnits(mlir::ModuleOp module) {
  std::vector<CompilationUnit> units;
  mlir::OwningOpRef<mlir::ModuleOp> main = module.clone();
  for (mlir::ModuleOp kernel : llvm::make_early_inc_range(main->getOps<mlir::ModuleOp>())) {
    std::string name = definedFunction(kernel);
    kernel->remove();
    mlir::OwningOpRef<mlir::ModuleOp> owned(kernel);
    units.push_back({name, toBytecode(kernel)});
  }
  units.push_back({"main", toBytecode(*main)});
  for (auto constant : main->getOps<mlir::LLVM::GlobalOp>())
    units.back().constants.push_back(constant.getSymName().str());
  return units;
}

std::vector<ObjectBytes> compileUnits(const std::vector<CompilationUnit> &units, const Target &target,
                                      ContextPool &contexts, CodeUse use) {
  std::vector<ObjectBytes> objects(units.size());
  std::vector<std::string> names;
  for (const CompilationUnit &unit : units) {
    names.push_back(unit.name);
    names.insert(names.end(), unit.constants.begin(), unit.constants.end());
  }
  // The longest first, so that the threads end together.
  std::vector<size_t> order(units.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return units[a].bytecode.size() > units[b].bytecode.size(); });
  std::atomic<size_t> next{0};
  std::vector<std::exception_ptr> failures(units.size());
  auto work = [&] {
    std::unique_ptr<llvm::TargetMachine> machine;
    for (size_t i; (i = next.fetch_add(1)) < order.size();)
      try {
        if (!machine)
          machine = valueOrThrow(makeTargetMachine(target), "target " + target.name);
        objects[order[i]] = compileUnit(units[order[i]], target, contexts, *machine, names, use);
      } catch (...) {
        failures[order[i]] = std::current_exception();
      }
  };
  const size_t helpers = std::min<size_t>(std::max(1u, std::thread::hardware_concurrency()), units.size()) - 1;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < helpers; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
  return objects;
}

std::unique_ptr<llvm::Module> linkUnits(const std::vector<CompilationUnit> &units, const Target &target,
                                        ContextPool &contexts, llvm::LLVMContext &context, const std::string &symbol) {
  std::unique_ptr<llvm::TargetMachine> machine = valueOrThrow(makeTargetMachine(target), "target " + target.name);
  std::unique_ptr<llvm::Module> program;
  for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
    std::unique_ptr<llvm::Module> code = lowerUnit(*unit, target, contexts, context, *machine, CodeUse::File);
    if (!program)
      program = std::move(code);
    else if (llvm::Linker::linkModules(*program, std::move(code)))
      throw InternalError("kernel " + unit->name + " cannot be linked");
  }
  for (llvm::Function &function : *program)
    if (!function.isDeclaration() && function.getName() != symbol)
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (llvm::GlobalVariable &global : program->globals())
    if (!global.isDeclaration())
      global.setLinkage(llvm::GlobalValue::InternalLinkage);
  if (llvm::Function *entry = program->getFunction(symbol))
    entry->setVisibility(llvm::GlobalValue::DefaultVisibility);
  program->setModuleIdentifier(symbol);
  return program;
}

} // namespace ingot
