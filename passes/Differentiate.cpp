#include "ingot/passes/Backward.h"
#include "ingot/passes/Passes.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace ingot {

#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

/// The reverse sweep over the ops of one expanded region.
class ReverseSweep {
public:
  ReverseSweep(OpBuilder &builder, llvm::ArrayRef<Operation *> ops) : builder(builder), ops(ops) {}

  /// Cotangents of `inputs` when `loss` has cotangent one; an input that the loss does not depend on gets zeros.
  FailureOr<llvm::SmallVector<Value>> run(Value loss, llvm::ArrayRef<Value> inputs);

private:
  OpBuilder &builder;
  llvm::ArrayRef<Operation *> ops;
  llvm::DenseMap<Value, Value> cotangents;

  void markActive(llvm::ArrayRef<Value> inputs, llvm::DenseSet<Value> &active);
  void accumulate(Location loc, Value value, Value cotangent);
};

/// Floats that depend on the inputs, other than through a stop_gradient: only these need cotangents.
void ReverseSweep::markActive(llvm::ArrayRef<Value> inputs, llvm::DenseSet<Value> &active) {
  active.insert(inputs.begin(), inputs.end());
  for (Operation *op : ops)
    if (!llvm::isa<StopGradientOp>(op) && llvm::any_of(op->getOperands(), [&](Value v) { return active.contains(v); }))
      for (Value result : op->getResults())
        if (isFloatTensor(result.getType()))
          active.insert(result);
}

void ReverseSweep::accumulate(Location loc, Value value, Value cotangent) {
  auto [entry, first] = cotangents.try_emplace(value, cotangent);
  if (!first)
    entry->second = builder.create<AddOp>(loc, entry->second, cotangent);
}

FailureOr<llvm::SmallVector<Value>> ReverseSweep::run(Value loss, llvm::ArrayRef<Value> inputs) {
  llvm::DenseSet<Value> active;
  markActive(inputs, active);
  if (active.contains(loss))
    cotangents[loss] = splatConstant(builder, loss.getLoc(), 1.0, loss.getType());
  for (Operation *op : llvm::reverse(ops)) {
    llvm::SmallVector<Value> incoming;
    for (Value result : op->getResults())
      incoming.push_back(cotangents.lookup(result));
    if (llvm::none_of(incoming, [](Value v) { return bool(v); }) ||
        llvm::none_of(op->getOperands(), [&](Value v) { return active.contains(v); }))
      continue;
    auto rule = llvm::dyn_cast<DifferentiableOpInterface>(op);
    if (!rule)
      return op->emitOpError("has no derivative");
    llvm::SmallVector<Value> outgoing;
    if (failed(rule.vjp(builder, incoming, outgoing)))
      return failure();
    if (outgoing.size() != op->getNumOperands())
      return op->emitOpError("has a derivative rule that gives ")
             << outgoing.size() << " cotangents for " << op->getNumOperands() << " operands";
    for (auto [operand, cotangent] : llvm::zip(op->getOperands(), outgoing))
      if (cotangent && active.contains(operand))
        accumulate(op->getLoc(), operand, cotangent);
  }
  llvm::SmallVector<Value> result;
  for (Value input : inputs) {
    Value cotangent = cotangents.lookup(input);
    result.push_back(cotangent ? cotangent : splatConstant(builder, loss.getLoc(), 0.0, input.getType()));
  }
  return result;
}

/// Lets derivatives that read a result of a native op read what was saved of it: the user's kernel does not run again.
/// Results of our own ops are made again where a derivative reads them. An extremum is compared with its operands,
/// which are made again, too, and may differ in a bit from those whose extremum was saved.
void readSavedResults(llvm::ArrayRef<Operation *> forward) {
  for (Operation *op : forward) {
    auto saved = llvm::dyn_cast<SavedOp>(op);
    auto table = saved ? llvm::dyn_cast_or_null<TableOpInterface>(saved.getA().getDefiningOp()) : TableOpInterface();
    if (table && op_info(table.kind()).has(kNative))
      saved.getA().replaceUsesWithIf(saved.getResult(),
                                     [&](OpOperand &use) { return op->isBeforeInBlock(use.getOwner()); });
  }
}

/// Replaces a grad op by its region's ops and their reverse sweep.
LogicalResult expand(GradOp grad) {
  OpBuilder builder(grad);
  Block &body = grad.getBody().front();
  IRMapping mapping;
  // An input that occurs twice, or is read outside, must not mix its cotangents with others': differentiate with
  // respect to a stand-in and drop it afterwards.
  llvm::SmallVector<Value> standIns;
  for (auto [argument, operand] : llvm::zip(body.getArguments(), grad.getInputs())) {
    Value standIn =
        builder.create<ReshapeOp>(grad.getLoc(), operand, llvm::cast<ShapedType>(operand.getType()).getShape());
    standIns.push_back(standIn);
    mapping.map(argument, standIn);
  }
  llvm::SmallVector<Operation *> forward;
  for (Operation &op : body.without_terminator())
    forward.push_back(builder.clone(op, mapping));
  llvm::SmallVector<Value> outputs;
  for (Value v : body.getTerminator()->getOperands())
    outputs.push_back(mapping.lookup(v));

  Operation *last = grad->getPrevNode(); // of the forward; null in front of the first op
  llvm::SmallVector<Value> wrt;
  for (int64_t input : grad.getWrt())
    wrt.push_back(standIns[size_t(input)]);
  FailureOr<llvm::SmallVector<Value>> gradients = ReverseSweep(builder, forward).run(outputs[0], wrt);
  if (failed(gradients))
    return failure();
  readSavedResults(forward);
  // The strategy goes with the backward: passes see regions no more.
  const Attribute mark =
      grad.getCheckpointing() == "None" ? Attribute(builder.getUnitAttr()) : grad.getCheckpointingAttr();
  for (Operation *op = last ? last->getNextNode() : &grad->getBlock()->front(); op != grad; op = op->getNextNode())
    op->setAttr(kBackward, mark);

  llvm::SmallVector<Value> results;
  if (grad.getWithValue())
    results = outputs;
  llvm::append_range(results, *gradients);
  grad->replaceAllUsesWith(results);
  grad->erase();
  for (Value standIn : standIns) {
    Operation *op = standIn.getDefiningOp();
    standIn.replaceAllUsesWith(op->getOperand(0));
    op->erase();
  }
  return success();
}

/// Derivatives of custom calls have done their work.
void dropDerivatives(func::FuncOp function) {
  llvm::SmallVector<CustomCallOp> calls;
  for (CustomCallOp call : function.front().getOps<CustomCallOp>())
    if (!call.getGradient().empty())
      calls.push_back(call);
  for (CustomCallOp call : calls) {
    OpBuilder builder(call);
    OperationState state(call.getLoc(), call->getName(), call->getOperands(), call->getResultTypes(), call->getAttrs());
    call->replaceAllUsesWith(builder.create(state));
    call->erase();
  }
}

struct DifferentiatePass : impl::DifferentiatePassBase<DifferentiatePass> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    llvm::SmallVector<GradOp> grads;
    getOperation()->walk<WalkOrder::PostOrder>([&](GradOp grad) { grads.push_back(grad); });
    for (GradOp grad : grads)
      if (failed(expand(grad)))
        return signalPassFailure();
    dropDerivatives(getOperation());
    // What the sweep made and nothing reads.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(getOperation().front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};

} // namespace
} // namespace ingot
