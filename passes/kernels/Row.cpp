// Reductions that reach the last axis: for each row of kept coordinates, passes over the reduced dimensions, one for
// each level of reductions that need each other, then the outputs. Rows that are split have one pass, whose segments
// different tasks reduce.
#include "ingot/passes/kernels/RowReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallSet.h"

#include <deque>

namespace ingot {

using namespace mlir;

namespace {

ShapedType typeOf(Value v) { return llvm::cast<ShapedType>(v.getType()); }

class RowEmitter {
public:
  explicit RowEmitter(ClusterEmitter &e)
      : e(e), reductions(reductionsOf(e)), domain(anchorDomain(reductions.front())) {}

  LogicalResult run();

private:
  ClusterEmitter &e;
  const llvm::SmallVector<Operation *> reductions;
  const Domain domain;
  llvm::SmallVector<Value> saved; // expensive full values that a later pass needs again
  llvm::DenseMap<Value, Value> savedMemory;
  llvm::DenseMap<Operation *, int> levels;
  int last = 0;                        // the highest level
  llvm::SmallVector<Value> prefetched; // operands of which the next row is asked for in time

  void computeLevels();
  int passOf(Value value);
  void chooseSaved();
  Coordinates rowAt(Value number);
  void choosePrefetched();
  void visit(int pass, const Coordinates &at);
  void visitSaved(int pass, const Coordinates &at);
  void writeRow(const Coordinates &row);
  void writeFull(const Coordinates &row);
  void runWhole(int64_t length);
  void runSplit(int64_t length);
};

void RowEmitter::computeLevels() {
  for (Operation *op : reductions) {
    levels[op] = 1 + passOf(op->getOperand(0));
    last = std::max(last, levels[op]);
  }
}

/// The pass after which a value can be computed: the highest level of the reductions it needs; 0 for none.
int RowEmitter::passOf(Value value) {
  int pass = 0;
  forEachRead(
      value, AccessMap(typeOf(value).getRank(), std::nullopt), [](Operation *) { return true; },
      [&](Value leaf, const AccessMap &) {
        if (auto found = levels.find(leaf.getDefiningOp()); leaf.getDefiningOp() && found != levels.end())
          pass = std::max(pass, found->second);
        return true;
      });
  return pass;
}

/// Expensive values of the full shape that more than one pass reads are kept for the row. What a kept value is made
/// from is read in its first pass only.
void RowEmitter::chooseSaved() {
  llvm::DenseMap<Value, llvm::SmallSet<int, 4>> readIn;
  for (Operation *op : reductions)
    readIn[op->getOperand(0)].insert(levels[op]);
  for (Value output : e.outputs())
    if (domain.isFull(output))
      readIn[output].insert(last + 1);
  for (Operation &op : llvm::reverse(e.body().without_terminator())) {
    if (isAnchor(&op) || op.getNumResults() == 0)
      continue;
    Value value = op.getResult(0);
    llvm::SmallSet<int, 4> passes = readIn.lookup(value);
    auto table = llvm::dyn_cast<TableOpInterface>(op);
    if (passes.size() > 1 && table && op_info(table.kind()).has(kExpensive) &&
        typeOf(value).getShape() == ArrayRef<int64_t>(domain.shape)) {
      saved.push_back(value);
      passes.clear();
      passes.insert(passOf(value) + 1);
    }
    for (Value operand : op.getOperands())
      for (int pass : passes)
        readIn[operand].insert(pass);
  }
  std::reverse(saved.begin(), saved.end()); // one may be made from another
}

/// Full coordinates of row number `number`, 0 in the reduced dimensions.
Coordinates RowEmitter::rowAt(Value number) {
  Coordinates at(domain.shape.size(), Coordinate{e.constantIndex(0), 0, {}});
  e.delinearize(number, domain.shape, domain.kept, at);
  return at;
}

/// The second pass over a row finds it in the first cache and leaves the memory idle: it asks for the next row of what
/// does not stay in the second cache from call to call.
void RowEmitter::choosePrefetched() {
  int64_t rowBytes = 0;
  for (BlockArgument argument : e.body().getArguments())
    if (domain.isFull(argument)) {
      prefetched.push_back(argument);
      rowBytes += typeOf(argument).getElementTypeBitWidth() / 8 * typeOf(argument).getNumElements() / domain.rows();
    }
  if (rowBytes > e.target().l1 / 4 || rowBytes * domain.rows() < e.target().l2)
    prefetched.clear();
}

/// Before the elements at `at` are read in a pass.
void RowEmitter::visit(int pass, const Coordinates &at) {
  visitSaved(pass, at);
  if (pass != 2 || domain.kept.empty())
    return;
  Coordinates next = at;
  Coordinate &row = next[size_t(domain.kept.back())];
  row.base = e.add(row.base, e.constantIndex(1));
  for (Value value : prefetched)
    if (std::optional<Coordinates> home = homeAt(e, domain, value, next))
      e.prefetch(value, *home);
}

/// In the pass that first computes a saved value it is stored; later it is loaded.
void RowEmitter::visitSaved(int pass, const Coordinates &at) {
  for (Value value : saved) {
    Coordinate flat{e.constantIndex(0), 0, {}};
    int64_t stride = 1;
    for (size_t d = at.size(); d-- > 0;)
      if (!llvm::is_contained(domain.kept, int64_t(d))) {
        Coordinate term = e.scale(at[d], stride);
        flat.base = e.add(flat.base, term.base);
        flat.laneStride += term.laneStride;
        stride *= domain.shape[d];
      }
    int first = passOf(value) + 1;
    if (pass == first)
      e.storeTo(savedMemory[value], flat, e.read(value, at), e.currentTail());
    else if (pass > first)
      e.bind(value, at, e.loadFrom(savedMemory[value], flat, typeOf(value).getElementType(), e.currentTail()));
  }
}

/// Outputs of one element for the row.
void RowEmitter::writeRow(const Coordinates &row) {
  e.setLanes(1);
  e.writeOutputs([&](Value v) { return domain.isFull(v) ? std::nullopt : homeAt(e, domain, v, row); });
}

/// Outputs with all of the row's elements.
void RowEmitter::writeFull(const Coordinates &row) {
  if (llvm::none_of(e.outputs(), [&](Value v) { return domain.isFull(v); }))
    return;
  const int64_t inner = domain.inner();
  llvm::SmallVector<int64_t> outer = outerReducedDims(domain);
  const Segments lines(domain.shape, outer, 1, ShapedType::getNumElements(domain.shape));
  lines.walk(e, e.constantIndex(0), row, {}, [&](Coordinates at, int64_t, State) -> State {
    forEachVector(e, domain.shape[size_t(inner)], [&](Value base) {
      at[size_t(inner)] = {base, 1, {}};
      visit(last + 1, at);
      e.writeOutputs([&](Value v) { return domain.isFull(v) ? homeAt(e, domain, v, at) : std::nullopt; });
    });
    return {};
  });
}

void RowEmitter::runWhole(int64_t length) {
  chooseSaved();
  choosePrefetched();
  for (Value value : saved)
    savedMemory[value] = e.slotScratch(length, typeOf(value).getElementType());
  std::deque<RowReduction> passes;
  for (int level = 1; level <= last; ++level) {
    llvm::SmallVector<Operation *> together;
    llvm::copy_if(reductions, std::back_inserter(together), [&](Operation *op) { return levels[op] == level; });
    passes.emplace_back(e, domain, together, [this, level](const Coordinates &at) { visit(level, at); });
  }
  e.needs.tasks = taskCount(domain.rows(), std::max<int64_t>(length, 1) * (last + 1));
  forEachUnit(e, domain.rows(), [&](Value number) {
    const Coordinates row = rowAt(number);
    for (RowReduction &pass : passes)
      pass.reduce(row);
    writeRow(row);
    writeFull(row);
  });
}

/// A segment of a row is one unit; a last task combines them.
void RowEmitter::runSplit(int64_t length) {
  RowReduction pass(e, domain, reductions, [](const Coordinates &) {}, /*shared=*/true);
  const int64_t segments = pass.segments(), units = domain.rows() * segments;
  e.needs.tasks = taskCount(units, length / segments);
  e.needs.finishStage = true;
  auto finish = [&]() -> State {
    e.loop(e.constantIndex(0), e.constantIndex(domain.rows()), 1, {}, [&](Value number, ValueRange) -> State {
      const Coordinates row = rowAt(number);
      pass.combineSegments(row, number);
      writeRow(row);
      return {};
    });
    return {};
  };
  auto part = [&]() -> State {
    forEachUnit(e, units, [&](Value unit) {
      auto [number, segment] = e.divide(unit, segments);
      pass.reduceSegment(rowAt(number), number, segment);
    });
    return {};
  };
  Value isFinish =
      e.builder().create<arith::CmpIOp>(e.loc(), arith::CmpIPredicate::eq, e.task(), e.constantIndex(e.needs.tasks));
  e.choose(isFinish, finish, part);
}

LogicalResult RowEmitter::run() {
  if (domain.rows() == 0)
    return success();
  computeLevels();
  e.hoistScalars();
  const int64_t length = ShapedType::getNumElements(domain.shape) / domain.rows();
  if (domain.isSplit())
    runSplit(length);
  else
    runWhole(length);
  return success();
}

} // namespace

LogicalResult emitRow(ClusterEmitter &e) { return RowEmitter(e).run(); }

} // namespace ingot
