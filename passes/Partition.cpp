#include "ingot/passes/ClusterAnalysis.h"
#include "ingot/passes/Passes.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

#include <limits>

namespace ingot {

#define GEN_PASS_DEF_PARTITIONPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

constexpr llvm::StringLiteral kBackward = "ingot.backward", kRecompute = "ingot.recompute";
constexpr int64_t kInfinite = std::numeric_limits<int64_t>::max() / 4;

int64_t bytesOf(Value value) {
  auto type = llvm::cast<ShapedType>(value.getType());
  return type.getNumElements() * std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
}

bool isForward(Operation *op) { return op && !op->hasAttr(kBackward); }

/// Whether an op may be computed once more in the backward.
bool isRecomputable(Operation *op) {
  auto table = llvm::dyn_cast_or_null<TableOpInterface>(op);
  return table && !isAnchor(op) && !(op_info(table.kind()).flags & (kExpensive | kRandom));
}

/// Memory that exists whatever the backward does: arguments, constants, what reductions and products read, results.
bool isMaterializedAnyway(Value value) {
  if (!value.getDefiningOp() || value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>())
    return true;
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() || (isForward(user) && isAnchor(user));
  });
}

/// The minimum cut between what the forward has and what the backward reads. Each value is an edge from its `in` to
/// its `out` vertex with its bytes as capacity; an edge that is cut is a value that is kept.
class Cut {
public:
  explicit Cut(llvm::ArrayRef<Value> needed) : source(addVertex()), sink(addVertex()) {
    for (Value v : needed)
      connect(outOf(v), sink, kInfinite);
    boost::boykov_kolmogorov_max_flow(graph, source, sink);
  }

  /// Whether the backward computes the value again.
  bool recomputed(Value v) {
    auto found = vertices.find(v);
    return found != vertices.end() && !onSourceSide(found->second);
  }

private:
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using Edge = Traits::edge_descriptor;
  using Graph = boost::adjacency_list<
      boost::vecS, boost::vecS, boost::directedS,
      boost::property<boost::vertex_color_t, boost::default_color_type,
                      boost::property<boost::vertex_distance_t, int64_t, boost::property<boost::vertex_predecessor_t, Edge>>>,
      boost::property<boost::edge_capacity_t, int64_t,
                      boost::property<boost::edge_residual_capacity_t, int64_t, boost::property<boost::edge_reverse_t, Edge>>>>;

  Graph graph;
  unsigned source, sink;
  llvm::DenseMap<Value, unsigned> vertices; // the `in` vertex; `out` is the next

  unsigned addVertex() { return unsigned(boost::add_vertex(graph)); }
  bool onSourceSide(unsigned v) { return boost::get(boost::vertex_color, graph, v) == boost::black_color; }

  void connect(unsigned from, unsigned to, int64_t capacity) {
    auto [forward, a] = boost::add_edge(from, to, graph);
    auto [backward, b] = boost::add_edge(to, from, graph);
    (void)a, (void)b;
    boost::put(boost::edge_capacity, graph, forward, capacity);
    boost::put(boost::edge_capacity, graph, backward, 0);
    boost::put(boost::edge_reverse, graph, forward, backward);
    boost::put(boost::edge_reverse, graph, backward, forward);
  }

  unsigned outOf(Value v) {
    if (auto found = vertices.find(v); found != vertices.end())
      return found->second + 1;
    unsigned in = addVertex(), out = addVertex();
    vertices[v] = in;
    connect(in, out, isMaterializedAnyway(v) ? 1 : bytesOf(v) + 1);
    Operation *op = v.getDefiningOp();
    if (isRecomputable(op))
      for (Value operand : op->getOperands())
        connect(outOf(operand), in, kInfinite);
    else
      connect(source, in, kInfinite);
    if (isRecomputable(op) && op->getNumOperands() == 0)
      connect(source, in, 0);
    return out;
  }
};

struct PartitionPass : impl::PartitionPassBase<PartitionPass> {
  void runOnOperation() override {
    llvm::SetVector<Value> needed;
    Block &block = getOperation().front();
    for (Operation &op : block)
      if (op.hasAttr(kBackward))
        for (Value v : op.getOperands())
          if (isForward(v.getDefiningOp()))
            needed.insert(v);
    if (needed.empty())
      return;
    Cut cut(needed.getArrayRef());
    llvm::DenseMap<Value, Value> copies;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (!op.hasAttr(kBackward))
        continue;
      OpBuilder builder(&op);
      for (OpOperand &operand : op.getOpOperands())
        if (isForward(operand.get().getDefiningOp()))
          operand.set(available(operand.get(), cut, copies, builder));
    }
  }

  /// The value itself where it is kept, else a copy of its op before the first user.
  Value available(Value v, Cut &cut, llvm::DenseMap<Value, Value> &copies, OpBuilder &builder) {
    Operation *op = v.getDefiningOp();
    if (!isRecomputable(op) || op->hasTrait<OpTrait::ConstantLike>() || !cut.recomputed(v))
      return v;
    if (Value copy = copies.lookup(v))
      return copy;
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, available(operand, cut, copies, builder));
    Operation *copy = builder.clone(*op, mapping);
    copy->setAttr(kBackward, builder.getUnitAttr());
    copy->setAttr(kRecompute, builder.getUnitAttr());
    return copies[v] = copy->getResult(0);
  }
};

} // namespace
} // namespace ingot
