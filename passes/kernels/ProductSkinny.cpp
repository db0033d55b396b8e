#include "ingot/passes/kernels/Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace ingot {

using namespace mlir;

namespace {

int64_t roundUp(int64_t x, int64_t to) { return (x + to - 1) / to * to; }

} // namespace

/// A few summed rows of wide at a time go through sums that stay in the first-level cache. The first ones of a block
/// take what the block before has left there to the totals, while rows of wide are on their way.
void ProductEmitter::skinnyStep(Value k, int64_t steps, Value wholeColumns, bool first) {
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
      e.prefetch(shape.wide, wideAt({soon[size_t(u)], 0, {}}, {e.add(unitN, at), 0, {}}));
    for (int64_t u = 0; u < steps; ++u)
      rows.push_back(e.read(shape.wide, wideAt({plus(k, u), 0, {}}, {e.add(unitN, at), 1, {}})));
    for (int64_t r = 0; r < shape.m; ++r) {
      Coordinate place{plus(at, r * partN), 1, {}};
      Value sum = e.loadFrom(sums, place, element, {});
      if (first)
        addToTotal(place.base, sum), sum = zero();
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

void ProductEmitter::skinnyBlock(Depth d) {
  const int64_t stride = shape.m <= 2 ? 8 / shape.m : 4, whole = shape.n / lanes * lanes;
  Value columns =
      lastN ? e.minimum(e.constantIndex(partN), b.create<arith::SubIOp>(e.loc(), e.constantIndex(whole), unitN))
            : e.constantIndex(whole);
  int64_t done = 0;
  auto step = [&](Value k, int64_t steps, bool first) {
    e.scoped([&] { skinnyStep(k, steps, columns, first); });
    done += steps;
  };
  if (order.blocks > 1)
    step(d.from, std::min(stride, d.size), true);
  const int64_t strides = (d.size - done) / stride * stride;
  if (strides)
    e.loop(plus(d.from, done), plus(d.from, done + strides), stride, {}, [&](Value k, ValueRange) {
      skinnyStep(k, stride, columns, false);
      return llvm::SmallVector<Value>();
    });
  done += strides;
  if (done < d.size)
    step(plus(d.from, done), d.size - done, false);
}

void ProductEmitter::skinny() {
  const int64_t most = std::max<int64_t>(lanes, e.target().l1 / 4 / shape.m * 8 / element.getIntOrFloatBitWidth());
  const int64_t parts = apart ? 1 : 4; // memory is busy with few; longer runs of wide are read faster
  partM = shape.m;
  partN = std::clamp<int64_t>((shape.n + parts - 1) / parts, 8 * lanes, std::max(most, 8 * lanes));
  partN = roundUp(std::min(partN, shape.n), lanes);
  sums = e.slotScratch(unitSums(), element);
  placeTotals();
  e.needs.tasks = taskCount(apart ? order.stretches * outputUnits() : outputUnits(), partN * unitDepth());
  forEachBlock([&](Depth d) { skinnyBlock(d); });
}

} // namespace ingot
