// Memory for small objects that are made and dropped with every recorded op.
#pragma once

#include "ingot/runtime/Sanitizers.h"

#include <cstddef>
#include <memory>
#include <new>
#include <unordered_map>
#include <utility>

namespace ingot {

/// For std::allocate_shared: each thread keeps a bounded list of free blocks of each type, so that neither a lock nor a
/// search is needed. A block may be given back on another thread than it came from.
template <class T> class PoolAllocator {
public:
  using value_type = T;
  PoolAllocator() = default;
  template <class U> PoolAllocator(const PoolAllocator<U> &) {}

  T *allocate(std::size_t n) {
    if (n != 1 || !free.head)
      return std::allocator<T>().allocate(n);
    --free.count;
    return reinterpret_cast<T *>(std::exchange(free.head, free.head->next));
  }
  void deallocate(T *block, std::size_t n) {
    if (n != 1 || free.count >= kMost)
      return std::allocator<T>().deallocate(block, n);
    if (free.count++ == 0)
      (void)&drain; // makes this thread's
    free.head = new (block) Block{free.head};
  }
  friend bool operator==(const PoolAllocator &, const PoolAllocator &) { return true; }

private:
  struct Block {
    Block *next;
  };
  static_assert(sizeof(T) >= sizeof(Block) && alignof(T) >= alignof(Block) &&
                alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  // Nothing is kept where a sanitizer watches the life of every object.
#if INGOT_ADDRESS_SANITIZER || INGOT_THREAD_SANITIZER
  static constexpr std::size_t kMost = 0;
#else
  static constexpr std::size_t kMost = 1024;
#endif
  struct List {
    Block *head = nullptr;
    std::size_t count = 0;
  };
  /// Frees the list of a thread that ends, and keeps what comes later out of it.
  struct Drain {
    ~Drain() {
      while (free.head)
        std::allocator<T>().deallocate(reinterpret_cast<T *>(std::exchange(free.head, free.head->next)), 1);
      free.count = kMost;
    }
  };
  static inline constinit thread_local List free; // trivial, so that it can be used to the thread's very end
  static inline thread_local Drain drain;
};

template <class Key, class Value>
using PooledMap =
    std::unordered_map<Key, Value, std::hash<Key>, std::equal_to<Key>, PoolAllocator<std::pair<const Key, Value>>>;

} // namespace ingot
