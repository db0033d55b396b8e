// A fast 128-bit hash for program structure and file checksums. Equal on every machine and in every run; not
// meant to resist an attacker.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace ingot {

struct Hash128 {
  std::uint64_t lo = 0, hi = 0;

  /// 32 hexadecimal digits, `hi` first.
  std::string str() const;
  friend constexpr auto operator<=>(const Hash128 &, const Hash128 &) = default;
};
std::ostream &operator<<(std::ostream &out, const Hash128 &hash);

/// Hashes a sequence of values as it grows. The result depends on the bytes alone, not on how they were
/// handed over; `add(string)` puts the length first, so neighbouring strings do not run together.
class Hasher {
public:
  /// Any integer or enum, as eight bytes.
  template <class T>
    requires std::integral<T> || std::is_enum_v<T>
  Hasher &add(T value) {
    return add_word(static_cast<std::uint64_t>(value));
  }
  /// The bits, so that -0.0 and 0.0 differ.
  Hasher &add(double value) { return add_word(std::bit_cast<std::uint64_t>(value)); }
  Hasher &add(std::string_view text) {
    add_word(text.size());
    return add_bytes(text.data(), text.size());
  }
  Hasher &add(const char *text) { return add(std::string_view(text)); }
  Hasher &add(const Hash128 &hash) { return add_word(hash.lo).add_word(hash.hi); }
  /// The bytes alone, without their number.
  Hasher &add_bytes(const void *data, std::size_t size);

  /// The hash of everything so far; more may be added after it.
  Hash128 finish() const;

private:
  static constexpr std::size_t kBlock = 64;

  std::array<std::uint64_t, 4> lanes{0x243F6A8885A308D3u, 0x13198A2E03707344u, 0xA4093822299F31D0u,
                                     0x082EFA98EC4E6C89u};
  std::uint64_t total = 0;
  alignas(8) std::array<unsigned char, kBlock> pending{};

  void absorb(const unsigned char *block);
  Hasher &add_word(std::uint64_t word) {
    if constexpr (std::endian::native == std::endian::big)
      word = __builtin_bswap64(word);
    const std::size_t used = total % kBlock;
    if (used % 8 != 0 || used == kBlock - 8)
      return add_bytes(&word, 8);
    std::memcpy(pending.data() + used, &word, 8);
    total += 8;
    return *this;
  }
};

/// The hash of a run of bytes.
Hash128 hash_bytes(const void *data, std::size_t size);

} // namespace ingot

template <> struct std::hash<ingot::Hash128> {
  std::size_t operator()(const ingot::Hash128 &h) const noexcept { return h.lo ^ std::rotl(h.hi, 32); }
};
