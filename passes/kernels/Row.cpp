// Reductions that reach the last axis: for each row of kept coordinates, passes over the reduced dimensions, one for
// each level of reductions that need each other, then the outputs.
#include "ingot/passes/kernels/Accumulation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallSet.h"

namespace ingot {

using namespace mlir;

namespace {

ShapedType typeOf(Value v) { return llvm::cast<ShapedType>(v.getType()); }

// A split row runs as pieces of at most this many of the last axis.
constexpr int64_t kPiece = 8192;

class RowEmitter {
public:
  explicit RowEmitter(ClusterEmitter &e) : e(e) {
    for (Operation &op : e.body())
      if (llvm::isa<ReductionOpInterface>(op))
        reductions.push_back(&op);
    domain = anchorDomain(reductions.front());
    for (int64_t d = 0, rank = int64_t(domain.shape.size()); d < rank; ++d)
      if (!llvm::is_contained(domain.kept, d))
        reduced.push_back(d);
  }

  LogicalResult run();

private:
  ClusterEmitter &e;
  Domain domain;
  llvm::SmallVector<Operation *> reductions;
  llvm::SmallVector<int64_t> reduced; // dimensions, ascending; the last one is the domain's last
  llvm::SmallVector<Value> saved;     // expensive full values that a later pass needs again
  llvm::DenseMap<Value, Value> savedMemory;
  llvm::DenseMap<Operation *, int> levels;

  int64_t innerSize() const { return domain.shape.empty() ? 1 : domain.shape.back(); }
  void computeLevels();
  int passOf(Value value);
  void chooseSaved();
  Coordinates origin() const { return Coordinates(domain.shape.size(), Coordinate{e.constantIndex(0), 0, {}}); }
  std::optional<Coordinates> homeAt(Value value, const Coordinates &full);
  void reducePass(int level, Coordinates row);
  void outputsOf(Coordinates row);
  void visitSaved(int pass, const Coordinates &at);
  void overReduced(const Coordinates &row, llvm::function_ref<void(const Coordinates &)> emit);
  void bindResult(Operation *op, const Coordinates &row, Value scalar);
  LogicalResult runInPieces();
};

void RowEmitter::computeLevels() {
  for (Operation *op : reductions)
    levels[op] = 1 + passOf(op->getOperand(0));
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
  int last = 0;
  for (auto &[op, level] : levels)
    last = std::max(last, level);
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

std::optional<Coordinates> RowEmitter::homeAt(Value value, const Coordinates &full) {
  std::optional<AccessMap> access = domain.homeOf(value);
  if (!access)
    return std::nullopt;
  Coordinates at;
  for (const std::optional<AffineExpr> &expr : *access) {
    if (auto dim = llvm::dyn_cast<AffineDimExpr>(*expr))
      at.push_back(full[dim.getPosition()]);
    else
      at.push_back({e.constantIndex(0), 0, {}});
  }
  return at;
}

void RowEmitter::bindResult(Operation *op, const Coordinates &row, Value scalar) {
  Coordinates at;
  for (int64_t d : domain.kept)
    at.push_back(row[size_t(d)]);
  e.setLanes(1);
  e.bind(op->getResult(0), at, scalar);
}

/// Loops over all reduced dimensions but the last.
void RowEmitter::overReduced(const Coordinates &row, llvm::function_ref<void(const Coordinates &)> emit) {
  std::function<void(size_t, Coordinates)> nest = [&](size_t i, Coordinates at) {
    if (i + 1 >= reduced.size())
      return emit(at);
    e.loop(e.constantIndex(0), e.constantIndex(domain.shape[size_t(reduced[i])]), 1, {}, [&](Value iv, ValueRange) {
      at[size_t(reduced[i])] = {iv, 0, {}};
      nest(i + 1, at);
      return llvm::SmallVector<Value>();
    });
  };
  nest(0, row);
}

/// In the pass that first computes a saved value it is stored; later it is loaded.
void RowEmitter::visitSaved(int pass, const Coordinates &at) {
  for (Value value : saved) {
    Coordinate flat{e.constantIndex(0), 0, {}};
    int64_t stride = 1;
    for (size_t i = reduced.size(); i-- > 0; stride *= domain.shape[size_t(reduced[i])]) {
      Coordinate term = e.scale(at[size_t(reduced[i])], stride);
      flat.base = e.add(flat.base, term.base);
      flat.laneStride += term.laneStride;
    }
    int first = passOf(value) + 1;
    if (pass == first)
      e.storeTo(savedMemory[value], flat, e.read(value, at), e.currentTail());
    else if (pass > first)
      e.bind(value, at, e.loadFrom(savedMemory[value], flat, typeOf(value).getElementType(), e.currentTail()));
  }
}

void RowEmitter::reducePass(int level, Coordinates row) {
  llvm::SmallVector<Accumulation> runs;
  for (Operation *op : reductions)
    if (levels[op] == level)
      runs.emplace_back(e, op);
  const int64_t size = innerSize();
  const int64_t lanes = accumulatorLanes(e.target(), size);
  const int64_t count = accumulatorCount(size, lanes), block = lanes * count;
  e.setLanes(lanes);

  // State layout: accumulator after accumulator, each with every reduction's values.
  llvm::SmallVector<Value> state;
  for (int64_t u = 0; u < count; ++u)
    for (Accumulation &run : runs)
      llvm::append_range(state, run.start());
  auto stepAll = [&](llvm::SmallVector<Value> &values, int64_t accumulator, const Coordinates &at, Value position) {
    visitSaved(level, at);
    size_t next = size_t(accumulator) * values.size() / size_t(count);
    for (Accumulation &run : runs) {
      auto slice = MutableArrayRef<Value>(values).slice(next, size_t(run.stateSize()));
      llvm::SmallVector<Value> after = run.step(ValueRange(slice), at, {position, 1, {}});
      llvm::copy(after, slice.begin());
      next += size_t(run.stateSize());
    }
  };
  const size_t last = domain.shape.empty() ? 0 : domain.shape.size() - 1;
  auto alongLast = [&](Coordinates at, llvm::SmallVector<Value> values) {
    if (domain.shape.empty()) {
      stepAll(values, 0, at, e.constantIndex(0));
      return values;
    }
    const int64_t whole = size / block * block;
    if (whole)
      values = e.loop(e.constantIndex(0), e.constantIndex(whole), block, values, [&](Value base, ValueRange carried) {
        llvm::SmallVector<Value> inner(carried);
        for (int64_t u = 0; u < count; ++u) {
          Value position = u ? e.add(base, e.constantIndex(u * lanes)) : base;
          at[last] = {position, 1, {}};
          stepAll(inner, u, at, position);
        }
        return inner;
      });
    for (int64_t base = whole, u = 0; base < size; base += lanes, ++u) {
      at[last] = {e.constantIndex(base), 1, {}};
      if (base + lanes > size)
        e.setTail(e.laneMask(size - base));
      stepAll(values, u, at, e.constantIndex(base));
      e.setTail({});
    }
    return values;
  };
  std::function<llvm::SmallVector<Value>(size_t, Coordinates, llvm::SmallVector<Value>)> nest =
      [&](size_t i, Coordinates at, llvm::SmallVector<Value> values) {
        if (i + 1 >= reduced.size())
          return alongLast(at, values);
        return e.loop(e.constantIndex(0), e.constantIndex(domain.shape[size_t(reduced[i])]), 1, values,
                      [&](Value iv, ValueRange carried) {
                        at[size_t(reduced[i])] = {iv, 0, {}};
                        return nest(i + 1, at, llvm::SmallVector<Value>(carried));
                      });
      };
  state = nest(0, row, state);

  // Accumulators pairwise, then lanes by halves.
  const size_t width = state.size() / size_t(count);
  size_t at = 0;
  llvm::SmallVector<std::pair<Operation *, Value>> results;
  for (Accumulation &run : runs) {
    llvm::SmallVector<llvm::SmallVector<Value>> states;
    for (int64_t u = 0; u < count; ++u)
      states.emplace_back(ArrayRef<Value>(state).slice(size_t(u) * width + at, size_t(run.stateSize())));
    while (states.size() > 1) {
      llvm::SmallVector<llvm::SmallVector<Value>> merged;
      for (size_t i = 0; i + 1 < states.size(); i += 2)
        merged.push_back(run.merge(states[i], states[i + 1]));
      states = merged;
    }
    results.emplace_back(run.op(), run.finish(states[0]).back());
    at += size_t(run.stateSize());
  }
  for (auto [op, scalar] : results)
    bindResult(op, row, scalar);
}

void RowEmitter::outputsOf(Coordinates row) {
  int last = 0;
  for (auto &[op, level] : levels)
    last = std::max(last, level);
  auto isFull = [&](Value v) { return domain.isFull(v); };
  bool anyFull = llvm::any_of(e.outputs(), isFull), anyRow = !llvm::all_of(e.outputs(), isFull);
  e.setLanes(1);
  if (anyRow)
    e.writeOutputs([&](Value v) { return isFull(v) ? std::nullopt : homeAt(v, row); });
  if (!anyFull)
    return;
  overReduced(row, [&](const Coordinates &outer) {
    forEachVector(e, innerSize(), [&](Value base) {
      Coordinates at = outer;
      at.back() = {base, 1, {}};
      visitSaved(last + 1, at);
      e.writeOutputs([&](Value v) { return isFull(v) ? homeAt(v, at) : std::nullopt; });
    });
  });
}

LogicalResult RowEmitter::run() {
  computeLevels();
  int64_t rows = 1, inner = 1;
  for (int64_t d : domain.kept)
    rows *= domain.shape[size_t(d)];
  for (int64_t d : reduced)
    inner *= domain.shape[size_t(d)];
  if (rows == 0)
    return success();
  e.hoistScalars();
  if (domain.isSplit())
    return runInPieces();
  chooseSaved();
  for (Value value : saved)
    savedMemory[value] = e.slotScratch(inner, typeOf(value).getElementType());
  int last = 0;
  for (auto &[op, level] : levels)
    last = std::max(last, level);
  e.needs.tasks = taskCount(rows, std::max<int64_t>(inner, 1) * (last + 1));
  forEachUnit(e, rows, [&](Value row) {
    Coordinates at = origin();
    e.delinearize(row, domain.shape, domain.kept, at);
    for (int level = 1; level <= last; ++level)
      reducePass(level, at);
    outputsOf(at);
  });
  return success();
}

/// A large full reduction: each run of at most kPiece elements along the last axis gives a partial result, and a last
/// task combines them in order. Outputs are scalars.
LogicalResult RowEmitter::runInPieces() {
  const int64_t size = innerSize(), pieces = (size + kPiece - 1) / kPiece;
  int64_t lines = 1;
  for (size_t d = 0; d + 1 < domain.shape.size(); ++d)
    lines *= domain.shape[d];
  const int64_t units = lines * pieces;
  OpBuilder &b = e.builder();
  llvm::SmallVector<Accumulation> runs;
  llvm::SmallVector<Value> partials;
  for (Operation *op : reductions) {
    runs.emplace_back(e, op);
    Type element = typeOf(op->getOperand(0)).getElementType();
    partials.push_back(e.sharedScratch(units, element));
    if (runs.back().stateSize() == 2)
      partials.push_back(e.sharedScratch(units, b.getI64Type()));
  }
  e.needs.tasks = taskCount(units, std::min(size, kPiece));
  e.needs.finishStage = true;
  Value isFinish = b.create<arith::CmpIOp>(e.loc(), arith::CmpIPredicate::eq, e.task(), e.constantIndex(e.needs.tasks));
  auto branch = b.create<scf::IfOp>(e.loc(), isFinish, /*withElseRegion=*/true);

  llvm::SmallVector<int64_t> outer = llvm::to_vector(llvm::seq<int64_t>(0, int64_t(domain.shape.size()) - 1));
  auto writeState = [&](ArrayRef<Value> state, Value unit) {
    for (auto [memory, value] : llvm::zip(partials, state))
      e.storeTo(memory, {unit, 0, {}}, value, {});
  };
  auto emitPiece = [&](Value unit) {
    Coordinates at = origin();
    Value line = b.create<arith::DivUIOp>(e.loc(), unit, e.constantIndex(pieces));
    Value piece = b.create<arith::RemUIOp>(e.loc(), unit, e.constantIndex(pieces));
    e.delinearize(line, domain.shape, outer, at);
    Value first = e.mul(piece, kPiece);
    Value end = e.minimum(e.add(first, e.constantIndex(kPiece)), e.constantIndex(size));
    const int64_t lanes = accumulatorLanes(e.target(), kPiece), count = 4, block = lanes * count;
    e.setLanes(lanes);
    llvm::SmallVector<Value> state;
    for (int64_t u = 0; u < count; ++u)
      for (Accumulation &run : runs)
        llvm::append_range(state, run.start());
    const size_t width = state.size() / size_t(count);
    auto stepAll = [&](llvm::SmallVector<Value> &values, size_t u, Value position) {
      at.back() = {position, 1, {}};
      size_t next = u * width;
      for (Accumulation &run : runs) {
        auto slice = MutableArrayRef<Value>(values).slice(next, size_t(run.stateSize()));
        llvm::copy(run.step(ValueRange(slice), at, {position, 1, {}}), slice.begin());
        next += size_t(run.stateSize());
      }
    };
    // Whole blocks, then masked vectors, all into their accumulators.
    Value length = b.create<arith::SubIOp>(e.loc(), end, first);
    Value rest = b.create<arith::RemUIOp>(e.loc(), length, e.constantIndex(block));
    Value wholeEnd = b.create<arith::SubIOp>(e.loc(), end, rest);
    state = e.loop(first, wholeEnd, block, state, [&](Value base, ValueRange carried) {
      llvm::SmallVector<Value> inner(carried);
      for (int64_t u = 0; u < count; ++u)
        stepAll(inner, size_t(u), u ? e.add(base, e.constantIndex(u * lanes)) : base);
      return inner;
    });
    if (size % block)
      for (int64_t u = 0; u < count; ++u) {
        Value position = e.add(wholeEnd, e.constantIndex(u * lanes));
        Value left = b.create<arith::SubIOp>(e.loc(), end, position);
        e.setTail(e.laneMask(b.create<arith::MaxSIOp>(e.loc(), left, e.constantIndex(0))));
        stepAll(state, size_t(u), position);
        e.setTail({});
      }
    size_t offset = 0;
    llvm::SmallVector<Value> scalars;
    for (Accumulation &run : runs) {
      auto part = [&](size_t u) {
        return ValueRange(ArrayRef<Value>(state).slice(u * width + offset, size_t(run.stateSize())));
      };
      llvm::SmallVector<Value> left = run.merge(part(0), part(1)), right = run.merge(part(2), part(3));
      llvm::append_range(scalars, run.finish(run.merge(left, right)));
      offset += size_t(run.stateSize());
    }
    e.setLanes(1);
    writeState(scalars, unit);
  };
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.elseBlock()->getTerminator());
    e.scoped([&] { forEachUnit(e, units, emitPiece); });
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    e.scoped([&] {
      e.setLanes(1);
      llvm::SmallVector<Value> state;
      for (Accumulation &run : runs)
        llvm::append_range(state, run.start());
      state = e.loop(e.constantIndex(0), e.constantIndex(units), 1, state, [&](Value unit, ValueRange carried) {
        llvm::SmallVector<Value> next(carried);
        size_t i = 0;
        for (Accumulation &run : runs) {
          llvm::SmallVector<Value> fresh;
          for (int64_t k = 0; k < run.stateSize(); ++k)
            fresh.push_back(e.loadFrom(partials[i + size_t(k)], {unit, 0, {}}, carried[i + size_t(k)].getType(), {}));
          auto slice = MutableArrayRef<Value>(next).slice(i, size_t(run.stateSize()));
          llvm::copy(run.merge(ValueRange(slice), fresh), slice.begin());
          i += size_t(run.stateSize());
        }
        return next;
      });
      size_t i = 0;
      for (Accumulation &run : runs) {
        i += size_t(run.stateSize());
        bindResult(run.op(), origin(), state[i - 1]);
      }
      e.writeOutputs([&](Value v) { return homeAt(v, origin()); });
    });
  }
  return success();
}

} // namespace

LogicalResult emitRow(ClusterEmitter &e) { return RowEmitter(e).run(); }

} // namespace ingot
