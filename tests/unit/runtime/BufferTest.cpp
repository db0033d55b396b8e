#include "ingot/runtime/Buffer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace ingot {
namespace {

/// Sets the bound of cached bytes for one test.
struct CacheLimit {
  explicit CacheLimit(std::size_t bytes) : before(Buffer::set_cache_limit(bytes)) {}
  ~CacheLimit() {
    Buffer::trim_cache();
    Buffer::set_cache_limit(before);
  }
  std::size_t before;
};

TEST(Buffer, IsAlignedAtEverySize) {
  for (std::size_t bytes : {0u, 1u, 63u, 64u, 65u, 4096u, 65535u, 65536u, 65537u, 3u << 20, 4u << 20, (9u << 20) + 1}) {
    const auto buffer = Buffer::allocate(bytes);
    EXPECT_EQ(buffer->size(), bytes);
    EXPECT_NE(buffer->data(), nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->data()) % Buffer::kAlignment, 0u) << bytes;
    if (bytes > 0)
      std::memset(buffer->data(), 0xab, bytes);
  }
}

TEST(Buffer, EmptyBuffersAreDistinct) {
  const auto a = Buffer::allocate(0), b = Buffer::allocate(0);
  EXPECT_NE(a->data(), b->data());
}

TEST(Buffer, ZerosAreZeroEvenInReusedMemory) {
  const CacheLimit limit(64 << 20);
  const std::size_t bytes = 300000;
  {
    const auto dirty = Buffer::allocate(bytes);
    std::memset(dirty->data(), 0xff, bytes);
  }
  const auto zeros = Buffer::zeros(bytes);
  EXPECT_EQ(std::vector<char>(zeros->as<char>(), zeros->as<char>() + bytes), std::vector<char>(bytes));
}

TEST(Buffer, LargeBlocksAreReused) {
  const CacheLimit limit(64 << 20);
  void *first = Buffer::allocate(1 << 20)->data();
  EXPECT_GE(Buffer::stats().cached_bytes, std::size_t(1) << 20);
  EXPECT_EQ(Buffer::allocate((1 << 20) - 5)->data(), first);
  Buffer::trim_cache();
  EXPECT_EQ(Buffer::stats().cached_bytes, 0u);
}

TEST(Buffer, TheCacheStaysWithinItsBound) {
  const CacheLimit limit(10 << 20);
  Buffer::trim_cache();
  std::vector<std::shared_ptr<Buffer>> buffers;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 1; i <= 40; ++i)
      buffers.push_back(Buffer::allocate(i * 100000));
    for (std::size_t i = 0; i < buffers.size(); i += 2)
      buffers[i].reset(); // in and out of order of age
    buffers.clear();
    EXPECT_LE(Buffer::stats().cached_bytes, std::size_t(10) << 20);
    EXPECT_GT(Buffer::stats().cached_bytes, 0u);
  }
  Buffer::set_cache_limit(0);
  EXPECT_EQ(Buffer::stats().cached_bytes, 0u);
  Buffer::allocate(1 << 20).reset();
  EXPECT_EQ(Buffer::stats().cached_bytes, 0u);
}

TEST(Buffer, CountsWhatLives) {
  const std::size_t before = Buffer::stats().live_bytes;
  {
    const auto buffer = Buffer::allocate(1000000);
    EXPECT_GE(Buffer::stats().live_bytes, before + 1000000);
    EXPECT_GE(Buffer::stats().peak_bytes, before + 1000000);
  }
  EXPECT_EQ(Buffer::stats().live_bytes, before);
}

TEST(Buffer, WrappedMemoryLivesAsLongAsTheBuffer) {
  auto owner = std::make_shared<std::vector<int>>(4, 7);
  std::weak_ptr<std::vector<int>> watch = owner;
  auto buffer = Buffer::wrap(owner->data(), 16, owner);
  owner.reset();
  EXPECT_EQ(buffer->as<int>()[3], 7);
  buffer.reset();
  EXPECT_TRUE(watch.expired());
}

TEST(Buffer, AllocatesFromManyThreads) {
  const CacheLimit limit(8 << 20);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (std::size_t i = 0; i < 500; ++i) {
        const std::size_t bytes = 50000 + (i * 7919 + static_cast<std::size_t>(t) * 104729) % 400000;
        const auto buffer = Buffer::allocate(bytes);
        buffer->as<char>()[0] = static_cast<char>(t);
        buffer->as<char>()[bytes - 1] = static_cast<char>(i);
        ASSERT_EQ(buffer->as<char>()[0], static_cast<char>(t));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Buffer, AnImpossibleSizeIsBadAlloc) { EXPECT_THROW(Buffer::allocate(SIZE_MAX - 3), std::bad_alloc); }

} // namespace
} // namespace ingot
