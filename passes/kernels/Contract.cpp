#include "ingot/passes/kernels/Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ingot {

using namespace mlir;

namespace {

ShapedType typeOf(Value v) { return llvm::cast<ShapedType>(v.getType()); }

int64_t roundUp(int64_t x, int64_t to) { return (x + to - 1) / to * to; }

/// Parts of at most `most`, as equal as whole multiples of `unit` can be.
int64_t equalParts(int64_t size, int64_t parts, int64_t unit) { return roundUp((size + parts - 1) / parts, unit); }

} // namespace

ProductShape::ProductShape(DotOp dot) : narrow(dot.getA()), wide(dot.getB()) {
  auto only = [](ArrayRef<int64_t> dims) { return dims.empty() ? int64_t(-1) : dims.front(); };
  auto other = [](Value v, int64_t x, int64_t y) {
    for (int64_t d = 0; d < typeOf(v).getRank(); ++d)
      if (d != x && d != y)
        return d;
    return int64_t(-1);
  };
  auto size = [](Value v, int64_t d) { return d < 0 ? int64_t(1) : typeOf(v).getShape()[size_t(d)]; };
  narrowBatch = only(dot.getLhsBatch()), wideBatch = only(dot.getRhsBatch());
  narrowK = only(dot.getLhsContract()), wideK = only(dot.getRhsContract());
  narrowM = other(narrow, narrowBatch, narrowK), wideN = other(wide, wideBatch, wideK);
  batch = size(narrow, narrowBatch), k = size(narrow, narrowK);
  m = size(narrow, narrowM), n = size(wide, wideN);
  if (n == 1 && m > 1) {
    transposed = true;
    std::swap(narrow, wide), std::swap(narrowBatch, wideBatch), std::swap(narrowK, wideK);
    std::swap(narrowM, wideN), std::swap(m, n);
  }
}

bool ProductShape::adjacent(Value operand, int64_t dim) const {
  if (!llvm::isa<BlockArgument>(operand) || dim < 0)
    return false;
  ArrayRef<int64_t> sizes = typeOf(operand).getShape();
  return llvm::all_of(sizes.drop_front(size_t(dim) + 1), [](int64_t s) { return s == 1; });
}

ProductEmitter::ProductEmitter(ClusterEmitter &e, DotOp dot)
    : e(e), b(e.builder()), dot(dot), shape(dot), order(shape.k, e.target()),
      element(typeOf(dot.getResult()).getElementType()) {}

/// As many independent chains as keep the multiply-add units busy, within the registers: rows x vectors of sums, the
/// vectors of wide, one broadcast of narrow.
void ProductEmitter::chooseTile() {
  const int64_t whole = std::max<int64_t>(1, e.target().vector_bits / element.getIntOrFloatBitWidth());
  lanes = std::min(whole, int64_t(llvm::PowerOf2Ceil(uint64_t(std::max<int64_t>(shape.n, 1)))));
  const int64_t registers = e.target().vector_registers - 1, chains = registers >= 31 ? 28 : 12;
  // Rows apart in memory cost a load each; adjacent ones share their cache lines, and wider tiles then read less.
  const int64_t most = registers >= 31 && shape.adjacent(shape.narrow, shape.narrowM) ? 6 : chains / 2;
  const int64_t tiles = (shape.m + most - 1) / most; // as equal as they can be
  tileRows = (shape.m + tiles - 1) / tiles;
  tileVectors = std::clamp<int64_t>(chains / tileRows, 2, 4);
  if (tileVectors == 3 || (tileRows + 1) * tileVectors > registers)
    tileVectors = 2; // so that panels are whole cache lines
  tileVectors = std::min(tileVectors, (shape.n + lanes - 1) / lanes);
  if (tileVectors == 1)
    tileRows = std::clamp<int64_t>(shape.m, 1, 8);
}

/// Units small enough for the caches and as many as there may be workers.
void ProductEmitter::chooseParts() {
  constexpr int64_t mostM = 256, mostN = 512;
  const int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  constexpr double unitWork = 1e6, largeWork = 1e8; // multiply-adds worth a unit of their own, worth as many as can be
  int64_t partsM = (shape.m + mostM - 1) / mostM, partsN = (shape.n + mostN - 1) / mostN;
  const double work = double(shape.batch) * double(shape.m) * double(shape.n) * double(shape.k);
  const int64_t wanted =
      apart ? 1 : int64_t(std::clamp(work / unitWork, 1.0, work > largeWork ? double(kMaxTasks) : 8.0));
  auto set = [&] {
    partM = equalParts(shape.m, partsM, tileRows);
    partN = equalParts(shape.n, partsN, width());
    partsM = (shape.m + partM - 1) / partM, partsN = (shape.n + partN - 1) / partN;
    return shape.batch * partsM * partsN;
  };
  // Each column part reads all of narrow, each row part packs all of wide: a prologue is better not repeated.
  const bool rowsFirst = !llvm::isa<BlockArgument>(shape.narrow);
  while (set() < wanted) {
    // Few rows wait for wide, which is read best in long runs.
    const bool canN = partN > (shape.m < 32 ? 64 : 2) * width(), canM = partM > 4 * tileRows;
    if (canM && (rowsFirst || !canN))
      partsM *= 2;
    else if (canN)
      partsN *= 2;
    else
      break;
  }
  const int64_t narrowBytes = shape.m * shape.k * bytes;
  // Memory that is read for one panel alone is read where it is.
  packNarrow = !llvm::isa<BlockArgument>(shape.narrow) || (narrowBytes > e.target().l2 && partN > width());
  // Where packing is much of the work, every unit has a whole tile, and wide is read along its rows.
  constexpr int64_t mostTiles = 10;
  const int64_t wholeRows = shape.m / tileRows * tileRows;
  packInTile = partM <= mostTiles * tileRows && wholeRows - (partsM - 1) * partM >= tileRows && !turnsWide();
  packInPanel = turnsWide() && partM <= tileRows;
  narrowByRows =
      shape.m == 1 || !shape.adjacent(shape.narrow, shape.narrowM) || shape.adjacent(shape.narrow, shape.narrowK);
}

/// Operations between the product and the results.
int64_t ProductEmitter::epilogueLength() {
  llvm::DenseSet<Value> after{dot.getResult()};
  for (Operation &op : e.body().without_terminator())
    if (llvm::any_of(op.getOperands(), [&](Value v) { return after.contains(v); }))
      after.insert(op.getResults().begin(), op.getResults().end());
  return int64_t(after.size()) - 1;
}

Value ProductEmitter::zero() {
  emit::ScalarOps s(b, e.loc());
  return s.constant(0, e.valueType(element));
}

Value ProductEmitter::multiplyAdd(Value x, Value y, Value z) {
  emit::ScalarOps s(b, e.loc());
  return llvm::isa<FloatType>(element) ? s.fma(x, y, z) : s.add(s.mul(x, y), z);
}

Coordinates ProductEmitter::coordinates(int64_t rank, std::initializer_list<std::pair<int64_t, Coordinate>> dims) {
  Coordinates at(size_t(rank), Coordinate{e.constantIndex(0), 0, {}});
  for (auto &[d, c] : dims)
    if (d >= 0)
      at[size_t(d)] = c;
  return at;
}

Coordinates ProductEmitter::wideAt(Coordinate k, Coordinate n) {
  return coordinates(typeOf(shape.wide).getRank(),
                     {{shape.wideBatch, {batch, 0, {}}}, {shape.wideK, k}, {shape.wideN, n}});
}

Coordinates ProductEmitter::narrowAt(Coordinate m, Coordinate k) {
  return coordinates(typeOf(shape.narrow).getRank(),
                     {{shape.narrowBatch, {batch, 0, {}}}, {shape.narrowM, m}, {shape.narrowK, k}});
}

void ProductEmitter::rowsOfPanel(Depth d, Value panel, int64_t columns) {
  if (packInPanel)
    packPanelTransposed(d, panel, columns);
  const int64_t whole = shape.m / tileRows * tileRows;
  if (whole) {
    Value rows =
        lastM ? e.minimum(e.constantIndex(partM), b.create<arith::SubIOp>(e.loc(), e.constantIndex(whole), unitM))
              : e.constantIndex(whole);
    e.loop(e.constantIndex(0), rows, tileRows, {}, [&](Value row, ValueRange) {
      Value packs;
      if (packInTile && columns == width())
        packs = b.create<arith::CmpIOp>(e.loc(), arith::CmpIPredicate::eq, row, e.constantIndex(0));
      tile(d, panel, columns, row, tileRows, packs);
      return llvm::SmallVector<Value>();
    });
  }
  if (whole < shape.m)
    whenLast(lastM, [&] { tile(d, panel, columns, e.constantIndex(whole % partM), shape.m - whole); });
}

void ProductEmitter::block(Depth d) {
  packWide(d);
  if (packNarrow)
    packNarrowBlock(d);
  const int64_t whole = shape.n / width(), perUnit = partN / width();
  if (whole) {
    Value panels = e.constantIndex(whole);
    if (lastN) {
      Value first = b.create<arith::DivUIOp>(e.loc(), unitN, e.constantIndex(width()));
      panels = e.minimum(e.constantIndex(perUnit), b.create<arith::SubIOp>(e.loc(), panels, first));
    }
    e.loop(e.constantIndex(0), panels, 1, {}, [&](Value panel, ValueRange) {
      rowsOfPanel(d, panel, width());
      return llvm::SmallVector<Value>();
    });
  }
  if (whole * width() < shape.n)
    whenLast(lastN, [&] { rowsOfPanel(d, e.constantIndex(whole % perUnit), shape.n - whole * width()); });
}

void ProductEmitter::blocked() {
  chooseParts();
  packedWide = e.slotScratch(panelStride() * (packInPanel ? 1 : partN / width()), element);
  if (packNarrow) {
    narrowStride =
        roundUp(narrowByRows ? order.block : partM, 16) + 16; // rows of a tile in different sets of the cache
    packedNarrow = e.slotScratch(narrowStride * (narrowByRows ? partM : order.block), element);
  }
  placeTotals();
  finishesInTile = order.stretches == 1;
  constexpr int64_t longEpilogue = 8; // operations: a copy for every row of a tile costs more to compile than it saves
  if (finishesInTile && epilogueLength() >= longEpilogue)
    finished = e.slotScratch(tileRows * width(), element);
  const int64_t work = unitSums() * unitDepth() / 16;
  e.needs.tasks = taskCount(apart ? order.stretches * outputUnits() : outputUnits(),
                            std::max<int64_t>(apart ? unitDepth() : 1, work));
  forEachBlock([&](Depth d) { block(d); });
}

void ProductEmitter::run() {
  e.hoistScalars();
  chooseTile();
  constexpr int64_t fewSums = 16384; // whose totals are little beside what a stretch reads
  apart = order.stretches > 1 && shape.batch * shape.m * shape.n <= fewSums;
  const int64_t few = 8; // rows up to which packing wide costs more than it saves
  if (shape.m <= few && shape.n >= lanes && shape.k >= 8 && lanes > 1 && !turnsWide())
    skinny();
  else
    blocked();
  e.setLanes(1);
}

LogicalResult emitContract(ClusterEmitter &e) {
  for (Operation &op : e.body())
    if (auto dot = llvm::dyn_cast<DotOp>(op)) {
      if (typeOf(dot.getResult()).getNumElements() > 0)
        ProductEmitter(e, dot).run();
      return success();
    }
  return e.cluster().emitOpError("holds no product");
}

} // namespace ingot
