#include "ingot/passes/FusionBuilder.h"

#include "ingot/ir/Dialect.h"
#include "ingot/ir/Location.h"
#include "ingot/passes/Backward.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {

using namespace mlir;

bool isConstant(Operation *op) { return op && op->hasTrait<OpTrait::ConstantLike>(); }

bool isNative(Operation *op) {
  auto table = llvm::dyn_cast<TableOpInterface>(op);
  return table && op_info(table.kind()).has(kNative);
}

bool isImmediate(Value value) {
  DenseElementsAttr literal;
  return isConstant(value.getDefiningOp()) && matchPattern(value, m_Constant(&literal)) && literal.isSplat();
}

namespace {

/// The kind of kernel, after a diagnostic nothing.
FailureOr<StringRef> kindOf(const Domain &domain, llvm::ArrayRef<Operation *> members) {
  if (isNative(members.front()))
    return StringRef("custom");
  for (Operation *op : members) {
    if (llvm::isa<ScatterAddOp>(op))
      return StringRef("scatter");
    if (llvm::isa<CheckIndexOp>(op))
      return StringRef("check");
    if (isAnchor(op) && !llvm::isa<ReductionOpInterface, DotOp>(op))
      return op->emitOpError("is computed by no kind of kernel");
  }
  switch (domain.kind) {
  case Domain::Kind::Loop:
    return StringRef("loop");
  case Domain::Kind::Row:
    return StringRef("row");
  case Domain::Kind::Column:
    return StringRef("column");
  case Domain::Kind::Contract:
    return StringRef("contract");
  }
  llvm_unreachable("a domain has one of these kinds");
}

/// What a cluster reads and writes: values from outside, values that others read, constants that are part of its code.
struct Boundary {
  llvm::SmallPtrSet<Operation *, 16> own;
  llvm::SetVector<Value> inputs, outputs, immediates;

  explicit Boundary(llvm::ArrayRef<Operation *> members) : own(members.begin(), members.end()) {
    for (Operation *op : members) {
      for (Value v : op->getOperands()) {
        if (!isNative(op) && isImmediate(v))
          immediates.insert(v);
        else if (!own.contains(v.getDefiningOp()))
          inputs.insert(v);
      }
      for (Value v : op->getResults())
        if (isNative(op) || llvm::any_of(v.getUsers(), [&](Operation *user) { return !own.contains(user); }))
          outputs.insert(v);
    }
  }
};

LogicalResult moveIntoFusion(OpBuilder &builder, llvm::ArrayRef<Operation *> members, const Domain &domain) {
  FailureOr<StringRef> kind = kindOf(domain, members);
  if (failed(kind))
    return failure();
  Boundary boundary(members);
  llvm::SmallVector<Location> locations;
  for (Operation *op : members)
    locations.push_back(op->getLoc());
  auto fusion = builder.create<FusionOp>(fuseLocations(builder.getContext(), locations),
                                         TypeRange(ValueRange(boundary.outputs.getArrayRef())),
                                         boundary.inputs.getArrayRef(), *kind);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&fusion.getBody());
  IRMapping mapping;
  for (Value v : boundary.inputs)
    mapping.map(v, body->addArgument(v.getType(), v.getLoc()));
  auto move = [&](Operation *op) {
    Operation *moved = builder.clone(*op, mapping);
    moved->removeAttr(kBackward); // the marks have done their work; equal ops may meet here
    moved->removeAttr(kRecompute);
  };
  for (Value v : boundary.immediates)
    move(v.getDefiningOp());
  for (Operation *op : members)
    move(op);
  llvm::SmallVector<Value> yielded;
  for (Value v : boundary.outputs)
    yielded.push_back(mapping.lookup(v));
  builder.create<YieldOp>(fusion.getLoc(), yielded);
  for (auto [output, to] : llvm::zip(boundary.outputs, fusion.getResults()))
    Value(output).replaceUsesWithIf(to, [&](OpOperand &use) { return !boundary.own.contains(use.getOwner()); });
  for (Operation *op : llvm::reverse(members))
    op->erase();
  return success();
}

} // namespace

LogicalResult moveIntoFusions(Block &block, const FusionGraph &graph,
                              const std::vector<std::optional<Domain>> &domains) {
  llvm::DenseMap<Operation *, unsigned> numbers; // duplicates stand between ops of the graph's numbering
  for (Operation &op : block)
    numbers.try_emplace(&op, unsigned(numbers.size()));
  OpBuilder builder(block.getTerminator());
  for (FusionGraph::Cluster cluster : graph.topologicalOrder()) {
    llvm::SmallVector<Operation *> members(graph.members(cluster));
    llvm::sort(members, [&](Operation *a, Operation *b) { return numbers.lookup(a) < numbers.lookup(b); });
    if (domains[cluster]) {
      if (failed(moveIntoFusion(builder, members, *domains[cluster])))
        return failure();
      continue;
    }
    for (Operation *op : members)
      op->moveBefore(block.getTerminator());
  }
  return success();
}

} // namespace ingot
