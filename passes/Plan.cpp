#include "ingot/passes/BufferPacking.h"
#include "ingot/passes/ClusterAnalysis.h"
#include "ingot/passes/Donation.h"
#include "ingot/passes/Passes.h"
#include "ingot/passes/Work.h"

#include "ingot/ir/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"

namespace ingot {

#define GEN_PASS_DEF_PLANPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

int64_t bytesOf(Value value) {
  auto type = llvm::cast<ShapedType>(value.getType());
  return type.getNumElements() * std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
}

Value throughAliases(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

/// Gives every kernel result a place: an output, or a range of the workspace that nothing live occupies.
class Planner {
public:
  Planner(func::FuncOp function) : function(function), donation(function) {}

  LogicalResult run(int64_t memoryLimit);

private:
  func::FuncOp function;
  Donation donation;
  llvm::DenseMap<Value, unsigned> time; // of the op that makes the value
  llvm::DenseMap<Value, unsigned> lastRead;
  llvm::DenseMap<Value, unsigned> outputOf;

  void measureLifetimes();
  std::optional<Value> shareOperand(FusionOp fusion, unsigned result);
};

void Planner::measureLifetimes() {
  unsigned now = 0;
  for (Operation &op : function.front()) {
    ++now;
    for (Value read : op.getOperands())
      lastRead[throughAliases(read)] = now;
    for (Value made : op.getResults()) {
      time[made] = now;
      lastRead.try_emplace(made, now);
    }
  }
  Operation *ret = function.front().getTerminator();
  for (OpOperand &result : ret->getOpOperands())
    outputOf.try_emplace(throughAliases(result.get()), result.getOperandNumber());
}

/// An operand in the workspace that dies here and is read only where the result is written.
std::optional<Value> Planner::shareOperand(FusionOp fusion, unsigned result) {
  Value made = fusion->getResult(result);
  for (auto [i, operand] : llvm::enumerate(fusion->getOperands())) {
    Value root = throughAliases(operand);
    if (!root.getDefiningOp<FusionOp>() || outputOf.contains(root) || lastRead.lookup(root) != time.lookup(made) ||
        bytesOf(root) != bytesOf(made) || llvm::count(fusion->getOperands(), operand) != 1)
      continue;
    bool aliasedTwice = llvm::count_if(fusion->getOperands(), [&](Value v) { return throughAliases(v) == root; }) != 1;
    if (!aliasedTwice && readsOnlyAtResult(fusion, i, result))
      return root;
  }
  return std::nullopt;
}

LogicalResult Planner::run(int64_t memoryLimit) {
  if (int64_t bad = donation.firstUnusable(); bad >= 0)
    return function.emitError() << "input " << bad << " of type " << function.getArgument(bad).getType()
                                << " is donated but no output of the same dtype and shape is left to use its memory";
  measureLifetimes();
  BufferPacking packing;
  llvm::DenseMap<Value, unsigned> bufferOf; // workspace values -> packing item
  Builder builder(function.getContext());
  for (FusionOp fusion : function.front().getOps<FusionOp>()) {
    llvm::SmallPtrSet<void *, 4> shared;
    for (OpResult made : fusion->getResults()) {
      if (outputOf.contains(made))
        continue;
      if (std::optional<Value> root = shareOperand(fusion, made.getResultNumber());
          root && bufferOf.contains(*root) && shared.insert(root->getAsOpaquePointer()).second) {
        bufferOf[made] = bufferOf[*root];
        packing.extend(bufferOf[made], lastRead[made]);
      } else {
        bufferOf[made] = packing.add(bytesOf(made), time[made], lastRead[made]);
      }
    }
  }
  std::vector<int64_t> offsets = packing.pack();
  noteVisits(function, "plan", packing.visits());
  for (FusionOp fusion : function.front().getOps<FusionOp>()) {
    llvm::SmallVector<Attribute> places;
    for (Value made : fusion->getResults()) {
      auto output = outputOf.find(made);
      places.push_back(output != outputOf.end()
                           ? BufferAttr::get(builder.getContext(), BufferSpace::output, output->second)
                           : BufferAttr::get(builder.getContext(), BufferSpace::workspace, offsets[bufferOf[made]]));
    }
    fusion->setAttr("buffers", builder.getArrayAttr(places));
  }
  int64_t bytes = packing.totalBytes();
  if (memoryLimit && bytes > memoryLimit)
    return function.emitError() << "the program needs " << bytes << " bytes of workspace, more than the limit of "
                                << memoryLimit;
  function->setAttr("ingot.workspace_bytes", builder.getI64IntegerAttr(bytes));
  function->setAttr("ingot.donated", builder.getDenseI64ArrayAttr(donation.outputOfInput()));
  return success();
}

struct PlanPass : impl::PlanPassBase<PlanPass> {
  using PlanPassBase::PlanPassBase;
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function.isExternal() && failed(Planner(function).run(memoryLimit)))
      signalPassFailure();
  }
};

} // namespace
} // namespace ingot
