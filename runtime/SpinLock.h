// A lock for a few instructions: one atomic step where a mutex takes two. Nothing runs or waits while it is held.
#pragma once

#include <atomic>
#include <thread>

namespace ingot {

class SpinLock {
public:
  void lock() {
    while (taken.exchange(true, std::memory_order_acquire))
      while (taken.load(std::memory_order_relaxed))
        std::this_thread::yield(); // the holder may have lost its core
  }
  void unlock() { taken.store(false, std::memory_order_release); }

private:
  std::atomic<bool> taken{false};
};

} // namespace ingot
