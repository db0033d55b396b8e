// The dependency graph of a block under a partition of its ops into clusters. Merging two clusters is legal when
// the quotient graph stays acyclic.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <boost/graph/adjacency_list.hpp>

#include <optional>
#include <vector>

namespace ingot {

class FusionGraph {
public:
  using Cluster = unsigned;
  static constexpr Cluster kNone = ~0u;
  /// Edges that one question may follow. A merge that needs more, of clusters with that much between them that depends
  /// on one of them, is refused: so a question costs no more than this.
  static constexpr size_t kMostSteps = 512;

  /// Every op of the block but the terminator is a cluster of its own.
  explicit FusionGraph(mlir::Block &block);

  size_t numClusters() const { return clusters.size(); } // merged and empty ones too
  /// kNone for ops of other blocks and for the terminator.
  Cluster clusterOf(mlir::Operation *op) const;
  llvm::ArrayRef<mlir::Operation *> members(Cluster cluster) const { return clusters[cluster]; }
  /// Where the op stands in the program; a duplicate stands where its first user does.
  unsigned positionOf(mlir::Operation *op) const { return position.lookup(op); }
  /// The greatest position of the cluster's ops.
  unsigned lastPosition(Cluster cluster) const { return latest[cluster]; }

  /// Whether no path from one to the other leads through a third cluster.
  bool canMerge(Cluster a, Cluster b) const { return bool(affected(a, b)); }
  /// Puts b's ops into a. Needs canMerge.
  void merge(Cluster a, Cluster b);
  /// Adds an op made after construction (a duplicate of one that the cluster reads), with edges from the producers of
  /// its operands and to its users, as a member of `cluster`.
  void addMember(mlir::Operation *op, Cluster cluster);

  /// Forgets an op, which is about to be erased and has no users.
  void drop(mlir::Operation *op);

  /// Clusters with members, each behind all it depends on; among equals in program order.
  std::vector<Cluster> topologicalOrder() const;

  /// Edges followed so far.
  size_t visits() const { return followed; }

private:
  // Vertex v is cluster v; a merged cluster keeps its vertex without edges.
  using Graph = boost::adjacency_list<boost::setS, boost::vecS, boost::bidirectionalS>;
  Graph graph;
  std::vector<llvm::SmallVector<mlir::Operation *, 4>> clusters;
  std::vector<unsigned> latest;
  std::vector<unsigned> rank; // of each cluster in one topological order, kept up to date: no edge leads to a lower one
  llvm::DenseMap<mlir::Operation *, Cluster> owner;
  llvm::DenseMap<mlir::Operation *, unsigned> position;
  mutable size_t followed = 0;

  /// The clusters whose ranks lie between those of two that merge and which have to go before or behind the result.
  struct Affected {
    std::vector<Cluster> before, behind;
  };
  std::optional<Affected> affected(Cluster a, Cluster b) const;
  template <class Neighbours>
  bool reach(Cluster from, Cluster other, Neighbours next, std::vector<Cluster> &found) const;
  void addEdges(mlir::Operation *op);
};

} // namespace ingot
