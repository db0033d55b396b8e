#include "ingot/passes/KernelBudget.h"

#include "ingot/ir/Dialect.h"
#include "ingot/passes/FusionBuilder.h"

#include "llvm/ADT/SetVector.h"

namespace ingot {

using namespace mlir;

namespace {

int64_t operandsOf(Operation *op) {
  return int64_t(op->getNumResults()) + llvm::count_if(op->getOperands(), [](Value v) { return !isImmediate(v); });
}

/// How often a kernel of the kind repeats the code of a vector: whole ones and the last one of a run; the accumulators
/// of a pass over a row, for each pass; the rows that columns take at a time; the rows of a tile.
int64_t copies(Domain::Kind kind, int64_t passes) {
  switch (kind) {
  case Domain::Kind::Loop:
    return 2;
  case Domain::Kind::Row:
    return 5 * (passes + 1);
  case Domain::Kind::Column:
  case Domain::Kind::Contract:
    return 8;
  }
  llvm_unreachable("a domain has one of these kinds");
}

} // namespace

KernelBudget::KernelBudget(const FusionGraph &graph) : graph(graph) {
  for (Cluster c = 0; c < graph.numClusters(); ++c)
    for (Operation *op : graph.members(c)) {
      const bool counts = !isConstant(op);
      loads.push_back({counts ? size.of(op) : 0, operandsOf(op), llvm::isa<ReductionOpInterface>(op) ? 1 : 0});
    }
}

/// Values that the two read from outside, or that are read outside of them.
int64_t KernelBudget::countOperands(Cluster a, Cluster b) const {
  llvm::DenseSet<Value> operands;
  auto own = [&](Operation *op) { return graph.clusterOf(op) == a || graph.clusterOf(op) == b; };
  for (Cluster c : {a, b})
    for (Operation *op : graph.members(c)) {
      for (Value v : op->getOperands())
        if (!isImmediate(v) && !(v.getDefiningOp() && own(v.getDefiningOp())))
          operands.insert(v);
      for (Value v : op->getResults())
        if (llvm::any_of(v.getUsers(), [&](Operation *user) { return !own(user); }))
          operands.insert(v);
    }
  return int64_t(operands.size());
}

bool KernelBudget::fits(Cluster a, Cluster b, Domain::Kind kind, bool onePassMore) {
  Load &x = loads[a];
  const Load &y = loads[b];
  if (x.full || y.full)
    return false;
  if ((x.code + y.code) * copies(kind, std::max(x.passes + onePassMore, y.passes)) > kMostCode) {
    x.full = graph.members(b).size() == 1;
    return false;
  }
  return x.operands + y.operands <= kMostOperands || countOperands(a, b) <= kMostOperands;
}

void KernelBudget::merge(Cluster a, Cluster b, bool onePassMore) {
  Load &x = loads[a];
  const Load &y = loads[b];
  x.operands += y.operands;
  if (x.operands > kMostOperands)
    x.operands = countOperands(a, b);
  x.code += y.code;
  x.passes = std::max(x.passes + onePassMore, y.passes);
}

bool KernelBudget::hasRoomFor(Operation *op, Cluster cluster, Domain::Kind kind) {
  Load &load = loads[cluster];
  if (load.operands + operandsOf(op) > kMostOperands)
    load.operands = countOperands(cluster, cluster);
  return (load.code + size.of(op)) * copies(kind, load.passes) <= kMostCode &&
         load.operands + operandsOf(op) <= kMostOperands;
}

void KernelBudget::add(Operation *op, Cluster cluster) {
  loads[cluster].code += size.of(op);
  loads[cluster].operands += operandsOf(op);
}

void KernelBudget::drop(Operation *op, Cluster cluster) {
  loads[cluster].code -= size.of(op);
  loads[cluster].operands -= operandsOf(op);
}

} // namespace ingot
