#include "ingot/passes/Backward.h"
#include "ingot/passes/ClusterAnalysis.h"
#include "ingot/passes/Passes.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

#include <limits>

namespace ingot {

#define GEN_PASS_DEF_PARTITIONPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

constexpr int64_t kInfinite = std::numeric_limits<int64_t>::max() / 4;

int64_t bytesOf(Value value) {
  auto type = llvm::cast<ShapedType>(value.getType());
  return type.getNumElements() * std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
}

/// What the backward reads of the forward, and the minimum cut in front of it: each value is an edge from its `in` to
/// its `out` vertex with its bytes as capacity, and another from the source to `in` with the work of making it again.
/// A value whose first edge is cut is kept; one whose second is cut is recomputed. What only balanced regions read
/// costs its bytes and as good as nothing to make again: memory is what they save.
class Cut {
public:
  Cut(Block &block, const OpSet &backward, bool recomputeExpensive)
      : backward(backward), recomputeExpensive(recomputeExpensive), source(addVertex()), sink(addVertex()) {
    const OpSet balancedOps = dependents(block, isBalanced);
    llvm::SetVector<Value> wanted, others;
    for (Operation &op : block)
      if (backward.contains(&op))
        for (Value v : op.getOperands())
          if (isForward(v)) {
            wanted.insert(v);
            if (!balancedOps.contains(&op))
              others.insert(v);
          }
    balanced = others.size() < wanted.size();
    for (size_t i = 0; balanced && i < others.size(); ++i)
      for (Value operand : others[i].getDefiningOp()->getOperands())
        if (isForward(operand))
          others.insert(operand);
    unbalanced.insert(others.begin(), others.end());
    if (balanced)
      pinLinks(block);
    for (Value v : wanted)
      connect(outOf(v), sink, kInfinite);
    for (size_t i = 0; i < wanted.size(); ++i)
      addProducers(wanted[i], wanted);
    if (!wanted.empty())
      boost::boykov_kolmogorov_max_flow(graph, source, sink);
  }

  /// Whether the backward computes the value again.
  bool recomputed(Value v) const {
    auto found = vertices.find(v);
    return found != vertices.end() && isRecomputable(v) &&
           boost::get(boost::vertex_color, graph, found->second) != boost::black_color;
  }

  /// Whether the bytes of the value count, and the time to make it again does not.
  bool isBalancedValue(Value v) const { return balanced && !unbalanced.contains(v); }

private:
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using Edge = Traits::edge_descriptor;
  using Graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                            boost::property<boost::vertex_color_t, boost::default_color_type,
                                            boost::property<boost::vertex_distance_t, int64_t,
                                                            boost::property<boost::vertex_predecessor_t, Edge>>>,
                            boost::property<boost::edge_capacity_t, int64_t,
                                            boost::property<boost::edge_residual_capacity_t, int64_t,
                                                            boost::property<boost::edge_reverse_t, Edge>>>>;

  const OpSet &backward;
  bool recomputeExpensive;
  bool balanced = false;            // some value is read by balanced regions only
  llvm::DenseSet<Value> unbalanced; // values that others read too
  llvm::DenseSet<Value> pinned;     // values that are kept lest the way to make another again grows with the program
  Graph graph;
  unsigned source, sink;
  llvm::DenseMap<Value, unsigned> vertices; // the `in` vertex; `out` is the next

  bool isForward(Value v) const { return v.getDefiningOp() && !backward.contains(v.getDefiningOp()); }
  bool isRecomputable(Value v) const;
  int64_t costOfKeeping(Value v) const;
  int64_t costOfRecomputing(Value v) const;
  unsigned addVertex() { return unsigned(boost::add_vertex(graph)); }
  unsigned outOf(Value v);
  void connect(unsigned from, unsigned to, int64_t capacity);
  void addProducers(Value v, llvm::SetVector<Value> &wanted);
  void pinLinks(Block &block);
};

/// Whether an op may be computed once more in the backward.
bool Cut::isRecomputable(Value v) const {
  Operation *op = v.getDefiningOp();
  auto table = llvm::dyn_cast_or_null<TableOpInterface>(op);
  if (!table || isAnchor(op) || op->hasTrait<OpTrait::ConstantLike>() || pinned.contains(v))
    return false;
  const OpInfo &info = op_info(table.kind());
  const bool anyCost = recomputeExpensive || (isBalancedValue(v) && info.has(kMemoryBound));
  return !info.has(kRandom) && (anyCost || !info.has(kExpensive));
}

/// Memory that exists whatever the backward does costs next to nothing: what products, reductions and results read;
/// where memory is scarce only results, which alone outlive the forward.
int64_t Cut::costOfKeeping(Value v) const {
  Operation *op = v.getDefiningOp();
  bool exists = !op || op->hasTrait<OpTrait::ConstantLike>() || llvm::any_of(v.getUsers(), [&](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() ||
           (!backward.contains(user) && isAnchor(user) && !isBalancedValue(v));
  });
  return exists ? 1 : bytesOf(v) + 1;
}

/// Small against memory traffic, but a long chain adds up; movement is only address arithmetic.
int64_t Cut::costOfRecomputing(Value v) const {
  if (!isRecomputable(v))
    return kInfinite;
  uint32_t flags = op_info(llvm::cast<TableOpInterface>(v.getDefiningOp()).kind()).flags;
  if (isBalancedValue(v) && (flags & kMemoryBound))
    return 1;
  return flags & kMovement ? 1 : bytesOf(v) / (flags & kExpensive ? 2 : 8) + 1;
}

void Cut::connect(unsigned from, unsigned to, int64_t capacity) {
  Edge there = boost::add_edge(from, to, graph).first, back = boost::add_edge(to, from, graph).first;
  boost::put(boost::edge_capacity, graph, there, capacity);
  boost::put(boost::edge_capacity, graph, back, 0);
  boost::put(boost::edge_reverse, graph, there, back);
  boost::put(boost::edge_reverse, graph, back, there);
}

unsigned Cut::outOf(Value v) {
  auto [entry, first] = vertices.try_emplace(v, 0);
  if (first) {
    unsigned in = addVertex(), out = addVertex();
    entry->second = in;
    connect(in, out, costOfKeeping(v));
  }
  return entry->second + 1;
}

void Cut::addProducers(Value v, llvm::SetVector<Value> &wanted) {
  const unsigned in = outOf(v) - 1;
  connect(source, in, costOfRecomputing(v));
  if (!isRecomputable(v))
    return;
  for (Value operand : v.getDefiningOp()->getOperands()) {
    connect(outOf(operand), in, kInfinite);
    wanted.insert(operand);
  }
}

/// A chain of cheap values that passes many products, as the sum of a residual net's layers does, would be made again
/// from its start for each of them. Pins links of it, so that no value is made again from further back than about two
/// products.
void Cut::pinLinks(Block &block) {
  constexpr int64_t kProduct = 4, kReduction = 1, kFurthest = 8;
  int64_t now = 0; // products and reductions so far, weighted
  llvm::DenseMap<Value, int64_t> made, distance;
  for (Operation &op : block.without_terminator()) {
    if (backward.contains(&op))
      continue;
    if (isAnchor(&op))
      now += llvm::isa<ReductionOpInterface>(op) ? kReduction : kProduct;
    for (Value v : op.getResults()) {
      made[v] = now;
      if (!isBalancedValue(v) || !isRecomputable(v))
        continue;
      int64_t most = 0;
      for (Value operand : op.getOperands()) {
        auto found = distance.find(operand);
        if (found == distance.end() || pinned.contains(operand))
          continue;
        int64_t length = found->second + std::min(now - made[operand], kProduct);
        auto table = llvm::cast<TableOpInterface>(operand.getDefiningOp());
        if (length > kFurthest && !op_info(table.kind()).has(kMovement))
          pinned.insert(operand);
        else
          most = std::max(most, length);
      }
      distance[v] = most;
    }
  }
}

/// Copies of recomputed ops, each made once, before its first user in the backward.
class Recomputer {
public:
  explicit Recomputer(const Cut &cut) : cut(cut) {}

  /// The value itself where it is kept, else the copy that stands before `user`.
  Value available(Value wanted, Operation *user) {
    OpBuilder builder(user);
    llvm::SmallVector<Value> work{wanted};
    while (!work.empty()) {
      Value v = work.back();
      if (!cut.recomputed(v) || copies.contains(v)) {
        work.pop_back();
        continue;
      }
      Operation *op = v.getDefiningOp();
      const size_t before = work.size();
      for (Value operand : op->getOperands())
        if (cut.recomputed(operand) && !copies.contains(operand))
          work.push_back(operand);
      if (work.size() > before)
        continue;
      IRMapping mapping;
      for (Value operand : op->getOperands())
        mapping.map(operand, current(operand));
      Operation *copy = builder.clone(*op, mapping);
      copy->setAttr(kBackward, cut.isBalancedValue(v) ? Attribute(builder.getStringAttr("Balanced"))
                                                      : Attribute(builder.getUnitAttr()));
      copy->setAttr(kRecompute, builder.getUnitAttr());
      copies[v] = copy->getResult(0);
      work.pop_back();
    }
    return current(wanted);
  }

private:
  const Cut &cut;
  llvm::DenseMap<Value, Value> copies;

  Value current(Value v) const {
    Value copy = copies.lookup(v);
    return copy ? copy : v;
  }
};

struct PartitionPass : impl::PartitionPassBase<PartitionPass> {
  using PartitionPassBase::PartitionPassBase;

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    Block &block = getOperation().front();
    // What is left is the forward.
    OpSet backward = dependents(block, [](Operation *op) { return op->hasAttr(kBackward); });
    if (backward.empty())
      return;
    Cut cut(block, backward, recomputeExpensive);
    Recomputer recomputer(cut);
    for (Operation &op : llvm::make_early_inc_range(block))
      if (backward.contains(&op))
        for (OpOperand &operand : op.getOpOperands())
          if (cut.recomputed(operand.get()))
            operand.set(recomputer.available(operand.get(), &op));
    // Forward ops whose only readers were in the backward.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};

} // namespace
} // namespace ingot
