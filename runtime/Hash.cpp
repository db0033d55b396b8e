#include "ingot/runtime/Hash.h"

#include <algorithm>
#include <ostream>

namespace ingot {
namespace {

// Odd constants from the fractional digits of square roots of primes.
constexpr std::uint64_t kIn = 0x6A09E667F3BCC909u;
constexpr std::uint64_t kOut = 0xBB67AE8584CAA73Bu;
constexpr std::uint64_t kFold[4] = {0x3C6EF372FE94F82Bu, 0xA54FF53A5F1D36F1u, 0x510E527FADE682D1u, 0x9B05688C2B3E6C1Fu};

std::uint64_t load_word(const unsigned char *at) {
  std::uint64_t word;
  std::memcpy(&word, at, 8);
  if constexpr (std::endian::native == std::endian::big)
    word = __builtin_bswap64(word);
  return word;
}

/// Absorbs one word. A bijection of the lane for a given word and of the word for a given lane: no entropy is
/// lost.
std::uint64_t round(std::uint64_t lane, std::uint64_t word) { return std::rotl(lane + word * kIn, 29) * kOut; }

/// Spreads every bit over the word; a bijection.
std::uint64_t spread(std::uint64_t x) {
  x = (x ^ (x >> 32)) * kFold[0];
  x = (x ^ (x >> 29)) * kFold[1];
  return x ^ (x >> 32);
}

} // namespace

std::string Hash128::str() const {
  constexpr char digits[] = "0123456789abcdef";
  std::string text(32, '0');
  for (int i = 0; i < 16; ++i) {
    text[15 - i] = digits[(hi >> (4 * i)) & 15];
    text[31 - i] = digits[(lo >> (4 * i)) & 15];
  }
  return text;
}

std::ostream &operator<<(std::ostream &out, const Hash128 &hash) { return out << hash.str(); }

void Hasher::absorb(const unsigned char *block) {
  for (int half = 0; half < 2; ++half)
    for (int i = 0; i < 4; ++i)
      lanes[i] = round(lanes[i], load_word(block + 32 * half + 8 * i));
}

Hasher &Hasher::add_bytes(const void *data, std::size_t size) {
  const auto *bytes = static_cast<const unsigned char *>(data);
  const std::size_t used = total % kBlock;
  total += size;
  if (used != 0) {
    const std::size_t part = std::min(size, kBlock - used);
    if (part != 0)
      std::memcpy(pending.data() + used, bytes, part);
    if (used + part < kBlock)
      return *this;
    absorb(pending.data());
    bytes += part;
    size -= part;
  }
  // A local copy keeps the lanes in registers.
  Hasher local = *this;
  for (; size >= kBlock; size -= kBlock, bytes += kBlock)
    local.absorb(bytes);
  lanes = local.lanes;
  if (size != 0)
    std::memcpy(pending.data(), bytes, size);
  return *this;
}

Hash128 Hasher::finish() const {
  Hasher last = *this;
  if (const std::size_t used = total % kBlock) {
    std::fill(last.pending.begin() + used, last.pending.end(), static_cast<unsigned char>(0));
    last.absorb(last.pending.data());
  }
  // Two independent sums over all lanes, each a bijection of any one lane.
  std::uint64_t lo = total, hi = ~total;
  for (int i = 0; i < 4; ++i) {
    lo = spread(lo + last.lanes[i] * kFold[i]) + std::uint64_t(i);
    hi = spread(std::rotl(hi, 17) ^ (last.lanes[3 - i] * kFold[3 - i]));
  }
  return {spread(lo ^ std::rotl(hi, 23)), spread(hi + lo * kIn)};
}

Hash128 hash_bytes(const void *data, std::size_t size) { return Hasher().add_bytes(data, size).finish(); }

} // namespace ingot
