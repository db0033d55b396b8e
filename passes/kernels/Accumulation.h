// The order in which the elements of a run are combined: a function of the run's length and the target alone, so that
// bits do not depend on what is fused around a reduction.
#pragma once

#include "ingot/passes/kernels/KernelEmitter.h"

namespace ingot {

/// A reduction being accumulated: one state per vector accumulator; a state is a vector of partial results, and for
/// position-tracking reductions also a vector of positions.
class Accumulation {
public:
  Accumulation(ClusterEmitter &e, mlir::Operation *reduction);

  mlir::Operation *op() const { return reduction; }
  /// Values of one fresh state.
  llvm::SmallVector<mlir::Value> start();
  int64_t stateSize() const { return tracksPosition ? 2 : 1; }
  /// The state after the operand's elements at `at` (the emitter's tail is left out). `position` is where along the
  /// reduced axis the lanes stand.
  llvm::SmallVector<mlir::Value> step(mlir::ValueRange state, const Coordinates &at, const Coordinate &position);
  /// Two states as one, lane by lane.
  llvm::SmallVector<mlir::Value> merge(mlir::ValueRange x, mlir::ValueRange y);
  /// The scalar result of a state of the emitter's lanes: halves are merged until one lane is left.
  llvm::SmallVector<mlir::Value> finish(mlir::ValueRange state);

private:
  ClusterEmitter &e;
  mlir::Operation *reduction;
  bool tracksPosition, largest;

  mlir::Type element() const;
  /// Whether (x, i) replaces (y, j): NaN first, then the better value, then the smaller position.
  mlir::Value better(mlir::Value x, mlir::Value i, mlir::Value y, mlir::Value j);
};

/// Lanes that a run of `size` elements goes round: of every type as many as 32-bit elements fit a register, so that
/// the order is the same beside elements of other widths.
int64_t accumulatorLanes(const Target &target, int64_t size);

/// Accumulators that a run of `size` elements goes round: element i belongs to accumulator i / lanes % count.
int64_t accumulatorCount(int64_t size, int64_t lanes);

} // namespace ingot
