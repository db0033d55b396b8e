#include "ingot/passes/kernels/ClusterEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace ingot {

using namespace mlir;

namespace {

ShapedType typeOf(Value v) { return llvm::cast<ShapedType>(v.getType()); }

/// Bits of the widest type that lanes are counted by: floats that are computed with, else integers.
int64_t widestBits(Block &body) {
  int64_t floats = 0, others = 8;
  auto look = [&](Type type) {
    auto shaped = llvm::dyn_cast<ShapedType>(type);
    if (!shaped)
      return;
    int64_t bits = shaped.getElementTypeBitWidth();
    if (llvm::isa<FloatType>(shaped.getElementType()))
      floats = std::max(floats, bits);
    else if (bits > 1)
      others = std::max(others, bits);
  };
  for (BlockArgument argument : body.getArguments())
    look(argument.getType());
  for (Operation &op : body)
    for (Value v : op.getResults())
      look(v.getType());
  return floats ? floats : others;
}

} // namespace

Type memoryType(Type element) { return element.isInteger(1) ? IntegerType::get(element.getContext(), 8) : element; }

ClusterEmitter::ClusterEmitter(FusionOp fusion, func::FuncOp kernel, const Target &target)
    : fusion(fusion), kernel(kernel), machine(target), b(OpBuilder::atBlockEnd(&kernel.front())),
      location(fusion.getLoc()) {
  argumentPointers = kernel.getArgument(0);
  taskIndex = b.create<arith::IndexCastOp>(location, b.getIndexType(), kernel.getArgument(1));
  slotIndex = kernel.getArgument(2);
  fullLanes = std::max<int64_t>(1, machine.vector_bits / widestBits(body()));
  int64_t next = 0;
  for (BlockArgument argument : body().getArguments())
    memories[argument] = memoryAt(next++, typeOf(argument).getNumElements(), typeOf(argument).getElementType());
  for (Value output : outputs())
    resultMemories.push_back(memoryAt(next++, typeOf(output).getNumElements(), typeOf(output).getElementType()));
}

Value ClusterEmitter::pointerArgument(int64_t argument) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value slot = b.create<LLVM::GEPOp>(location, pointer, pointer, argumentPointers,
                                     llvm::ArrayRef<LLVM::GEPArg>{int32_t(argument)});
  return b.create<LLVM::LoadOp>(location, pointer, slot);
}

Value ClusterEmitter::memoryAt(int64_t argument, int64_t count, Type element) {
  return memoryOf(pointerArgument(argument), count, element);
}

/// A one-dimensional memref over a pointer: the descriptor that conversion expects, spelled out.
Value ClusterEmitter::memoryOf(Value pointer, int64_t count, Type element) {
  auto i64 = b.getI64Type();
  auto array = LLVM::LLVMArrayType::get(i64, 1);
  auto type =
      LLVM::LLVMStructType::getLiteral(b.getContext(), {pointer.getType(), pointer.getType(), i64, array, array});
  Value descriptor = b.create<LLVM::UndefOp>(location, type);
  auto number = [&](int64_t n) { return Value(b.create<LLVM::ConstantOp>(location, i64, b.getI64IntegerAttr(n))); };
  descriptor = b.create<LLVM::InsertValueOp>(location, descriptor, pointer, llvm::ArrayRef<int64_t>{0});
  descriptor = b.create<LLVM::InsertValueOp>(location, descriptor, pointer, llvm::ArrayRef<int64_t>{1});
  descriptor = b.create<LLVM::InsertValueOp>(location, descriptor, number(0), llvm::ArrayRef<int64_t>{2});
  descriptor = b.create<LLVM::InsertValueOp>(location, descriptor, number(count), llvm::ArrayRef<int64_t>{3, 0});
  descriptor = b.create<LLVM::InsertValueOp>(location, descriptor, number(1), llvm::ArrayRef<int64_t>{4, 0});
  auto memory = MemRefType::get({count}, memoryType(element));
  return b.create<UnrealizedConversionCastOp>(location, TypeRange(memory), ValueRange(descriptor)).getResult(0);
}

Value ClusterEmitter::scratch(Value base, int64_t &used, int64_t count, Type element) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value start =
      b.create<LLVM::GEPOp>(location, pointer, b.getI8Type(), base, llvm::ArrayRef<LLVM::GEPArg>{int32_t(used)});
  int64_t bytes = count * std::max<int64_t>(1, memoryType(element).getIntOrFloatBitWidth() / 8);
  used += (bytes + 63) / 64 * 64;
  return memoryOf(start, count, element);
}

Value ClusterEmitter::sharedScratch(int64_t count, Type element) {
  int64_t argument = body().getNumArguments() + int64_t(resultMemories.size());
  return scratch(pointerArgument(argument), needs.sharedScratch, count, element);
}

Value ClusterEmitter::slotScratch(int64_t count, Type element) {
  int64_t argument = body().getNumArguments() + int64_t(resultMemories.size()) + 1;
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value stride = b.create<LLVM::PtrToIntOp>(location, b.getI64Type(), pointerArgument(argument + 1));
  Value slot = b.create<arith::ExtSIOp>(location, b.getI64Type(), slotIndex);
  Value offset = b.create<arith::MulIOp>(location, stride, slot);
  Value base = b.create<LLVM::GEPOp>(location, pointer, b.getI8Type(), pointerArgument(argument),
                                     llvm::ArrayRef<LLVM::GEPArg>{offset});
  return scratch(base, needs.slotScratch, count, element);
}

Value ClusterEmitter::constantIndex(int64_t v) {
  Value &known = constants[v];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&kernel.front());
    known = b.create<arith::ConstantIndexOp>(location, v);
  }
  return known;
}

Value ClusterEmitter::add(Value x, Value y) {
  const std::optional<int64_t> left = getConstantIntValue(x), right = getConstantIntValue(y);
  if (left && right)
    return constantIndex(*left + *right);
  if (left == 0)
    return y;
  return right == 0 ? x : Value(b.create<arith::AddIOp>(location, x, y));
}
Value ClusterEmitter::subtract(Value x, Value y) {
  const std::optional<int64_t> left = getConstantIntValue(x), right = getConstantIntValue(y);
  if (left && right)
    return constantIndex(*left - *right);
  return right == 0 ? x : Value(b.create<arith::SubIOp>(location, x, y));
}
Value ClusterEmitter::mul(Value x, int64_t y) {
  if (const std::optional<int64_t> left = getConstantIntValue(x))
    return constantIndex(*left * y);
  return y == 1 ? x : Value(b.create<arith::MulIOp>(location, x, constantIndex(y)));
}
Value ClusterEmitter::minimum(Value x, Value y) { return b.create<arith::MinSIOp>(location, x, y); }

std::pair<Value, Value> ClusterEmitter::divide(Value position, int64_t size) {
  if (size == 1)
    return {position, constantIndex(0)};
  return {b.create<arith::DivUIOp>(location, position, constantIndex(size)),
          b.create<arith::RemUIOp>(location, position, constantIndex(size))};
}

Value ClusterEmitter::laneMask(Value count) {
  auto positions = llvm::to_vector(llvm::seq<int64_t>(0, currentLanes));
  auto type = VectorType::get({currentLanes}, b.getIndexType());
  Value lanes = b.create<arith::ConstantOp>(location, DenseIntElementsAttr::get(type, positions));
  return b.create<arith::CmpIOp>(location, arith::CmpIPredicate::slt, lanes, splat(count));
}

Value ClusterEmitter::laneMask(int64_t count) {
  auto on =
      llvm::to_vector(llvm::map_range(llvm::seq<int64_t>(0, currentLanes), [&](int64_t lane) { return lane < count; }));
  auto type = VectorType::get({currentLanes}, b.getI1Type());
  return b.create<arith::ConstantOp>(location,
                                     DenseElementsAttr::get(type, llvm::ArrayRef<bool>(on.data(), on.size())));
}

void ClusterEmitter::delinearize(Value position, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> dims,
                                 Coordinates &at) {
  for (size_t i = dims.size(); i-- > 0;) {
    Value size = constantIndex(std::max<int64_t>(shape[size_t(dims[i])], 1));
    Value here = i == 0 ? position : Value(b.create<arith::RemUIOp>(location, position, size));
    at[size_t(dims[i])] = {here, 0, {}};
    if (i)
      position = b.create<arith::DivUIOp>(location, position, size);
  }
}

void ClusterEmitter::scoped(llvm::function_ref<void()> emit) {
  scopes.emplace_back();
  emit();
  scopes.pop_back();
}

llvm::SmallVector<Value> ClusterEmitter::loop(Value from, Value to, int64_t step, ValueRange carried, Body body) {
  auto op = b.create<scf::ForOp>(location, from, to, constantIndex(step), carried);
  OpBuilder::InsertionGuard guard(b);
  if (carried.empty())
    b.setInsertionPoint(op.getBody()->getTerminator());
  else
    b.setInsertionPointToStart(op.getBody());
  scoped([&] {
    llvm::SmallVector<Value> next = body(op.getInductionVar(), op.getRegionIterArgs());
    if (!carried.empty())
      b.create<scf::YieldOp>(location, next);
  });
  return llvm::SmallVector<Value>(op.getResults());
}

llvm::SmallVector<Value> ClusterEmitter::choose(Value condition, Branch then, Branch otherwise) {
  auto branch = [&](Branch emit) {
    return [this, emit](OpBuilder &inside, Location) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(inside.getInsertionBlock());
      scoped([&] { b.create<scf::YieldOp>(location, emit()); });
    };
  };
  return llvm::to_vector_of<Value>(
      b.create<scf::IfOp>(location, condition, branch(then), branch(otherwise)).getResults());
}

// Reading --------------------------------------------------------------------------------------------------------

Coordinate ClusterEmitter::flatten(llvm::ArrayRef<int64_t> shape, const Coordinates &at) {
  // Outer terms first, so that their sum does not depend on inner loops.
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * std::max<int64_t>(shape[d], 1);
  bool irregular = llvm::any_of(at, [](const Coordinate &c) { return bool(c.lanes); });
  Coordinate flat;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (at[d].base == constantIndex(0) && !at[d].laneStride && !at[d].lanes)
      continue;
    Coordinate term = scale(at[d], strides[d]);
    if (irregular) {
      Value lanes = lanesOf(term);
      flat.lanes = flat.lanes ? add(flat.lanes, lanes) : lanes;
    } else {
      flat.base = flat.base ? add(flat.base, term.base) : term.base;
      flat.laneStride += term.laneStride;
    }
  }
  if (!flat.base && !flat.lanes)
    flat.base = constantIndex(0);
  return flat;
}

Value ClusterEmitter::loadFrom(Value memory, const Coordinate &flat, Type element, Value mask) {
  Type stored = memoryType(element);
  Value loaded;
  if (currentLanes == 1) {
    loaded = b.create<memref::LoadOp>(location, memory, ValueRange(flat.base));
  } else {
    auto type = VectorType::get({currentLanes}, stored);
    auto zeros = [&] { return Value(b.create<arith::ConstantOp>(location, b.getZeroAttr(type))); };
    if (!flat.lanes && flat.laneStride == 1) {
      loaded = mask
                   ? Value(b.create<vector::MaskedLoadOp>(location, type, memory, ValueRange(flat.base), mask, zeros()))
                   : Value(b.create<vector::LoadOp>(location, type, memory, ValueRange(flat.base)));
    } else {
      Value lanes = lanesOf(flat);
      if (!mask)
        mask = b.create<arith::ConstantOp>(
            location, DenseElementsAttr::get(VectorType::get({currentLanes}, b.getI1Type()), true));
      loaded = b.create<vector::GatherOp>(location, type, memory, ValueRange(constantIndex(0)), lanes, mask, zeros());
    }
  }
  if (!element.isInteger(1))
    return loaded;
  emit::ScalarOps e(b, location);
  return e.ne(loaded, e.constantInt(0, loaded.getType()));
}

void ClusterEmitter::storeTo(Value memory, const Coordinate &flat, Value ssa, Value mask) {
  if (emit::elementOf(ssa.getType()).isInteger(1))
    ssa = b.create<arith::ExtUIOp>(location, emit::withElement(ssa.getType(), b.getI8Type()), ssa);
  if (currentLanes == 1) {
    b.create<memref::StoreOp>(location, ssa, memory, ValueRange(flat.base));
  } else if (!flat.lanes && flat.laneStride == 1) {
    if (mask)
      b.create<vector::MaskedStoreOp>(location, memory, ValueRange(flat.base), mask, ssa);
    else
      b.create<vector::StoreOp>(location, ssa, memory, ValueRange(flat.base));
  } else {
    Value lanes = lanesOf(flat);
    if (!mask)
      mask = b.create<arith::ConstantOp>(location,
                                         DenseElementsAttr::get(VectorType::get({currentLanes}, b.getI1Type()), true));
    b.create<vector::ScatterOp>(location, memory, ValueRange(constantIndex(0)), lanes, mask, ssa);
  }
}

/// The coordinates with 0 in dimensions of size 1, where nothing else can be meant: reads find what was bound.
Coordinates ClusterEmitter::normalized(Value value, Coordinates at) {
  for (auto [coordinate, size] : llvm::zip_equal(at, typeOf(value).getShape()))
    if (size == 1)
      coordinate = {constantIndex(0), 0, {}};
  return at;
}

void ClusterEmitter::bind(Value value, const Coordinates &where, Value ssa) {
  const Coordinates at = normalized(value, where);
  scopes.back()[value].push_back({at, currentLanes, {}, tail, ssa});
}

Value ClusterEmitter::readFirstLane(Value value, const Coordinates &at) {
  int64_t lanesBefore = currentLanes;
  Value tailBefore = tail;
  Coordinates first;
  for (const Coordinate &c : at)
    first.push_back({c.base, 0, {}});
  currentLanes = 1;
  tail = {};
  Value ssa = read(value, first);
  currentLanes = lanesBefore;
  tail = tailBefore;
  return ssa;
}

Value ClusterEmitter::read(Value value, const Coordinates &where, Value mask) {
  const Coordinates at = normalized(value, where);
  for (const Scope &scope : llvm::reverse(scopes))
    if (auto entry = scope.find(value); entry != scope.end())
      for (const Known &known : llvm::reverse(entry->second))
        if (known.lanes == currentLanes && known.mask == mask && known.at == at && known.tail == tail)
          return known.ssa;
  Value ssa;
  bool uniform = llvm::all_of(at, [](const Coordinate &c) { return !c.lanes && c.laneStride == 0; });
  if (currentLanes > 1 && uniform && !mask) {
    ssa = splat(readFirstLane(value, at));
  } else if (Value memory = memories.lookup(value)) {
    Coordinate flat = flatten(typeOf(value).getShape(), at);
    Type element = typeOf(value).getElementType();
    if (currentLanes == 1) {
      // A guarded scalar is loaded from somewhere inside; it is not used where the guard is off. Empty operands are
      // never read.
      if (mask || guards)
        flat.base = b.create<arith::MinUIOp>(location, flat.base, constantIndex(typeOf(value).getNumElements() - 1));
      ssa = loadFrom(memory, flat, element, {});
    } else {
      Value effective = mask && tail ? Value(b.create<arith::AndIOp>(location, mask, tail)) : mask ? mask : tail;
      ssa = loadFrom(memory, flat, element, effective);
    }
  } else {
    auto op = value.getDefiningOp<PointwiseOpInterface>();
    assert(op && "an anchor's result is bound before it is read");
    // Under a mask operands may be out of range where it is off: every read below carries it.
    Value before = tail;
    if (mask && currentLanes > 1)
      tail = tail ? Value(b.create<arith::AndIOp>(location, mask, tail)) : mask;
    guards += bool(mask);
    ssa = op.emitAt(*this, at);
    guards -= bool(mask);
    tail = before;
  }
  scopes.back()[value].push_back({at, currentLanes, mask, tail, ssa});
  return ssa;
}

void ClusterEmitter::prefetch(Value value, const Coordinates &at) {
  if (Value memory = memories.lookup(value))
    b.create<memref::PrefetchOp>(location, memory, ValueRange(flatten(typeOf(value).getShape(), at).base),
                                 /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
}

void ClusterEmitter::store(unsigned result, const Coordinates &at, Value ssa) {
  storeTo(resultMemories[result], flatten(typeOf(outputs()[result]).getShape(), at), ssa, tail);
}

Value ClusterEmitter::load(unsigned result, const Coordinates &at) {
  ShapedType type = typeOf(outputs()[result]);
  return loadFrom(resultMemories[result], flatten(type.getShape(), at), type.getElementType(), tail);
}

void ClusterEmitter::writeOutputs(llvm::function_ref<std::optional<Coordinates>(Value)> homeOf) {
  llvm::SmallVector<std::tuple<unsigned, Coordinates, Value>> pending;
  for (auto [i, output] : llvm::enumerate(outputs()))
    if (std::optional<Coordinates> home = homeOf(output))
      pending.emplace_back(unsigned(i), *home, read(output, *home));
  for (auto &[result, at, ssa] : pending)
    store(result, at, ssa);
}

void ClusterEmitter::hoistScalars() {
  // Values of one element that no anchor feeds.
  llvm::DenseSet<Value> fixed;
  for (BlockArgument argument : body().getArguments())
    if (typeOf(argument).getNumElements() == 1)
      fixed.insert(argument);
  for (Operation &op : body().without_terminator())
    if (!isAnchor(&op) && typeOf(op.getResult(0)).getNumElements() == 1 &&
        llvm::all_of(op.getOperands(), [&](Value v) { return fixed.contains(v); }))
      fixed.insert(op.getResult(0));
  int64_t before = currentLanes;
  currentLanes = 1;
  for (BlockArgument argument : body().getArguments())
    if (fixed.contains(argument))
      read(argument, Coordinates(size_t(typeOf(argument).getRank()), Coordinate{constantIndex(0), 0, {}}));
  for (Operation &op : body().without_terminator())
    if (op.getNumResults() && fixed.contains(op.getResult(0)))
      read(op.getResult(0),
           Coordinates(size_t(typeOf(op.getResult(0)).getRank()), Coordinate{constantIndex(0), 0, {}}));
  currentLanes = before;
}

} // namespace ingot
