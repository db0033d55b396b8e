#include "ingot/passes/kernels/Product.h"

namespace ingot {

using namespace mlir;

/// Element (row + r, k + u) of the unit's block of narrow, as a scalar; k counts from the depth's beginning.
Value ProductEmitter::narrowElement(Value row, int64_t r, Value k, int64_t u, Depth d) {
  if (!packNarrow)
    return e.readFirstLane(shape.narrow,
                           narrowAt({plus(e.add(unitM, row), r), 0, {}}, {plus(e.add(d.from, k), u), 0, {}}));
  Value at = narrowByRows ? e.add(e.mul(row, narrowStride), k) : e.add(e.mul(k, narrowStride), row);
  at = plus(at, narrowByRows ? r * narrowStride + u : u * narrowStride + r);
  e.setLanes(1);
  Value x = e.loadFrom(packedNarrow, {at, 0, {}}, element, {});
  e.setLanes(lanes);
  return x;
}

/// What the epilogue reads beside the tile, of the tile's shape.
llvm::SmallVector<BlockArgument> ProductEmitter::epilogueOperands() {
  llvm::SmallVector<BlockArgument> operands;
  if (shape.transposed || shape.narrowM < 0 || shape.wideN < 0)
    return operands;
  auto result = llvm::cast<ShapedType>(dot.getResult().getType());
  for (BlockArgument argument : e.body().getArguments())
    if (argument != dot.getA() && argument != dot.getB() &&
        llvm::cast<ShapedType>(argument.getType()).getShape() == result.getShape())
      operands.push_back(argument);
  return operands;
}

/// Asks for a row of them, for the whole width of a panel.
void ProductEmitter::prefetchRow(llvm::ArrayRef<BlockArgument> operands, Value m, Value n) {
  for (BlockArgument argument : operands)
    for (int64_t c = 0; c < width(); c += elementsPerLine()) {
      Coordinates at;
      if (!dot.getLhsBatch().empty())
        at.push_back({batch, 0, {}});
      at.push_back({m, 0, {}});
      at.push_back({plus(n, c), 0, {}});
      e.prefetch(argument, at);
    }
}

/// A panel's vectors at the summed position k + u of the part: packed ones, or with `pack` those of wide, which are
/// packed on the way.
llvm::SmallVector<Value> ProductEmitter::wideRow(Depth d, Value panel, Value k, int64_t u, bool pack) {
  constexpr int64_t kRowsAhead = 16; // of wide, whose rows are apart by more than hardware prefetching follows
  Value packed = plus(e.add(panelStart(panel), e.mul(k, width())), u * width());
  Value from, n;
  if (pack) {
    from = plus(e.add(d.from, k), u), n = e.add(unitN, e.mul(panel, width()));
    prefetchWide(e.minimum(plus(from, kRowsAhead), e.constantIndex(shape.k - 1)), n, width());
  }
  llvm::SmallVector<Value> vectors;
  for (int64_t v = 0; v < tileVectors; ++v) {
    const Coordinate place{plus(packed, v * lanes), 1, {}};
    if (pack) {
      vectors.push_back(e.read(shape.wide, wideAt({from, 0, {}}, {plus(n, v * lanes), 1, {}})));
      e.storeTo(packedWide, place, vectors.back(), {});
    } else {
      vectors.push_back(e.loadFrom(packedWide, place, element, {}));
    }
  }
  return vectors;
}

/// A tile's sums with a part of the summed dimension added. What the epilogue reads arrives meanwhile, row by row: all
/// at once it would hold up the loads that the sums need, and its rows are apart by more than hardware prefetching
/// follows.
llvm::SmallVector<Value> ProductEmitter::accumulate(Depth d, Value panel, int64_t columns, Value row, int64_t rows,
                                                    ValueRange sums, bool pack) {
  auto steps = [&](Value k, int64_t count, ValueRange carried) {
    llvm::SmallVector<Value> next(carried);
    for (int64_t u = 0; u < count; ++u) {
      const llvm::SmallVector<Value> columnsAtK = wideRow(d, panel, k, u, pack);
      for (int64_t r = 0; r < rows; ++r) {
        Value x = e.splat(narrowElement(row, r, k, u, d));
        for (int64_t v = 0; v < tileVectors; ++v) {
          Value &sum = next[size_t(r * tileVectors + v)];
          sum = multiplyAdd(x, columnsAtK[size_t(v)], sum);
        }
      }
    }
    return next;
  };
  const int64_t most = pack ? 2 : 4, unroll = d.size >= most ? most : 1, whole = d.size / unroll * unroll;
  auto stepsTo = [&](Value from, Value to, ValueRange carried) {
    return e.loop(from, to, unroll, carried, [&](Value k, ValueRange now) { return steps(k, unroll, now); });
  };
  Value m = e.add(unitM, row), n = e.add(unitN, e.mul(panel, width()));
  llvm::SmallVector<BlockArgument> operands;
  if (d.last && columns == width())
    operands = epilogueOperands();
  llvm::SmallVector<Value> done(sums);
  if (!operands.empty() && whole >= rows * unroll) {
    const int64_t part = (whole + rows * unroll - 1) / (rows * unroll) * unroll;
    done = e.loop(e.constantIndex(0), e.constantIndex(rows), 1, done, [&](Value r, ValueRange carried) {
      prefetchRow(operands, e.add(m, r), n);
      Value from = e.mul(r, part);
      return stepsTo(from, e.minimum(plus(from, part), e.constantIndex(whole)), carried);
    });
  } else {
    for (int64_t r = 0; r < rows; ++r)
      prefetchRow(operands, plus(m, r), n);
    if (whole)
      done = stepsTo(e.constantIndex(0), e.constantIndex(whole), done);
  }
  for (int64_t k = whole; k < d.size; ++k)
    done = steps(e.constantIndex(k), 1, done);
  return done;
}

void ProductEmitter::tile(Depth d, Value panel, int64_t columns, Value row, int64_t rows, Value packs) {
  e.setLanes(lanes);
  llvm::SmallVector<Value> sums(size_t(rows * tileVectors), zero());
  auto accumulated = [&](bool pack) { return accumulate(d, panel, columns, row, rows, sums, pack); };
  sums = packs ? e.choose(
                     packs, [&] { return accumulated(true); }, [&] { return accumulated(false); })
               : accumulated(false);
  llvm::SmallVector<Coordinate> places;
  if (totals)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t v = 0; v < tileVectors; ++v) {
        Value at = e.add(e.mul(plus(row, r), partN), e.mul(panel, width()));
        places.push_back({plus(e.add(firstTotal, at), v * lanes), 1, {}});
      }
  for (auto [sum, place] : llvm::zip(sums, places))
    sum = plus(e.loadFrom(totals, place, element, {}), sum);
  if (d.last)
    return finishTile(panel, columns, row, rows, sums);
  for (auto [sum, place] : llvm::zip(sums, places))
    e.storeTo(totals, place, sum, {});
}

/// The epilogue on a tile's sums: in a loop over its rows when it is long, else with a copy for each.
void ProductEmitter::finishTile(Value panel, int64_t columns, Value row, int64_t rows, ValueRange tileSums) {
  Value n = e.add(unitN, e.mul(panel, width()));
  auto finishRow = [&](Value m, llvm::function_ref<Value(int64_t)> sumAt) {
    for (int64_t v = 0; v * lanes < columns; ++v)
      finish(m, plus(n, v * lanes), std::min(columns - v * lanes, lanes), sumAt(v));
  };
  if (!finished) {
    for (int64_t r = 0; r < rows; ++r)
      finishRow(plus(e.add(unitM, row), r), [&](int64_t v) { return tileSums[size_t(r * tileVectors + v)]; });
    return;
  }
  for (auto [i, sum] : llvm::enumerate(tileSums))
    e.storeTo(finished, {e.constantIndex(int64_t(i) * lanes), 1, {}}, sum, {});
  e.loop(e.constantIndex(0), e.constantIndex(rows), 1, {}, [&](Value r, ValueRange) {
    finishRow(e.add(e.add(unitM, row), r), [&](int64_t v) {
      return e.loadFrom(finished, {plus(e.mul(r, width()), v * lanes), 1, {}}, element, {});
    });
    return llvm::SmallVector<Value>();
  });
}

/// The epilogue on `left` elements from (m, n) on, and their stores.
void ProductEmitter::finish(Value m, Value n, int64_t left, Value sum) {
  e.scoped([&] {
    e.setTail(left < lanes ? e.laneMask(left) : Value());
    Coordinate row{m, 0, {}}, column{n, 1, {}};
    if (shape.transposed)
      std::swap(row, column);
    Coordinates at;
    if (!dot.getLhsBatch().empty())
      at.push_back({batch, 0, {}});
    if ((shape.transposed ? shape.wideN : shape.narrowM) >= 0)
      at.push_back(row);
    if ((shape.transposed ? shape.narrowM : shape.wideN) >= 0)
      at.push_back(column);
    e.bind(dot.getResult(), at, sum);
    e.writeOutputs([&](Value output) -> std::optional<Coordinates> {
      // Outputs have the product's shape, up to dimensions of size 1.
      std::optional<AccessMap> access = anchorDomain(dot).homeOf(output);
      Coordinates home;
      for (const std::optional<AffineExpr> &expr : *access) {
        auto dim = llvm::dyn_cast<AffineDimExpr>(*expr);
        home.push_back(dim ? at[dim.getPosition()] : Coordinate{e.constantIndex(0), 0, {}});
      }
      return home;
    });
    e.setTail({});
  });
}

} // namespace ingot
