// The dependency graph of a block under a partition of its ops into clusters. Merging two clusters is legal when
// the quotient graph stays acyclic.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <boost/graph/adjacency_list.hpp>

#include <vector>

namespace ingot {

class FusionGraph {
public:
  using Cluster = unsigned;
  static constexpr Cluster kNone = ~0u;

  /// Every op of the block but the terminator is a cluster of its own.
  explicit FusionGraph(mlir::Block &block);

  /// kNone for ops of other blocks and for the terminator.
  Cluster clusterOf(mlir::Operation *op) const;
  llvm::ArrayRef<mlir::Operation *> members(Cluster cluster) const { return clusters[cluster]; }

  /// Whether no path from one to the other leads through a third cluster.
  bool canMerge(Cluster a, Cluster b) const;
  /// Puts b's ops into a. Needs canMerge.
  void merge(Cluster a, Cluster b);
  /// Adds an op made after construction (a duplicate), with edges from the producers of its operands and to its
  /// users, as a member of `cluster`.
  void addMember(mlir::Operation *op, Cluster cluster);

  /// Forgets an op, which is about to be erased and has no users.
  void drop(mlir::Operation *op);

  /// Clusters with members, each behind all it depends on; among equals in program order.
  std::vector<Cluster> topologicalOrder() const;

private:
  // Vertex v is cluster v; a merged cluster keeps its vertex without edges.
  using Graph = boost::adjacency_list<boost::setS, boost::vecS, boost::bidirectionalS>;
  Graph graph;
  std::vector<llvm::SmallVector<mlir::Operation *, 4>> clusters;
  llvm::DenseMap<mlir::Operation *, Cluster> owner;
  llvm::DenseMap<mlir::Operation *, unsigned> position; // program order

  void addEdges(mlir::Operation *op);
  bool reachesThroughOthers(Cluster from, Cluster to) const;
};

} // namespace ingot
