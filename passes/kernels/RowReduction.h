// The reductions of one pass along a row: vectors along the row go round several accumulators.
#pragma once

#include "ingot/passes/kernels/Segments.h"

#include <functional>
#include <optional>

namespace ingot {

/// The cluster's reductions.
llvm::SmallVector<mlir::Operation *> reductionsOf(ClusterEmitter &e);
/// Reduced dimensions of more than one element, but for the one that vectors lie along.
llvm::SmallVector<int64_t> outerReducedDims(const Domain &domain);

class RowReduction {
public:
  /// Calls `before` where elements are about to be read. Segments that different tasks reduce meet in `shared` memory.
  RowReduction(ClusterEmitter &e, const Domain &domain, llvm::ArrayRef<mlir::Operation *> reductions,
               std::function<void(const Coordinates &)> before, bool shared = false);

  /// Reduces the row and binds the results there.
  void reduce(const Coordinates &row);

  int64_t segments() const { return layout.segments.count(); }
  /// `reduce` in two steps, for row number `number`: each segment by itself, then all together.
  void reduceSegment(const Coordinates &row, mlir::Value number, mlir::Value segment);
  void combineSegments(const Coordinates &row, mlir::Value number);

private:
  /// How vectors go round the accumulators: a round is `vectors` vectors of a long line, or all `vectors` vectors of
  /// each of `lines` short ones.
  struct Layout {
    int64_t size, lanes; // elements of a line, and of a vector
    int64_t vectors, lines;
    int64_t across; // the dimension that a round's lines follow each other in; -1: a round is a part of one line
    Segments segments;
  };

  ClusterEmitter &e;
  const Domain &domain;
  Accumulations runs;
  std::function<void(const Coordinates &)> before;
  Layout layout;
  std::optional<Partials> partials; // of rows in more than one segment

  static Layout layoutOf(const Target &target, const Domain &domain);
  State segmentOf(const Coordinates &row, mlir::Value segment);
  State round(Coordinates at, int64_t count, State state);
  void accumulate(State &state, int64_t accumulator, Coordinates at, mlir::Value position, int64_t left);
  void finish(const Coordinates &row, State state);
};

} // namespace ingot
