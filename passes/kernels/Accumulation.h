// Reductions as what they have so far, and how two such parts become one.
#pragma once

#include "ingot/passes/kernels/KernelEmitter.h"

namespace ingot {

/// What reductions that run together have so far: a partial result of each in turn, vectors or scalars, and behind that
/// of a position-tracking one its positions.
using State = llvm::SmallVector<mlir::Value>;

/// One reduction's part of a state.
class Accumulation {
public:
  Accumulation(ClusterEmitter &e, mlir::Operation *reduction);

  mlir::Operation *op() const { return reduction; }
  size_t size() const { return tracksPosition ? 2 : 1; }
  llvm::SmallVector<mlir::Type> types() const;
  State start() const;
  State elements(const Coordinates &at, const Coordinate &position) const;
  State merge(mlir::ValueRange x, mlir::ValueRange y) const;

private:
  ClusterEmitter &e;
  mlir::Operation *reduction;
  bool tracksPosition, largest;

  /// Whether (x, i) replaces (y, j): NaN first, then the better value, then the smaller position.
  mlir::Value better(mlir::Value x, mlir::Value i, mlir::Value y, mlir::Value j) const;
};

/// The reductions of one pass over a domain.
class Accumulations {
public:
  Accumulations(ClusterEmitter &e, llvm::ArrayRef<mlir::Operation *> reductions);

  /// Values in a state.
  size_t size() const;
  /// Their element types.
  llvm::SmallVector<mlir::Type> types() const;
  /// The state of nothing.
  State start() const;
  /// The state of the elements at `at`. `position` is where along the reduced axis the lanes stand.
  State elements(const Coordinates &at, const Coordinate &position) const;
  /// The state with nothing in the lanes that the emitter's tail leaves out.
  State masked(State state) const;
  /// Two states as one, lane by lane.
  State merge(mlir::ValueRange x, mlir::ValueRange y) const;
  /// `count` states as one: neighbours in pairs, then pairs of pairs; an odd one waits for the next round.
  State mergeTree(int64_t count, llvm::function_ref<State(int64_t)> state) const;
  /// A state of the emitter's lanes as one of a single lane: halves are merged.
  State mergeLanes(State state) const;
  /// Binds the results at the coordinates of a finished state.
  void bindResults(const Coordinates &at, mlir::ValueRange state) const;

private:
  ClusterEmitter &e;
  llvm::SmallVector<Accumulation> parts;

  template <class F> State each(F partial) const;
};

} // namespace ingot
