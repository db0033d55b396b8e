#include "ingot/passes/ClusterAnalysis.h"
#include "ingot/passes/Donation.h"
#include "ingot/passes/Passes.h"
#include "ingot/passes/Work.h"

#include "ingot/ir/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>

#include <set>
#include <tuple>

namespace ingot {

#define GEN_PASS_DEF_SCHEDULEPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

int64_t bytesOf(Value value) {
  auto type = llvm::cast<ShapedType>(value.getType());
  return type.getNumElements() * std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
}

/// Ops in dependency order: at each step the one after which the least memory is live, or the order of the program, in
/// which what is computed again stands before its reader, where its peak is smaller. Index checks come as early as
/// their operands allow: nothing may be written to a donated buffer before the last of them.
class Scheduler {
public:
  Scheduler(func::FuncOp function, const Donation &donation) : block(function.front()), donation(donation) {
    for (Operation &op : block.without_terminator()) {
      vertexOf[&op] = unsigned(boost::add_vertex(graph));
      ops.push_back(&op);
    }
  }

  /// Puts the block in order; where it cannot be, gives pairs that have to be copied at the end first.
  bool run(llvm::SmallVectorImpl<const Donation::Pair *> &bad) {
    addDataEdges();
    bad = addDonationEdges();
    if (!bad.empty())
      return false;
    if (order())
      return true;
    bad = pairsOnCycles();
    return false;
  }
  size_t visits() const { return followed; }

private:
  using Graph = boost::adjacency_list<boost::setS, boost::vecS, boost::bidirectionalS>;
  Block &block;
  const Donation &donation;
  Graph graph;
  std::vector<Operation *> ops; // by vertex; null for the one between checks and overwriters
  llvm::DenseMap<Operation *, unsigned> vertexOf;
  mutable size_t followed = 0;

  void addDataEdges();
  llvm::SmallVector<const Donation::Pair *> addDonationEdges();
  llvm::SmallVector<const Donation::Pair *> pairsOnCycles() const;
  bool order();
  std::vector<unsigned> sequence(bool byGrowth) const;
  int64_t peak(llvm::ArrayRef<unsigned> sequence) const;
  void addEdge(Operation *before, Operation *after) {
    if (before != after)
      boost::add_edge(vertexOf[before], vertexOf[after], graph);
  }
};

void Scheduler::addDataEdges() {
  for (Operation *op : ops)
    for (Value v : op->getOperands())
      if (Operation *def = v.getDefiningOp())
        addEdge(def, op);
}

/// Returns pairs whose writers would overwrite what they still read.
llvm::SmallVector<const Donation::Pair *> Scheduler::addDonationEdges() {
  llvm::SmallVector<const Donation::Pair *> bad;
  const llvm::SmallDenseSet<Operation *> checks(donation.barriers().begin(), donation.barriers().end());
  unsigned barrier = 0;
  if (!checks.empty()) { // one vertex, so that edges are as many as checks and writers and not their product
    barrier = unsigned(boost::add_vertex(graph));
    ops.push_back(nullptr);
    for (Operation *check : donation.barriers())
      boost::add_edge(vertexOf[check], barrier, graph);
  }
  for (const Donation::Pair &pair : donation.pairs()) {
    if (!pair.writer)
      continue;
    llvm::SmallVector<Operation *> readers = donation.readersOf(pair);
    if (checks.contains(pair.writer) || llvm::is_contained(readers, pair.writer)) {
      bad.push_back(&pair);
      continue;
    }
    for (Operation *op : readers)
      addEdge(op, pair.writer);
    if (!checks.empty())
      boost::add_edge(barrier, vertexOf[pair.writer], graph);
  }
  return bad;
}

/// One pair of each cycle, the first that still writes in place.
llvm::SmallVector<const Donation::Pair *> Scheduler::pairsOnCycles() const {
  std::vector<unsigned> component(boost::num_vertices(graph));
  const auto count = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph)));
  std::vector<unsigned> size(count);
  for (unsigned c : component)
    ++size[c];
  llvm::SmallVector<const Donation::Pair *> found;
  for (const Donation::Pair &pair : donation.pairs())
    if (pair.writer && !Donation::isCopied(pair))
      if (unsigned &members = size[component[vertexOf.lookup(pair.writer)]]; members > 1) {
        found.push_back(&pair);
        members = 0;
      }
  return found;
}

/// The bytes by which each op, run next, changes what is live: those of its results without those of values that
/// nothing else is left to read.
class Growth {
public:
  Growth(size_t vertices, const llvm::DenseMap<Operation *, unsigned> &vertexOf) : bytes(vertices) {
    for (const auto &[op, v] : vertexOf)
      for (Value made : op->getResults()) {
        bytes[v] += bytesOf(made);
        Readers &readers = left[made];
        llvm::SmallDenseSet<Operation *> users(made.user_begin(), made.user_end());
        for (Operation *user : users) {
          auto vertex = vertexOf.find(user); // the end of the program reads for ever
          readers.count += vertex == vertexOf.end() ? 2 : 1;
          readers.sum ^= vertex == vertexOf.end() ? 0 : vertex->second;
        }
        if (readers.count == 1)
          bytes[readers.sum] -= bytesOf(made);
      }
  }

  int64_t of(unsigned vertex) const { return bytes[vertex]; }

  /// Takes the op's reads away; calls `changed` for each vertex whose growth is another now, before and after it is.
  template <class Changed> void ran(unsigned vertex, Operation *op, Changed changed) {
    llvm::SmallDenseSet<Value> reads(op->operand_begin(), op->operand_end());
    for (Value read : op->getOperands()) {
      auto found = left.find(read);
      if (!reads.erase(read) || found == left.end())
        continue;
      Readers &readers = found->second;
      readers.sum ^= vertex;
      if (--readers.count == 1)
        changed(readers.sum, [&] { bytes[readers.sum] -= bytesOf(read); });
    }
  }

private:
  struct Readers {
    unsigned count = 0, sum = 0; // ops that have not run; the exclusive or of their vertices
  };
  std::vector<int64_t> bytes;
  llvm::DenseMap<Value, Readers> left;
};

std::vector<unsigned> Scheduler::sequence(bool byGrowth) const {
  Growth growth(ops.size(), vertexOf);
  using Rank = std::tuple<bool, int64_t, unsigned>;
  auto rank = [&](unsigned v) { return Rank(ops[v] && ops[v]->getNumResults() != 0, byGrowth ? growth.of(v) : 0, v); };
  std::set<Rank> ready;
  std::vector<size_t> missing(ops.size());
  for (unsigned v = 0; v < ops.size(); ++v)
    if ((missing[v] = boost::in_degree(v, graph)) == 0)
      ready.insert(rank(v));
  std::vector<unsigned> sequence;
  while (!ready.empty()) {
    const unsigned current = std::get<2>(*ready.begin());
    ready.erase(ready.begin());
    if (ops[current]) {
      sequence.push_back(current);
      growth.ran(current, ops[current], [&](unsigned v, auto change) {
        ++followed;
        const bool isReady = ready.erase(rank(v));
        change();
        if (isReady)
          ready.insert(rank(v));
      });
    }
    for (auto edge : boost::make_iterator_range(boost::out_edges(current, graph))) {
      ++followed;
      if (unsigned next = unsigned(boost::target(edge, graph)); --missing[next] == 0)
        ready.insert(rank(next));
    }
  }
  return sequence;
}

/// The most bytes of the workspace that are live at once. What is returned lies elsewhere.
int64_t Scheduler::peak(llvm::ArrayRef<unsigned> sequence) const {
  auto root = [](Value v) {
    while (auto alias = v.getDefiningOp<ReshapeOp>())
      v = alias.getOperand();
    return v;
  };
  llvm::DenseMap<Value, size_t> lastRead;
  for (auto [time, v] : llvm::enumerate(sequence))
    for (Value read : ops[v]->getOperands())
      lastRead[root(read)] = time;
  llvm::DenseSet<Value> returned;
  for (Value v : block.getTerminator()->getOperands())
    returned.insert(root(v));
  int64_t live = 0, most = 0;
  std::vector<int64_t> dying(sequence.size());
  for (auto [time, v] : llvm::enumerate(sequence)) {
    if (llvm::isa<FusionOp>(ops[v]))
      for (Value made : ops[v]->getResults())
        if (!returned.contains(made)) {
          live += bytesOf(made);
          auto last = lastRead.find(made);
          dying[last == lastRead.end() ? time : last->second] += bytesOf(made);
        }
    most = std::max(most, live);
    live -= dying[time];
  }
  return most;
}

/// False when something waits for itself.
bool Scheduler::order() {
  std::vector<unsigned> best = sequence(/*byGrowth=*/true), asWritten = sequence(/*byGrowth=*/false);
  if (best.size() != vertexOf.size())
    return false;
  if (peak(asWritten) < peak(best))
    best = std::move(asWritten);
  for (unsigned v : best)
    ops[v]->moveBefore(block.getTerminator());
  return true;
}

struct SchedulePass : impl::SchedulePassBase<SchedulePass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    // Where readers of a donated input and its overwriter wait for each other, the new value is made elsewhere first
    // and copied at the end. Copies read nothing that is donated, so cycles become fewer each time.
    for (size_t round = 0; round <= function.getNumArguments(); ++round) {
      Donation donation(function);
      Scheduler scheduler(function, donation);
      llvm::SmallVector<const Donation::Pair *> bad;
      const bool done = scheduler.run(bad);
      noteVisits(function, "schedule", scheduler.visits());
      if (done)
        return;
      donation.copyLast(function, bad);
    }
    function.emitError("no order lets every donated input be read before it is overwritten");
    signalPassFailure();
  }
};

} // namespace
} // namespace ingot
