#include "ingot/jit/Interpreter.h"

#include "ingot/ir/Dialect.h"
#include "ingot/ir/TypeConversion.h"
#include "ingot/jit/Errors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace ingot {
namespace {

using namespace mlir;

class Machine {
public:
  explicit Machine(Evaluation &evaluation) : evaluation(evaluation) {}

  /// Runs the ops of a block; `results` gets the operands of its terminator. False after a fault.
  FailureOr<bool> run(Block &block, ArrayRef<Evaluated> inputs, std::vector<Evaluated> &results);

private:
  Evaluation &evaluation;
  llvm::DenseMap<Value, Evaluated> values;

  FailureOr<bool> runOp(Operation *op);
  FailureOr<bool> runKernel(Operation *op);
};

FailureOr<bool> Machine::run(Block &block, ArrayRef<Evaluated> inputs, std::vector<Evaluated> &results) {
  for (auto [argument, input] : llvm::zip_equal(block.getArguments(), inputs))
    values[argument] = input;
  for (Operation &op : block.without_terminator()) {
    FailureOr<bool> ok = runOp(&op);
    if (failed(ok) || !*ok)
      return ok;
  }
  for (Value v : block.getTerminator()->getOperands())
    results.push_back(values.lookup(v));
  return true;
}

FailureOr<bool> Machine::runOp(Operation *op) {
  if (auto fusion = llvm::dyn_cast<FusionOp>(op)) {
    std::vector<Evaluated> inputs, results;
    for (Value v : fusion->getOperands())
      inputs.push_back(values.lookup(v));
    FailureOr<bool> ok = run(fusion.getBody().front(), inputs, results);
    if (succeeded(ok) && *ok)
      for (auto [value, result] : llvm::zip_equal(fusion->getResults(), results))
        values[value] = result;
    return ok;
  }
  return runKernel(op);
}

FailureOr<bool> Machine::runKernel(Operation *op) {
  FailureOr<OwnedCall> call = callOf(op);
  if (failed(call))
    return op->emitOpError("cannot be evaluated: it is no op of the table");
  const OpInfo &info = op_info(call->kind);
  if (!info.reference)
    return op->emitOpError("has no reference kernel; run the phase that expands it first");
  std::vector<ConstView> inputs;
  std::vector<MutableView> outputs;
  std::vector<std::shared_ptr<Buffer>> storage;
  for (Value v : op->getOperands()) {
    const Evaluated &value = values[v];
    inputs.push_back({value.data->data(), value.type});
  }
  for (Value v : op->getResults()) {
    TensorType type = toTensorType(llvm::cast<RankedTensorType>(v.getType()));
    storage.push_back(Buffer::allocate(type.bytes()));
    outputs.push_back({storage.back()->data(), type});
  }
  KernelFault fault;
  try {
    fault = info.reference(call->view(), inputs, outputs);
  } catch (Error &error) { // of a native op
    error.locate(sourceLocation(op->getLoc()));
    throw;
  }
  if (fault.code) {
    evaluation.fault = fault;
    evaluation.failed = op;
    return false;
  }
  for (auto [i, v] : llvm::enumerate(op->getResults()))
    values[v] = {outputs[i].type, storage[i]};
  return true;
}

} // namespace

FailureOr<Evaluation> interpret(ModuleOp module, const std::vector<Evaluated> &inputs) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return module.emitError("there is no function `main` to run");
  Evaluation evaluation;
  Machine machine(evaluation);
  if (failed(machine.run(main.front(), inputs, evaluation.outputs)))
    return failure();
  return evaluation;
}

} // namespace ingot
