#include "ingot/ir/import/Import.h"

#include "ingot/ir/Dialect.h"
#include "ingot/ir/Location.h"
#include "ingot/ir/TypeConversion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

namespace ingot {
namespace {

using namespace mlir;

Location locationOf(const Trace &trace, const Record &record, int64_t ordinal, MLIRContext &context) {
  return makeLocation(&context, ordinal, trace.scopes()[record.scope],
                      record.site.known() ? StringRef(record.site.file) : StringRef(), record.site.line,
                      record.site.column);
}

/// Every size of the program is known; else an error at the first value that has another.
LogicalResult checkSizes(const Trace &trace, MLIRContext &context) {
  constexpr const char *text = "; sizes that are known only at run time are not supported yet";
  for (auto [i, input] : llvm::enumerate(trace.inputs()))
    if (const TensorType &type = trace.values()[input.value]; !type.shape.is_static())
      return emitError(UnknownLoc::get(&context)) << "input " << i << " is " << type.str() << text;
  for (const Record &record : trace.records()) {
    for (uint32_t i = 0; i < record.numResults; ++i)
      if (const TensorType &type = trace.values()[record.firstResult + i]; !type.shape.is_static())
        return emitError(locationOf(trace, record, 0, context))
               << "[" << StringRef(op_info(record.kind).name) << "] gives " << type.str() << text;
    for (const std::shared_ptr<const Trace> &region : record.regions)
      if (failed(checkSizes(*region, context)))
        return failure();
  }
  return success();
}

class Importer {
public:
  explicit Importer(MLIRContext &context) : context(context), builder(&context) {}

  /// Fills `block`, whose arguments are the trace's inputs, and returns the outputs.
  llvm::SmallVector<Value> fill(const Trace &trace, Block &block);

private:
  MLIRContext &context;
  OpBuilder builder;
  int64_t ordinal = 0; // of the next record, in pre-order

  Operation *importRecord(const Trace &trace, const Record &record, llvm::ArrayRef<Value> values);
};

llvm::SmallVector<Value> Importer::fill(const Trace &trace, Block &block) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  llvm::SmallVector<Value> values(trace.values().size());
  for (auto [input, argument] : llvm::zip_equal(trace.inputs(), block.getArguments()))
    values[input.value] = argument;
  for (const Record &record : trace.records()) {
    Operation *op = importRecord(trace, record, values);
    for (auto [i, result] : llvm::enumerate(op->getResults()))
      values[record.firstResult + i] = result;
  }
  llvm::SmallVector<Value> outputs;
  for (ValueId output : trace.outputs())
    outputs.push_back(values[output]);
  return outputs;
}

Operation *Importer::importRecord(const Trace &trace, const Record &record, llvm::ArrayRef<Value> values) {
  const OpInfo &info = op_info(record.kind);
  Location loc = locationOf(trace, record, ordinal++, context);
  OperationState state(loc, "ingot." + std::string(info.name));
  for (ValueId operand : trace.operands(record))
    state.operands.push_back(values[operand]);
  for (size_t i = 0; i < record.attributes.size(); ++i)
    state.addAttribute(StringRef(info.attributes[i].name), toMlirAttr(record.attributes[i], &context));
  for (uint32_t i = 0; i < record.numResults; ++i)
    state.types.push_back(toMlirType(trace.values()[record.firstResult + i], &context));
  for (const std::shared_ptr<const Trace> &region : record.regions) {
    Block *block = new Block;
    state.addRegion()->push_back(block);
    for (const TraceInput &input : region->inputs())
      block->addArgument(toMlirType(region->values()[input.value], &context), loc);
    llvm::SmallVector<Value> outputs = fill(*region, *block);
    OpBuilder atEnd(&context); // the block has no parent to ask for the context yet
    atEnd.setInsertionPointToEnd(block);
    atEnd.create<YieldOp>(loc, outputs);
  }
  return builder.create(state);
}

} // namespace

OwningOpRef<ModuleOp> importTrace(const Trace &trace, MLIRContext &context) {
  context.loadDialect<IngotDialect, func::FuncDialect>();
  if (failed(checkSizes(trace, context)))
    return {};
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  Builder b(&context);
  llvm::SmallVector<Type> inputs, outputs;
  for (const TraceInput &input : trace.inputs())
    inputs.push_back(toMlirType(trace.values()[input.value], &context));
  for (ValueId output : trace.outputs())
    outputs.push_back(toMlirType(trace.values()[output], &context));
  auto function = func::FuncOp::create(loc, "main", b.getFunctionType(inputs, outputs));
  module->push_back(function);
  Block *body = function.addEntryBlock();
  llvm::SmallVector<Value> results = Importer(context).fill(trace, *body);
  OpBuilder::atBlockEnd(body).create<func::ReturnOp>(loc, results);
  for (auto [i, input] : llvm::enumerate(trace.inputs()))
    if (!input.name.empty())
      function.setArgAttr(i, "ingot.name", b.getStringAttr(input.name));
  for (auto [i, name] : llvm::enumerate(trace.output_names()))
    if (!name.empty())
      function.setResultAttr(i, "ingot.name", b.getStringAttr(name));
  if (failed(verify(*module)))
    return {};
  return module;
}

} // namespace ingot
