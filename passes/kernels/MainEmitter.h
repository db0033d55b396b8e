// The entry point of a program: the ABI's function, in the LLVM dialect. It fills each kernel's argument pointers and
// runs its tasks, through the caller's parallel_for where there is one.
#pragma once

#include "ingot/passes/kernels/KernelModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace ingot {

/// Where a value lives while main runs.
struct Place {
  BufferSpace space;
  int64_t index; // argument, result, byte offset or constant number
};

class MainEmitter {
public:
  MainEmitter(mlir::ModuleOp module, const std::string &entry, int64_t sharedBytes, int64_t slotBytes);

  /// One run of a kernel. `sharedAt` is the byte offset of its shared scratch in the workspace.
  void call(mlir::Location loc, const EmittedKernel &kernel, llvm::ArrayRef<Place> arguments, int64_t sharedAt);
  /// A check: a non-zero status ends the program with return code `code` and the error record filled.
  void check(mlir::Location loc, const EmittedKernel &kernel, llvm::ArrayRef<Place> arguments, int64_t code,
             int64_t ordinal);
  /// A call of the native op that stands at `number` in the context's table. A context without one, or a non-zero
  /// return, ends the program with return code `code` and the error record filled.
  void native(mlir::Location loc, int64_t number, llvm::ArrayRef<Place> inputs, llvm::ArrayRef<Place> outputs,
              int64_t code, int64_t ordinal);
  /// A literal in the program's memory; returns its number.
  int64_t constant(mlir::DenseElementsAttr literal);
  void finish();

private:
  mlir::ModuleOp module;
  mlir::OpBuilder b;
  mlir::LLVM::LLVMFuncOp function;
  int64_t sharedBytes, slotBytes;
  std::vector<std::string> constants;
  mlir::Type pointer, i64, i32, i8;

  mlir::Value number(mlir::Location loc, int64_t n, mlir::Type type);
  mlir::Value element(mlir::Location loc, mlir::Value base, int64_t index, mlir::Type type);
  mlir::Value address(mlir::Location loc, const Place &place);
  mlir::Value fillArguments(mlir::Location loc, llvm::ArrayRef<Place> arguments, mlir::Value shared);
  void declare(const EmittedKernel &kernel);
  void runTask(mlir::Location loc, const EmittedKernel &kernel, mlir::Value arguments, mlir::Value task);
  mlir::Value pointerTable(mlir::Location loc, llvm::ArrayRef<Place> places, int64_t extra = 0);
  mlir::Value field(mlir::Location loc, mlir::Value base, size_t offset);
  mlir::Value isNull(mlir::Location loc, mlir::Value pointer);
  mlir::Block *blockAfter();
  void leave(mlir::Location loc, mlir::Block *fail, mlir::Block *after, int64_t code, int64_t ordinal,
             llvm::function_ref<mlir::Value(size_t word)> word);
};

} // namespace ingot
