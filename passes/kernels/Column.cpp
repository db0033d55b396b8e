// Reductions over axes before the last one. Rows are walked in blocks, eight at a time over the whole width of a strip,
// so that memory is read as a few sequential streams; the strip's accumulators stay in the first cache. The sums of
// blocks are combined in pairs.
#include "ingot/passes/kernels/RowReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

namespace ingot {

using namespace mlir;

namespace {

// Rows that are combined as a tree before the accumulator sees them, and how many times that happens in a block.
constexpr int64_t kTreeRows = 8, kRounds = 32;
// Columns of a strip: at most, and at least where there are strips only to have tasks.
constexpr int64_t kWidestStrip = 2048, kNarrowestStrip = 128;

// Ops of a cluster up to which the code for a row is there eight times; an expensive one counts as several.
constexpr int64_t kLongest = 24, kExpensiveLength = 16;

class ColumnEmitter {
public:
  explicit ColumnEmitter(ClusterEmitter &e)
      : e(e), domain(anchorDomain(reductionsOf(e).front())), inner(domain.inner()), dims(outerReducedDims(domain)),
        blocks(domain.shape, dims, kTreeRows, kRounds), runs(e, reductionsOf(e)) {
    for (int64_t d : domain.kept)
      if (d != inner)
        outer.push_back(d), groups *= domain.shape[size_t(d)];
  }

  LogicalResult run();

private:
  ClusterEmitter &e;
  const Domain domain;
  const int64_t inner;                   // the dimension of the columns
  const llvm::SmallVector<int64_t> dims; // reduced, but for those of one element
  const Segments blocks;
  const Accumulations runs;
  llvm::SmallVector<int64_t> outer; // the other kept dimensions; each of their coordinates is a group
  int64_t groups = 1, lanes = 1;
  int64_t strip = 0, strips = 1;    // columns of one, and their number
  std::optional<Partials> treeRows; // of a tree, where the code for one is too long to be there for each

  int64_t width() const { return domain.shape[size_t(inner)]; }
  void chooseStrips();
  Coordinates groupAt(Value number);
  bool isLong();
  State rowsAsTree(Coordinates at, int64_t rows, Value column);
  void eachVector(Value first, llvm::function_ref<void(Value column)> emit);
  void reduceBlock(const Coordinates &group, Value block, Value first, const Partials &sums, Value number,
                   Value offset);
  void writeStrip(const Coordinates &group, Value first, const Partials &sums, Value number, Value offset);
  void runStrips();
  void runBlocks();
};

/// One strip where that is few enough for the cache, unless tasks need more.
void ColumnEmitter::chooseStrips() {
  lanes = std::min(e.vectorLanes(), int64_t(llvm::PowerOf2Ceil(uint64_t(width()))));
  const int64_t points = ShapedType::getNumElements(domain.shape);
  const int64_t least = llvm::divideCeil(width(), kWidestStrip), most = std::max(least, width() / kNarrowestStrip);
  strips = std::clamp<int64_t>(llvm::divideCeil(taskCount(points, 1), groups * blocks.count()), least, most);
  strip = llvm::alignTo(llvm::divideCeil(width(), strips), lanes);
  strips = llvm::divideCeil(width(), strip);
}

Coordinates ColumnEmitter::groupAt(Value number) {
  Coordinates at(domain.shape.size(), Coordinate{e.constantIndex(0), 0, {}});
  e.delinearize(number, domain.shape, outer, at);
  return at;
}

/// Whether what is reduced takes long code, which is then there once for the rows of a tree.
bool ColumnEmitter::isLong() {
  int64_t length = 0;
  for (Operation &op : e.body().without_terminator())
    if (auto table = llvm::dyn_cast<TableOpInterface>(op))
      length += op_info(table.kind()).has(kExpensive) ? kExpensiveLength : 1;
  return length > kLongest;
}

/// The vector at `column` of `rows` rows from `at` on.
State ColumnEmitter::rowsAsTree(Coordinates at, int64_t rows, Value column) {
  at[size_t(inner)] = {column, 1, {}};
  const Value first = dims.empty() ? e.constantIndex(0) : at[size_t(dims.back())].base;
  auto elements = [&](Value row) {
    const Coordinate position{e.add(first, row), 0, {}};
    if (!dims.empty())
      at[size_t(dims.back())] = position;
    return runs.elements(at, position);
  };
  if (!treeRows)
    return runs.mergeTree(rows, [&](int64_t row) { return elements(e.constantIndex(row)); });
  Value zero = e.constantIndex(0);
  e.loop(zero, e.constantIndex(rows), 1, {}, [&](Value row, ValueRange) -> State {
    treeRows->store(row, zero, elements(row));
    return {};
  });
  return runs.mergeTree(rows, [&](int64_t row) { return treeRows->load(e.constantIndex(row), zero); });
}

/// Calls `emit` with the first column of each vector of the strip; the last vector of a row may have a tail.
void ColumnEmitter::eachVector(Value first, llvm::function_ref<void(Value)> emit) {
  const int64_t whole = width() / lanes * lanes;
  Value end =
      strips == 1 ? e.constantIndex(whole) : e.minimum(e.add(first, e.constantIndex(strip)), e.constantIndex(whole));
  if (strips > 1 || whole > lanes)
    e.loop(first, end, lanes, {}, [&](Value column, ValueRange) -> State {
      emit(column);
      return {};
    });
  else if (whole)
    e.scoped([&] { emit(first); });
  if (whole == width())
    return;
  auto tail = [&]() -> State {
    e.setTail(e.laneMask(width() - whole));
    emit(e.constantIndex(whole));
    e.setTail({});
    return {};
  };
  if (strips == 1)
    e.scoped([&] { tail(); });
  else
    e.choose(e.builder().create<arith::CmpIOp>(e.loc(), arith::CmpIPredicate::eq, first,
                                               e.constantIndex((strips - 1) * strip)),
             tail, [&]() -> State { return {}; });
}

/// The block's rows of the strip whose first column is `first`, to state number `number` of `sums`.
void ColumnEmitter::reduceBlock(const Coordinates &group, Value block, Value first, const Partials &sums, Value number,
                                Value offset) {
  auto place = [&](Value column) { return e.add(offset, e.subtract(column, first)); };
  if (width() <= lanes) { // one vector, which goes round in registers
    eachVector(first, [&](Value column) {
      State sum = blocks.walk(e, block, group, runs.start(), [&](const Coordinates &at, int64_t rows, State state) {
        return runs.merge(state, rowsAsTree(at, rows, column));
      });
      sums.store(number, place(column), sum);
    });
    return;
  }
  eachVector(first, [&](Value column) { sums.store(number, place(column), runs.start()); });
  blocks.walk(e, block, group, {}, [&](const Coordinates &at, int64_t rows, State) -> State {
    eachVector(first, [&](Value column) {
      State tree = rowsAsTree(at, rows, column);
      sums.store(number, place(column), runs.merge(sums.load(number, place(column)), tree));
    });
    return {};
  });
}

/// Outputs of the strip's columns, whose results lie in `sums`.
void ColumnEmitter::writeStrip(const Coordinates &group, Value first, const Partials &sums, Value number,
                               Value offset) {
  eachVector(first, [&](Value column) {
    Coordinates at = group;
    at[size_t(inner)] = {column, 1, {}};
    Coordinates home;
    for (int64_t d : domain.kept)
      home.push_back(at[size_t(d)]);
    runs.bindResults(home, sums.load(number, e.add(offset, e.subtract(column, first))));
    e.writeOutputs([&](Value v) { return homeAt(e, domain, v, at); });
  });
}

/// A unit is a strip of a group with all its blocks.
void ColumnEmitter::runStrips() {
  const Partials sums(e, runs, blocks.count(), strip, /*shared=*/false);
  e.needs.tasks = taskCount(groups * strips, ShapedType::getNumElements(domain.shape) / (groups * strips));
  Value zero = e.constantIndex(0);
  forEachUnit(e, groups * strips, [&](Value unit) {
    auto [number, which] = e.divide(unit, strips);
    const Coordinates group = groupAt(number);
    Value first = e.mul(which, strip);
    e.setLanes(lanes);
    e.loop(zero, e.constantIndex(blocks.count()), 1, {}, [&](Value block, ValueRange) -> State {
      reduceBlock(group, block, first, sums, block, zero);
      return {};
    });
    sums.combine(zero, blocks.count());
    writeStrip(group, first, sums, zero, zero);
    e.setLanes(1);
  });
}

/// A unit is a block of a strip of a group; a last task combines the blocks.
void ColumnEmitter::runBlocks() {
  const int64_t count = blocks.count(), units = groups * count * strips;
  const Partials sums(e, runs, groups * count, strips * strip, /*shared=*/true);
  e.needs.tasks = taskCount(units, ShapedType::getNumElements(domain.shape) / units);
  e.needs.finishStage = true;
  auto finish = [&]() -> State {
    e.loop(e.constantIndex(0), e.constantIndex(groups), 1, {}, [&](Value number, ValueRange) -> State {
      e.setLanes(lanes);
      Value first = e.mul(number, count);
      sums.combine(first, count);
      const Coordinates group = groupAt(number);
      e.loop(e.constantIndex(0), e.constantIndex(strips), 1, {}, [&](Value which, ValueRange) -> State {
        Value column = e.mul(which, strip);
        writeStrip(group, column, sums, first, column);
        return {};
      });
      e.setLanes(1);
      return {};
    });
    return {};
  };
  auto part = [&]() -> State {
    forEachUnit(e, units, [&](Value unit) {
      auto [rest, which] = e.divide(unit, strips);
      auto [number, block] = e.divide(rest, count);
      Value column = e.mul(which, strip);
      e.setLanes(lanes);
      reduceBlock(groupAt(number), block, column, sums, rest, column);
      e.setLanes(1);
    });
    return {};
  };
  Value isFinish =
      e.builder().create<arith::CmpIOp>(e.loc(), arith::CmpIPredicate::eq, e.task(), e.constantIndex(e.needs.tasks));
  e.choose(isFinish, finish, part);
}

LogicalResult ColumnEmitter::run() {
  if (width() == 0 || groups == 0)
    return success();
  e.hoistScalars();
  chooseStrips();
  if (isLong())
    treeRows.emplace(e, runs, kTreeRows, lanes, /*shared=*/false);
  const bool parallel = taskCount(ShapedType::getNumElements(domain.shape), 1) > 1;
  if (parallel && blocks.count() > 1 && groups * strips < kMaxTasks)
    runBlocks();
  else
    runStrips();
  return success();
}

} // namespace

LogicalResult emitColumn(ClusterEmitter &e) { return ColumnEmitter(e).run(); }

} // namespace ingot
