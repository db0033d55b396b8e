// The order of a product's sums, the units of parallel work, and where sums of blocks wait for each other.
#include "ingot/passes/kernels/Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace ingot {

using namespace mlir;

namespace {

int64_t ceilDiv(int64_t x, int64_t by) { return (x + by - 1) / by; }

/// Parts of at most `most`; a little more is still one.
int64_t partsOf(int64_t size, int64_t most) { return 2 * size <= 3 * most ? 1 : ceilDiv(size, most); }

} // namespace

ProductOrder::ProductOrder(int64_t k, const Target &target) {
  // Panels of two vectors fill half of the first-level cache; longer chains lose digits, whatever the cache.
  const int64_t longest = std::clamp<int64_t>(target.l1 / 2 / (2 * target.vector_bits / 8), 64, 256);
  const int64_t parts = partsOf(k, longest);
  block = parts == 1 ? std::max<int64_t>(1, k) : ceilDiv(ceilDiv(k, parts), 8) * 8;
  blocks = std::max<int64_t>(1, ceilDiv(k, block));
  constexpr int64_t stretchElements = 4096;
  stretch = ceilDiv(blocks, partsOf(blocks, ceilDiv(stretchElements, longest)));
  stretches = ceilDiv(blocks, stretch);
}

Value ProductEmitter::plus(Value x, Value y) {
  emit::ScalarOps s(b, e.loc());
  return s.add(x, y);
}

/// Memory for the totals. Those that wait are less than a sixteenth of what the unit reads, however long the sum.
void ProductEmitter::placeTotals() {
  if (order.blocks == 1)
    return;
  firstTotal = e.constantIndex(0);
  if (apart) {
    totals = e.sharedScratch(order.stretches * outputUnits() * unitSums(), element);
    return;
  }
  totals = e.slotScratch(unitSums(), element);
  if (order.stretches > 1)
    waiting = e.slotScratch((llvm::Log2_64(uint64_t(order.stretches)) + 1) * unitSums(), element);
}

/// Makes the unit the current one; returns its stretch, where a unit has one.
Value ProductEmitter::enterUnit(Value unit) {
  if (apart)
    firstTotal = e.mul(unit, unitSums());
  auto split = [&](int64_t by) {
    if (by == 1)
      return e.constantIndex(0);
    Value rest = b.create<arith::RemUIOp>(e.loc(), unit, e.constantIndex(by));
    unit = b.create<arith::DivUIOp>(e.loc(), unit, e.constantIndex(by));
    return rest;
  };
  Value m = split(partsM()), n = split(partsN());
  lastM = isLast(m, partsM()), lastN = isLast(n, partsN());
  unitM = e.mul(m, partM), unitN = e.mul(n, partN);
  batch = apart ? split(shape.batch) : unit;
  return apart ? unit : e.constantIndex(0);
}

Value ProductEmitter::isLast(Value part, int64_t parts) {
  return parts == 1 ? Value()
                    : b.create<arith::CmpIOp>(e.loc(), arith::CmpIPredicate::eq, part, e.constantIndex(parts - 1));
}

void ProductEmitter::whenLast(Value isLast, Fn then) {
  if (!isLast)
    return e.scoped(then);
  auto branch = b.create<scf::IfOp>(e.loc(), isLast, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  e.scoped(then);
}

void ProductEmitter::forEachSum(int64_t count, llvm::function_ref<void(Value)> emit) {
  e.setLanes(lanes);
  e.loop(e.constantIndex(0), e.constantIndex(count), lanes, {}, [&](Value at, ValueRange) {
    emit(at);
    return llvm::SmallVector<Value>();
  });
}

void ProductEmitter::forEachBlock(Visit visit) {
  auto sumUnit = [&](Value unit) {
    Value stretch = enterUnit(unit);
    if (apart)
      return sumStretch(stretch, visit);
    if (order.stretches == 1)
      sumStretch(stretch, visit);
    else
      e.loop(e.constantIndex(0), e.constantIndex(order.stretches), 1, {}, [&](Value s, ValueRange) {
        sumStretch(s, visit);
        keepTotals(s);
        return llvm::SmallVector<Value>();
      });
    if (!finishesInTile)
      finishUnit();
  };
  if (!apart)
    return forEachUnit(e, outputUnits(), sumUnit);
  e.needs.finishStage = true;
  Value isFinish = b.create<arith::CmpIOp>(e.loc(), arith::CmpIPredicate::eq, e.task(), e.constantIndex(e.needs.tasks));
  auto branch = b.create<scf::IfOp>(e.loc(), isFinish, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.elseBlock()->getTerminator());
  e.scoped([&] { forEachUnit(e, order.stretches * outputUnits(), sumUnit); });
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  e.scoped([&] {
    combineStretches();
    e.loop(e.constantIndex(0), e.constantIndex(outputUnits()), 1, {}, [&](Value unit, ValueRange) {
      enterUnit(unit);
      finishUnit();
      return llvm::SmallVector<Value>();
    });
  });
}

void ProductEmitter::addToTotal(Value at, Value sum) {
  Coordinate place{e.add(firstTotal, at), 1, {}};
  e.storeTo(totals, place, plus(e.loadFrom(totals, place, element, {}), sum), {});
}

/// What is added up before the first block. Nothing is -0, to which the first sum of a block is added as it is.
void ProductEmitter::beginStretch() {
  emit::ScalarOps s(b, e.loc());
  e.setLanes(lanes);
  Value none = s.constant(-0.0, e.valueType(element));
  if (sums) {
    Value first = order.blocks > 1 ? none : zero();
    forEachSum(unitSums(), [&](Value at) { e.storeTo(sums, {at, 1, {}}, first, {}); });
  }
  if (totals)
    forEachSum(unitSums(), [&](Value at) { e.storeTo(totals, {e.add(firstTotal, at), 1, {}}, none, {}); });
}

void ProductEmitter::sumStretch(Value stretch, Visit visit) {
  const int64_t before = (order.blocks - 1) * order.block, length = order.stretch * order.block;
  beginStretch();
  if (order.blocks > 1) {
    Value from = e.mul(stretch, length), to = e.constantIndex(before);
    if (order.stretches > 1)
      to = e.minimum(e.add(from, e.constantIndex(length)), to);
    e.loop(from, to, order.block, {}, [&](Value k, ValueRange) {
      visit({k, order.block, false});
      return llvm::SmallVector<Value>();
    });
  }
  whenLast(isLast(stretch, order.stretches),
           [&] { visit({e.constantIndex(before), shape.k - before, finishesInTile}); });
  if (sums && totals)
    forEachSum(unitSums(), [&](Value at) { addToTotal(at, e.loadFrom(sums, {at, 1, {}}, element, {})); });
}

/// Totals of as many stretches as those that wait at a level are combined with them and wait at the next: a binary
/// counter, which holds the totals of all stretches up to this one in the levels that its bits name.
void ProductEmitter::keepTotals(Value stretch) {
  Value counter = b.create<arith::IndexCastOp>(e.loc(), b.getI64Type(), e.add(stretch, e.constantIndex(1)));
  Value level =
      b.create<arith::IndexCastOp>(e.loc(), b.getIndexType(), b.create<math::CountTrailingZerosOp>(e.loc(), counter));
  forEachSum(unitSums(), [&](Value at) {
    auto place = [&](Value l) { return Coordinate{e.add(e.mul(l, unitSums()), at), 1, {}}; };
    Value total = e.loadFrom(totals, {at, 1, {}}, element, {});
    total = e.loop(e.constantIndex(0), level, 1, total, [&](Value l, ValueRange later) {
               return llvm::SmallVector<Value>{plus(e.loadFrom(waiting, place(l), element, {}), later.front())};
             }).front();
    e.storeTo(waiting, place(level), total, {});
  });
}

/// The same pairs where all totals are there: each into the place of its first one.
void ProductEmitter::combineStretches() {
  const int64_t count = outputUnits() * unitSums();
  for (int64_t step = 1; step < order.stretches; step *= 2)
    e.loop(e.constantIndex(0), e.constantIndex(order.stretches - step), 2 * step, {}, [&](Value s, ValueRange) {
      Value left = e.mul(s, count), right = plus(left, step * count);
      forEachSum(count, [&](Value at) {
        auto total = [&](Value from) { return e.loadFrom(totals, {e.add(from, at), 1, {}}, element, {}); };
        e.storeTo(totals, {e.add(left, at), 1, {}}, plus(total(left), total(right)), {});
      });
      return llvm::SmallVector<Value>();
    });
}

/// The whole sums at `at` of the unit.
Value ProductEmitter::sumAt(Value at) {
  if (!totals)
    return e.loadFrom(sums, {at, 1, {}}, element, {});
  if (!waiting)
    return e.loadFrom(totals, {e.add(firstTotal, at), 1, {}}, element, {});
  Value sum;
  for (int64_t level = 0; order.stretches >> level; ++level)
    if (order.stretches >> level & 1) {
      Value total = e.loadFrom(waiting, {plus(at, level * unitSums()), 1, {}}, element, {});
      sum = sum ? plus(total, sum) : total;
    }
  return sum;
}

/// The epilogue of the unit, on sums in memory.
void ProductEmitter::finishUnit() {
  const int64_t whole = shape.n / lanes * lanes, rest = shape.n - whole;
  auto within = [&](Value last, int64_t part, int64_t size, Value from) {
    return last ? e.minimum(e.constantIndex(part), b.create<arith::SubIOp>(e.loc(), e.constantIndex(size), from))
                : e.constantIndex(std::min(part, size));
  };
  Value rows = within(lastM, partM, shape.m, unitM), columns = within(lastN, partN, whole, unitN);
  e.setLanes(lanes);
  e.loop(e.constantIndex(0), rows, 1, {}, [&](Value r, ValueRange) {
    auto vector = [&](Value column, int64_t left) {
      finish(e.add(unitM, r), e.add(unitN, column), left, sumAt(e.add(e.mul(r, partN), column)));
    };
    e.loop(e.constantIndex(0), columns, lanes, {}, [&](Value column, ValueRange) {
      vector(column, lanes);
      return llvm::SmallVector<Value>();
    });
    if (rest)
      whenLast(lastN, [&] { vector(columns, rest); });
    return llvm::SmallVector<Value>();
  });
}

} // namespace ingot
