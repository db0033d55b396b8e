// What one kernel may hold. A kernel's compile time follows from its size, so that of a program is linear: beyond the
// budget a cluster takes no more, and a long chain becomes several kernels.
#pragma once

#include "ingot/passes/ClusterAnalysis.h"
#include "ingot/passes/CodeSize.h"
#include "ingot/passes/FusionGraph.h"

#include <vector>

namespace ingot {

class KernelBudget {
public:
  using Cluster = FusionGraph::Cluster;
  /// Operations in a kernel's code. Beyond some hundred of them a value's way through memory is cheap beside the work.
  static constexpr int64_t kMostCode = 8000;
  /// Tensors that a kernel reads and writes: each is a pointer to keep and a stream to follow.
  static constexpr int64_t kMostOperands = 64;

  explicit KernelBudget(const FusionGraph &graph);

  /// Whether one kernel has room for both; `onePassMore` where a reduction of b needs one of a. A cluster whose
  /// code has no room for an op takes no other either: what comes next would lie on the wrong side of the border.
  bool fits(Cluster a, Cluster b, Domain::Kind kind, bool onePassMore);
  /// Before b's ops become a's.
  void merge(Cluster a, Cluster b, bool onePassMore);
  /// Whether there is room for a copy of the op beside what the cluster holds.
  bool hasRoomFor(mlir::Operation *op, Cluster cluster, Domain::Kind kind);
  void add(mlir::Operation *op, Cluster cluster);
  void drop(mlir::Operation *op, Cluster cluster);

private:
  struct Load {
    int64_t code = 0;     // for one vector
    int64_t operands = 0; // at the most
    int64_t passes = 0;   // over a row, where there are reductions
    bool full = false;
  };
  const FusionGraph &graph;
  CodeSize size;
  std::vector<Load> loads;

  int64_t countOperands(Cluster a, Cluster b) const;
};

} // namespace ingot
