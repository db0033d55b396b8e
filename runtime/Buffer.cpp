#include "ingot/runtime/Buffer.h"

#include "ingot/runtime/Sanitizers.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace ingot {
namespace {

/// What free blocks may take unless someone says otherwise: an eighth of the machine's memory, at most 1 GiB.
std::size_t default_limit() {
#if INGOT_ADDRESS_SANITIZER
  return 0; // a cached block would hide a use after free
#else
  const std::size_t memory = static_cast<std::size_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L)) *
                             static_cast<std::size_t>(std::max(sysconf(_SC_PAGESIZE), 0L));
  return std::min(memory / 8, std::size_t(1) << 30);
#endif
}

// Below this size data and object are one piece of malloc; from it on blocks are cached.
constexpr std::size_t kPageSized = std::size_t(64) << 10;
// From this size on blocks are mapped directly, in huge pages where there are any.
constexpr std::size_t kMapped = std::size_t(4) << 20;
constexpr std::size_t kHugePage = std::size_t(2) << 20;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  if (bytes > SIZE_MAX / 2)
    throw std::bad_alloc();
  return (bytes + unit - 1) / unit * unit;
}

/// The size of the block for `bytes`: four classes per power of two from kPageSized on.
std::size_t block_size(std::size_t bytes) {
  if (bytes < kPageSized)
    return round_up(bytes == 0 ? 1 : bytes, Buffer::kAlignment);
  return round_up(bytes, std::bit_floor(bytes) / 4);
}

/// A number for each size that block_size gives from kPageSized on.
std::size_t class_of(std::size_t capacity) {
  const auto log = static_cast<std::size_t>(std::bit_width(capacity) - 1);
  return 4 * log + (capacity >> (log - 2)) % 4;
}

void *system_allocate(std::size_t capacity) {
  if (capacity < kMapped) {
    void *data = std::aligned_alloc(Buffer::kAlignment, capacity);
    if (!data)
      throw std::bad_alloc();
    return data;
  }
  const std::size_t padded = capacity + kHugePage;
  void *raw = mmap(nullptr, padded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED)
    throw std::bad_alloc();
  auto *begin = static_cast<char *>(raw);
  const std::size_t skip = (kHugePage - reinterpret_cast<std::uintptr_t>(raw) % kHugePage) % kHugePage;
  if (skip != 0)
    munmap(begin, skip);
  munmap(begin + skip + capacity, kHugePage - skip);
  madvise(begin + skip, capacity, MADV_HUGEPAGE); // only a hint
  return begin + skip;
}

void system_free(void *data, std::size_t capacity) {
  if (capacity < kMapped)
    std::free(data);
  else
    munmap(data, capacity);
}

/// Free blocks by class, oldest evicted first when there are too many. The links live in the free blocks
/// themselves, so keeping a block never allocates.
class BlockCache {
public:
  void *take(std::size_t capacity) {
    const std::scoped_lock lock(mutex);
    Block *block = newest_of[class_of(capacity)];
    if (block)
      unlink(block);
    return block;
  }

  /// Takes the block over, or returns false.
  bool keep(void *data, std::size_t capacity) {
    const std::scoped_lock lock(mutex);
    if (capacity > limit)
      return false;
    evict(limit - capacity);
    Block *&newest_same = newest_of[class_of(capacity)];
    auto *block = new (data) Block{capacity, newest, nullptr, newest_same, nullptr};
    (newest ? newest->newer : oldest) = block;
    newest = block;
    if (newest_same)
      newest_same->newer_same = block;
    newest_same = block;
    bytes += capacity;
    return true;
  }

  void trim() {
    const std::scoped_lock lock(mutex);
    evict(0);
  }

  std::size_t set_limit(std::size_t wanted) {
    const std::scoped_lock lock(mutex);
    const std::size_t before = limit;
    limit = wanted;
    evict(limit);
    return before;
  }

  std::size_t cached() {
    const std::scoped_lock lock(mutex);
    return bytes;
  }

private:
  struct Block {
    std::size_t capacity;
    Block *older, *newer;
    Block *older_same, *newer_same;
  };

  std::mutex mutex;
  std::size_t limit = default_limit();
  std::size_t bytes = 0;
  Block *oldest = nullptr, *newest = nullptr;
  std::array<Block *, 256> newest_of{};

  void unlink(Block *block) {
    (block->newer ? block->newer->older : newest) = block->older;
    (block->older ? block->older->newer : oldest) = block->newer;
    (block->newer_same ? block->newer_same->older_same : newest_of[class_of(block->capacity)]) = block->older_same;
    if (block->older_same)
      block->older_same->newer_same = block->newer_same;
    bytes -= block->capacity;
  }

  void evict(std::size_t down_to) {
    while (bytes > down_to) {
      Block *block = oldest;
      const std::size_t capacity = block->capacity;
      unlink(block);
      system_free(block, capacity);
    }
  }
};

/// Never destroyed: buffers in static storage may outlive any order of destruction.
BlockCache &block_cache() {
  static BlockCache &cache = *new BlockCache;
  return cache;
}

std::atomic<std::size_t> live_bytes{0};
std::atomic<std::size_t> peak_bytes{0};

void count_live(std::size_t bytes) {
  const std::size_t now = live_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::size_t peak = peak_bytes.load(std::memory_order_relaxed);
  while (peak < now && !peak_bytes.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

void *allocate_block(std::size_t capacity) {
  if (void *data = block_cache().take(capacity))
    return data;
  try {
    return system_allocate(capacity);
  } catch (const std::bad_alloc &) {
    block_cache().trim();
    return system_allocate(capacity);
  }
}

void free_block(void *data, std::size_t capacity) {
  if (!block_cache().keep(data, capacity))
    system_free(data, capacity);
}

/// Memory for an object and, after it, `tail` aligned bytes whose address goes to `data`.
template <class T> struct TailAllocator {
  using value_type = T;
  std::size_t tail;
  void **data;

  TailAllocator(std::size_t tail, void **data) : tail(tail), data(data) {}
  template <class U> TailAllocator(const TailAllocator<U> &other) : tail(other.tail), data(other.data) {}

  T *allocate(std::size_t count) {
    const std::size_t head = count * sizeof(T);
    auto *raw = static_cast<char *>(std::malloc(head + tail + Buffer::kAlignment - 1));
    if (!raw)
      throw std::bad_alloc();
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(raw) + head;
    *data = raw + head + (Buffer::kAlignment - end % Buffer::kAlignment) % Buffer::kAlignment;
    return reinterpret_cast<T *>(raw);
  }
  void deallocate(T *pointer, std::size_t) { std::free(pointer); }
  template <class U> bool operator==(const TailAllocator<U> &) const { return true; }
};

} // namespace

Buffer::Buffer(Private, void *data, std::size_t bytes, std::size_t capacity, std::shared_ptr<const void> owner)
    : data_(data), size_(bytes), capacity(capacity), owner(std::move(owner)) {}

Buffer::~Buffer() {
  if (capacity == 0)
    return;
  live_bytes.fetch_sub(capacity, std::memory_order_relaxed);
  if (capacity >= kPageSized)
    free_block(data_, capacity);
}

std::shared_ptr<Buffer> Buffer::allocate(std::size_t bytes) {
  const std::size_t capacity = block_size(bytes);
  void *data = nullptr;
  if (capacity < kPageSized) {
    // `data` is passed by reference: it is set when the memory is there, before the constructor reads it.
    auto buffer =
        std::allocate_shared<Buffer>(TailAllocator<Buffer>(capacity, &data), Private{}, data, bytes, capacity, nullptr);
    count_live(capacity);
    return buffer;
  }
  data = allocate_block(capacity);
  try {
    auto buffer = std::make_shared<Buffer>(Private{}, data, bytes, capacity, nullptr);
    count_live(capacity);
    return buffer;
  } catch (...) {
    free_block(data, capacity);
    throw;
  }
}

std::shared_ptr<Buffer> Buffer::zeros(std::size_t bytes) {
  auto buffer = allocate(bytes);
  std::memset(buffer->data_, 0, bytes);
  return buffer;
}

std::shared_ptr<Buffer> Buffer::wrap(void *data, std::size_t bytes, std::shared_ptr<const void> owner) {
  return std::make_shared<Buffer>(Private{}, data, bytes, 0, std::move(owner));
}

Buffer::Stats Buffer::stats() {
  return {live_bytes.load(std::memory_order_relaxed), peak_bytes.load(std::memory_order_relaxed),
          block_cache().cached()};
}

void Buffer::trim_cache() { block_cache().trim(); }

std::size_t Buffer::set_cache_limit(std::size_t bytes) { return block_cache().set_limit(bytes); }

} // namespace ingot
