// The lazy device: segments of recorded operations, run when a value is read. Equal segments share one program.
#include "ingot/capture/Program.h"
#include "ingot/capture/Recorder.h"

#include <cstring>
#include <list>
#include <mutex>
#include <unordered_map>

namespace ingot {
namespace {

std::atomic<std::uint64_t> hits{0}, misses{0}, compiles{0}, copies{0};

/// Programs by the hash of their trace, the least recently used dropped beyond a bound.
class ProgramCache {
public:
  std::shared_ptr<const ProgramState> find(const Hash128 &key, std::span<const std::byte> bytes) {
    std::lock_guard lock(mutex);
    auto found = entries.find(key);
    if (found == entries.end() || !std::equal(bytes.begin(), bytes.end(), found->second->bytes.begin(), found->second->bytes.end()))
      return nullptr;
    order.splice(order.begin(), order, found->second);
    return found->second->program;
  }
  void insert(const Hash128 &key, std::vector<std::byte> bytes, std::shared_ptr<const ProgramState> program) {
    std::lock_guard lock(mutex);
    if (auto found = entries.find(key); found != entries.end()) {
      order.erase(found->second);
      entries.erase(found);
    }
    order.push_front({key, std::move(bytes), std::move(program)});
    entries[key] = order.begin();
    if (order.size() > kMost) {
      entries.erase(order.back().key);
      order.pop_back();
    }
  }

private:
  static constexpr std::size_t kMost = 512;
  struct Entry {
    Hash128 key;
    std::vector<std::byte> bytes;
    std::shared_ptr<const ProgramState> program;
  };
  std::mutex mutex;
  std::list<Entry> order;
  std::unordered_map<Hash128, std::list<Entry>::iterator> entries;
};

ProgramCache &program_cache() {
  static auto *cache = new ProgramCache; // outlives threads that end late
  return *cache;
}

thread_local std::shared_ptr<Recorder> segment;

std::shared_ptr<const Buffer> fill_splat(const TensorState &state) {
  std::shared_ptr<Buffer> all = Buffer::allocate(state.type.bytes());
  const std::size_t size = dtype_size(state.type.dtype), count = static_cast<std::size_t>(state.type.shape.num_elements());
  visit_dtype(state.type.dtype, [&]<class T>() { std::fill_n(all->as<T>(), count, *state.splat->as<T>()); });
  (void)size;
  return all;
}

} // namespace

LazyStats lazy_stats() { return {hits, misses, compiles, copies}; }
void count_copy() { ++copies; }

std::shared_ptr<Recorder> current_segment() {
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
  recorder.results.clear();
  if (alive.empty())
    return;
  recorder.trace.set_outputs(std::move(outputs));
  const Hash128 key = recorder.trace.hash();
  std::vector<std::byte> bytes = recorder.trace.serialize();
  try {
    std::shared_ptr<const ProgramState> program = program_cache().find(key, bytes);
    if (program) {
      ++hits;
    } else {
      ++misses;
      ++compiles;
      program = load_program(recorder.trace, {}, at);
      program_cache().insert(key, std::move(bytes), program);
    }
    std::vector<const void *> pointers;
    std::vector<std::shared_ptr<const Buffer>> held;
    for (const std::shared_ptr<TensorState> &input : recorder.inputs) {
      held.push_back(realize(input, at));
      pointers.push_back(held.back()->data());
    }
    std::vector<std::shared_ptr<const Buffer>> results = run_program(*program, pointers, at);
    for (std::size_t i = 0; i < alive.size(); ++i) {
      std::lock_guard stateLock(alive[i]->mutex);
      alive[i]->data = std::move(results[i]);
    }
  } catch (const Error &error) {
    recorder.failure = std::make_shared<Error>(error);
    throw;
  }
  recorder.inputs.clear();
  recorder.known.clear();
}

std::shared_ptr<const Buffer> realize(const std::shared_ptr<TensorState> &state, Location at) {
  {
    std::lock_guard lock(state->mutex);
    if (state->data)
      return state->data;
    if (state->splat && !state->recorder)
      return state->data = fill_splat(*state);
  }
  if (state->initial)
    return state->initial;
  std::shared_ptr<Recorder> recorder = state->recorder;
  if (!recorder || recorder->kind != Recorder::Kind::Segment)
    throw CaptureError("captured tensor " + TensorId(state->id).str() + " has no concrete value", CallSite(at));
  flush_segment(*recorder, at);
  std::lock_guard recorderLock(recorder->mutex);
  std::lock_guard lock(state->mutex);
  if (!state->data)
    throw Error(recorder->failure ? *recorder->failure : InternalError("a lazy tensor was not computed"));
  return state->data;
}

} // namespace ingot
