// A list whose first N elements need no memory of their own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace ingot {

/// Contiguous, and like std::vector where it has a function; moves elements one by one while they are inside.
template <class T, std::size_t N> class SmallVector {
  static_assert(std::is_nothrow_move_constructible_v<T> && alignof(T) <= alignof(std::max_align_t));

public:
  using value_type = T;

  SmallVector() = default;
  template <std::input_iterator It> SmallVector(It first, It last) {
    for (; first != last; ++first)
      emplace_back(*first);
  }
  SmallVector(SmallVector &&other) noexcept { take(other); }
  SmallVector &operator=(SmallVector &&other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  SmallVector(const SmallVector &) = delete;
  ~SmallVector() { release(); }

  template <class... Args> T &emplace_back(Args &&...args) {
    if (count == room) // made first, because an argument may be an element
      return push_grown(T(std::forward<Args>(args)...));
    return *std::construct_at(items + count++, std::forward<Args>(args)...);
  }
  void push_back(const T &value) { emplace_back(value); }
  void push_back(T &&value) { emplace_back(std::move(value)); }
  void clear() {
    std::destroy_n(items, count);
    count = 0;
  }

  std::size_t size() const { return count; }
  bool empty() const { return count == 0; }
  T *data() { return items; }
  const T *data() const { return items; }
  T *begin() { return items; }
  T *end() { return items + count; }
  const T *begin() const { return items; }
  const T *end() const { return items + count; }
  T &operator[](std::size_t i) { return items[i]; }
  const T &operator[](std::size_t i) const { return items[i]; }
  T &back() { return items[count - 1]; }

private:
  alignas(T) std::byte inside[N * sizeof(T)];
  T *items = reinterpret_cast<T *>(inside);
  std::size_t count = 0, room = N;

  bool is_inside() const { return items == reinterpret_cast<const T *>(inside); }
  T &push_grown(T value) {
    T *more = std::allocator<T>().allocate(2 * room);
    std::uninitialized_move_n(items, count, more);
    const std::size_t size = count, larger = 2 * room;
    release();
    items = more;
    count = size;
    room = larger;
    return *std::construct_at(items + count++, std::move(value));
  }
  /// Of an empty list that owns nothing.
  void take(SmallVector &other) {
    if (other.is_inside()) {
      std::uninitialized_move_n(other.items, other.count, items);
      count = other.count;
      other.clear();
    } else {
      items = std::exchange(other.items, reinterpret_cast<T *>(other.inside));
      count = std::exchange(other.count, 0);
      room = std::exchange(other.room, N);
    }
  }
  void release() {
    clear();
    if (!is_inside())
      std::allocator<T>().deallocate(items, room);
    items = reinterpret_cast<T *>(inside);
    room = N;
  }
};

} // namespace ingot
