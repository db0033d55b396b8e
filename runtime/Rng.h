// Counter-based random bits: Philox 4x32 with 10 rounds. A key names a stream, an index names a position in
// it, and any position is computed on its own, so results do not depend on the order or the number of
// threads.
#pragma once

#include <array>
#include <cstdint>

namespace ingot {

/// The 128 bits that name a stream: word 0 is the Philox key, word 1 the upper half of its counter.
struct RngKey {
  std::uint64_t words[2] = {0, 0};

  friend constexpr bool operator==(const RngKey &a, const RngKey &b) {
    return a.words[0] == b.words[0] && a.words[1] == b.words[1];
  }
};

/// The Philox 4x32-10 block function.
constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                  std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t(0xD2511F53u) * counter[0];
    const std::uint64_t b = std::uint64_t(0xCD9E8D57u) * counter[2];
    counter = {std::uint32_t(b >> 32) ^ counter[1] ^ key[0], std::uint32_t(b),
               std::uint32_t(a >> 32) ^ counter[3] ^ key[1], std::uint32_t(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

/// Block `block` of the stream `key`: four 32-bit words. The counter is (block, key word 1), low words first.
constexpr std::array<std::uint32_t, 4> rng_block(const RngKey &key, std::uint64_t block) {
  return philox4x32({std::uint32_t(block), std::uint32_t(block >> 32), std::uint32_t(key.words[1]),
                     std::uint32_t(key.words[1] >> 32)},
                    {std::uint32_t(key.words[0]), std::uint32_t(key.words[0] >> 32)});
}

/// 32 bits at position `i`: word i % 4 of block i / 4.
constexpr std::uint32_t rng_bits32(const RngKey &key, std::uint64_t i) { return rng_block(key, i / 4)[i % 4]; }

/// 64 bits at position `i`: words 2 (i % 2) (low) and 2 (i % 2) + 1 (high) of block i / 2.
constexpr std::uint64_t rng_bits64(const RngKey &key, std::uint64_t i) {
  const auto block = rng_block(key, i / 2);
  return block[2 * (i % 2)] | std::uint64_t(block[2 * (i % 2) + 1]) << 32;
}

/// The key of sub-stream `ordinal`. Drawn from blocks with the top bit set, which no draw of values reaches.
constexpr RngKey rng_split(const RngKey &key, std::uint64_t ordinal) {
  const auto block = rng_block(key, ordinal | std::uint64_t(1) << 63);
  return {{block[0] | std::uint64_t(block[1]) << 32, block[2] | std::uint64_t(block[3]) << 32}};
}

/// The key that a user's seed names.
constexpr RngKey rng_key(std::uint64_t seed) { return rng_split({{seed, 0}}, 0); }

/// Uniform in [0, 1): the upper 24 bits of `bits`, exactly.
constexpr float rng_unit_f32(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }
/// Uniform in [0, 1): the upper 53 bits of `bits`, exactly.
constexpr double rng_unit_f64(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

} // namespace ingot
