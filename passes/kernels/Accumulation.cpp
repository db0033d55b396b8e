#include "ingot/passes/kernels/Accumulation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace ingot {

using namespace mlir;

int64_t accumulatorLanes(const Target &target, int64_t size) {
  return std::min<int64_t>(std::max(1, target.vector_bits / 32),
                           int64_t(llvm::PowerOf2Ceil(uint64_t(std::max<int64_t>(size, 1)))));
}

int64_t accumulatorCount(int64_t size, int64_t lanes) { return size >= 8 * lanes ? 4 : 1; }

Accumulation::Accumulation(ClusterEmitter &e, Operation *reduction)
    : e(e), reduction(reduction), tracksPosition(llvm::isa<ArgMaxOp, ArgMinOp>(reduction)),
      largest(llvm::isa<ArgMaxOp>(reduction)) {}

Type Accumulation::element() const {
  return llvm::cast<ShapedType>(reduction->getOperand(0).getType()).getElementType();
}

llvm::SmallVector<Value> Accumulation::start() {
  emit::ScalarOps s(e.builder(), e.loc());
  Type type = e.valueType(element());
  if (!tracksPosition)
    return {llvm::cast<ReductionOpInterface>(reduction).neutralElement(s, type)};
  Value worst = largest ? s.lowest(type) : s.highest(type);
  return {worst, s.highest(e.valueType(e.builder().getI64Type()))};
}

Value Accumulation::better(Value x, Value i, Value y, Value j) {
  emit::ScalarOps s(e.builder(), e.loc());
  Value beats = largest ? s.gt(x, y) : s.lt(x, y), ties = s.eq(x, y);
  if (llvm::isa<FloatType>(emit::elementOf(x.getType()))) {
    Value xNan = s.ne(x, x), yNan = s.ne(y, y);
    beats = s.bitOr(beats, s.bitAnd(xNan, s.bitNot(yNan)));
    ties = s.bitOr(ties, s.bitAnd(xNan, yNan));
  }
  return s.bitOr(beats, s.bitAnd(ties, s.lt(i, j)));
}

llvm::SmallVector<Value> Accumulation::merge(ValueRange x, ValueRange y) {
  emit::ScalarOps s(e.builder(), e.loc());
  if (!tracksPosition)
    return {llvm::cast<ReductionOpInterface>(reduction).combine(s, x[0], y[0])};
  Value take = better(y[0], y[1], x[0], x[1]);
  return {s.select(take, y[0], x[0]), s.select(take, y[1], x[1])};
}

llvm::SmallVector<Value> Accumulation::step(ValueRange state, const Coordinates &at, const Coordinate &position) {
  OpBuilder &b = e.builder();
  emit::ScalarOps s(b, e.loc());
  Value x = e.read(reduction->getOperand(0), at);
  llvm::SmallVector<Value> fresh{x};
  if (tracksPosition) {
    Value lanes = e.lanesOf(position);
    fresh.push_back(b.create<arith::IndexCastOp>(e.loc(), e.valueType(b.getI64Type()), lanes));
  }
  if (Value tail = e.currentTail()) {
    llvm::SmallVector<Value> none = start();
    for (auto [value, neutral] : llvm::zip(fresh, none))
      value = s.select(tail, value, neutral);
  }
  return merge(state, fresh);
}

llvm::SmallVector<Value> Accumulation::finish(ValueRange state) {
  OpBuilder &b = e.builder();
  llvm::SmallVector<Value> current(state);
  for (int64_t lanes = e.lanes(); lanes > 1; lanes /= 2) {
    llvm::SmallVector<Value> low, high;
    for (Value v : current) {
      llvm::SmallVector<int64_t> first = llvm::to_vector(llvm::seq<int64_t>(0, lanes / 2));
      llvm::SmallVector<int64_t> second = llvm::to_vector(llvm::seq<int64_t>(lanes / 2, lanes));
      low.push_back(b.create<vector::ShuffleOp>(e.loc(), v, v, first));
      high.push_back(b.create<vector::ShuffleOp>(e.loc(), v, v, second));
    }
    current = merge(low, high);
  }
  if (e.lanes() > 1)
    for (Value &v : current)
      v = b.create<vector::ExtractOp>(e.loc(), v, llvm::ArrayRef<int64_t>{0});
  return current;
}

} // namespace ingot
