#include "ingot/runtime/Rng.h"

#include <gtest/gtest.h>

#include <set>

namespace ingot {
namespace {

using Words4 = std::array<std::uint32_t, 4>;

TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Words4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}), (Words4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words4{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Rng, PositionsAreWordsOfBlocks) {
  const RngKey key{{0x0123456789abcdef, 0xfedcba9876543210}};
  for (std::uint64_t i : {std::uint64_t(0), std::uint64_t(5), std::uint64_t(1) << 40}) {
    EXPECT_EQ(rng_bits32(key, 4 * i + 3), rng_block(key, i)[3]);
    EXPECT_EQ(rng_bits64(key, 2 * i + 1), rng_block(key, i)[2] | std::uint64_t(rng_block(key, i)[3]) << 32);
  }
  EXPECT_EQ(rng_block(key, 0x1122334455667788),
            philox4x32({0x55667788, 0x11223344, 0x76543210, 0xfedcba98}, {0x89abcdef, 0x01234567}));
}

TEST(Rng, SplitKeysDifferFromEachOtherAndFromTheirDraws) {
  const RngKey key = rng_key(42);
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const RngKey child = rng_split(key, i);
    EXPECT_TRUE(seen.insert({child.words[0], child.words[1]}).second);
    EXPECT_NE(child.words[0], rng_bits64(key, i));
  }
  EXPECT_FALSE(rng_key(1) == rng_key(2));
}

TEST(Rng, UnitValuesCoverTheHalfOpenInterval) {
  EXPECT_EQ(rng_unit_f32(0), 0.0f);
  EXPECT_LT(rng_unit_f32(~0u), 1.0f);
  EXPECT_EQ(rng_unit_f64(0), 0.0);
  EXPECT_LT(rng_unit_f64(~std::uint64_t(0)), 1.0);
  const RngKey key = rng_key(7);
  double sum = 0;
  const int n = 100000;
  for (int i = 0; i < n; ++i)
    sum += rng_unit_f32(rng_bits32(key, static_cast<std::uint64_t>(i)));
  EXPECT_NEAR(sum / n, 0.5, 0.005) << "five standard errors";
}

} // namespace
} // namespace ingot
