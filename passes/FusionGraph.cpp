#include "ingot/passes/FusionGraph.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <queue>

namespace ingot {

using namespace mlir;

FusionGraph::FusionGraph(Block &block) {
  for (Operation &op : block.without_terminator()) {
    Cluster cluster = Cluster(boost::add_vertex(graph));
    clusters.push_back({&op});
    latest.push_back(cluster);
    rank.push_back(cluster);
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

/// Everything that `from` leads to, by ranks between the two, without its edge to `other`; false when that is too much
/// or leads to `other`.
template <class Neighbours>
bool FusionGraph::reach(Cluster from, Cluster other, Neighbours next, std::vector<Cluster> &found) const {
  const auto [low, high] = std::minmax(rank[from], rank[other]);
  llvm::SmallDenseSet<Cluster, 16> seen;
  std::vector<Cluster> work{from};
  size_t steps = 0;
  while (!work.empty()) {
    const Cluster current = work.back();
    work.pop_back();
    for (const Cluster neighbour : next(current)) {
      if (++followed, ++steps > kMostSteps)
        return false;
      if (neighbour == other) {
        if (current != from)
          return false;
        continue;
      }
      if (rank[neighbour] < low || rank[neighbour] > high || !seen.insert(neighbour).second)
        continue;
      found.push_back(neighbour);
      work.push_back(neighbour);
    }
  }
  return true;
}

std::optional<FusionGraph::Affected> FusionGraph::affected(Cluster a, Cluster b) const {
  if (a == b)
    return std::nullopt;
  const Cluster first = rank[a] < rank[b] ? a : b, second = first == a ? b : a;
  auto consumers = [&](Cluster c) {
    return llvm::map_range(boost::make_iterator_range(boost::out_edges(c, graph)),
                           [&](auto edge) { return Cluster(boost::target(edge, graph)); });
  };
  auto producers = [&](Cluster c) {
    return llvm::map_range(boost::make_iterator_range(boost::in_edges(c, graph)),
                           [&](auto edge) { return Cluster(boost::source(edge, graph)); });
  };
  Affected found;
  if (!reach(first, second, consumers, found.behind) || !reach(second, first, producers, found.before))
    return std::nullopt;
  return found;
}

void FusionGraph::merge(Cluster a, Cluster b) {
  // The ranks of all that is affected are dealt out anew: what the result depends on, the result, what depends on it.
  Affected moved = *affected(a, b);
  auto byRank = [&](Cluster x, Cluster y) { return rank[x] < rank[y]; };
  std::sort(moved.before.begin(), moved.before.end(), byRank);
  std::sort(moved.behind.begin(), moved.behind.end(), byRank);
  std::vector<unsigned> ranks{rank[a], rank[b]};
  for (const std::vector<Cluster> *list : {&moved.before, &moved.behind})
    for (Cluster c : *list)
      ranks.push_back(rank[c]);
  std::sort(ranks.begin(), ranks.end());
  for (size_t i = 0; i < moved.before.size(); ++i)
    rank[moved.before[i]] = ranks[i];
  rank[a] = ranks[moved.before.size()];
  for (size_t i = 0; i < moved.behind.size(); ++i)
    rank[moved.behind[i]] = ranks[ranks.size() - moved.behind.size() + i];

  for (Operation *op : clusters[b])
    owner[op] = a;
  llvm::append_range(clusters[a], clusters[b]);
  clusters[b].clear();
  latest[a] = std::max(latest[a], latest[b]);
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
