#include "ingot/passes/ClusterAnalysis.h"
#include "ingot/passes/Donation.h"
#include "ingot/passes/Passes.h"

#include "ingot/ir/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/range/iterator_range.hpp>

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

  LogicalResult run() {
    addDataEdges();
    addDonationEdges();
    return selfRead ? failure() : order();
  }

private:
  using Graph = boost::adjacency_list<boost::setS, boost::vecS, boost::bidirectionalS>;
  Block &block;
  const Donation &donation;
  Graph graph;
  std::vector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> vertexOf;
  bool selfRead = false; // a kernel would overwrite what it still reads

  void addDataEdges();
  void addDonationEdges();
  LogicalResult order();
  std::vector<unsigned> sequence(bool byGrowth) const;
  int64_t peak(llvm::ArrayRef<unsigned> sequence) const;
  int64_t growth(unsigned vertex, const llvm::DenseMap<Value, unsigned> &readsLeft) const;
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

void Scheduler::addDonationEdges() {
  for (const Donation::Pair &pair : donation.pairs()) {
    if (!pair.writer)
      continue;
    for (Operation *op : donation.mustPrecede(pair)) {
      selfRead |= op == pair.writer;
      addEdge(op, pair.writer);
    }
  }
}

int64_t Scheduler::growth(unsigned vertex, const llvm::DenseMap<Value, unsigned> &readsLeft) const {
  Operation *op = ops[vertex];
  int64_t bytes = 0;
  for (Value made : op->getResults())
    bytes += bytesOf(made);
  llvm::SmallDenseSet<Value> seen;
  for (Value read : op->getOperands())
    if (read.getDefiningOp() && seen.insert(read).second) {
      auto uses = llvm::count(op->getOperands(), read);
      if (readsLeft.lookup(read) == unsigned(uses))
        bytes -= bytesOf(read);
    }
  return bytes;
}

std::vector<unsigned> Scheduler::sequence(bool byGrowth) const {
  llvm::DenseMap<Value, unsigned> readsLeft;
  for (Operation *op : ops)
    for (Value made : op->getResults())
      readsLeft[made] = unsigned(std::distance(made.use_begin(), made.use_end()));
  std::vector<size_t> missing(ops.size());
  std::vector<unsigned> ready, sequence;
  for (unsigned v = 0; v < ops.size(); ++v)
    if ((missing[v] = boost::in_degree(v, graph)) == 0)
      ready.push_back(v);
  while (!ready.empty()) {
    auto rank = [&](unsigned v) {
      bool check = ops[v]->getNumResults() == 0;
      return std::tuple(!check, byGrowth ? growth(v, readsLeft) : 0, v);
    };
    auto best = std::min_element(ready.begin(), ready.end(), [&](unsigned a, unsigned b) { return rank(a) < rank(b); });
    unsigned current = *best;
    ready.erase(best);
    sequence.push_back(current);
    for (Value read : ops[current]->getOperands())
      if (auto found = readsLeft.find(read); found != readsLeft.end())
        --found->second;
    for (auto edge : boost::make_iterator_range(boost::out_edges(current, graph)))
      if (unsigned next = unsigned(boost::target(edge, graph)); --missing[next] == 0)
        ready.push_back(next);
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

LogicalResult Scheduler::order() {
  std::vector<unsigned> best = sequence(/*byGrowth=*/true), asWritten = sequence(/*byGrowth=*/false);
  if (best.size() != ops.size())
    return failure();
  if (peak(asWritten) < peak(best))
    best = std::move(asWritten);
  for (unsigned v : best)
    ops[v]->moveBefore(block.getTerminator());
  return success();
}

struct SchedulePass : impl::SchedulePassBase<SchedulePass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    // Where readers of a donated input and its overwriter wait for each other, the new value is made elsewhere
    // first and copied at the end.
    for (;;) {
      Donation donation(function);
      if (succeeded(Scheduler(function, donation).run()))
        return;
      if (!donation.breakOneCycle(function)) {
        function.emitError("no order lets every donated input be read before it is overwritten");
        return signalPassFailure();
      }
    }
  }
};

} // namespace
} // namespace ingot
