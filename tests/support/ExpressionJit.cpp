#include "ingot/tests/support/ExpressionJit.h"

#include "ingot/ir/emit/VectorMath.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <mutex>
#include <stdexcept>

using namespace mlir;

namespace ingot::testing {

struct ExpressionJit::State {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*function)(const void *const *, void *, std::int64_t) = nullptr;
  std::int64_t lanes = 1;
  std::vector<std::string> undefined;
};

namespace {

template <class T> T check(llvm::Expected<T> value) {
  if (!value)
    throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}

void check(llvm::Error error) {
  if (error)
    throw std::runtime_error(llvm::toString(std::move(error)));
}

Type widened(OpBuilder &b, Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::get(vector.getShape(), element);
  return element;
}

bool isBool(Type type) { return getElementTypeOrSelf(type).isInteger(1); }

/// func @expression(operands: ptr to ptrs, result: ptr, vectors: i64): a loop of load, body, store.
void buildFunction(ModuleOp module, llvm::ArrayRef<Type> operands, ExpressionJit::Body body) {
  OpBuilder b(module.getBodyRegion());
  Location loc = b.getUnknownLoc();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
  auto function = b.create<func::FuncOp>(loc, "expression", b.getFunctionType({pointer, pointer, i64}, {}));
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  SmallVector<Value> bases;
  for (size_t i = 0; i < operands.size(); ++i) {
    Value slot = b.create<LLVM::GEPOp>(loc, pointer, pointer, entry->getArgument(0), LLVM::GEPArg(int32_t(i)));
    bases.push_back(b.create<LLVM::LoadOp>(loc, pointer, slot));
  }
  Value zero = b.create<arith::ConstantIndexOp>(loc, 0), one = b.create<arith::ConstantIndexOp>(loc, 1);
  Value count = b.create<arith::IndexCastOp>(loc, b.getIndexType(), entry->getArgument(2));
  auto loop = b.create<scf::ForOp>(loc, zero, count, one);
  b.create<func::ReturnOp>(loc);
  b.setInsertionPointToStart(loop.getBody());
  Value at = b.create<arith::IndexCastOp>(loc, i64, loop.getInductionVar());
  auto address = [&](Value base, Type type) -> Value {
    int64_t lanes = isa<VectorType>(type) ? cast<VectorType>(type).getNumElements() : 1;
    Value offset = b.create<arith::MulIOp>(loc, at, b.create<arith::ConstantIntOp>(loc, lanes, 64));
    return b.create<LLVM::GEPOp>(loc, pointer, getElementTypeOrSelf(type), base, LLVM::GEPArg(offset));
  };
  SmallVector<Value> values;
  for (auto [base, type] : llvm::zip(bases, operands)) {
    Type stored = isBool(type) ? widened(b, type, b.getI8Type()) : type;
    Value value = b.create<LLVM::LoadOp>(loc, stored, address(base, stored), /*alignment=*/1);
    values.push_back(isBool(type) ? b.create<arith::TruncIOp>(loc, type, value) : value);
  }
  Value result = body(b, loc, values);
  if (isBool(result.getType()))
    result = b.create<arith::ExtUIOp>(loc, widened(b, result.getType(), b.getI8Type()), result);
  b.create<LLVM::StoreOp>(loc, result, address(entry->getArgument(1), result.getType()), /*alignment=*/1);
}

void lower(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createConvertSCFToCFPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  if (failed(passes.run(module)))
    throw std::runtime_error("lowering failed");
}

llvm::SmallVector<char, 0> emitFile(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType kind) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind))
    throw std::runtime_error("the target cannot emit this kind of file");
  passes.run(*copy);
  return bytes;
}

std::unique_ptr<llvm::TargetMachine> machineFor(const Target &target) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
  });
  std::string message;
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(target.triple, message);
  if (!backend)
    throw std::runtime_error(message);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(
      backend->createTargetMachine(target.triple, target.cpu, target.features, options, llvm::Reloc::PIC_,
                                   llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}

std::vector<std::string> undefinedIn(llvm::MemoryBufferRef object) {
  std::vector<std::string> names;
  auto file = check(llvm::object::ObjectFile::createObjectFile(object));
  for (const llvm::object::SymbolRef &symbol : file->symbols())
    if (check(symbol.getFlags()) & llvm::object::SymbolRef::SF_Undefined)
      if (llvm::StringRef name = check(symbol.getName()); !name.empty())
        names.push_back(name.str());
  return names;
}

} // namespace

ExpressionJit::ExpressionJit(std::initializer_list<const char *> operandTypes, std::int64_t lanes, Body body,
                             const Target &target)
    : state(std::make_unique<State>()) {
  state->lanes = lanes ? lanes : 1;
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                  scf::SCFDialect, vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::string diagnostics;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &d) { diagnostics += d.str() + "\n"; });

  SmallVector<Type> types;
  for (const char *name : operandTypes) {
    Type type = parseType(name, &context);
    types.push_back(lanes ? VectorType::get({lanes}, type) : type);
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  try {
    buildFunction(*module, types, body);
    emit::expandForTarget(*module, target);
    lower(*module);
    state->module = translateModuleToLLVMIR(*module, state->context);
  } catch (const std::runtime_error &error) {
    throw std::runtime_error(error.what() + (": " + diagnostics));
  }
  if (!state->module)
    throw std::runtime_error("translation failed: " + diagnostics);

  state->machine = machineFor(target);
  state->module->setTargetTriple(state->machine->getTargetTriple().str());
  state->module->setDataLayout(state->machine->createDataLayout());
  auto object = std::make_unique<llvm::SmallVectorMemoryBuffer>(
      emitFile(*state->module, *state->machine, llvm::CodeGenFileType::ObjectFile),
      /*RequiresNullTerminator=*/false);
  state->undefined = undefinedIn(object->getMemBufferRef());
  if (!target.host_can_run())
    return;
  state->jit = check(llvm::orc::LLJITBuilder().create());
  check(state->jit->addObjectFile(std::move(object)));
  state->function =
      check(state->jit->lookup("expression")).toPtr<void (*)(const void *const *, void *, std::int64_t)>();
}

ExpressionJit::ExpressionJit(ExpressionJit &&) noexcept = default;
ExpressionJit::~ExpressionJit() = default;

void ExpressionJit::run(std::initializer_list<const void *> operands, void *result, std::int64_t count) const {
  if (!state->function)
    throw std::runtime_error("this machine cannot run code for the target");
  state->function(operands.begin(), result, count / state->lanes);
}

const std::vector<std::string> &ExpressionJit::undefinedSymbols() const { return state->undefined; }
std::string ExpressionJit::assembly() const {
  auto text = emitFile(*state->module, *state->machine, llvm::CodeGenFileType::AssemblyFile);
  return {text.begin(), text.end()};
}

} // namespace ingot::testing
