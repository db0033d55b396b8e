#include "ingot/passes/kernels/KernelModule.h"

#include "ingot/passes/kernels/KernelEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

namespace ingot {

using namespace mlir;

FailureOr<EmittedKernel> emitKernelModule(ModuleOp parent, FusionOp fusion, const Target &target,
                                          const std::string &name) {
  OpBuilder b(fusion.getContext());
  b.setInsertionPointToEnd(parent.getBody());
  auto module = b.create<ModuleOp>(fusion.getLoc(), name + "_module"); // main declares the function's own name
  b.setInsertionPointToEnd(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = b.getFunctionType({pointer, b.getI64Type(), b.getI32Type()}, {});
  auto kernel = b.create<func::FuncOp>(fusion.getLoc(), name, type);
  kernel.addEntryBlock();
  ClusterEmitter emitter(fusion, kernel, target);
  using Emit = LogicalResult (*)(ClusterEmitter &);
  Emit emit = llvm::StringSwitch<Emit>(fusion.getKind())
                  .Case("loop", emitLoop)
                  .Case("row", emitRow)
                  .Case("column", emitColumn)
                  .Case("contract", emitContract)
                  .Case("scatter", emitScatter)
                  .Case("check", emitCheck)
                  .Default(nullptr);
  if (!emit)
    return fusion.emitOpError("has the kind '") << fusion.getKind() << "', for which there is no kernel";
  if (failed(emit(emitter)))
    return failure();
  OpBuilder::atBlockEnd(&kernel.front()).create<func::ReturnOp>(fusion.getLoc());
  return EmittedKernel{name, emitter.needs};
}

std::string clusterKey(FusionOp fusion) {
  std::string key;
  llvm::raw_string_ostream out(key);
  out << fusion.getKind();
  llvm::DenseMap<Value, unsigned> numbers;
  Block &body = fusion.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    numbers[argument] = unsigned(numbers.size());
    out << ' ' << argument.getType();
  }
  for (Operation &op : body) {
    out << '\n' << op.getName() << ' ';
    for (Value v : op.getOperands())
      out << numbers.lookup(v) << ',';
    for (NamedAttribute attribute : op.getAttrs())
      if (!attribute.getName().strref().starts_with("ingot."))
        out << attribute.getName() << '=' << attribute.getValue() << ' ';
    for (Value v : op.getResults()) {
      numbers[v] = unsigned(numbers.size());
      out << v.getType();
    }
  }
  return key;
}

void countWork(FusionOp fusion, double &flops, double &bytes) {
  auto elements = [](Type type) { return double(llvm::cast<ShapedType>(type).getNumElements()); };
  auto size = [&](Type type) {
    return elements(type) * std::max<int64_t>(1, llvm::cast<ShapedType>(type).getElementTypeBitWidth() / 8);
  };
  flops = bytes = 0;
  for (Type type : fusion->getOperandTypes())
    bytes += size(type);
  for (Type type : fusion->getResultTypes())
    bytes += size(type);
  for (Operation &op : fusion.getBody().front().without_terminator()) {
    auto table = llvm::dyn_cast<TableOpInterface>(op);
    if (!table || op.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (auto dot = llvm::dyn_cast<DotOp>(op)) {
      double summed = 1;
      for (int64_t d : dot.getLhsContract())
        summed *= double(llvm::cast<ShapedType>(dot.getA().getType()).getShape()[size_t(d)]);
      flops += 2 * elements(dot.getType()) * summed;
    } else if (llvm::isa<FmaOp>(op)) {
      flops += 2 * elements(op.getResult(0).getType());
    } else if (op_info(table.kind()).has(kElementwise)) {
      flops += elements(op.getResult(0).getType());
    } else if (isAnchor(&op) && op.getNumOperands()) {
      flops += elements(op.getOperand(0).getType());
    }
  }
}

} // namespace ingot
