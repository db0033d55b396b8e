#include "ingot/passes/BufferPacking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace ingot {
namespace {

struct Life {
  int64_t bytes;
  unsigned first, last;
};

/// Packs the buffers and checks that none alive together overlap; returns the total.
int64_t pack(const std::vector<Life> &lives) {
  BufferPacking packing;
  for (const Life &life : lives)
    packing.add(life.bytes, life.first, life.last);
  const std::vector<int64_t> offsets = packing.pack();
  // By offset: each need only be compared with those that begin before it ends.
  std::vector<size_t> order(lives.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return offsets[a] < offsets[b]; });
  size_t overlaps = 0;
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t j = i + 1; j < order.size(); ++j) {
      const Life &a = lives[order[i]], &b = lives[order[j]];
      if (offsets[order[j]] >= offsets[order[i]] + a.bytes)
        break;
      overlaps += a.first <= b.last && b.first <= a.last && a.bytes > 0 && b.bytes > 0;
    }
  EXPECT_EQ(overlaps, 0u);
  for (size_t i = 0; i < lives.size(); ++i) {
    EXPECT_EQ(offsets[i] % BufferPacking::kAlignment, 0);
    EXPECT_LE(offsets[i] + lives[i].bytes, packing.totalBytes());
  }
  return packing.totalBytes();
}

std::vector<Life> random_lives(size_t count, unsigned longest) {
  std::mt19937 random(7);
  std::vector<Life> lives;
  for (unsigned i = 0; i < count; ++i)
    lives.push_back({int64_t(random() % 5000), i, i + unsigned(random() % longest)});
  return lives;
}

TEST(BufferPacking, NoTwoThatLiveTogetherOverlap) { pack(random_lives(500, 40)); }

TEST(BufferPacking, ManyBuffersDoNotOverlapEither) { pack(random_lives(BufferPacking::kMostBySize + 1000, 40)); }

TEST(BufferPacking, AChainReusesItsMemoryAtAnySize) {
  for (const size_t count : {size_t(100), BufferPacking::kMostBySize + 100}) {
    std::vector<Life> lives;
    for (unsigned i = 0; i < count; ++i)
      lives.push_back({64, i, i + 1});
    EXPECT_EQ(pack(lives), 128);
  }
}

TEST(BufferPacking, WorkIsLinearBeyondTheBound) {
  auto work = [](size_t count) {
    BufferPacking packing;
    for (unsigned i = 0; i < count; ++i)
      packing.add(64 * (1 + i % 7), i, i + 1 + i % 50);
    packing.pack();
    return packing.visits();
  };
  const size_t n = BufferPacking::kMostBySize + 1;
  EXPECT_LE(work(n), 4 * n);
  EXPECT_LE(work(2 * n), 2 * work(n) + 100);
  EXPECT_LE(work(n - 1), n * n / 2);
}

TEST(BufferPacking, NeighbouringGapsBecomeOne) {
  std::vector<Life> lives;
  for (unsigned i = 0; i < BufferPacking::kMostBySize; ++i)
    lives.push_back({64, i, i});
  const unsigned then = unsigned(lives.size());
  lives.push_back({64, then, then});
  lives.push_back({64, then, then});
  lives.push_back({64, then, then + 2}); // keeps the top where it is
  lives.push_back({128, then + 1, then + 2});
  EXPECT_EQ(pack(lives), 192);
}

} // namespace
} // namespace ingot
