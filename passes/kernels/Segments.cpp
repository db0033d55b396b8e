#include "ingot/passes/kernels/Segments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace ingot {

using namespace mlir;

Segments::Segments(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims, int64_t block, int64_t rounds)
    : shape(shape), dims(dims), block(block) {
  if (llvm::any_of(dims, [&](int64_t d) { return shape[size_t(d)] == 0; }))
    return;           // one segment of nothing
  int64_t inside = 1; // rounds for one element of the dimension
  for (size_t i = dims.size(); i-- > 0;) {
    const bool last = i + 1 == dims.size();
    const int64_t steps = last ? llvm::divideCeil(size(i), block) : size(i);
    if (steps > rounds / inside) {
      cut = i;
      parts = llvm::divideCeil(steps, rounds / inside);
      part = llvm::divideCeil(steps, parts) * (last ? block : 1);
      parts = llvm::divideCeil(size(i), part);
      break;
    }
    inside *= std::max<int64_t>(steps, 1);
  }
  segments = parts;
  for (size_t i = 0; i < cut; ++i)
    segments *= size(i);
}

State Segments::walk(ClusterEmitter &e, Value segment, const Coordinates &at, State first, Round round) const {
  if (dims.empty())
    return round(at, 1, std::move(first));
  if (segments == 1)
    return walkDims(e, 0, at, std::move(first), round);
  return walkPart(e, segment, at, std::move(first), round);
}

State Segments::walkPart(ClusterEmitter &e, Value segment, const Coordinates &outside, State state, Round round) const {
  OpBuilder &b = e.builder();
  Coordinates at = outside;
  auto [outer, number] = cut ? e.divide(segment, parts) : std::pair(Value(), segment);
  if (cut)
    e.delinearize(outer, shape, ArrayRef(dims).take_front(cut), at);
  const int64_t n = size(cut);
  const bool last = cut + 1 == dims.size();
  const int64_t whole = last ? n / block * block : n;
  Value from = e.mul(number, part), to = e.add(from, e.constantIndex(part));
  if (whole % part)
    to = e.minimum(to, e.constantIndex(whole));
  if (!last)
    return e.loop(from, to, 1, state, [&](Value iv, ValueRange carried) {
      at[size_t(dims[cut])] = {iv, 0, {}};
      return walkDims(e, cut + 1, at, State(carried), round);
    });
  state = walkRounds(e, from, to, at, std::move(state), round);
  if (whole == n)
    return state;
  Value atEnd = b.create<arith::CmpIOp>(e.loc(), arith::CmpIPredicate::eq, number, e.constantIndex(parts - 1));
  at[size_t(dims[cut])] = {e.constantIndex(whole), 0, {}};
  return e.choose(atEnd, [&] { return round(at, n - whole, state); }, [&] { return state; });
}

State Segments::walkDims(ClusterEmitter &e, size_t i, const Coordinates &outside, State state, Round round) const {
  Coordinates at = outside;
  const int64_t n = size(i);
  if (i + 1 < dims.size())
    return e.loop(e.constantIndex(0), e.constantIndex(n), 1, state, [&](Value iv, ValueRange carried) {
      at[size_t(dims[i])] = {iv, 0, {}};
      return walkDims(e, i + 1, at, State(carried), round);
    });
  const int64_t whole = n / block * block;
  if (whole)
    state = walkRounds(e, e.constantIndex(0), e.constantIndex(whole), at, std::move(state), round);
  if (whole < n)
    e.scoped([&] {
      at[size_t(dims[i])] = {e.constantIndex(whole), 0, {}};
      state = round(at, n - whole, std::move(state));
    });
  return state;
}

State Segments::walkRounds(ClusterEmitter &e, Value from, Value to, Coordinates at, State state, Round round) const {
  return e.loop(from, to, block, state, [&](Value base, ValueRange carried) {
    at[size_t(dims.back())] = {base, 0, {}};
    return round(at, block, State(carried));
  });
}

Partials::Partials(ClusterEmitter &e, const Accumulations &runs, int64_t count, int64_t width, bool shared)
    : e(e), runs(runs), width(width) {
  for (Type type : runs.types())
    memories.push_back(shared ? e.sharedScratch(count * width, type) : e.slotScratch(count * width, type));
}

State Partials::loadAt(Value position) const {
  State state;
  for (auto [memory, type] : llvm::zip(memories, runs.types()))
    state.push_back(e.loadFrom(memory, {position, 1, {}}, type, {}));
  return state;
}

void Partials::storeAt(Value position, const State &state) const {
  for (auto [memory, value] : llvm::zip(memories, state))
    e.storeTo(memory, {position, 1, {}}, value, {});
}

State Partials::load(Value number, Value offset) const { return loadAt(e.add(e.mul(number, width), offset)); }

void Partials::store(Value number, Value offset, const State &state) const {
  storeAt(e.add(e.mul(number, width), offset), state);
}

void Partials::combine(Value first, int64_t n) const {
  if (n == 1)
    return;
  OpBuilder &b = e.builder();
  Value begin = e.mul(first, width);
  e.loop(e.constantIndex(0), e.constantIndex(llvm::Log2_64_Ceil(uint64_t(n))), 1, e.constantIndex(n),
         [&](Value, ValueRange carried) -> State {
           Value left = carried[0];
           Value half = b.create<arith::ShRUIOp>(e.loc(), e.add(left, e.constantIndex(1)), e.constantIndex(1));
           Value moved = e.mul(b.create<arith::SubIOp>(e.loc(), left, half), width);
           Value distance = e.mul(half, width);
           e.loop(begin, e.add(begin, moved), e.lanes(), {}, [&](Value position, ValueRange) -> State {
             storeAt(position, runs.merge(loadAt(position), loadAt(e.add(position, distance))));
             return {};
           });
           return {half};
         });
}

} // namespace ingot
