#include "ingot/passes/kernels/Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace ingot {

using namespace mlir;

/// A few summed rows of wide at a time go through sums that stay in the first-level cache.
void ProductEmitter::skinnyStep(Value n, Value k, int64_t steps, Value wholeColumns) {
  e.setLanes(lanes);
  llvm::SmallVector<Value> factors;
  for (int64_t r = 0; r < shape.m; ++r)
    for (int64_t u = 0; u < steps; ++u)
      factors.push_back(
          e.splat(e.readFirstLane(shape.narrow, narrowAt({e.constantIndex(r), 0, {}}, {plus(k, u), 0, {}}))));
  llvm::SmallVector<Value> soon; // the rows of the next step
  for (int64_t u = 0; u < steps; ++u)
    soon.push_back(e.minimum(plus(k, steps + u), e.constantIndex(shape.k - 1)));
  auto column = [&](Value at) {
    llvm::SmallVector<Value> rows;
    for (int64_t u = 0; u < steps; ++u)
      e.prefetch(shape.wide, wideAt({soon[size_t(u)], 0, {}}, {e.add(n, at), 0, {}}));
    for (int64_t u = 0; u < steps; ++u)
      rows.push_back(e.read(shape.wide, wideAt({plus(k, u), 0, {}}, {e.add(n, at), 1, {}})));
    for (int64_t r = 0; r < shape.m; ++r) {
      Coordinate place{plus(at, r * partN), 1, {}};
      Value sum = e.loadFrom(sums, place, element, {});
      for (int64_t u = 0; u < steps; ++u)
        sum = multiplyAdd(factors[size_t(r * steps + u)], rows[size_t(u)], sum);
      e.storeTo(sums, place, sum, {});
    }
  };
  e.loop(e.constantIndex(0), wholeColumns, lanes, {}, [&](Value at, ValueRange) {
    column(at);
    return llvm::SmallVector<Value>();
  });
  if (const int64_t rest = shape.n % lanes)
    whenLast(lastN, [&] {
      e.setTail(e.laneMask(rest));
      column(wholeColumns);
      e.setTail({});
    });
}

void ProductEmitter::skinny() {
  const int64_t most = std::max<int64_t>(lanes, e.target().l1 / 4 / shape.m * 8 / element.getIntOrFloatBitWidth());
  const int64_t fewTasks = 4; // memory is busy with few; longer runs of wide are read faster
  partN = std::clamp<int64_t>((shape.n + fewTasks - 1) / fewTasks, 8 * lanes, std::max(most, 8 * lanes));
  partN = (std::min(partN, shape.n) + lanes - 1) / lanes * lanes;
  const int64_t parts = (shape.n + partN - 1) / partN, units = shape.batch * parts, whole = shape.n / lanes * lanes;
  sums = e.slotScratch(shape.m * partN, element);
  e.needs.tasks = taskCount(units, partN * shape.k);
  const int64_t stride = shape.m <= 2 ? 8 / shape.m : 4, strides = shape.k / stride * stride;
  forEachUnit(e, units, [&](Value unit) {
    batch = parts == 1 ? unit : Value(b.create<arith::DivUIOp>(e.loc(), unit, e.constantIndex(parts)));
    Value part =
        parts == 1 ? e.constantIndex(0) : Value(b.create<arith::RemUIOp>(e.loc(), unit, e.constantIndex(parts)));
    lastN = parts == 1
                ? Value()
                : Value(b.create<arith::CmpIOp>(e.loc(), arith::CmpIPredicate::eq, part, e.constantIndex(parts - 1)));
    Value n = e.mul(part, partN);
    Value columns = lastN
                        ? e.minimum(e.constantIndex(partN), b.create<arith::SubIOp>(e.loc(), e.constantIndex(whole), n))
                        : e.constantIndex(whole);
    e.setLanes(lanes);
    e.loop(e.constantIndex(0), e.constantIndex(shape.m * partN), lanes, {}, [&](Value at, ValueRange) {
      e.storeTo(sums, {at, 1, {}}, zero(), {});
      return llvm::SmallVector<Value>();
    });
    if (strides)
      e.loop(e.constantIndex(0), e.constantIndex(strides), stride, {}, [&](Value k, ValueRange) {
        skinnyStep(n, k, stride, columns);
        return llvm::SmallVector<Value>();
      });
    if (strides < shape.k)
      e.scoped([&] { skinnyStep(n, e.constantIndex(strides), shape.k - strides, columns); });
    e.setLanes(lanes);
    auto write = [&](Value at, int64_t left) {
      for (int64_t r = 0; r < shape.m; ++r)
        finish(e.constantIndex(r), e.add(n, at), left, e.loadFrom(sums, {plus(at, r * partN), 1, {}}, element, {}));
    };
    e.loop(e.constantIndex(0), columns, lanes, {}, [&](Value at, ValueRange) {
      write(at, lanes);
      return llvm::SmallVector<Value>();
    });
    if (const int64_t rest = shape.n % lanes)
      whenLast(lastN, [&] { write(columns, rest); });
  });
}

} // namespace ingot
