// Evaluates the values of one cluster inside its kernel: memory, memoisation, masks. Kernel kinds differ in their
// loops; what happens at a point of the domain is the same for all and lives here.
#pragma once

#include "ingot/ir/Dialect.h"
#include "ingot/passes/ClusterAnalysis.h"
#include "ingot/runtime/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace ingot {

/// What a kernel needs from its caller besides the memory of operands and results.
struct KernelNeeds {
  int64_t tasks = 1;         // of the main stage
  int64_t slotScratch = 0;   // bytes for each worker
  int64_t sharedScratch = 0; // bytes for all tasks together
  bool finishStage = false;  // a last single task after all others: task number `tasks`
  double flops = 0, bytes = 0;
};

class ClusterEmitter final : public ElementReader {
public:
  /// Emits into `kernel`, whose arguments are (pointer to the argument pointers, task, slot). The argument pointers
  /// are operands, results, shared scratch, slot scratch, bytes between slots.
  ClusterEmitter(FusionOp fusion, mlir::func::FuncOp kernel, const Target &target);

  // ElementReader
  mlir::OpBuilder &builder() override { return b; }
  mlir::Location loc() override { return location; }
  int64_t lanes() const override { return currentLanes; }
  mlir::Value read(mlir::Value value, const Coordinates &at, mlir::Value mask = {}) override;
  mlir::Value readFirstLane(mlir::Value value, const Coordinates &at) override;
  mlir::Value constantIndex(int64_t v) override;

  const Target &target() const { return machine; }
  FusionOp cluster() { return fusion; }
  mlir::Block &body() { return fusion.getBody().front(); }
  mlir::OperandRange outputs() { return body().getTerminator()->getOperands(); }
  mlir::Value task() { return taskIndex; }
  /// Vector lanes for the cluster: as many as the widest element that is computed with fits in a register.
  int64_t vectorLanes() const { return fullLanes; }

  /// Elements per read from here on.
  void setLanes(int64_t n) { currentLanes = n; }
  /// Lanes that exist; others are neither loaded nor stored. Null: all.
  void setTail(mlir::Value mask) { tail = mask; }
  mlir::Value currentTail() const { return tail; }

  /// States the value at the coordinates for the rest of the current scope.
  void bind(mlir::Value value, const Coordinates &at, mlir::Value ssa);
  /// Asks for the cache line of an element that is read soon; nothing for values that are not memory.
  void prefetch(mlir::Value value, const Coordinates &at);
  /// Stores a result's elements.
  void store(unsigned result, const Coordinates &at, mlir::Value ssa);
  /// Loads a result's elements as they are now.
  mlir::Value load(unsigned result, const Coordinates &at);
  /// Evaluates all outputs that `which` admits at their homes and then stores them.
  void writeOutputs(llvm::function_ref<std::optional<Coordinates>(mlir::Value)> homeOf);
  /// Computes what does not depend on coordinates once, before any loop.
  void hoistScalars();

  /// A loop whose body has a scope of its own. `carried` are values that go round; the body returns the next ones.
  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value iv, mlir::ValueRange carried)>;
  llvm::SmallVector<mlir::Value> loop(mlir::Value from, mlir::Value to, int64_t step, mlir::ValueRange carried,
                                      Body body);
  /// The values of one branch or the other, each with a scope of its own.
  using Branch = llvm::function_ref<llvm::SmallVector<mlir::Value>()>;
  llvm::SmallVector<mlir::Value> choose(mlir::Value condition, Branch then, Branch otherwise);
  /// Runs `emit` with a fresh memo that ends with it.
  void scoped(llvm::function_ref<void()> emit);

  /// A buffer of `count` elements in the slot's or the tasks' common scratch.
  mlir::Value slotScratch(int64_t count, mlir::Type element);
  mlir::Value sharedScratch(int64_t count, mlir::Type element);

  /// Arithmetic on index values.
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value subtract(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, int64_t y);
  mlir::Value minimum(mlir::Value x, mlir::Value y);
  /// The quotient and the remainder of a position and a size.
  std::pair<mlir::Value, mlir::Value> divide(mlir::Value position, int64_t size);
  /// The first `count` lanes.
  mlir::Value laneMask(mlir::Value count);
  mlir::Value laneMask(int64_t count);
  /// Coordinates of a row-major position in the dimensions `dims` of `shape`.
  void delinearize(mlir::Value position, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> dims, Coordinates &at);

  mlir::Value loadFrom(mlir::Value memory, const Coordinate &flat, mlir::Type element, mlir::Value mask);
  void storeTo(mlir::Value memory, const Coordinate &flat, mlir::Value ssa, mlir::Value mask);

  KernelNeeds needs;

private:
  FusionOp fusion;
  mlir::func::FuncOp kernel;
  const Target &machine;
  mlir::OpBuilder b;
  mlir::Location location;
  int64_t currentLanes = 1, fullLanes = 1;
  int guards = 0; // masks around what is being read: coordinates may be out of range
  mlir::Value tail, argumentPointers, taskIndex, slotIndex;

  struct Known {
    Coordinates at;
    int64_t lanes;
    mlir::Value mask, tail, ssa;
  };
  using Scope = llvm::DenseMap<mlir::Value, llvm::SmallVector<Known, 1>>;
  std::vector<Scope> scopes{1};
  llvm::DenseMap<int64_t, mlir::Value> constants;
  llvm::DenseMap<mlir::Value, mlir::Value> memories; // of block arguments
  std::vector<mlir::Value> resultMemories;

  mlir::Value memoryAt(int64_t argument, int64_t count, mlir::Type element);
  mlir::Value memoryOf(mlir::Value pointer, int64_t count, mlir::Type element);
  mlir::Value pointerArgument(int64_t argument);
  Coordinate flatten(llvm::ArrayRef<int64_t> shape, const Coordinates &at);
  Coordinates normalized(mlir::Value value, Coordinates at);
  mlir::Value scratch(mlir::Value base, int64_t &used, int64_t count, mlir::Type element);
};

/// The element type in memory: bools are bytes.
mlir::Type memoryType(mlir::Type element);

} // namespace ingot
