#include "ingot/capture/TensorState.h"

#include "ingot/capture/Pool.h"
#include "ingot/capture/Stream.h"

namespace ingot {
namespace {

/// Ascending on each thread. A thread takes many at once, because an atomic step costs as much as the rest of a state.
std::uint64_t next_id() {
  constexpr std::uint64_t kTaken = 1024;
  static std::atomic<std::uint64_t> taken{1};
  thread_local std::uint64_t next = 0, end = 0;
  if (next == end) {
    next = taken.fetch_add(kTaken, std::memory_order_relaxed);
    end = next + kTaken;
  }
  return next++;
}

} // namespace

TensorState::TensorState(const TensorType &type, const Device &device) : id(next_id()), type(type), device(device) {}
TensorState::~TensorState() = default;

void TensorState::settle(std::shared_ptr<const Buffer> value, std::exception_ptr error) {
  data = std::move(value);
  failure = std::move(error);
  settled.store(1, std::memory_order_release);
  settled.notify_all();
}

StateRef make_state(const TensorType &type, const Device &device) {
  PoolAllocator<TensorState> pool;
  TensorState *state = pool.allocate(1);
  try {
    return StateRef::adopt(new (state) TensorState(type, device));
  } catch (...) {
    pool.deallocate(state, 1);
    throw;
  }
}

void StateRef::destroy(Counted *counted) {
  auto *state = static_cast<TensorState *>(counted);
  if (state->segment != 0 && !state->is_settled())
    state->stream->drop(*state);
  state->~TensorState();
  PoolAllocator<TensorState>().deallocate(state, 1);
}

} // namespace ingot
