#include "ingot/ir/import/Export.h"

#include "ingot/ir/Dialect.h"
#include "ingot/ir/Location.h"
#include "ingot/ir/TypeConversion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace ingot {
namespace {

using namespace mlir;

class Exporter {
public:
  /// The trace of a block whose terminator holds the outputs.
  FailureOr<std::shared_ptr<Trace>> run(Block &block, llvm::ArrayRef<std::string> inputNames,
                                        std::vector<std::string> outputNames);

private:
  LogicalResult add(Operation &op, Trace &trace, llvm::DenseMap<Value, ValueId> &values);
};

FailureOr<std::shared_ptr<Trace>> Exporter::run(Block &block, llvm::ArrayRef<std::string> inputNames,
                                                std::vector<std::string> outputNames) {
  auto trace = std::make_shared<Trace>();
  llvm::DenseMap<Value, ValueId> values;
  for (BlockArgument argument : block.getArguments()) {
    std::string reason;
    std::optional<TensorType> type = tryTensorType(argument.getType(), &reason);
    if (!type)
      return emitError(argument.getLoc()) << "input " << argument.getArgNumber() << ": " << reason;
    std::string name =
        argument.getArgNumber() < inputNames.size() ? inputNames[argument.getArgNumber()] : std::string();
    values[argument] = trace->add_input(*type, name);
  }
  for (Operation &op : block.without_terminator())
    if (failed(add(op, *trace, values)))
      return failure();
  std::vector<ValueId> outputs;
  for (Value output : block.getTerminator()->getOperands())
    outputs.push_back(values.lookup(output));
  trace->set_outputs(std::move(outputs), std::move(outputNames));
  return trace;
}

LogicalResult Exporter::add(Operation &op, Trace &trace, llvm::DenseMap<Value, ValueId> &values) {
  FailureOr<OwnedCall> call = callOf(&op);
  if (failed(call) || op_info(call->kind).has(kInternal))
    return op.emitOpError("is no op of a captured program");
  std::vector<ValueId> operands;
  for (Value operand : op.getOperands())
    operands.push_back(values.lookup(operand));
  std::vector<std::shared_ptr<const Trace>> regions;
  for (Region &region : op.getRegions()) {
    FailureOr<std::shared_ptr<Trace>> inner = run(region.front(), {}, {});
    if (failed(inner))
      return failure();
    regions.push_back(*inner);
  }
  LocationFacts facts = factsOf(op.getLoc());
  CallSite site;
  if (!facts.file.empty())
    site = CallSite(trace.intern_file(facts.file), facts.line, facts.column);
  ValueId first = trace.append(call->kind, std::move(operands), std::move(call->attributes), site,
                               trace.intern_scope(facts.scope), std::move(regions), [&] {
                                 std::vector<TensorType> types;
                                 for (Type type : op.getResultTypes())
                                   types.push_back(toTensorType(llvm::cast<RankedTensorType>(type)));
                                 return types;
                               }());
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    values[result] = first + ValueId(i);
  return success();
}

} // namespace

FailureOr<std::shared_ptr<const Trace>> exportTrace(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return module.emitError("there is no function `main`");
  if (!main.getBody().hasOneBlock())
    return main.emitError("a program is one block");
  std::vector<std::string> inputs, outputs;
  auto text = [](Attribute attribute) {
    auto string = llvm::dyn_cast_or_null<StringAttr>(attribute);
    return string ? string.str() : std::string();
  };
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    inputs.push_back(text(main.getArgAttr(i, "ingot.name")));
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    outputs.push_back(text(main.getResultAttr(i, "ingot.name")));
  FailureOr<std::shared_ptr<Trace>> trace = Exporter().run(main.front(), inputs, outputs);
  if (failed(trace))
    return failure();
  return std::shared_ptr<const Trace>(*trace);
}

} // namespace ingot
