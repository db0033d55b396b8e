// The handle of a tensor's state: one word, because the state holds its own count.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace ingot {

struct TensorState;

/// How many handles a TensorState has, which derives from this.
struct Counted {
  std::atomic<std::uint32_t> handles{1};
};

class StateRef {
public:
  StateRef() = default;
  /// Takes over one of the handles that the state counts.
  static StateRef adopt(Counted *state) {
    StateRef handle;
    handle.counted = state;
    return handle;
  }
  StateRef(const StateRef &other) noexcept : counted(other.counted) {
    if (counted)
      counted->handles.fetch_add(1, std::memory_order_relaxed);
  }
  StateRef(StateRef &&other) noexcept : counted(std::exchange(other.counted, nullptr)) {}
  StateRef &operator=(StateRef other) noexcept {
    std::swap(counted, other.counted);
    return *this;
  }
  ~StateRef() {
    if (counted && counted->handles.fetch_sub(1, std::memory_order_acq_rel) == 1)
      destroy(counted);
  }

  explicit operator bool() const { return counted != nullptr; }
  // Where TensorState is known.
  TensorState *get() const;
  TensorState &operator*() const;
  TensorState *operator->() const;
  friend bool operator==(const StateRef &, const StateRef &) = default;

  std::uint32_t count() const { return counted->handles.load(std::memory_order_relaxed); }
  /// Whether the caller holds the state `mine` times and nobody else does. What others did with it before they let go
  /// has then happened.
  bool is_sole(std::uint32_t mine = 1) const { return counted->handles.load(std::memory_order_acquire) == mine; }

private:
  Counted *counted = nullptr;

  static void destroy(Counted *state);
};

} // namespace ingot
