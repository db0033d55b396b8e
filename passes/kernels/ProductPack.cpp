#include "ingot/passes/kernels/Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace ingot {

using namespace mlir;

namespace {

// Rows of a panel's part are apart by more than hardware prefetching follows; this many are asked for ahead.
constexpr int64_t kRowsAhead = 6;

} // namespace

/// One row of a panel: `columns` elements at the summed position k, padded with zeros to whole vectors.
void ProductEmitter::packPanel(Depth d, Value panel, Value k, int64_t columns) {
  Value n = e.add(unitN, e.mul(panel, width()));
  Value to = e.add(panelStart(panel), e.mul(k, width()));
  e.setLanes(lanes);
  for (int64_t v = 0; v < tileVectors; ++v) {
    const int64_t left = std::clamp<int64_t>(columns - v * lanes, 0, lanes);
    Value column = zero();
    if (left) {
      e.setTail(left < lanes ? e.laneMask(left) : Value());
      column = e.read(shape.wide, wideAt({e.add(d.from, k), 0, {}}, {plus(n, v * lanes), 1, {}}));
      e.setTail({});
    }
    e.storeTo(packedWide, {plus(to, v * lanes), 1, {}}, column, {});
  }
}

/// Exchanges rows and lanes: one round for each bit of the position, each round two shuffles for a pair of rows.
llvm::SmallVector<Value> ProductEmitter::transposeBlock(llvm::SmallVector<Value> rows) {
  for (int64_t bit = 1; bit < lanes; bit *= 2)
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & bit)
        continue;
      llvm::SmallVector<int64_t> low, high;
      for (int64_t j = 0; j < lanes; ++j) {
        low.push_back(j & bit ? lanes + (j ^ bit) : j);
        high.push_back(j & bit ? lanes + j : j ^ bit);
      }
      Value x = rows[size_t(i)], y = rows[size_t(i | bit)];
      rows[size_t(i)] = b.create<vector::ShuffleOp>(e.loc(), x, y, low);
      rows[size_t(i | bit)] = b.create<vector::ShuffleOp>(e.loc(), x, y, high);
    }
  return rows;
}

/// The same panel where the summed dimension is the adjacent one: squares of it read along and turned in registers,
/// whole cache lines of as many rows as there are lanes at a time.
void ProductEmitter::packPanelTransposed(Depth d, Value panel, int64_t columns) {
  Value n = e.add(unitN, e.mul(panel, width())), to = panelStart(panel);
  const int64_t perLine = std::max<int64_t>(1, elementsPerLine() / lanes); // squares
  e.setLanes(lanes);
  auto square = [&](Value k, int64_t v) {
    llvm::SmallVector<Value> rows;
    for (int64_t i = v * lanes; i < (v + 1) * lanes; ++i)
      rows.push_back(i < columns ? e.read(shape.wide, wideAt({e.add(d.from, k), 1, {}}, {plus(n, i), 0, {}})) : zero());
    rows = transposeBlock(rows);
    for (int64_t i = 0; i < lanes; ++i)
      e.storeTo(packedWide, {plus(e.add(to, e.mul(plus(k, i), width())), v * lanes), 1, {}}, rows[size_t(i)], {});
  };
  const int64_t lines = d.size / (lanes * perLine) * (lanes * perLine), squares = d.size / lanes * lanes;
  for (int64_t v = 0; v < tileVectors; ++v) {
    if (lines)
      e.loop(e.constantIndex(0), e.constantIndex(lines), lanes * perLine, {}, [&](Value k, ValueRange) {
        for (int64_t i = 0; i < perLine; ++i)
          e.scoped([&] { square(plus(k, i * lanes), v); });
        return llvm::SmallVector<Value>();
      });
    for (int64_t k = lines; k < squares; k += lanes)
      e.scoped([&] { square(e.constantIndex(k), v); });
  }
  for (int64_t k = squares; k < d.size; ++k)
    e.scoped([&] { packPanel(d, panel, e.constantIndex(k), columns); });
}

/// Asks for `columns` elements of wide from (k, n) on.
void ProductEmitter::prefetchWide(Value k, Value n, int64_t columns) {
  for (int64_t at = 0; at < columns; at += elementsPerLine())
    e.prefetch(shape.wide, wideAt({k, 0, {}}, {plus(n, at), 0, {}}));
}

void ProductEmitter::packWide(Depth d) {
  if (packInPanel)
    return;
  const int64_t whole = shape.n / width(), perUnit = partN / width();
  const bool turn = turnsWide();
  auto panels = [&] {
    if (!lastN)
      return e.constantIndex(whole);
    Value first = b.create<arith::DivUIOp>(e.loc(), unitN, e.constantIndex(width()));
    return e.minimum(e.constantIndex(perUnit), b.create<arith::SubIOp>(e.loc(), e.constantIndex(whole), first));
  };
  auto alongRows = [&](Value from, Value to, int64_t columns) {
    // Rows of all panels together, so that wide is read in its own order.
    e.loop(e.constantIndex(0), e.constantIndex(d.size), 1, {}, [&](Value k, ValueRange) {
      Value soon = e.minimum(e.add(e.add(d.from, k), e.constantIndex(kRowsAhead)), e.constantIndex(shape.k - 1));
      e.loop(from, to, 1, {}, [&](Value panel, ValueRange) {
        packPanel(d, panel, k, columns);
        prefetchWide(soon, e.add(unitN, e.mul(panel, width())), columns);
        return llvm::SmallVector<Value>();
      });
      return llvm::SmallVector<Value>();
    });
  };
  if (whole && !packInTile) {
    if (turn)
      e.loop(e.constantIndex(0), panels(), 1, {}, [&](Value panel, ValueRange) {
        packPanelTransposed(d, panel, width());
        return llvm::SmallVector<Value>();
      });
    else
      alongRows(e.constantIndex(0), panels(), width());
  }
  if (const int64_t rest = shape.n - whole * width())
    whenLast(lastN, [&] {
      Value panel = e.constantIndex(whole % perUnit);
      if (turn)
        packPanelTransposed(d, panel, rest);
      else
        alongRows(panel, plus(panel, 1), rest);
    });
}

/// Copies the unit's block of narrow in its own orientation; rows past the end are not read.
void ProductEmitter::packNarrowBlock(Depth d) {
  Value rows = e.minimum(e.constantIndex(partM), b.create<arith::SubIOp>(e.loc(), e.constantIndex(shape.m), unitM));
  if (narrowByRows) {
    e.loop(e.constantIndex(0), rows, 1, {}, [&](Value m, ValueRange) {
      Value soon = e.minimum(e.add(e.add(unitM, m), e.constantIndex(kRowsAhead)), e.constantIndex(shape.m - 1));
      forEachVector(e, d.size, [&](Value k) {
        e.prefetch(shape.narrow, narrowAt({soon, 0, {}}, {e.add(d.from, k), 0, {}}));
        Value x = e.read(shape.narrow, narrowAt({e.add(unitM, m), 0, {}}, {e.add(d.from, k), 1, {}}));
        e.storeTo(packedNarrow, {e.add(e.mul(m, narrowStride), k), 1, {}}, x, e.currentTail());
      });
      return llvm::SmallVector<Value>();
    });
    return;
  }
  const int64_t packLanes = std::min(e.vectorLanes(), int64_t(llvm::PowerOf2Ceil(uint64_t(shape.m))));
  e.loop(e.constantIndex(0), e.constantIndex(d.size), 1, {}, [&](Value k, ValueRange) {
    e.setLanes(packLanes);
    Value whole =
        b.create<arith::SubIOp>(e.loc(), rows, b.create<arith::RemUIOp>(e.loc(), rows, e.constantIndex(e.lanes())));
    Value soon = e.minimum(e.add(e.add(d.from, k), e.constantIndex(kRowsAhead)), e.constantIndex(shape.k - 1));
    auto copy = [&](Value m) {
      e.prefetch(shape.narrow, narrowAt({e.add(unitM, m), 0, {}}, {soon, 0, {}}));
      Value x = e.read(shape.narrow, narrowAt({e.add(unitM, m), 1, {}}, {e.add(d.from, k), 0, {}}));
      e.storeTo(packedNarrow, {e.add(e.mul(k, narrowStride), m), 1, {}}, x, e.currentTail());
    };
    e.loop(e.constantIndex(0), whole, e.lanes(), {}, [&](Value m, ValueRange) {
      copy(m);
      return llvm::SmallVector<Value>();
    });
    e.scoped([&] {
      e.setTail(e.laneMask(b.create<arith::SubIOp>(e.loc(), rows, whole)));
      copy(whole);
      e.setTail({});
    });
    return llvm::SmallVector<Value>();
  });
}

} // namespace ingot
