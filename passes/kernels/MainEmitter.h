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
  /// Steps (calls, checks, native ops) of one function. A program of more is cut into functions of so many, each a
  /// module and so a compilation of its own, which other functions call: the cost of compiling them is linear.
  static constexpr int64_t kMostSteps = 32;

  MainEmitter(mlir::ModuleOp program, const std::string &entry, int64_t steps, int64_t sharedBytes, int64_t slotBytes);

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
  struct Constant {
    std::string name;
    mlir::Type type;
  };
  mlir::ModuleOp program;
  std::string entry;
  bool inParts;
  int64_t sharedBytes, slotBytes;
  std::vector<Constant> constants;
  std::vector<std::string> parts;
  mlir::Type pointer, i64, i32, i8;

  // The function that steps are added to:
  mlir::ModuleOp module;
  mlir::OpBuilder b;
  mlir::LLVM::LLVMFuncOp function;
  int64_t steps = 0;
  mlir::Value table;     // of pointers, for the arguments of one step after the other
  int64_t tableSize = 0; // what the largest step needs
  mlir::Value status;    // of checks; null where there was none

  void open(mlir::ModuleOp in, const std::string &name);
  void close();
  void openPart(const std::string &name);
  void step();
  void callParts(llvm::ArrayRef<std::string> names);
  mlir::Value allocate(mlir::Location loc, mlir::Type element, int64_t count);
  mlir::LLVM::LLVMFuncOp declareFunction(const std::string &name, mlir::Type type);

  mlir::Value number(mlir::Location loc, int64_t n, mlir::Type type);
  mlir::Value element(mlir::Location loc, mlir::Value base, int64_t index, mlir::Type type);
  mlir::Value address(mlir::Location loc, const Place &place);
  mlir::Value fillArguments(mlir::Location loc, llvm::ArrayRef<Place> arguments, mlir::Value shared);
  void declare(const EmittedKernel &kernel);
  void runTask(mlir::Location loc, const EmittedKernel &kernel, mlir::Value arguments, mlir::Value task);
  mlir::Value putPointers(mlir::Location loc, llvm::ArrayRef<Place> places, int64_t from = 0);
  mlir::Value field(mlir::Location loc, mlir::Value base, size_t offset);
  mlir::Value isNull(mlir::Location loc, mlir::Value pointer);
  mlir::Block *blockAfter();
  void leave(mlir::Location loc, mlir::Block *fail, mlir::Block *after, int64_t code, int64_t ordinal,
             llvm::function_ref<mlir::Value(size_t word)> word);
};

} // namespace ingot
