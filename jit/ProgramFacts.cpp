#include "ingot/jit/ProgramFacts.h"

#include "ingot/ir/TypeConversion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace ingot {
namespace {

using namespace mlir;

int64_t integerAttr(Attribute attribute) {
  auto integer = llvm::dyn_cast_or_null<IntegerAttr>(attribute);
  return integer ? integer.getInt() : 0;
}

double numberAttr(Attribute attribute) {
  if (auto number = llvm::dyn_cast_or_null<FloatAttr>(attribute))
    return number.getValueAsDouble();
  return double(integerAttr(attribute));
}

std::string textAttr(Attribute attribute) {
  auto text = llvm::dyn_cast_or_null<StringAttr>(attribute);
  return text ? text.str() : std::string();
}

size_t roundUp(size_t bytes, size_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

size_t bytesOf(const std::vector<TensorSpec> &specs) {
  size_t bytes = 0;
  for (const TensorSpec &spec : specs)
    bytes += spec.type().bytes();
  return bytes;
}

KernelInfo readKernel(DictionaryAttr facts) {
  KernelInfo kernel;
  kernel.name = textAttr(facts.get("name"));
  kernel.kind = textAttr(facts.get("kind"));
  kernel.flops = numberAttr(facts.get("flops"));
  kernel.bytes = numberAttr(facts.get("bytes"));
  kernel.tasks = integerAttr(facts.get("tasks"));
  if (auto ordinals = facts.getAs<DenseI64ArrayAttr>("ordinals"))
    for (int64_t ordinal : ordinals.asArrayRef())
      kernel.ordinals.push_back(uint32_t(ordinal));
  return kernel;
}

} // namespace

void readSignature(ModuleOp planned, ProgramInfo &info) {
  auto main = planned.lookupSymbol<func::FuncOp>("main");
  FunctionType type = main.getFunctionType();
  auto specOf = [](Type type, Attribute name) {
    TensorType tensor = toTensorType(llvm::cast<RankedTensorType>(type));
    return TensorSpec{textAttr(name), tensor.dtype, tensor.shape};
  };
  for (unsigned i = 0; i < type.getNumInputs(); ++i)
    info.inputs.push_back(specOf(type.getInput(i), main.getArgAttr(i, "ingot.name")));
  for (unsigned i = 0; i < type.getNumResults(); ++i)
    info.outputs.push_back(specOf(type.getResult(i), main.getResultAttr(i, "ingot.name")));
  info.memory.argument_bytes = bytesOf(info.inputs);
  info.memory.output_bytes = bytesOf(info.outputs);
}

void readFacts(ModuleOp kernels, int maxSlots, ProgramInfo &info) {
  auto attribute = [&](StringRef name) { return kernels->getAttr(name); };
  if (auto list = llvm::dyn_cast_or_null<ArrayAttr>(attribute("ingot.kernels")))
    for (Attribute kernel : list)
      info.kernels.push_back(readKernel(llvm::cast<DictionaryAttr>(kernel)));
  if (auto donated = llvm::dyn_cast_or_null<DenseI64ArrayAttr>(attribute("ingot.donated")))
    for (int64_t output : donated.asArrayRef())
      info.donated.push_back(int32_t(output));
  info.donated.resize(info.inputs.size(), -1);
  info.errors.push_back({ErrorCode::Internal, "", -1});
  if (auto errors = llvm::dyn_cast_or_null<ArrayAttr>(attribute("ingot.errors")))
    for (Attribute entry : errors) {
      auto facts = llvm::cast<DictionaryAttr>(entry);
      info.errors.push_back({ErrorCode(integerAttr(facts.get("class"))), textAttr(facts.get("text")),
                             int32_t(integerAttr(facts.get("op")))});
    }
  if (auto natives = llvm::dyn_cast_or_null<DenseI64ArrayAttr>(attribute("ingot.native_ops")))
    for (int64_t ordinal : natives.asArrayRef())
      info.native_ops.push_back(uint32_t(ordinal));
  info.max_slots = maxSlots;
  info.uses_rng_key = bool(attribute("ingot.uses_rng_key"));
  info.memory.constant_bytes = size_t(integerAttr(attribute("ingot.constant_bytes")));
  info.memory.alignment = 64;
  info.shared_workspace_bytes = roundUp(size_t(integerAttr(attribute("ingot.workspace_bytes"))), 64);
  info.slot_scratch_bytes = roundUp(size_t(integerAttr(attribute("ingot.slot_scratch_bytes"))), 64);
  info.memory.workspace_bytes = info.shared_workspace_bytes + size_t(maxSlots) * info.slot_scratch_bytes;
}

} // namespace ingot
