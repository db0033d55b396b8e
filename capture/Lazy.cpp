// The lazy device: segments of recorded operations, run when a value is read.
#include "ingot/capture/ProgramCache.h"
#include "ingot/capture/ScalarInputs.h"
#include "ingot/capture/SoleOwner.h"
#include "ingot/capture/Stream.h"

#include <algorithm>

namespace ingot {
namespace {

std::shared_ptr<const Buffer> fill_splat(const TensorState &state) {
  std::shared_ptr<Buffer> all = Buffer::allocate(state.type.bytes());
  const auto count = static_cast<std::size_t>(state.type.shape.num_elements());
  visit_dtype(state.type.dtype, [&]<class T>() { std::fill_n(all->as<T>(), count, *state.splat->as<T>()); });
  return all;
}

/// The value, when it is known; throws when it never will be.
std::shared_ptr<const Buffer> known_data(TensorState &state) {
  if (!state.is_settled()) {
    if (!state.splat)
      return nullptr;
    static std::mutex filling; // by several threads that read at once
    std::lock_guard lock(filling);
    if (!state.is_settled())
      state.settle(fill_splat(state), nullptr);
  }
  if (state.failure)
    std::rethrow_exception(state.failure);
  return state.data;
}

/// Marks the values that nobody but a closed segment holds: its lists of inputs and of all it lifted, and `inputs`.
void mark_last(const Recording &recording, std::vector<InputValue> &inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const StateRef &state = recording.inputs[i];
    inputs[i].last = state.is_sole(2) && state->data == inputs[i].data && is_sole_owner(state->data, 2);
  }
}

/// The segments that this thread is running: a native op may start one inside another.
struct Running {
  explicit Running(std::uint64_t segment) : segment(segment), outer(std::exchange(innermost, this)) {}
  ~Running() { innermost = outer; }
  static bool contains(std::uint64_t segment) {
    const Running *running = innermost;
    while (running && running->segment != segment)
      running = running->outer;
    return running != nullptr;
  }
  const std::uint64_t segment;
  Running *const outer;
  static thread_local Running *innermost;
};
thread_local constinit Running *Running::innermost = nullptr;

void run(Segment &segment, Location at) {
  if (segment.alive.empty())
    return;
  const std::vector<StateRef> &alive = segment.alive;
  try {
    const std::shared_ptr<const Trace> trace = segment.recording.finish(std::move(segment.outputs));
    std::vector<InputValue> inputs;
    for (const StateRef &input : segment.recording.inputs)
      inputs.push_back({realize(input, at)});
    mark_last(segment.recording, inputs);
    try {
      std::vector<std::shared_ptr<const Buffer>> results = run_trace(*trace, inputs, at);
      for (std::size_t i = 0; i < alive.size(); ++i)
        alive[i]->settle(std::move(results[i]), nullptr);
    } catch (const CompileError &) {
      throw;
    } catch (...) {
      // A wrong index or a custom op that throws spoils what depends on it and nothing else. No input is overwritten
      // before the last of them is through.
      for (InputValue &input : inputs)
        input.last = false;
      for (std::size_t i = 0; i < alive.size(); ++i)
        try {
          alive[i]->settle(run_trace(only_output(*trace, i), inputs, at)[0], nullptr);
        } catch (...) {
          alive[i]->settle(nullptr, std::current_exception());
        }
    }
  } catch (...) {
    for (const StateRef &state : alive)
      if (!state->is_settled())
        state->settle(nullptr, std::current_exception());
  }
}

} // namespace

void run_segment(Stream &stream, std::uint64_t number, Location at) {
  std::optional<Segment> segment = stream.take(number);
  if (!segment)
    return;
  const Running running(number);
  run(*segment, at);
  stream.give_back(std::move(segment->recording));
}

std::shared_ptr<const Buffer> realize(const StateRef &state, Location at) {
  if (state->inner.state())
    return realize(state->inner.state(), at);
  if (state->initial)
    return state->initial;
  if (std::shared_ptr<const Buffer> data = known_data(*state))
    return data;
  if (state->segment == 0)
    throw CaptureError("captured tensor " + TensorId(state->id).str() + " has no concrete value", CallSite(at));
  run_segment(*state->stream, state->segment, at);
  if (!state->is_settled() && Running::contains(state->segment))
    throw DispatchError("a native op read a tensor that is computed by the program it runs in", CallSite(at));
  state->wait(); // for another thread that runs it
  return known_data(*state);
}

} // namespace ingot
