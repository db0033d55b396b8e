#include "ingot/passes/kernels/MainEmitter.h"

#include "ingot/runtime/Abi.h"

#include "mlir/IR/Builders.h"

#include <cstddef>

namespace ingot {

using namespace mlir;
using LLVM::GEPArg;

MainEmitter::MainEmitter(ModuleOp program, const std::string &entry, int64_t steps, int64_t sharedBytes,
                         int64_t slotBytes)
    : program(program), entry(entry), inParts(steps > kMostSteps), sharedBytes(sharedBytes), slotBytes(slotBytes),
      pointer(LLVM::LLVMPointerType::get(program.getContext())), b(program.getContext()) {
  i64 = b.getI64Type(), i32 = b.getI32Type(), i8 = b.getI8Type();
  if (inParts)
    openPart(entry + "_part_0");
  else
    open(program, entry);
}

void MainEmitter::open(ModuleOp in, const std::string &name) {
  module = in;
  b.setInsertionPointToEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(i32, {pointer, pointer, pointer, pointer});
  function = b.create<LLVM::LLVMFuncOp>(program.getLoc(), name, type);
  function.setDsoLocal(true);
  b.setInsertionPointToStart(function.addEntryBlock(b));
  steps = tableSize = 0;
  table = status = {};
}

void MainEmitter::openPart(const std::string &name) {
  b.setInsertionPointToEnd(program.getBody());
  auto part = b.create<ModuleOp>(program.getLoc(), name + "_module");
  parts.push_back(name);
  open(part, name);
}

void MainEmitter::close() {
  Location loc = program.getLoc();
  if (table)
    table.getDefiningOp<LLVM::AllocaOp>().getArraySize().getDefiningOp<LLVM::ConstantOp>().setValueAttr(
        b.getI64IntegerAttr(tableSize));
  b.create<LLVM::ReturnOp>(loc, number(loc, 0, i32));
}

/// Room for one step more.
void MainEmitter::step() {
  if (inParts && steps == kMostSteps) {
    close();
    openPart(entry + "_part_" + std::to_string(parts.size()));
  }
  ++steps;
}

/// Calls functions of the entry's type one after the other, until one fails.
void MainEmitter::callParts(llvm::ArrayRef<std::string> names) {
  Location loc = program.getLoc();
  for (const std::string &name : names) {
    declareFunction(name, function.getFunctionType());
    Value code = b.create<LLVM::CallOp>(loc, TypeRange(i32), name, ValueRange(function.getArguments())).getResult();
    Value failed = b.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::ne, code, number(loc, 0, i32));
    Block *after = blockAfter(), *fail = blockAfter();
    b.create<LLVM::CondBrOp>(loc, failed, fail, after);
    b.setInsertionPointToStart(fail);
    b.create<LLVM::ReturnOp>(loc, code);
    b.setInsertionPointToStart(after);
  }
}

void MainEmitter::finish() {
  close();
  if (!inParts)
    return;
  // A tree of functions, so that none of them calls more than some.
  std::vector<std::string> level = std::move(parts);
  for (int height = 0; int64_t(level.size()) > kMostSteps; ++height) {
    parts.clear();
    for (llvm::ArrayRef<std::string> rest = level; !rest.empty();) {
      llvm::ArrayRef<std::string> some = rest.take_front(kMostSteps);
      rest = rest.drop_front(some.size());
      openPart(entry + "_level_" + std::to_string(height) + "_" + std::to_string(parts.size()));
      callParts(some);
      close();
    }
    level = std::move(parts);
  }
  open(program, entry);
  callParts(level);
  close();
}

Value MainEmitter::number(Location loc, int64_t n, Type type) {
  return b.create<LLVM::ConstantOp>(loc, type, b.getIntegerAttr(type, n));
}

Value MainEmitter::element(Location loc, Value base, int64_t index, Type type) {
  return b.create<LLVM::GEPOp>(loc, pointer, type, base, llvm::ArrayRef<GEPArg>{int32_t(index)});
}

int64_t MainEmitter::constant(DenseElementsAttr literal) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(program.getBody());
  // Raw bytes: every dtype, bools as one byte each.
  std::string bytes;
  if (literal.getElementType().isInteger(1))
    for (bool value : literal.getValues<bool>())
      bytes.push_back(char(value));
  else // a splat's raw data is one element
    for (int64_t i = 0, n = literal.isSplat() ? literal.getNumElements() : 1; i < n; ++i)
      bytes.append(literal.getRawData().begin(), literal.getRawData().end());
  std::string name = entry + "_constant_" + std::to_string(constants.size());
  auto type = LLVM::LLVMArrayType::get(i8, bytes.size());
  auto global = b.create<LLVM::GlobalOp>(program.getLoc(), type, /*isConstant=*/true,
                                         inParts ? LLVM::Linkage::External : LLVM::Linkage::Private, name,
                                         b.getStringAttr(bytes), /*alignment=*/64);
  global.setDsoLocal(true);
  if (inParts)
    global.setVisibility_(LLVM::Visibility::Hidden);
  constants.push_back({name, type});
  return int64_t(constants.size()) - 1;
}

Value MainEmitter::address(Location loc, const Place &place) {
  auto fromTable = [&](unsigned argument) {
    return Value(
        b.create<LLVM::LoadOp>(loc, pointer, element(loc, function.getArgument(argument), place.index, pointer)));
  };
  switch (place.space) {
  case BufferSpace::input:
    return fromTable(1);
  case BufferSpace::output:
    return fromTable(2);
  case BufferSpace::workspace:
    return b.create<LLVM::GEPOp>(loc, pointer, i8, function.getArgument(3),
                                 llvm::ArrayRef<GEPArg>{number(loc, place.index, i64)});
  case BufferSpace::constant: {
    const Constant &constant = constants[size_t(place.index)];
    if (!module.lookupSymbol(constant.name)) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(module.getBody());
      auto declaration = b.create<LLVM::GlobalOp>(loc, constant.type, /*isConstant=*/true, LLVM::Linkage::External,
                                                  constant.name, Attribute(), /*alignment=*/64);
      declaration.setDsoLocal(true);
      declaration.setVisibility_(LLVM::Visibility::Hidden);
    }
    return b.create<LLVM::AddressOfOp>(loc, pointer, constant.name);
  }
  }
  llvm_unreachable("a value lives in one of these spaces");
}

/// Memory of the function's, in its first block.
Value MainEmitter::allocate(Location loc, Type element, int64_t count) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.front());
  return b.create<LLVM::AllocaOp>(loc, pointer, element, number(loc, count, i64));
}

/// Stores pointers to the places in the function's table from entry `from` on; returns the address of the first.
Value MainEmitter::putPointers(Location loc, llvm::ArrayRef<Place> places, int64_t from) {
  if (!table)
    table = allocate(loc, pointer, 1); // as many as are needed are known at the end
  tableSize = std::max(tableSize, from + int64_t(places.size()));
  for (auto [i, place] : llvm::enumerate(places))
    b.create<LLVM::StoreOp>(loc, address(loc, place), element(loc, table, from + int64_t(i), pointer));
  return from ? element(loc, table, from, pointer) : table;
}

Value MainEmitter::fillArguments(Location loc, llvm::ArrayRef<Place> arguments, Value shared) {
  putPointers(loc, arguments);
  int64_t next = int64_t(arguments.size());
  auto put = [&](Value value) { b.create<LLVM::StoreOp>(loc, value, element(loc, table, next++, pointer)); };
  put(shared);
  put(address(loc, {BufferSpace::workspace, sharedBytes}));
  put(b.create<LLVM::IntToPtrOp>(loc, pointer, number(loc, slotBytes, i64)));
  tableSize = std::max(tableSize, next);
  return table;
}

LLVM::LLVMFuncOp MainEmitter::declareFunction(const std::string &name, Type type) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto declaration = b.create<LLVM::LLVMFuncOp>(program.getLoc(), name, type);
  declaration.setDsoLocal(true);
  declaration.setVisibility_(LLVM::Visibility::Hidden);
  return declaration;
}

void MainEmitter::declare(const EmittedKernel &kernel) {
  declareFunction(kernel.name,
                  LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {pointer, i64, i32}));
}

/// The pointer that lies `offset` bytes behind `base`.
Value MainEmitter::field(Location loc, Value base, size_t offset) {
  return b.create<LLVM::LoadOp>(loc, pointer, element(loc, base, int64_t(offset), i8));
}

Value MainEmitter::isNull(Location loc, Value value) {
  return b.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::eq, value, b.create<LLVM::ZeroOp>(loc, pointer));
}

Block *MainEmitter::blockAfter() {
  Block *current = b.getInsertionBlock();
  Block *next = new Block;
  function.getBody().getBlocks().insertAfter(current->getIterator(), next);
  return next;
}

void MainEmitter::runTask(Location loc, const EmittedKernel &kernel, Value arguments, Value task) {
  b.create<LLVM::CallOp>(loc, TypeRange(), kernel.name, ValueRange{arguments, task, number(loc, 0, i32)});
}

void MainEmitter::call(Location loc, const EmittedKernel &kernel, llvm::ArrayRef<Place> arguments, int64_t sharedAt) {
  step();
  declare(kernel);
  Value table = fillArguments(loc, arguments, address(loc, {BufferSpace::workspace, sharedAt}));
  if (kernel.needs.tasks == 1) {
    runTask(loc, kernel, table, number(loc, 0, i64));
  } else {
    // context && context->parallel_for ? parallel_for(state, tasks, kernel, table) : every task in order
    Value context = function.getArgument(0), none = b.create<LLVM::ZeroOp>(loc, pointer);
    Block *done = blockAfter(), *serial = blockAfter(), *parallel = blockAfter(), *ask = blockAfter();
    Value tasks = number(loc, kernel.needs.tasks, i64), zero = number(loc, 0, i64), one = number(loc, 1, i64);
    Value isNull = b.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::eq, context, none);
    serial->addArgument(i64, loc);
    b.create<LLVM::CondBrOp>(loc, isNull, serial, ValueRange{zero}, ask, ValueRange{});
    b.setInsertionPointToStart(ask);
    Value slot = element(loc, context, offsetof(ingot_context, parallel_for), i8);
    Value run = b.create<LLVM::LoadOp>(loc, pointer, slot);
    Value noPool = b.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::eq, run, none);
    b.create<LLVM::CondBrOp>(loc, noPool, serial, ValueRange{zero}, parallel, ValueRange{});
    b.setInsertionPointToStart(parallel);
    Value state = b.create<LLVM::LoadOp>(loc, pointer, element(loc, context, offsetof(ingot_context, state), i8));
    Value entry = b.create<LLVM::AddressOfOp>(loc, pointer, kernel.name);
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {pointer, i64, pointer, pointer});
    b.create<LLVM::CallOp>(loc, type, ValueRange{run, state, tasks, entry, table});
    b.create<LLVM::BrOp>(loc, ValueRange{}, done);
    b.setInsertionPointToStart(serial);
    Value task = serial->getArgument(0);
    runTask(loc, kernel, table, task);
    Value next = b.create<LLVM::AddOp>(loc, task, one);
    Value more = b.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::slt, next, tasks);
    b.create<LLVM::CondBrOp>(loc, more, serial, ValueRange{next}, done, ValueRange{});
    b.setInsertionPointToStart(done);
  }
  if (kernel.needs.finishStage)
    runTask(loc, kernel, table, number(loc, kernel.needs.tasks, i64));
}

void MainEmitter::check(Location loc, const EmittedKernel &kernel, llvm::ArrayRef<Place> arguments, int64_t code,
                        int64_t ordinal) {
  step();
  declare(kernel);
  if (!status)
    status = allocate(loc, i64, 4);
  Value zero = number(loc, 0, i64);
  b.create<LLVM::StoreOp>(loc, zero, status);
  runTask(loc, kernel, fillArguments(loc, arguments, status), zero);
  Value failed = b.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::ne, b.create<LLVM::LoadOp>(loc, i64, status), zero);
  Block *after = blockAfter(), *fail = blockAfter();
  b.create<LLVM::CondBrOp>(loc, failed, fail, after);
  leave(loc, fail, after, code, ordinal,
        [&](size_t word) { return b.create<LLVM::LoadOp>(loc, i64, element(loc, status, int64_t(word) + 1, i64)); });
}

void MainEmitter::native(Location loc, int64_t which, llvm::ArrayRef<Place> inputs, llvm::ArrayRef<Place> outputs,
                         int64_t code, int64_t ordinal) {
  step();
  Value in = putPointers(loc, inputs), out = putPointers(loc, outputs, int64_t(inputs.size()));
  Value context = function.getArgument(0);
  Block *after = blockAfter(), *fail = blockAfter(), *run = blockAfter(), *ask = blockAfter();
  b.create<LLVM::CondBrOp>(loc, isNull(loc, context), fail, ask);
  b.setInsertionPointToStart(ask);
  Value table = field(loc, context, offsetof(ingot_context, native_ops));
  b.create<LLVM::CondBrOp>(loc, isNull(loc, table), fail, run);
  b.setInsertionPointToStart(run);
  const size_t entry = size_t(which) * sizeof(ingot_native_op);
  Value kernel = field(loc, table, entry + offsetof(ingot_native_op, call));
  Value state = field(loc, table, entry + offsetof(ingot_native_op, state));
  auto type = LLVM::LLVMFunctionType::get(i32, {pointer, pointer, pointer});
  Value returned = b.create<LLVM::CallOp>(loc, type, ValueRange{kernel, state, in, out}).getResult();
  Value failed = b.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::ne, returned, number(loc, 0, i32));
  b.create<LLVM::CondBrOp>(loc, failed, fail, after);
  leave(loc, fail, after, code, ordinal, [&](size_t) { return number(loc, 0, i64); });
}

/// Ends the program where `fail` begins: with the code, and the error record filled where there is one. What is emitted
/// next goes to `after`.
void MainEmitter::leave(Location loc, Block *fail, Block *after, int64_t code, int64_t ordinal,
                        llvm::function_ref<Value(size_t)> word) {
  b.setInsertionPointToStart(fail);
  Block *end = blockAfter(), *record = blockAfter(), *ask = blockAfter();
  Value context = function.getArgument(0);
  b.create<LLVM::CondBrOp>(loc, isNull(loc, context), end, ask);
  b.setInsertionPointToStart(ask);
  Value target = field(loc, context, offsetof(ingot_context, error));
  b.create<LLVM::CondBrOp>(loc, isNull(loc, target), end, record);
  b.setInsertionPointToStart(record);
  auto put = [&](size_t offset, Value value) {
    b.create<LLVM::StoreOp>(loc, value, element(loc, target, int64_t(offset), i8));
  };
  put(offsetof(ingot_error_record, code), number(loc, code, i32));
  put(offsetof(ingot_error_record, op), number(loc, ordinal, i32));
  const size_t words[] = {offsetof(ingot_error_record, index), offsetof(ingot_error_record, bound),
                          offsetof(ingot_error_record, result)};
  for (size_t i = 0; i < 3; ++i)
    put(words[i], word(i));
  b.create<LLVM::BrOp>(loc, ValueRange{}, end);
  b.setInsertionPointToStart(end);
  b.create<LLVM::ReturnOp>(loc, number(loc, code, i32));
  b.setInsertionPointToStart(after);
}

} // namespace ingot
