// The 16-bit floating-point value types: IEEE binary16 and bfloat16. Conversions round to nearest even from
// any arithmetic type, without a second rounding on the way; arithmetic happens in float.
#pragma once

#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace ingot {
namespace float16_detail {

/// `value` as a float whose lowest mantissa bit is set when the conversion was inexact (rounding to odd), so
/// that a second rounding to 16 bits gives the correctly rounded result.
constexpr float to_odd_float(double value) {
  const float near = static_cast<float>(value);
  if (value != value || static_cast<double>(near) == value)
    return near;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(near);
  const double magnitude = value < 0 ? -value : value;
  if ((near < 0 ? -static_cast<double>(near) : static_cast<double>(near)) > magnitude)
    --bits;
  return std::bit_cast<float>(bits | 1u);
}

template <class T> constexpr float to_odd_float_from(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return value;
  } else if constexpr (std::floating_point<T>) {
    return to_odd_float(static_cast<double>(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? 1.0f : 0.0f;
  } else {
    // Bits below the 53 of a double fold into one sticky bit.
    const bool negative = value < T(0);
    const auto wide = static_cast<std::uint64_t>(value);
    std::uint64_t magnitude = negative ? 0 - wide : wide;
    if (magnitude >> 53)
      magnitude = (magnitude & ~std::uint64_t(0x7ff)) | ((magnitude & 0x7ff) ? 0x800 : 0);
    const double exact = static_cast<double>(magnitude);
    return to_odd_float(negative ? -exact : exact);
  }
}

constexpr std::uint16_t float_to_bfloat16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

constexpr float bfloat16_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

constexpr std::uint16_t float_to_float16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) // NaN: keep the upper payload bits, make it quiet
    return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
  if (magnitude >= 0x47800000u) // 2^16 and above
    return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) { // below the smallest normal: count in units of 2^-24
    if (magnitude < 0x33000000u) // below half of the smallest subnormal
      return static_cast<std::uint16_t>(sign);
    const std::uint32_t shift = 126u - (magnitude >> 23);
    const std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t whole = mantissa >> shift;
    const std::uint32_t rest = mantissa & ((1u << shift) - 1u);
    const std::uint32_t half = 1u << (shift - 1u);
    const std::uint32_t up = rest > half || (rest == half && (whole & 1u)) ? 1u : 0u;
    return static_cast<std::uint16_t>(sign | (whole + up));
  }
  const std::uint32_t rebased = magnitude - 0x38000000u;
  return static_cast<std::uint16_t>(sign | ((rebased + 0xfffu + ((rebased >> 13) & 1u)) >> 13));
}

constexpr float float16_to_float(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0x1fu)
    return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent != 0)
    return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

} // namespace float16_detail

/// IEEE 754 binary16.
struct float16 {
  std::uint16_t bits = 0;

  constexpr float16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr explicit float16(T value)
      : bits(float16_detail::float_to_float16(float16_detail::to_odd_float_from(value))) {}
  static constexpr float16 from_bits(std::uint16_t bits) {
    float16 result;
    result.bits = bits;
    return result;
  }
  constexpr operator float() const { return float16_detail::float16_to_float(bits); }
};

/// The upper half of a binary32.
struct bfloat16 {
  std::uint16_t bits = 0;

  constexpr bfloat16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr explicit bfloat16(T value)
      : bits(float16_detail::float_to_bfloat16(float16_detail::to_odd_float_from(value))) {}
  constexpr explicit bfloat16(float16 value) : bfloat16(static_cast<float>(value)) {}
  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 result;
    result.bits = bits;
    return result;
  }
  constexpr operator float() const { return float16_detail::bfloat16_to_float(bits); }
};

} // namespace ingot

namespace ingot::float16_detail {

template <class T> struct Limits {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr bool is_iec559 = true, is_bounded = true, is_modulo = false, traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2;
};

} // namespace ingot::float16_detail

template <> struct std::numeric_limits<ingot::float16> : ingot::float16_detail::Limits<ingot::float16> {
  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5;
  static constexpr int min_exponent = -13, max_exponent = 16, min_exponent10 = -4, max_exponent10 = 4;
  static constexpr ingot::float16 min() noexcept { return ingot::float16::from_bits(0x0400); }
  static constexpr ingot::float16 max() noexcept { return ingot::float16::from_bits(0x7bff); }
  static constexpr ingot::float16 lowest() noexcept { return ingot::float16::from_bits(0xfbff); }
  static constexpr ingot::float16 epsilon() noexcept { return ingot::float16::from_bits(0x1400); }
  static constexpr ingot::float16 round_error() noexcept { return ingot::float16::from_bits(0x3800); }
  static constexpr ingot::float16 infinity() noexcept { return ingot::float16::from_bits(0x7c00); }
  static constexpr ingot::float16 quiet_NaN() noexcept { return ingot::float16::from_bits(0x7e00); }
  static constexpr ingot::float16 signaling_NaN() noexcept { return ingot::float16::from_bits(0x7d00); }
  static constexpr ingot::float16 denorm_min() noexcept { return ingot::float16::from_bits(0x0001); }
};

template <> struct std::numeric_limits<ingot::bfloat16> : ingot::float16_detail::Limits<ingot::bfloat16> {
  static constexpr int digits = 8, digits10 = 2, max_digits10 = 4;
  static constexpr int min_exponent = -125, max_exponent = 128, min_exponent10 = -37, max_exponent10 = 38;
  static constexpr ingot::bfloat16 min() noexcept { return ingot::bfloat16::from_bits(0x0080); }
  static constexpr ingot::bfloat16 max() noexcept { return ingot::bfloat16::from_bits(0x7f7f); }
  static constexpr ingot::bfloat16 lowest() noexcept { return ingot::bfloat16::from_bits(0xff7f); }
  static constexpr ingot::bfloat16 epsilon() noexcept { return ingot::bfloat16::from_bits(0x3c00); }
  static constexpr ingot::bfloat16 round_error() noexcept { return ingot::bfloat16::from_bits(0x3f00); }
  static constexpr ingot::bfloat16 infinity() noexcept { return ingot::bfloat16::from_bits(0x7f80); }
  static constexpr ingot::bfloat16 quiet_NaN() noexcept { return ingot::bfloat16::from_bits(0x7fc0); }
  static constexpr ingot::bfloat16 signaling_NaN() noexcept { return ingot::bfloat16::from_bits(0x7fa0); }
  static constexpr ingot::bfloat16 denorm_min() noexcept { return ingot::bfloat16::from_bits(0x0001); }
};
