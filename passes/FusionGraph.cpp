#include "ingot/passes/FusionGraph.h"

#include "llvm/ADT/STLExtras.h"

#include <boost/range/iterator_range.hpp>

#include <queue>

namespace ingot {

using namespace mlir;

FusionGraph::FusionGraph(Block &block) {
  for (Operation &op : block.without_terminator()) {
    Cluster cluster = Cluster(boost::add_vertex(graph));
    clusters.push_back({&op});
    owner[&op] = cluster;
    position[&op] = cluster;
  }
  for (Operation &op : block.without_terminator())
    addEdges(&op);
}

FusionGraph::Cluster FusionGraph::clusterOf(Operation *op) const {
  auto found = op ? owner.find(op) : owner.end();
  return found == owner.end() ? kNone : found->second;
}

void FusionGraph::addEdges(Operation *op) {
  Cluster cluster = clusterOf(op);
  for (Value operand : op->getOperands())
    if (Cluster producer = clusterOf(operand.getDefiningOp()); producer != kNone && producer != cluster)
      boost::add_edge(producer, cluster, graph);
  for (Operation *user : op->getUsers())
    if (Cluster consumer = clusterOf(user); consumer != kNone && consumer != cluster)
      boost::add_edge(cluster, consumer, graph);
}

bool FusionGraph::reachesThroughOthers(Cluster from, Cluster to) const {
  llvm::SmallVector<Cluster> work;
  llvm::DenseSet<Cluster> seen;
  for (auto edge : boost::make_iterator_range(boost::out_edges(from, graph)))
    if (Cluster next = Cluster(boost::target(edge, graph)); next != to && seen.insert(next).second)
      work.push_back(next);
  while (!work.empty()) {
    Cluster current = work.pop_back_val();
    for (auto edge : boost::make_iterator_range(boost::out_edges(current, graph))) {
      Cluster next = Cluster(boost::target(edge, graph));
      if (next == to)
        return true;
      if (seen.insert(next).second)
        work.push_back(next);
    }
  }
  return false;
}

bool FusionGraph::canMerge(Cluster a, Cluster b) const {
  return a != b && !reachesThroughOthers(a, b) && !reachesThroughOthers(b, a);
}

void FusionGraph::merge(Cluster a, Cluster b) {
  for (Operation *op : clusters[b])
    owner[op] = a;
  llvm::append_range(clusters[a], clusters[b]);
  clusters[b].clear();
  llvm::SmallVector<Cluster> producers, consumers;
  for (auto edge : boost::make_iterator_range(boost::in_edges(b, graph)))
    producers.push_back(Cluster(boost::source(edge, graph)));
  for (auto edge : boost::make_iterator_range(boost::out_edges(b, graph)))
    consumers.push_back(Cluster(boost::target(edge, graph)));
  boost::clear_vertex(b, graph);
  for (Cluster producer : producers)
    if (producer != a)
      boost::add_edge(producer, a, graph);
  for (Cluster consumer : consumers)
    if (consumer != a)
      boost::add_edge(a, consumer, graph);
}

void FusionGraph::addMember(Operation *op, Cluster cluster) {
  unsigned at = ~0u;
  for (Operation *user : op->getUsers())
    if (auto found = position.find(user); found != position.end())
      at = std::min(at, found->second);
  owner[op] = cluster;
  position[op] = at;
  clusters[cluster].push_back(op);
  addEdges(op);
}

void FusionGraph::drop(Operation *op) {
  Cluster cluster = clusterOf(op);
  boost::clear_vertex(cluster, graph);
  llvm::erase(clusters[cluster], op);
  owner.erase(op);
  position.erase(op);
  for (Operation *member : clusters[cluster])
    addEdges(member);
}

std::vector<FusionGraph::Cluster> FusionGraph::topologicalOrder() const {
  // Kahn's algorithm with a queue by program order, so that the result does not depend on how the graph was built.
  auto first = [&](Cluster c) {
    unsigned least = ~0u;
    for (Operation *op : clusters[c])
      least = std::min(least, position.lookup(op));
    return least;
  };
  std::vector<size_t> missing(clusters.size());
  using Item = std::pair<unsigned, Cluster>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> ready;
  for (Cluster c = 0; c < clusters.size(); ++c) {
    missing[c] = boost::in_degree(c, graph);
    if (!missing[c] && !clusters[c].empty())
      ready.emplace(first(c), c);
  }
  std::vector<Cluster> order;
  while (!ready.empty()) {
    Cluster current = ready.top().second;
    ready.pop();
    order.push_back(current);
    for (auto edge : boost::make_iterator_range(boost::out_edges(current, graph)))
      if (Cluster next = Cluster(boost::target(edge, graph)); --missing[next] == 0)
        ready.emplace(first(next), next);
  }
  return order;
}

} // namespace ingot
