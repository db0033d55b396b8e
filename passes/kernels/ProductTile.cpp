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
  const int64_t perLine = e.target().line * 8 / element.getIntOrFloatBitWidth();
  for (BlockArgument argument : operands)
    for (int64_t c = 0; c < width(); c += perLine) {
      Coordinates at;
      if (!dot.getLhsBatch().empty())
        at.push_back({batch, 0, {}});
      at.push_back({m, 0, {}});
      at.push_back({plus(n, c), 0, {}});
      e.prefetch(argument, at);
    }
}

void ProductEmitter::tile(Depth d, Value panel, int64_t columns, Value row, int64_t rows) {
  e.setLanes(lanes);
  Value packedAt = e.mul(panel, panelStride());
  auto partialAt = [&](int64_t r, int64_t v) {
    return plus(e.add(e.mul(plus(row, r), partN), e.mul(panel, width())), v * lanes);
  };
  llvm::SmallVector<Value> sums;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t v = 0; v < tileVectors; ++v)
      sums.push_back(d.first ? zero() : e.loadFrom(partial, {partialAt(r, v), 1, {}}, element, {}));
  auto steps = [&](Value k, int64_t count, ValueRange carried) {
    llvm::SmallVector<Value> next(carried);
    for (int64_t u = 0; u < count; ++u) {
      llvm::SmallVector<Value> columnsAtK;
      Value from = plus(e.add(packedAt, e.mul(k, width())), u * width());
      for (int64_t v = 0; v < tileVectors; ++v)
        columnsAtK.push_back(e.loadFrom(packedWide, {plus(from, v * lanes), 1, {}}, element, {}));
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
  const int64_t unroll = d.size >= 4 ? 4 : 1, whole = d.size / unroll * unroll;
  auto stepsTo = [&](Value from, Value to, ValueRange carried) {
    return e.loop(from, to, unroll, carried, [&](Value k, ValueRange sums) { return steps(k, unroll, sums); });
  };
  llvm::SmallVector<BlockArgument> operands;
  if (d.last && columns == width())
    operands = epilogueOperands();
  if (!operands.empty() && whole >= rows * unroll) {
    // What the epilogue reads arrives while the sums are made, row by row: all at once it would hold up the loads that
    // the sums need, and its rows are apart by more than hardware prefetching follows.
    const int64_t part = (whole + rows * unroll - 1) / (rows * unroll) * unroll;
    sums = e.loop(e.constantIndex(0), e.constantIndex(rows), 1, sums, [&](Value r, ValueRange carried) {
      prefetchRow(operands, e.add(e.add(unitM, row), r), e.add(unitN, e.mul(panel, width())));
      Value from = e.mul(r, part);
      return stepsTo(from, e.minimum(plus(from, part), e.constantIndex(whole)), carried);
    });
  } else if (whole) {
    for (int64_t r = 0; r < rows; ++r)
      prefetchRow(operands, plus(e.add(unitM, row), r), e.add(unitN, e.mul(panel, width())));
    sums = stepsTo(e.constantIndex(0), e.constantIndex(whole), sums);
  }
  for (int64_t k = whole; k < d.size; ++k)
    sums = steps(e.constantIndex(k), 1, sums);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t v = 0; v < tileVectors; ++v) {
      Value sum = sums[size_t(r * tileVectors + v)];
      if (!d.last)
        e.storeTo(partial, {partialAt(r, v), 1, {}}, sum, {});
      else if (const int64_t left = std::min(columns - v * lanes, lanes); left > 0)
        finish(plus(e.add(unitM, row), r), plus(e.add(unitN, e.mul(panel, width())), v * lanes), left, sum);
    }
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
