#include "ingot/passes/kernels/RowReduction.h"

#include "llvm/Support/MathExtras.h"

namespace ingot {

using namespace mlir;

namespace {

// Accumulators that vectors go round: they hide each other's latency.
constexpr int64_t kAccumulators = 4;
// What one of them takes up in a segment.
constexpr int64_t kRounds = 128;

/// Of every type as many lanes as 32-bit elements fit a register, so that the order is the same beside elements of
/// other widths.
int64_t lanesOf(const Target &target, int64_t size) {
  return std::min<int64_t>(std::max(1, target.vector_bits / 32),
                           int64_t(llvm::PowerOf2Ceil(uint64_t(std::max<int64_t>(size, 1)))));
}

} // namespace

llvm::SmallVector<Operation *> reductionsOf(ClusterEmitter &e) {
  llvm::SmallVector<Operation *> list;
  for (Operation &op : e.body())
    if (llvm::isa<ReductionOpInterface>(op))
      list.push_back(&op);
  return list;
}

llvm::SmallVector<int64_t> outerReducedDims(const Domain &domain) {
  llvm::SmallVector<int64_t> dims;
  for (int64_t d = 0, rank = int64_t(domain.shape.size()); d < rank; ++d)
    if (domain.shape[size_t(d)] != 1 && d != domain.inner() && !llvm::is_contained(domain.kept, d))
      dims.push_back(d);
  return dims;
}

RowReduction::Layout RowReduction::layoutOf(const Target &target, const Domain &domain) {
  const int64_t inner = domain.inner(), size = inner < 0 ? 1 : domain.shape[size_t(inner)];
  const int64_t lanes = lanesOf(target, size);
  llvm::SmallVector<int64_t> dims = outerReducedDims(domain);
  if (size && size < 2 * kAccumulators * lanes && !dims.empty()) {
    const int64_t vectors = llvm::divideCeil(size, lanes), lines = std::max<int64_t>(kAccumulators / vectors, 1);
    return {size, lanes, vectors, lines, dims.back(), Segments(domain.shape, dims, lines, kRounds)};
  }
  const int64_t vectors = size < 2 * kAccumulators * lanes ? 1 : kAccumulators;
  if (inner >= 0)
    dims.push_back(inner);
  return {size, lanes, vectors, 1, -1, Segments(domain.shape, dims, vectors * lanes, kRounds)};
}

RowReduction::RowReduction(ClusterEmitter &e, const Domain &domain, ArrayRef<Operation *> reductions,
                           std::function<void(const Coordinates &)> before, bool shared)
    : e(e), domain(domain), runs(e, reductions), before(std::move(before)), layout(layoutOf(e.target(), domain)) {
  if (shared || segments() > 1)
    partials.emplace(e, runs, segments() * (shared ? domain.rows() : 1), layout.lanes, shared);
}

void RowReduction::reduce(const Coordinates &row) {
  if (segments() == 1)
    return finish(row, segmentOf(row, e.constantIndex(0)));
  e.loop(e.constantIndex(0), e.constantIndex(segments()), 1, {}, [&](Value segment, ValueRange) -> State {
    reduceSegment(row, e.constantIndex(0), segment);
    return {};
  });
  combineSegments(row, e.constantIndex(0));
}

void RowReduction::reduceSegment(const Coordinates &row, Value number, Value segment) {
  State state = segmentOf(row, segment);
  partials->store(e.add(e.mul(number, segments()), segment), e.constantIndex(0), state);
  e.setLanes(1);
}

void RowReduction::combineSegments(const Coordinates &row, Value number) {
  Value first = e.mul(number, segments());
  e.setLanes(layout.lanes);
  partials->combine(first, segments());
  finish(row, partials->load(first, e.constantIndex(0)));
}

/// The segment as one vector of partial results.
State RowReduction::segmentOf(const Coordinates &row, Value segment) {
  e.setLanes(layout.lanes);
  const int64_t accumulators = layout.vectors * layout.lines;
  State state;
  for (int64_t u = 0; u < accumulators; ++u)
    llvm::append_range(state, runs.start());
  state =
      layout.segments.walk(e, segment, row, std::move(state), [&](const Coordinates &at, int64_t count, State going) {
        return round(at, count, std::move(going));
      });
  return runs.mergeTree(accumulators,
                        [&](int64_t u) { return State(ArrayRef(state).slice(size_t(u) * runs.size(), runs.size())); });
}

/// `count` elements of a line, or lines.
State RowReduction::round(Coordinates at, int64_t count, State state) {
  if (layout.across < 0) {
    Value first = domain.inner() < 0 ? e.constantIndex(0) : at[size_t(domain.inner())].base;
    for (int64_t i = 0; i < count; i += layout.lanes)
      accumulate(state, i / layout.lanes, at, e.add(first, e.constantIndex(i)), count - i);
    return state;
  }
  Value line = at[size_t(layout.across)].base;
  for (int64_t j = 0; j < count; ++j) {
    at[size_t(layout.across)] = {e.add(line, e.constantIndex(j)), 0, {}};
    for (int64_t v = 0; v < layout.vectors; ++v)
      accumulate(state, j * layout.vectors + v, at, e.constantIndex(v * layout.lanes), layout.size - v * layout.lanes);
  }
  return state;
}

void RowReduction::accumulate(State &state, int64_t accumulator, Coordinates at, Value position, int64_t left) {
  if (domain.inner() >= 0)
    at[size_t(domain.inner())] = {position, 1, {}};
  if (left < layout.lanes)
    e.setTail(e.laneMask(left));
  before(at);
  auto slot = MutableArrayRef(state).slice(size_t(accumulator) * runs.size(), runs.size());
  llvm::copy(runs.merge(ValueRange(slot), runs.masked(runs.elements(at, {position, 1, {}}))), slot.begin());
  e.setTail({});
}

void RowReduction::finish(const Coordinates &row, State state) {
  state = runs.mergeLanes(std::move(state));
  e.setLanes(1);
  Coordinates at;
  for (int64_t d : domain.kept)
    at.push_back(row[size_t(d)]);
  runs.bindResults(at, state);
}

} // namespace ingot
