// The lazy device: segments of recorded operations, run when a value is read.
#include "ingot/capture/ProgramCache.h"
#include "ingot/capture/Recorder.h"
#include "ingot/capture/ScalarInputs.h"
#include "ingot/capture/SoleOwner.h"

#include <algorithm>
#include <mutex>

namespace ingot {
namespace {

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

/// Marks the values that nobody but a closed segment holds: its lists of inputs and of all it lifted, and `inputs`.
void mark_last(const Recorder &recorder, std::vector<InputValue> &inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::shared_ptr<TensorState> &state = recorder.inputs[i];
    std::lock_guard lock(state->mutex);
    inputs[i].last = is_sole_owner(state, 2) && state->data == inputs[i].data && is_sole_owner(state->data, 2);
  }
}

thread_local Trace spareTrace; // memory of the last segment run on this thread, for the next
} // namespace

const std::shared_ptr<Recorder> &current_segment() {
  thread_local std::shared_ptr<Recorder> segment;
  if (!segment || segment->closed) {
    segment = std::make_shared<Recorder>(Recorder::Kind::Segment, 0, Device::cpu());
    segment->trace = std::exchange(spareTrace, Trace());
    if (std::shared_ptr<const Trace> expected = expected_trace()) {
      segment->results.reserve(expected->values().size());
      segment->repetition.emplace(std::move(expected));
    }
  }
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
  if (alive.empty()) {
    spareTrace = recorder.forget();
    return;
  }
  const std::shared_ptr<const Trace> trace = recorder.finish(std::move(outputs));
  try {
    std::vector<InputValue> inputs;
    for (const std::shared_ptr<TensorState> &input : recorder.inputs)
      inputs.push_back({realize(input, at)});
    mark_last(recorder, inputs);
    try {
      std::vector<std::shared_ptr<const Buffer>> results = run_trace(*trace, inputs, at);
      for (std::size_t i = 0; i < alive.size(); ++i)
        settle(*alive[i], std::move(results[i]), nullptr);
    } catch (const CompileError &) {
      throw;
    } catch (...) {
      // A wrong index or a custom op that throws spoils what depends on it and nothing else. No input is overwritten
      // before the last of them is through.
      for (InputValue &input : inputs)
        input.last = false;
      for (std::size_t i = 0; i < alive.size(); ++i)
        try {
          settle(*alive[i], run_trace(only_output(*trace, i), inputs, at)[0], nullptr);
        } catch (...) {
          settle(*alive[i], nullptr, std::current_exception());
        }
    }
  } catch (...) {
    for (const std::shared_ptr<TensorState> &state : alive)
      if (!known_or_failed(*state))
        settle(*state, nullptr, std::current_exception());
  }
  spareTrace = recorder.forget();
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
