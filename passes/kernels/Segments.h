// The order in which a long reduction is combined: segments of bounded length, whose results are combined in pairs. A
// function of the reduction's shape and axes and of the target (docs/design/0006-order-of-sums.md).
#pragma once

#include "ingot/passes/kernels/Accumulation.h"

namespace ingot {

/// Dimensions walked in order, cut into segments.
class Segments {
public:
  /// The dimensions `dims` of `shape`, the outermost first. Of the last one `block` elements go at a time, and a
  /// segment is at most `rounds` times that long: whole dimensions where they fit, equal parts of the next one.
  Segments(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> dims, int64_t block, int64_t rounds);

  int64_t count() const { return segments; }

  /// One round: the elements of the last dimension from `at` on, `count` of them, which is `block` or what is left at
  /// the end of the dimension; to the state, the next one. Values that go round may be none.
  using Round = llvm::function_ref<State(const Coordinates &at, int64_t count, State state)>;
  /// All rounds of the segment, from coordinates of the other dimensions and a first state.
  State walk(ClusterEmitter &e, mlir::Value segment, const Coordinates &at, State first, Round round) const;

private:
  llvm::SmallVector<int64_t> shape, dims;
  int64_t block, segments = 1;
  // Segments are parts of this dimension of `dims`: those before it are fixed, those behind it whole.
  size_t cut = 0;
  int64_t part = 0, parts = 1; // elements of it in a segment, and segments along it

  int64_t size(size_t i) const { return shape[size_t(dims[i])]; }
  State walkPart(ClusterEmitter &e, mlir::Value segment, const Coordinates &at, State state, Round round) const;
  State walkDims(ClusterEmitter &e, size_t i, const Coordinates &at, State state, Round round) const;
  State walkRounds(ClusterEmitter &e, mlir::Value from, mlir::Value to, Coordinates at, State state, Round round) const;
};

/// States in memory: `count` of them, each of `width` elements of every value.
class Partials {
public:
  /// In the scratch of all tasks together, or of the task's worker.
  Partials(ClusterEmitter &e, const Accumulations &runs, int64_t count, int64_t width, bool shared);

  /// The emitter's lanes of state number `number`, from element `offset` of its width on.
  State load(mlir::Value number, mlir::Value offset) const;
  void store(mlir::Value number, mlir::Value offset, const State &state) const;
  /// Combines the `n` states from `first` on in its place: the second half is merged into the first one until one is
  /// left. The width is a multiple of the emitter's lanes.
  void combine(mlir::Value first, int64_t n) const;

private:
  ClusterEmitter &e;
  const Accumulations &runs;
  int64_t width;
  llvm::SmallVector<mlir::Value> memories;

  State loadAt(mlir::Value position) const;
  void storeAt(mlir::Value position, const State &state) const;
};

} // namespace ingot
