#include "ingot/runtime/Hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <string>
#include <vector>

namespace ingot {
namespace {

std::vector<unsigned char> pattern(std::size_t size) {
  std::vector<unsigned char> bytes(size);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<unsigned char>(i * 131 + 7);
  return bytes;
}

TEST(Hash, DependsOnTheBytesAndNotOnTheirPieces) {
  const auto bytes = pattern(300);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const Hash128 whole = hash_bytes(bytes.data(), size);
    for (std::size_t piece : {1u, 7u, 8u, 63u, 64u, 65u}) {
      Hasher hasher;
      for (std::size_t at = 0; at < size; at += piece)
        hasher.add_bytes(bytes.data() + at, std::min(piece, size - at));
      ASSERT_EQ(hasher.finish(), whole) << size << " in pieces of " << piece;
    }
  }
}

TEST(Hash, WordsAreTheirLittleEndianBytes) {
  for (std::size_t lead = 0; lead < 70; ++lead) {
    const auto bytes = pattern(lead);
    const std::uint64_t word = 0x0807060504030201;
    const unsigned char as_bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
    Hasher by_word, by_bytes;
    by_word.add_bytes(bytes.data(), lead).add(word);
    by_bytes.add_bytes(bytes.data(), lead).add_bytes(as_bytes, 8);
    ASSERT_EQ(by_word.finish(), by_bytes.finish());
  }
}

TEST(Hash, LengthsDiffer) {
  const std::vector<unsigned char> zeros(200);
  std::set<Hash128> seen;
  for (std::size_t size = 0; size <= zeros.size(); ++size)
    EXPECT_TRUE(seen.insert(hash_bytes(zeros.data(), size)).second) << size;
}

TEST(Hash, NeighbouringStringsDoNotRunTogether) {
  EXPECT_NE(Hasher().add("ab").add("c").finish(), Hasher().add("a").add("bc").finish());
  EXPECT_NE(Hasher().add("").finish(), Hasher().finish());
  EXPECT_NE(Hasher().add(0.0).finish(), Hasher().add(-0.0).finish());
}

TEST(Hash, GrowsAfterFinish) {
  Hasher hasher;
  hasher.add(1).finish();
  EXPECT_EQ(hasher.add(2).finish(), Hasher().add(1).add(2).finish());
}

TEST(Hash, SmallNumbersDoNotCollideInEitherHalf) {
  std::set<std::uint64_t> low, high;
  for (int i = 0; i < 300; ++i)
    for (int j = 0; j < 300; ++j) {
      const Hash128 hash = Hasher().add(i).add(j).finish();
      EXPECT_TRUE(low.insert(hash.lo).second);
      EXPECT_TRUE(high.insert(hash.hi).second);
    }
}

TEST(Hash, OneBitFlipsAboutHalfOfTheBits) {
  auto bytes = pattern(150);
  const Hash128 base = hash_bytes(bytes.data(), bytes.size());
  long flips = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
    const Hash128 other = hash_bytes(bytes.data(), bytes.size());
    const int changed = std::popcount(base.lo ^ other.lo) + std::popcount(base.hi ^ other.hi);
    EXPECT_GT(changed, 30) << bit;
    EXPECT_LT(changed, 98) << bit;
    flips += changed;
    bytes[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
  }
  EXPECT_NEAR(double(flips) / double(bytes.size() * 8), 64.0, 1.0);
}

TEST(Hash, IsTheSameOnEveryMachine) {
  EXPECT_EQ(Hasher().finish().str(), "1e7c5e33f792b2d23254bfc23781a039");
  EXPECT_EQ(Hasher().add(1).add("two").add(3.0).finish().str(), "5951b7aa1738876bc5a6a7d1b9529131");
  const auto bytes = pattern(1000);
  EXPECT_EQ(hash_bytes(bytes.data(), bytes.size()).str(), "150db995c7d3bdc3b5e0f85c550f7025");
}

TEST(Hash, PrintsHighDigitsFirst) {
  EXPECT_EQ((Hash128{0x1, 0xabcdef0000000000}).str(), "abcdef00000000000000000000000001");
}

} // namespace
} // namespace ingot
