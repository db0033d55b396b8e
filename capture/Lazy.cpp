// The lazy device: segments of recorded operations, run when a value is read. Equal segments share one program.
#include "ingot/capture/Program.h"
#include "ingot/capture/Recorder.h"
#include "ingot/capture/ScalarInputs.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <unordered_map>

namespace ingot {
namespace {

std::atomic<std::uint64_t> hits{0}, misses{0}, compiles{0}, copies{0};

/// Programs by the hash of their trace, the least recently used dropped beyond a bound.
class ProgramCache {
public:
  /// One program; whoever needs it while it is being made waits.
  struct Entry {
    std::mutex mutex;
    std::vector<std::byte> bytes; // of the trace, compared because hashes may collide
    std::shared_ptr<const ProgramState> program;
  };

  /// The entry of a program, made empty when there is none and `make` is set. Null for none, or another program's.
  std::shared_ptr<Entry> find(const Hash128 &key, const std::vector<std::byte> &bytes, bool make) {
    std::lock_guard lock(mutex);
    if (auto found = entries.find(key); found != entries.end()) {
      order.splice(order.begin(), order, found->second);
      return found->second->second->bytes == bytes ? found->second->second : nullptr;
    }
    if (!make)
      return nullptr;
    auto entry = std::make_shared<Entry>();
    entry->bytes = bytes;
    order.emplace_front(key, entry);
    entries[key] = order.begin();
    if (order.size() > kMost) {
      entries.erase(order.back().first);
      order.pop_back();
    }
    return entry;
  }

  /// Which numbers of a program vary, by the hash of the program without them: notes `bits` and compares them with
  /// those of the first program of the kind. Empty for the first.
  std::vector<bool> varying(const Hash128 &skeleton, const std::vector<std::uint64_t> &bits) {
    std::lock_guard lock(mutex);
    if (kinds.size() > 4 * kMost)
      kinds.clear();
    auto [found, fresh] = kinds.try_emplace(skeleton, bits, std::vector<bool>(bits.size(), false));
    if (fresh)
      return {};
    auto &[first, differ] = found->second;
    for (std::size_t i = 0; i < bits.size(); ++i)
      differ[i] = differ[i] || first[i] != bits[i];
    return differ;
  }

private:
  static constexpr std::size_t kMost = 512;
  using Order = std::list<std::pair<Hash128, std::shared_ptr<Entry>>>;
  std::mutex mutex;
  Order order;
  std::unordered_map<Hash128, Order::iterator> entries;
  std::unordered_map<Hash128, std::pair<std::vector<std::uint64_t>, std::vector<bool>>> kinds;
};

ProgramCache &program_cache() {
  static auto *cache = new ProgramCache; // outlives threads that end late
  return *cache;
}

std::shared_ptr<const ProgramState> compile_lazy(const Trace &trace, Location at) {
  ++misses;
  ++compiles;
  return load_program(trace, {}, at);
}

std::shared_ptr<const ProgramState> find_or_compile(const Trace &trace, Location at) {
  std::shared_ptr<ProgramCache::Entry> entry = program_cache().find(trace.hash(), trace.serialize(), true);
  if (!entry)
    return compile_lazy(trace, at);
  std::lock_guard lock(entry->mutex);
  if (entry->program)
    ++hits;
  else
    entry->program = compile_lazy(trace, at);
  return entry->program;
}

/// Runs a program on host memory. One that was run before with other numbers runs with those as inputs.
std::vector<std::shared_ptr<const Buffer>> run_trace(const Trace &trace, std::vector<const void *> inputs,
                                                     Location at) {
  if (std::shared_ptr<ProgramCache::Entry> entry = program_cache().find(trace.hash(), trace.serialize(), false)) {
    std::lock_guard lock(entry->mutex);
    if (entry->program) {
      ++hits;
      return run_program(*entry->program, inputs, at);
    }
  }
  const std::vector<std::uint64_t> bits = scalar_bits(trace);
  std::vector<bool> varying;
  if (!bits.empty())
    varying =
        program_cache().varying(with_scalar_inputs(trace, std::vector<bool>(bits.size(), true)).trace.hash(), bits);
  if (std::find(varying.begin(), varying.end(), true) == varying.end())
    return run_program(*find_or_compile(trace, at), inputs, at);
  GeneralTrace general = with_scalar_inputs(trace, varying);
  for (const std::shared_ptr<const Buffer> &scalar : general.scalars)
    inputs.push_back(scalar->data());
  return run_program(*find_or_compile(general.trace, at), inputs, at);
}

void settle(TensorState &state, std::shared_ptr<const Buffer> data, std::exception_ptr failure) {
  std::lock_guard lock(state.mutex);
  state.data = std::move(data);
  state.failure = std::move(failure);
}

std::shared_ptr<const Buffer> fill_splat(const TensorState &state) {
  std::shared_ptr<Buffer> all = Buffer::allocate(state.type.bytes());
  const auto count = static_cast<std::size_t>(state.type.shape.num_elements());
  visit_dtype(state.type.dtype, [&]<class T>() { std::fill_n(all->as<T>(), count, *state.splat->as<T>()); });
  return all;
}

bool known_or_failed(TensorState &state) {
  std::lock_guard lock(state.mutex);
  return state.data || state.failure;
}

/// The value, when it is known; throws when it never will be.
std::shared_ptr<const Buffer> known_data(TensorState &state) {
  std::lock_guard lock(state.mutex);
  if (state.failure)
    std::rethrow_exception(state.failure);
  if (!state.data && state.splat)
    state.data = fill_splat(state);
  return state.data;
}

} // namespace

LazyStats lazy_stats() { return {hits, misses, compiles, copies}; }
void count_copy() { ++copies; }

const std::shared_ptr<Recorder> &current_segment() {
  thread_local std::shared_ptr<Recorder> segment;
  if (!segment || segment->closed)
    segment = std::make_shared<Recorder>(Recorder::Kind::Segment, 0, Device::cpu());
  return segment;
}

void flush_segment(Recorder &recorder, Location at) {
  std::lock_guard lock(recorder.mutex);
  if (recorder.closed)
    return;
  recorder.closed = true; // what comes later goes to a fresh segment
  std::vector<std::shared_ptr<TensorState>> alive;
  std::vector<ValueId> outputs;
  for (const std::weak_ptr<TensorState> &weak : recorder.results)
    if (std::shared_ptr<TensorState> state = weak.lock()) {
      outputs.push_back(state->value);
      alive.push_back(std::move(state));
    }
  if (alive.empty())
    return recorder.forget();
  recorder.trace.set_outputs(std::move(outputs));
  try {
    std::vector<const void *> inputs;
    std::vector<std::shared_ptr<const Buffer>> held;
    for (const std::shared_ptr<TensorState> &input : recorder.inputs) {
      held.push_back(realize(input, at));
      inputs.push_back(held.back()->data());
    }
    try {
      std::vector<std::shared_ptr<const Buffer>> results = run_trace(recorder.trace, inputs, at);
      for (std::size_t i = 0; i < alive.size(); ++i)
        settle(*alive[i], std::move(results[i]), nullptr);
    } catch (const IndexError &) {
      // A wrong index spoils what depends on it and nothing else.
      for (std::size_t i = 0; i < alive.size(); ++i)
        try {
          settle(*alive[i], run_trace(only_output(recorder.trace, i), inputs, at)[0], nullptr);
        } catch (const IndexError &) {
          settle(*alive[i], nullptr, std::current_exception());
        }
    }
  } catch (...) {
    for (const std::shared_ptr<TensorState> &state : alive)
      if (!known_or_failed(*state))
        settle(*state, nullptr, std::current_exception());
  }
  recorder.forget();
}

std::shared_ptr<const Buffer> realize(const std::shared_ptr<TensorState> &state, Location at) {
  if (state->inner.state())
    return realize(state->inner.state(), at);
  if (state->initial)
    return state->initial;
  if (std::shared_ptr<const Buffer> data = known_data(*state))
    return data;
  Recorder *recorder = state->recorder.get();
  if (!recorder || recorder->kind != Recorder::Kind::Segment)
    throw CaptureError("captured tensor " + TensorId(state->id).str() + " has no concrete value", CallSite(at));
  flush_segment(*recorder, at);
  std::shared_ptr<const Buffer> data = known_data(*state);
  INGOT_CHECK(data, "a flush gives every live tensor its value");
  return data;
}

} // namespace ingot
