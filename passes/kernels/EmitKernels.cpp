#include "ingot/ir/Location.h"
#include "ingot/ir/TargetAttribute.h"
#include "ingot/passes/KnownSizes.h"
#include "ingot/passes/Passes.h"
#include "ingot/passes/kernels/MainEmitter.h"
#include "ingot/runtime/Error.h"
#include "ingot/runtime/ScopePath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace ingot {

#define GEN_PASS_DEF_EMITKERNELSPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

/// Emits the kernels of one planned function and main as their calls.
class ProgramEmitter {
public:
  ProgramEmitter(ModuleOp module, func::FuncOp function, const Target &target, const std::string &entry)
      : module(module), function(function), target(target), entry(entry), b(module.getContext()) {}

  LogicalResult run();

private:
  struct Call {
    FusionOp fusion;
    size_t kernel;
    int64_t sharedAt;
    CustomCallOp native; // the call, where the kernel is the user's
  };
  ModuleOp module;
  func::FuncOp function;
  const Target &target;
  std::string entry;
  Builder b;
  std::vector<EmittedKernel> kernels;
  std::vector<Call> calls;
  llvm::SmallVector<Attribute> facts, errors;
  llvm::SmallVector<int64_t> natives; // ordinals, in the order of the context's table
  int64_t sharedBytes = 0, slotBytes = 0, constantBytes = 0;

  LogicalResult emitKernels();
  void addFacts(FusionOp fusion, StringRef name, int64_t tasks);
  int64_t addError(FusionOp fusion, const Twine &text, ErrorCode code);
  void emitMain();
  void emitNative(const Call &call, MainEmitter &main);
  Place placeOf(Value value, MainEmitter &main);
  llvm::DenseMap<Value, int64_t> constantNumbers;
};

LogicalResult ProgramEmitter::emitKernels() {
  llvm::StringMap<size_t> known;
  sharedBytes = function->getAttrOfType<IntegerAttr>("ingot.workspace_bytes").getInt();
  int64_t sharedScratch = 0;
  for (FusionOp fusion : function.front().getOps<FusionOp>()) {
    if (fusion.getKind() == "custom") {
      auto native = llvm::cast<CustomCallOp>(fusion.getBody().front().front());
      calls.push_back({fusion, 0, 0, native});
      addFacts(fusion, native.getCallee().getName(), 1);
      continue;
    }
    auto [entry, fresh] = known.try_emplace(clusterKey(fusion), kernels.size());
    if (fresh) {
      std::string name = "ingot_" + fusion.getKind().str() + "_" + std::to_string(kernels.size());
      FailureOr<EmittedKernel> kernel = emitKernelModule(module, fusion, target, name);
      if (failed(kernel))
        return failure();
      kernels.push_back(*kernel);
    }
    const EmittedKernel &kernel = kernels[entry->second];
    sharedScratch = std::max(sharedScratch, kernel.needs.sharedScratch);
    slotBytes = std::max(slotBytes, kernel.needs.slotScratch);
    // Kernels run one after the other, so their common scratch is one range behind the values.
    calls.push_back({fusion, entry->second, sharedBytes, {}});
    addFacts(fusion, kernel.name, kernel.needs.tasks);
  }
  sharedBytes += (sharedScratch + 63) / 64 * 64;
  slotBytes = (slotBytes + 63) / 64 * 64;
  return success();
}

void ProgramEmitter::addFacts(FusionOp fusion, StringRef name, int64_t tasks) {
  double flops = 0, bytes = 0;
  countWork(fusion, flops, bytes);
  llvm::SmallVector<NamedAttribute> entries{
      b.getNamedAttr("name", b.getStringAttr(name)),
      b.getNamedAttr("kind", fusion.getKindAttr()),
      b.getNamedAttr("flops", b.getF64FloatAttr(flops)),
      b.getNamedAttr("bytes", b.getF64FloatAttr(bytes)),
      b.getNamedAttr("tasks", b.getI64IntegerAttr(tasks)),
      b.getNamedAttr("ordinals", b.getDenseI64ArrayAttr(ordinalsOf(fusion.getLoc())))};
  facts.push_back(b.getDictionaryAttr(entries));
}

int64_t ordinalOf(FusionOp fusion) {
  llvm::SmallVector<int64_t> ordinals = ordinalsOf(fusion.getLoc());
  return ordinals.empty() ? -1 : ordinals.front();
}

/// The return code of what may fail in the fusion.
int64_t ProgramEmitter::addError(FusionOp fusion, const Twine &text, ErrorCode code) {
  llvm::SmallVector<NamedAttribute> error{b.getNamedAttr("text", b.getStringAttr(text)),
                                          b.getNamedAttr("op", b.getI64IntegerAttr(ordinalOf(fusion))),
                                          b.getNamedAttr("class", b.getI64IntegerAttr(int64_t(code)))};
  errors.push_back(b.getDictionaryAttr(error));
  return int64_t(errors.size());
}

Place ProgramEmitter::placeOf(Value value, MainEmitter &main) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getX();
  if (auto argument = llvm::dyn_cast<BlockArgument>(value))
    return {BufferSpace::input, argument.getArgNumber()};
  DenseElementsAttr literal;
  if (matchPattern(value, m_Constant(&literal))) {
    auto [entry, fresh] = constantNumbers.try_emplace(value, 0);
    if (fresh) {
      auto type = llvm::cast<RankedTensorType>(literal.getType());
      constantBytes += type.getNumElements() * std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
      entry->second = main.constant(literal);
    }
    return {BufferSpace::constant, entry->second};
  }
  auto result = llvm::cast<OpResult>(value);
  auto buffers = llvm::cast<FusionOp>(result.getOwner()).getBuffersAttr();
  auto buffer = llvm::cast<BufferAttr>(buffers[result.getResultNumber()]);
  return {buffer.getSpace(), buffer.getIndex()};
}

void ProgramEmitter::emitNative(const Call &call, MainEmitter &main) {
  FusionOp fusion = call.fusion;
  CustomCallOp native = call.native;
  llvm::SmallVector<Place> inputs, outputs;
  for (Value v : native.getInputs())
    inputs.push_back(placeOf(fusion->getOperand(llvm::cast<BlockArgument>(v).getArgNumber()), main));
  for (Value v : fusion->getResults())
    outputs.push_back(placeOf(v, main));
  const int64_t code = addError(fusion, "[" + native.getCallee().getName() + "] the native op cannot be run, or failed",
                                ErrorCode::Dispatch);
  main.native(fusion.getLoc(), int64_t(natives.size()), inputs, outputs, code, ordinalOf(fusion));
  natives.push_back(ordinalOf(fusion));
}

/// What users call the op that the checked indices belong to.
std::string nameOfCheck(FusionOp fusion) {
  std::string name;
  fusion.getBody().walk([&](CheckIndexOp check) {
    name = called_function(factsOf(check.getLoc()).scope);
    if (name.empty())
      name = check.getOp();
  });
  return name;
}

void ProgramEmitter::emitMain() {
  MainEmitter main(module, entry, int64_t(calls.size()), sharedBytes, slotBytes);
  for (const Call &call : calls) {
    if (call.native) {
      emitNative(call, main);
      continue;
    }
    llvm::SmallVector<Place> places;
    for (Value v : call.fusion->getOperands())
      places.push_back(placeOf(v, main));
    for (Value v : call.fusion->getResults())
      places.push_back(placeOf(v, main));
    FusionOp fusion = call.fusion;
    if (fusion->getNumResults() > 0) {
      main.call(fusion.getLoc(), kernels[call.kernel], places, call.sharedAt);
      continue;
    }
    const int64_t code =
        addError(fusion, "[" + nameOfCheck(fusion) + "] an index is outside its axis", ErrorCode::Index);
    main.check(fusion.getLoc(), kernels[call.kernel], places, code, ordinalOf(fusion));
  }
  main.finish();
}

LogicalResult ProgramEmitter::run() {
  if (failed(emitKernels()))
    return failure();
  emitMain();
  module->setAttr("ingot.kernels", b.getArrayAttr(facts));
  module->setAttr("ingot.errors", b.getArrayAttr(errors));
  module->setAttr("ingot.native_ops", b.getDenseI64ArrayAttr(natives));
  module->setAttr("ingot.workspace_bytes", b.getI64IntegerAttr(sharedBytes));
  module->setAttr("ingot.slot_scratch_bytes", b.getI64IntegerAttr(slotBytes));
  module->setAttr("ingot.constant_bytes", b.getI64IntegerAttr(constantBytes));
  module->setAttr("ingot.donated", function->getAttr("ingot.donated"));
  function.erase();
  return success();
}

struct EmitKernelsPass : impl::EmitKernelsPassBase<EmitKernelsPass> {
  using EmitKernelsPassBase::EmitKernelsPassBase;
  void runOnOperation() override {
    auto function = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!function) {
      getOperation().emitError() << "there is no function `main`";
      return signalPassFailure();
    }
    function.setName("planned"); // frees the name for the entry point
    FailureOr<Target> target = targetOf(getOperation());
    if (failed(target) || failed(requireKnownSizes(getOperation(), Phase::Kernels)) ||
        failed(ProgramEmitter(getOperation(), function, *target, entry).run()))
      signalPassFailure();
  }
};

} // namespace
} // namespace ingot
