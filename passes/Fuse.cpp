#include "ingot/passes/Backward.h"
#include "ingot/passes/FusionBuilder.h"
#include "ingot/passes/KernelBudget.h"
#include "ingot/passes/Passes.h"
#include "ingot/passes/Work.h"

#include "ingot/ir/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {

#define GEN_PASS_DEF_FUSEPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;
using Cluster = FusionGraph::Cluster;

ShapedType typeOf(Value value) { return llvm::cast<ShapedType>(value.getType()); }

uint32_t flagsOf(Operation *op) {
  auto table = llvm::dyn_cast<TableOpInterface>(op);
  return table ? op_info(table.kind()).flags : 0;
}

/// A change of shape that moves nothing in memory and is more than adding or dropping dimensions of size 1.
bool isReshape(Operation *op) { return op && llvm::isa<ReshapeOp>(op); }

bool changesOnlyUnitDimensions(Operation *reshape) {
  auto strip = [](ArrayRef<int64_t> shape) {
    llvm::SmallVector<int64_t> rest;
    llvm::copy_if(shape, std::back_inserter(rest), [](int64_t d) { return d != 1; });
    return rest;
  };
  return strip(typeOf(reshape->getOperand(0)).getShape()) == strip(typeOf(reshape->getResult(0)).getShape());
}

/// Work per element is small and what is read is no more than what is made: computing it twice is cheaper than
/// writing and reading it.
bool isCheap(Operation *op) {
  if (flagsOf(op) & (kExpensive | kRandom))
    return false;
  int64_t made = typeOf(op->getResult(0)).getNumElements();
  return made <= 1 || op->getNumOperands() <= 2;
}

class Fuser {
public:
  Fuser(Block &block, bool merge)
      : block(block), merge(merge), graph(block), budget(graph), domains(block.getOperations().size()),
        late(dependents(block, isBalanced)) {}

  LogicalResult run() {
    seed();
    if (merge) {
      pullProducers();
      mergeSiblings();
    }
    return moveIntoFusions(block, graph, domains);
  }
  size_t visits() const { return graph.visits() + walked; }

private:
  Block &block;
  bool merge;                // false: every op stays a cluster of its own
  mutable size_t walked = 0; // ops on the way of questions about reads
  FusionGraph graph;
  KernelBudget budget;
  std::vector<std::optional<Domain>> domains; // of clusters; nothing: not a kernel (constant, alias)
  OpSet late; // ops of a balanced backward: in a kernel of the forward they would keep what they are to make again

  bool isLate(Cluster c) const { return !graph.members(c).empty() && late.contains(graph.members(c).front()); }
  /// Whether the two run at one time, one kernel has room for both, and no cycle would come of their merge. Passes are
  /// those of the merged cluster's rows.
  bool canMerge(Cluster a, Cluster b, bool onePassMore = false) {
    return isLate(a) == isLate(b) && budget.fits(a, b, domains[a]->kind, onePassMore) && graph.canMerge(a, b);
  }
  /// Puts b's ops into a.
  void mergeInto(Cluster a, Cluster b, bool onePassMore = false) {
    budget.merge(a, b, onePassMore);
    graph.merge(a, b);
    domains[b].reset();
  }
  bool inCluster(Operation *op, Cluster cluster) const { return graph.clusterOf(op) == cluster; }
  bool anchored(Cluster cluster) const { return llvm::any_of(graph.members(cluster), isAnchor); }

  void seed();
  bool joinReduction(Operation *op);
  bool joinPointwise(Operation *op);
  bool mayJoin(Operation *op, Cluster cluster, bool asOutput);
  bool dependsOnAnchor(Value value, Cluster cluster) const;
  void pullProducers();
  bool pull(Operation *op);
  void sinkRecomputed(Operation *op);
  bool eraseUnused(Operation *op);
  bool readableIn(Operation *op, Cluster cluster, bool asOutput);
  void duplicateInto(Operation *op, Cluster cluster);
  void mergeSiblings();
  llvm::SmallVector<Cluster> producersLatestFirst(Operation *op) const;
};

llvm::SmallVector<Cluster> Fuser::producersLatestFirst(Operation *op) const {
  llvm::SmallSetVector<Cluster, 4> found;
  for (Value operand : op->getOperands())
    if (Cluster c = graph.clusterOf(operand.getDefiningOp()); c != FusionGraph::kNone && domains[c] && anchored(c))
      found.insert(c);
  llvm::SmallVector<Cluster> order = found.takeVector();
  llvm::stable_sort(order, [&](Cluster a, Cluster b) { return graph.lastPosition(b) < graph.lastPosition(a); });
  return order;
}

/// Whether the value, made in `cluster`, needs the result of one of its anchors.
bool Fuser::dependsOnAnchor(Value value, Cluster cluster) const {
  bool found = false;
  forEachRead(
      value, AccessMap(typeOf(value).getRank(), std::nullopt),
      [&](Operation *op) { return ++walked, inCluster(op, cluster); },
      [&](Value leaf, const AccessMap &) {
        found |= leaf.getDefiningOp() && isAnchor(leaf.getDefiningOp()) && inCluster(leaf.getDefiningOp(), cluster);
        return !found;
      });
  return found;
}

/// Whether pointwise `op` can be computed in the kernel of `cluster` at the points of its domain.
bool Fuser::mayJoin(Operation *op, Cluster cluster, bool asOutput) {
  const Domain &domain = *domains[cluster];
  for (Value result : op->getResults()) {
    std::optional<AccessMap> home = domain.homeOf(result);
    if (!home)
      return false;
    bool full = domain.isFull(result);
    // Columns and segments are gone by the time their sums are known.
    if ((domain.kind == Domain::Kind::Column || domain.isSplit()) && full && asOutput)
      return false;
    bool ok = forEachRead(
        result, *home, [&](Operation *inner) { return ++walked, inner == op || inCluster(inner, cluster); },
        [&](Value leaf, const AccessMap &access) {
          Operation *def = leaf.getDefiningOp();
          if (!def || !inCluster(def, cluster) || !isAnchor(def))
            return true;
          std::optional<AccessMap> anchorHome = domain.homeOf(leaf);
          return anchorHome && sameAccess(access, *anchorHome, typeOf(leaf).getShape());
        });
    if (!ok)
      return false;
  }
  return true;
}

bool Fuser::joinPointwise(Operation *op) {
  for (Cluster cluster : producersLatestFirst(op)) {
    if (domains[cluster]->kind == Domain::Kind::Loop)
      continue;
    Cluster own = graph.clusterOf(op);
    if (canMerge(cluster, own) && mayJoin(op, cluster, /*asOutput=*/true)) {
      mergeInto(cluster, own);
      return true;
    }
  }
  return false;
}

/// A reduction joins the kernel that makes its operand, or one that reduces the same value in the same way.
bool Fuser::joinReduction(Operation *op) {
  Cluster own = graph.clusterOf(op);
  llvm::SmallSetVector<Cluster, 4> candidates;
  for (Cluster c : producersLatestFirst(op))
    candidates.insert(c);
  for (Operation *sibling : op->getOperand(0).getUsers())
    if (Cluster c = graph.clusterOf(sibling); sibling != op && c != FusionGraph::kNone && domains[c] && anchored(c))
      candidates.insert(c);
  for (Cluster cluster : candidates) {
    if (*domains[cluster] != *domains[own])
      continue;
    const bool chained = dependsOnAnchor(op->getOperand(0), cluster);
    if (!canMerge(cluster, own, chained))
      continue;
    if (chained && (domains[own]->kind == Domain::Kind::Column || domains[own]->isSplit()))
      continue;
    mergeInto(cluster, own, chained);
    return true;
  }
  return false;
}

void Fuser::seed() {
  for (Operation &op : block.without_terminator()) {
    Cluster cluster = graph.clusterOf(&op);
    if (isConstant(&op))
      continue;
    if (isAnchor(&op)) {
      domains[cluster] = anchorDomain(&op);
      if (merge && llvm::isa<ReductionOpInterface>(op))
        joinReduction(&op);
      continue;
    }
    if (isReshape(&op) && !changesOnlyUnitDimensions(&op))
      continue; // an alias of its operand's memory
    domains[cluster] = loopDomain(op.getResult(0));
    if (merge)
      joinPointwise(&op);
  }
}

/// Whether `op` can be computed inside `cluster`, which reads its results.
bool Fuser::readableIn(Operation *op, Cluster cluster, bool asOutput) {
  if (llvm::any_of(graph.members(cluster), isNative))
    return false;
  const Domain &domain = *domains[cluster];
  Value value = op->getResult(0);
  if (asOutput) {
    // An output is stored once per point of the domain: it must be read there and nowhere else.
    if (!mayJoin(op, cluster, true))
      return false;
    std::optional<AccessMap> home = domain.homeOf(value);
    if (domain.kind == Domain::Kind::Contract || !home)
      return false;
    // Scatters and checks write nothing but their own result.
    if (domain.kind == Domain::Kind::Loop && anchored(cluster))
      return false;
    for (Operation *user : value.getUsers())
      if (inCluster(user, cluster) &&
          (isAnchor(user) || typeOf(user->getResult(0)).getShape() != typeOf(value).getShape()))
        return false;
    return true;
  }
  // Reading an anchor of the cluster away from its point would need it finished first.
  bool touchesAnchor = llvm::any_of(op->getOperands(), [&](Value v) {
    Operation *def = v.getDefiningOp();
    return def && inCluster(def, cluster);
  });
  if (touchesAnchor && !mayJoin(op, cluster, false))
    return false;
  int64_t made = typeOf(value).getNumElements(), points = ShapedType::getNumElements(domain.shape);
  if (made <= 1 || !(flagsOf(op) & (kExpensive | kRandom)))
    return true;
  // Expensive work is done once per element: not behind a broadcast, not while packing a product's operands.
  bool feedsProduct = domain.kind == Domain::Kind::Contract && llvm::any_of(value.getUsers(), [&](Operation *user) {
                        return inCluster(user, cluster) && isAnchor(user);
                      });
  return made >= points && !feedsProduct;
}

void Fuser::duplicateInto(Operation *op, Cluster cluster) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Operation *copy = builder.clone(*op);
  if (isLate(cluster))
    late.insert(copy);
  for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults()))
    from.replaceUsesWithIf(to, [&](OpOperand &use) { return inCluster(use.getOwner(), cluster); });
  budget.add(copy, cluster);
  graph.addMember(copy, cluster);
}

bool Fuser::eraseUnused(Operation *op) {
  if (!op->use_empty())
    return false;
  Cluster own = graph.clusterOf(op);
  late.erase(op);
  budget.drop(op, own);
  graph.drop(op);
  if (graph.members(own).empty())
    domains[own].reset();
  op->erase();
  return true;
}

/// Moves a recomputed op out of the kernel of what it reads, where it would become one more output, into its users'.
void Fuser::sinkRecomputed(Operation *op) {
  Cluster own = graph.clusterOf(op);
  llvm::SmallSetVector<Cluster, 4> consumers;
  for (Operation *user : op->getUsers())
    consumers.insert(graph.clusterOf(user));
  auto takes = [&](Cluster c) {
    return c != FusionGraph::kNone && c != own && domains[c] && budget.hasRoomFor(op, c, domains[c]->kind) &&
           readableIn(op, c, false);
  };
  if (!llvm::all_of(consumers, takes))
    return;
  for (Cluster c : consumers)
    duplicateInto(op, c);
  eraseUnused(op);
}

/// Tries to compute a pointwise op where it is used; true when it no longer is a kernel of its own.
bool Fuser::pull(Operation *op) {
  Cluster own = graph.clusterOf(op);
  if (eraseUnused(op))
    return true;
  llvm::SmallSetVector<Cluster, 4> consumers;
  bool external = false; // something needs the value in memory
  for (Operation *user : op->getUsers()) {
    Cluster c = graph.clusterOf(user);
    if (c != FusionGraph::kNone && domains[c])
      consumers.insert(c);
    else
      external = true;
  }
  if (consumers.empty())
    return false;
  if (!external && consumers.size() == 1 && consumers[0] != own) {
    Cluster only = consumers[0];
    if (!canMerge(only, own) || !readableIn(op, only, false))
      return false;
    mergeInto(only, own);
    return true;
  }
  if (isCheap(op)) {
    for (Cluster c : consumers)
      if (c != own && isLate(c) == isLate(own) && budget.hasRoomFor(op, c, domains[c]->kind) &&
          readableIn(op, c, false))
        duplicateInto(op, c);
    return eraseUnused(op);
  }
  for (Cluster c : consumers)
    if (c != own && canMerge(c, own) && readableIn(op, c, true)) {
      mergeInto(c, own);
      return true;
    }
  return false;
}

void Fuser::pullProducers() {
  llvm::SmallVector<Operation *> floating;
  for (Operation &op : block.without_terminator()) {
    Cluster c = graph.clusterOf(&op);
    if (c != FusionGraph::kNone && domains[c] && !isAnchor(&op) && graph.members(c).size() == 1)
      floating.push_back(&op);
  }
  for (Operation *op : llvm::reverse(floating))
    if (graph.members(graph.clusterOf(op)).size() == 1)
      pull(op);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.hasAttr(kRecompute) && !isAnchor(&op) && !late.contains(&op))
      sinkRecomputed(&op);
}

/// Independent loops over one shape that read the same memory become one; those of one element need not share a read.
/// Each is offered to the latest few that read what it reads.
void Fuser::mergeSiblings() {
  constexpr size_t kOffers = 16;
  // Values that are made again late, each for its reader, do not wait for each other.
  auto recomputes = [&](Cluster c) {
    return isLate(c) && llvm::any_of(graph.members(c), [](Operation *op) { return op->hasAttr(kRecompute); });
  };
  llvm::DenseMap<Value, llvm::SmallVector<Cluster, 2>> readers; // of each value, loops in the order they came
  llvm::SmallVector<Cluster> scalars;
  auto note = [&](llvm::SmallVectorImpl<Cluster> &list, Cluster c) {
    if (llvm::is_contained(list, c))
      return;
    if (list.size() == kOffers)
      list.erase(list.begin());
    list.push_back(c);
  };
  for (Cluster c : graph.topologicalOrder()) {
    if (!domains[c] || anchored(c) || recomputes(c))
      continue;
    llvm::SmallSetVector<Value, 8> reads;
    for (Operation *op : graph.members(c))
      for (Value v : op->getOperands())
        if (!isConstant(v.getDefiningOp()) && !inCluster(v.getDefiningOp(), c))
          reads.insert(v);
    const bool scalar = ShapedType::getNumElements(domains[c]->shape) <= 1;
    llvm::SmallSetVector<Cluster, kOffers> offers;
    if (scalar)
      offers.insert(scalars.begin(), scalars.end());
    else
      for (Value v : reads)
        if (auto found = readers.find(v); found != readers.end())
          offers.insert(found->second.begin(), found->second.end());
    llvm::SmallVector<Cluster> inOrder(offers.begin(), offers.end());
    llvm::sort(inOrder, [&](Cluster a, Cluster b) { return graph.lastPosition(a) < graph.lastPosition(b); });
    Cluster home = c;
    for (Cluster earlier : inOrder) {
      const bool linked = llvm::any_of(reads, [&](Value v) { return inCluster(v.getDefiningOp(), earlier); });
      if (domains[earlier] && !linked && domains[earlier]->shape == domains[c]->shape && canMerge(earlier, c)) {
        mergeInto(earlier, c);
        home = earlier;
        break;
      }
    }
    if (scalar)
      note(scalars, home);
    for (Value v : reads)
      note(readers[v], home);
  }
}

/// Results that are arguments, constants, their aliases, or returned twice need a kernel that writes them; the
/// memory plan drops it again where the memory already is the result's.
void copyPlainResults(func::FuncOp function) {
  Operation *ret = function.front().getTerminator();
  OpBuilder builder(ret);
  llvm::SmallPtrSet<Value, 8> written;
  for (OpOperand &result : ret->getOpOperands()) {
    Value root = result.get();
    while (isReshape(root.getDefiningOp()))
      root = root.getDefiningOp()->getOperand(0);
    bool plain = !root.getDefiningOp() || isConstant(root.getDefiningOp());
    if (!plain && written.insert(root).second)
      continue;
    Value from = result.get();
    auto fusion = builder.create<FusionOp>(from.getLoc(), TypeRange(from.getType()), ValueRange(from), "loop");
    Block *body = builder.createBlock(&fusion.getBody());
    Value argument = body->addArgument(from.getType(), from.getLoc());
    builder.create<YieldOp>(from.getLoc(), ValueRange(argument));
    builder.setInsertionPoint(ret);
    result.set(fusion.getResult(0));
  }
}

struct FusePass : impl::FusePassBase<FusePass> {
  using FusePassBase::FusePassBase;
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    Fuser fuser(function.front(), fuse);
    if (failed(fuser.run()))
      return signalPassFailure();
    noteVisits(function, "fuse", fuser.visits());
    copyPlainResults(function);
    // Constants nobody reads from memory any more.
    for (Operation &op : llvm::make_early_inc_range(function.front()))
      if (isConstant(&op) && op.use_empty())
        op.erase();
  }
};

} // namespace
} // namespace ingot
