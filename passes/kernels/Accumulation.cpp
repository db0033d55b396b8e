#include "ingot/passes/kernels/Accumulation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace ingot {

using namespace mlir;

Accumulation::Accumulation(ClusterEmitter &e, Operation *reduction)
    : e(e), reduction(reduction), tracksPosition(llvm::isa<ArgMaxOp, ArgMinOp>(reduction)),
      largest(llvm::isa<ArgMaxOp>(reduction)) {}

llvm::SmallVector<Type> Accumulation::types() const {
  llvm::SmallVector<Type> list{llvm::cast<ShapedType>(reduction->getOperand(0).getType()).getElementType()};
  if (tracksPosition)
    list.push_back(e.builder().getI64Type());
  return list;
}

State Accumulation::start() const {
  emit::ScalarOps s(e.builder(), e.loc());
  Type type = e.valueType(types().front());
  if (!tracksPosition)
    return {llvm::cast<ReductionOpInterface>(reduction).neutralElement(s, type)};
  Value worst = largest ? s.lowest(type) : s.highest(type);
  return {worst, s.highest(e.valueType(e.builder().getI64Type()))};
}

Value Accumulation::better(Value x, Value i, Value y, Value j) const {
  emit::ScalarOps s(e.builder(), e.loc());
  Value beats = largest ? s.gt(x, y) : s.lt(x, y), ties = s.eq(x, y);
  if (llvm::isa<FloatType>(emit::elementOf(x.getType()))) {
    Value xNan = s.ne(x, x), yNan = s.ne(y, y);
    beats = s.bitOr(beats, s.bitAnd(xNan, s.bitNot(yNan)));
    ties = s.bitOr(ties, s.bitAnd(xNan, yNan));
  }
  return s.bitOr(beats, s.bitAnd(ties, s.lt(i, j)));
}

State Accumulation::merge(ValueRange x, ValueRange y) const {
  emit::ScalarOps s(e.builder(), e.loc());
  if (!tracksPosition)
    return {llvm::cast<ReductionOpInterface>(reduction).combine(s, x[0], y[0])};
  Value take = better(y[0], y[1], x[0], x[1]);
  return {s.select(take, y[0], x[0]), s.select(take, y[1], x[1])};
}

State Accumulation::elements(const Coordinates &at, const Coordinate &position) const {
  State state{e.read(reduction->getOperand(0), at)};
  if (tracksPosition)
    state.push_back(
        e.builder().create<arith::IndexCastOp>(e.loc(), e.valueType(e.builder().getI64Type()), e.lanesOf(position)));
  return state;
}

Accumulations::Accumulations(ClusterEmitter &e, ArrayRef<Operation *> reductions) : e(e) {
  for (Operation *op : reductions)
    parts.emplace_back(e, op);
}

/// The states of all parts in turn; `partial` is given the part and where its values begin.
template <class F> State Accumulations::each(F partial) const {
  State state;
  for (const Accumulation &part : parts)
    llvm::append_range(state, partial(part, state.size()));
  return state;
}

size_t Accumulations::size() const { return types().size(); }

llvm::SmallVector<Type> Accumulations::types() const {
  llvm::SmallVector<Type> list;
  for (const Accumulation &part : parts)
    llvm::append_range(list, part.types());
  return list;
}

State Accumulations::start() const {
  return each([](const Accumulation &part, size_t) { return part.start(); });
}

State Accumulations::elements(const Coordinates &at, const Coordinate &position) const {
  return each([&](const Accumulation &part, size_t) { return part.elements(at, position); });
}

State Accumulations::masked(State state) const {
  if (Value tail = e.currentTail()) {
    emit::ScalarOps s(e.builder(), e.loc());
    for (auto [value, neutral] : llvm::zip(state, start()))
      value = s.select(tail, value, neutral);
  }
  return state;
}

State Accumulations::merge(ValueRange x, ValueRange y) const {
  return each([&](const Accumulation &part, size_t from) {
    return part.merge(x.slice(from, part.size()), y.slice(from, part.size()));
  });
}

State Accumulations::mergeTree(int64_t count, llvm::function_ref<State(int64_t)> state) const {
  // As a binary counter, so that few states are alive at a time: entry k is of 2^k neighbours.
  llvm::SmallVector<std::pair<int, State>> waiting;
  for (int64_t i = 0; i < count; ++i) {
    std::pair<int, State> current{0, state(i)};
    for (; !waiting.empty() && waiting.back().first == current.first; waiting.pop_back())
      current = {current.first + 1, merge(waiting.back().second, current.second)};
    waiting.push_back(std::move(current));
  }
  State total = std::move(waiting.back().second);
  while (waiting.pop_back(), !waiting.empty())
    total = merge(waiting.back().second, total);
  return total;
}

State Accumulations::mergeLanes(State state) const {
  OpBuilder &b = e.builder();
  for (int64_t lanes = e.lanes(); lanes > 1; lanes /= 2) {
    State low, high;
    for (Value v : state) {
      llvm::SmallVector<int64_t> first = llvm::to_vector(llvm::seq<int64_t>(0, lanes / 2));
      llvm::SmallVector<int64_t> second = llvm::to_vector(llvm::seq<int64_t>(lanes / 2, lanes));
      low.push_back(b.create<vector::ShuffleOp>(e.loc(), v, v, first));
      high.push_back(b.create<vector::ShuffleOp>(e.loc(), v, v, second));
    }
    state = merge(low, high);
  }
  if (e.lanes() > 1)
    for (Value &v : state)
      v = b.create<vector::ExtractOp>(e.loc(), v, llvm::ArrayRef<int64_t>{0});
  return state;
}

void Accumulations::bindResults(const Coordinates &at, ValueRange state) const {
  size_t next = 0;
  for (const Accumulation &part : parts) {
    next += part.size();
    e.bind(part.op()->getResult(0), at, state[next - 1]); // a value, or the position behind it
  }
}

} // namespace ingot
