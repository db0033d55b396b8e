// Reductions over axes before the last one: several vectors of neighbouring columns at a time run down the reduced
// dimensions, each column as one chain in ascending order.
#include "ingot/passes/kernels/Accumulation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ingot {

using namespace mlir;

namespace {

// Vectors of columns that go down together: their chains hide each other's latency.
constexpr int64_t kColumnVectors = 4;

class ColumnEmitter {
public:
  explicit ColumnEmitter(ClusterEmitter &e) : e(e) {
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
  llvm::SmallVector<int64_t> reduced;

  void columns(const Coordinates &outer, Value first, int64_t vectors, Value tail);
};

/// `vectors` vectors of columns from `first` on; a tail masks the last one.
void ColumnEmitter::columns(const Coordinates &outer, Value first, int64_t vectors, Value tail) {
  const int64_t lanes = e.lanes();
  llvm::SmallVector<Accumulation> runs;
  for (Operation *op : reductions)
    runs.emplace_back(e, op);
  llvm::SmallVector<Value> state, positions;
  for (int64_t v = 0; v < vectors; ++v) {
    positions.push_back(v ? e.add(first, e.constantIndex(v * lanes)) : first);
    for (Accumulation &run : runs)
      llvm::append_range(state, run.start());
  }
  std::function<llvm::SmallVector<Value>(size_t, Coordinates, ValueRange)> nest =
      [&](size_t i, Coordinates at, ValueRange carried) -> llvm::SmallVector<Value> {
    if (i < reduced.size())
      return e.loop(e.constantIndex(0), e.constantIndex(domain.shape[size_t(reduced[i])]), 1, carried,
                    [&](Value iv, ValueRange inner) {
                      at[size_t(reduced[i])] = {iv, 0, {}};
                      return nest(i + 1, at, inner);
                    });
    llvm::SmallVector<Value> next(carried);
    size_t k = 0;
    Value row = at[size_t(reduced.back())].base;
    for (int64_t v = 0; v < vectors; ++v) {
      at.back() = {positions[size_t(v)], 1, {}};
      e.setTail(v + 1 == vectors ? tail : Value());
      for (Accumulation &run : runs) {
        auto slice = MutableArrayRef<Value>(next).slice(k, size_t(run.stateSize()));
        llvm::copy(run.step(ValueRange(slice), at, {row, 0, {}}), slice.begin());
        k += size_t(run.stateSize());
      }
      e.setTail({});
    }
    return next;
  };
  state = nest(0, outer, state);
  size_t k = 0;
  for (int64_t v = 0; v < vectors; ++v) {
    Coordinates at = outer;
    at.back() = {positions[size_t(v)], 1, {}};
    e.setTail(v + 1 == vectors ? tail : Value());
    e.scoped([&] {
      auto homeAt = [&](Value value) -> std::optional<Coordinates> {
        std::optional<AccessMap> access = domain.homeOf(value);
        if (!access)
          return std::nullopt;
        Coordinates home;
        for (const std::optional<AffineExpr> &expr : *access) {
          auto dim = llvm::dyn_cast<AffineDimExpr>(*expr);
          home.push_back(dim ? at[dim.getPosition()] : Coordinate{e.constantIndex(0), 0, {}});
        }
        return home;
      };
      for (Accumulation &run : runs) {
        k += size_t(run.stateSize());
        Coordinates home;
        for (int64_t d : domain.kept)
          home.push_back(at[size_t(d)]);
        e.bind(run.op()->getResult(0), home, state[k - 1]);
      }
      e.writeOutputs(homeAt);
    });
    e.setTail({});
  }
}

LogicalResult ColumnEmitter::run() {
  const int64_t width = domain.shape.back();
  llvm::SmallVector<int64_t> outer(domain.kept.begin(), domain.kept.end() - 1);
  int64_t groups = 1, depth = 1;
  for (int64_t d : outer)
    groups *= domain.shape[size_t(d)];
  for (int64_t d : reduced)
    depth *= domain.shape[size_t(d)];
  if (width == 0 || groups == 0)
    return success();
  e.hoistScalars();
  const int64_t lanes = std::min(e.vectorLanes(), int64_t(llvm::PowerOf2Ceil(uint64_t(width))));
  const int64_t block = lanes * kColumnVectors, whole = width / block, rest = width % block;
  const int64_t pieces = whole + (rest ? 1 : 0);
  e.needs.tasks = taskCount(groups * pieces, depth * block);
  OpBuilder &b = e.builder();
  forEachUnit(e, groups * pieces, [&](Value unit) {
    Coordinates at(domain.shape.size(), Coordinate{e.constantIndex(0), 0, {}});
    Value group = pieces == 1 ? unit : Value(b.create<arith::DivUIOp>(e.loc(), unit, e.constantIndex(pieces)));
    Value piece =
        pieces == 1 ? e.constantIndex(0) : Value(b.create<arith::RemUIOp>(e.loc(), unit, e.constantIndex(pieces)));
    e.delinearize(group, domain.shape, outer, at);
    e.setLanes(lanes);
    auto emitRest = [&] {
      const int64_t vectors = (rest + lanes - 1) / lanes, left = rest - (vectors - 1) * lanes;
      columns(at, e.constantIndex(whole * block), vectors, left < lanes ? e.laneMask(left) : Value());
    };
    if (!rest) {
      columns(at, e.mul(piece, block), kColumnVectors, {});
    } else if (!whole) {
      emitRest();
    } else {
      Value full = b.create<arith::CmpIOp>(e.loc(), arith::CmpIPredicate::ult, piece, e.constantIndex(whole));
      auto branch = b.create<scf::IfOp>(e.loc(), full, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(branch.thenBlock()->getTerminator());
      e.scoped([&] { columns(at, e.mul(piece, block), kColumnVectors, {}); });
      b.setInsertionPoint(branch.elseBlock()->getTerminator());
      e.scoped(emitRest);
    }
    e.setLanes(1);
  });
  return success();
}

} // namespace

LogicalResult emitColumn(ClusterEmitter &e) { return ColumnEmitter(e).run(); }

} // namespace ingot
