// From a module of the Kernels phase to objects: main and each distinct kernel on their own, on as many threads
// as the machine has, each with a context of its own.
#pragma once

#include "ingot/jit/Codegen.h"
#include "ingot/jit/ContextPool.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
}

namespace ingot {

/// A piece of a program that is compiled by itself, as bytecode.
struct CompilationUnit {
  std::string name; // of the kernel or of a part of main, or "main"
  std::string bytecode;
  std::vector<std::string> constants{}; // that it defines, for the parts
};

/// Splits a module of the Kernels phase: each nested module is one unit, what is left is main.
std::vector<CompilationUnit> splitUnits(mlir::ModuleOp module);

/// What the code is for. Code of files says how to unwind it; in the process nothing asks, and nothing is registered.
enum class CodeUse { Process, File };

/// Lowers and compiles the units; objects come in the order of the units. Throws CompileError.
std::vector<ObjectBytes> compileUnits(const std::vector<CompilationUnit> &units, const Target &target,
                                      ContextPool &contexts, CodeUse use);

/// The program as one LLVM module with one external function, `symbol`: for files. Throws CompileError.
std::unique_ptr<llvm::Module> linkUnits(const std::vector<CompilationUnit> &units, const Target &target,
                                        ContextPool &contexts, llvm::LLVMContext &context, const std::string &symbol);

} // namespace ingot
