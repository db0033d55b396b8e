// Element types: their names, sizes, C++ types and limits.
#pragma once

#include "ingot/runtime/Error.h"
#include "ingot/runtime/Float16.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string_view>
#include <type_traits>

namespace ingot {

enum class DType : std::uint8_t { F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8, Bool };

inline constexpr int kNumDTypes = 13;

/// Bytes of one element in memory. A Bool is one byte that holds 0 or 1.
constexpr std::size_t dtype_size(DType dtype) {
  constexpr std::uint8_t sizes[kNumDTypes] = {8, 4, 2, 2, 8, 4, 2, 1, 8, 4, 2, 1, 1};
  return sizes[static_cast<int>(dtype)];
}

/// `f32`, `i64`, `bool`, ...
constexpr const char *dtype_name(DType dtype) {
  constexpr const char *names[kNumDTypes] = {"f64", "f32", "f16", "bf16", "i64", "i32", "i16",
                                             "i8",  "u64", "u32", "u16",  "u8",  "bool"};
  return names[static_cast<int>(dtype)];
}

/// The dtype that `dtype_name` calls `name`; nothing for any other text.
constexpr std::optional<DType> parse_dtype(std::string_view name) {
  for (int i = 0; i < kNumDTypes; ++i)
    if (name == dtype_name(static_cast<DType>(i)))
      return static_cast<DType>(i);
  return std::nullopt;
}

constexpr bool is_float(DType dtype) { return dtype <= DType::BF16; }
/// Signed and unsigned integers; not Bool.
constexpr bool is_integer(DType dtype) { return dtype >= DType::I64 && dtype <= DType::U8; }
/// Floats and signed integers.
constexpr bool is_signed(DType dtype) { return dtype <= DType::I8; }
constexpr bool is_unsigned(DType dtype) { return dtype >= DType::U64 && dtype <= DType::U8; }

/// C++ types that are elements of tensors.
template <class T>
concept Element = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, float16> ||
                  std::same_as<T, bfloat16> || (std::integral<T> && sizeof(T) <= 8);

/// The dtype of a C++ element type; integers go by size and signedness, so `long` and `long long` are both
/// I64.
template <Element T> constexpr DType dtype_of() {
  if constexpr (std::same_as<T, double>)
    return DType::F64;
  else if constexpr (std::same_as<T, float>)
    return DType::F32;
  else if constexpr (std::same_as<T, float16>)
    return DType::F16;
  else if constexpr (std::same_as<T, bfloat16>)
    return DType::BF16;
  else if constexpr (std::same_as<T, bool>)
    return DType::Bool;
  else {
    constexpr bool negative = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 8)
      return negative ? DType::I64 : DType::U64;
    else if constexpr (sizeof(T) == 4)
      return negative ? DType::I32 : DType::U32;
    else if constexpr (sizeof(T) == 2)
      return negative ? DType::I16 : DType::U16;
    else
      return negative ? DType::I8 : DType::U8;
  }
}

/// Calls `f.template operator()<T>()` with the C++ type of `dtype` and returns its result; a template lambda
/// `[&]<class T>() {...}` is the usual argument. Every instantiation must return the same type.
template <class F> decltype(auto) visit_dtype(DType dtype, F &&f) {
  switch (dtype) {
  case DType::F64:
    return f.template operator()<double>();
  case DType::F32:
    return f.template operator()<float>();
  case DType::F16:
    return f.template operator()<float16>();
  case DType::BF16:
    return f.template operator()<bfloat16>();
  case DType::I64:
    return f.template operator()<std::int64_t>();
  case DType::I32:
    return f.template operator()<std::int32_t>();
  case DType::I16:
    return f.template operator()<std::int16_t>();
  case DType::I8:
    return f.template operator()<std::int8_t>();
  case DType::U64:
    return f.template operator()<std::uint64_t>();
  case DType::U32:
    return f.template operator()<std::uint32_t>();
  case DType::U16:
    return f.template operator()<std::uint16_t>();
  case DType::U8:
    return f.template operator()<std::uint8_t>();
  case DType::Bool:
    return f.template operator()<bool>();
  }
  throw_internal_error("a value that is no DType", std::source_location::current());
}

/// Whether a scalar may be written where a tensor of `dtype` is expected. Integer dtypes hold integral values
/// in their range, Bool holds 0 and 1; float dtypes hold every value that does not overflow to infinity
/// (rounding is fine: 0.1 is an f32), and NaN and infinity themselves.
bool holds_float(DType dtype, double value);
bool holds_signed(DType dtype, std::int64_t value);
bool holds_unsigned(DType dtype, std::uint64_t value);

template <class T>
  requires std::is_arithmetic_v<T>
bool holds(DType dtype, T value) {
  if constexpr (std::is_floating_point_v<T>)
    return holds_float(dtype, static_cast<double>(value));
  else if constexpr (std::is_signed_v<T>)
    return holds_signed(dtype, static_cast<std::int64_t>(value));
  else
    return holds_unsigned(dtype, static_cast<std::uint64_t>(value));
}

std::ostream &operator<<(std::ostream &out, DType dtype);
std::ostream &operator<<(std::ostream &out, float16 value);
std::ostream &operator<<(std::ostream &out, bfloat16 value);

} // namespace ingot
