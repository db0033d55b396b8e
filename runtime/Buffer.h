// Reference-counted, 64-byte aligned storage. Large blocks go back to a bounded list of free blocks instead
// of the system, because the page faults of fresh memory cost more than most kernels that fill it.
#pragma once

#include <cstddef>
#include <memory>

namespace ingot {

class Buffer {
  struct Private {};

public:
  static constexpr std::size_t kAlignment = 64;

  /// `bytes` of uninitialised memory; 0 is fine, and data() is then still a valid, distinct address. Throws
  /// std::bad_alloc. Safe from any thread.
  static std::shared_ptr<Buffer> allocate(std::size_t bytes);
  /// The same, filled with zeros.
  static std::shared_ptr<Buffer> zeros(std::size_t bytes);
  /// Memory that belongs to someone else, kept alive by `owner`.
  static std::shared_ptr<Buffer> wrap(void *data, std::size_t bytes, std::shared_ptr<const void> owner);

  Buffer(Private, void *data, std::size_t bytes, std::size_t capacity, std::shared_ptr<const void> owner);
  ~Buffer();
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  void *data() { return data_; }
  const void *data() const { return data_; }
  template <class T> T *as() { return static_cast<T *>(data_); }
  template <class T> const T *as() const { return static_cast<const T *>(data_); }
  std::size_t size() const { return size_; }

  struct Stats {
    std::size_t live_bytes;   ///< in buffers that exist
    std::size_t peak_bytes;   ///< largest live_bytes so far
    std::size_t cached_bytes; ///< in free blocks kept for later
  };
  static Stats stats();
  /// Returns every cached block to the system.
  static void trim_cache();
  /// Bounds the bytes kept in free blocks; returns the previous bound. 0 keeps nothing.
  static std::size_t set_cache_limit(std::size_t bytes);

private:
  void *data_;
  std::size_t size_;
  std::size_t capacity; // of the block behind it; 0 for wrapped memory
  std::shared_ptr<const void> owner;
};

} // namespace ingot
