// Who may change what is shared: the last who holds it.
#pragma once

#include "ingot/runtime/Sanitizers.h"

#include <atomic>
#include <memory>

namespace ingot {

/// Whether the object is held `mine` times, by the caller alone. What others did with it before they let go has then
/// happened, which use_count() by itself does not say.
template <class T> bool is_sole_owner(const std::shared_ptr<T> &pointer, long mine = 1) {
  if (pointer.use_count() != mine)
    return false;
#if INGOT_THREAD_SANITIZER // it knows no fences
  const std::shared_ptr<T> acquired = pointer;
#else
  std::atomic_thread_fence(std::memory_order_acquire);
#endif
  return true;
}

} // namespace ingot
