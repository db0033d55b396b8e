#include "ingot/capture/Stream.h"

#include "ingot/capture/ProgramCache.h"

#include <deque>

namespace ingot {
namespace {

struct Streams {
  std::mutex mutex;
  std::deque<Stream> all;
  std::vector<Stream *> idle;
};
Streams &streams() {
  static auto *streams = new Streams; // outlives threads that end late
  return *streams;
}

void make_idle(Stream &stream) {
  std::lock_guard lock(streams().mutex);
  streams().idle.push_back(&stream);
}

thread_local constinit Stream *mine = nullptr; // trivial, so that it can be used to the thread's very end
struct Leaving {
  ~Leaving() {
    if (Stream *stream = std::exchange(mine, nullptr))
      stream->abandon();
  }
};
thread_local Leaving leaving;

/// One more handle of a state that may have none left.
StateRef hold(TensorState &state) {
  std::uint32_t count = state.handles.load(std::memory_order_relaxed);
  while (count != 0)
    if (state.handles.compare_exchange_weak(count, count + 1, std::memory_order_relaxed))
      return StateRef::adopt(&state);
  return StateRef();
}

} // namespace

Stream &Stream::current() {
  if (!mine) {
    (void)&leaving; // makes this thread's
    std::lock_guard lock(streams().mutex);
    if (streams().idle.empty()) {
      mine = &streams().all.emplace_back();
    } else {
      mine = streams().idle.back();
      streams().idle.pop_back();
    }
  }
  return *mine;
}

std::uint64_t Stream::begin() {
  if (segment == 0) {
    static std::atomic<std::uint64_t> last{0};
    segment = ++last;
    if (std::shared_ptr<const Pattern> expected = expected_pattern()) {
      results.resize(expected->types.size());
      repetition.emplace(std::move(expected));
    }
  }
  return segment;
}

void Stream::add_result(TensorState &state, ValueId value) {
  state.stream = this;
  state.segment = segment;
  state.value = value;
  if (results.size() <= value)
    results.resize(2 * std::size_t(value) + 2);
  results[value] = &state;
  ++held;
}

Recording Stream::close() {
  segment = 0;
  held = 0;
  results.clear();
  return std::exchange(static_cast<Recording &>(*this), std::exchange(spare, Recording()));
}

std::optional<Segment> Stream::take(std::uint64_t number) {
  std::optional<Segment> taken;
  std::unique_lock lock(mutex);
  if (number != segment)
    return std::nullopt;
  taken.emplace();
  for (TensorState *state : results)
    if (state)
      if (StateRef handle = hold(*state)) {
        taken->outputs.push_back(state->value);
        taken->alive.push_back(std::move(handle));
      }
  taken->recording = close();
  const bool free = std::exchange(abandoned, false);
  lock.unlock();
  if (free)
    make_idle(*this);
  return taken;
}

void Stream::give_back(Recording recording) {
  recording.clear();
  std::lock_guard lock(mutex);
  spare = std::move(recording);
}

void Stream::drop(const TensorState &state) {
  std::optional<Recording> rest; // dropped after the lock
  std::unique_lock lock(mutex);
  if (state.segment != segment)
    return;
  results[state.value] = nullptr;
  if (--held != 0 || !abandoned)
    return;
  rest = close();
  abandoned = false;
  lock.unlock();
  make_idle(*this);
}

void Stream::abandon() {
  std::optional<Recording> rest; // dropped after the lock
  std::unique_lock lock(mutex);
  if (held != 0) {
    abandoned = true;
    return;
  }
  rest = close();
  lock.unlock();
  make_idle(*this);
}

} // namespace ingot
