// Plain binary encoding: fixed-width little-endian numbers, counted strings and lists. Reading never runs
// past the end: a reader that met bad data gives zeros from then on and says so.
#pragma once

#include "ingot/runtime/Shape.h"

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ingot {

using Bytes = std::vector<std::byte>;

class WireWriter {
public:
  /// Any integer, enum or bool at its own width.
  template <class T>
    requires std::integral<T> || std::is_enum_v<T>
  WireWriter &put(T value) {
    std::byte bytes[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes[i] = static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff);
    return put_raw(bytes, sizeof(T));
  }
  WireWriter &put(double value) { return put(std::bit_cast<std::uint64_t>(value)); }
  WireWriter &put(float value) { return put(std::bit_cast<std::uint32_t>(value)); }
  WireWriter &put(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    return put_raw(text.data(), text.size());
  }
  WireWriter &put(const char *text) { return put(std::string_view(text)); }
  WireWriter &put(const std::string &text) { return put(std::string_view(text)); }
  WireWriter &put(const Shape &shape) { return put_list(shape.dims()); }
  template <class T> WireWriter &put(const std::vector<T> &list) { return put_list(list); }
  template <class T> WireWriter &put(std::span<T> list) { return put_list(list); }
  /// The count, then `put` of every element.
  template <class Range> WireWriter &put_list(const Range &range) {
    put(static_cast<std::uint64_t>(range.size()));
    for (const auto &element : range)
      put(element);
    return *this;
  }
  /// The bytes alone.
  WireWriter &put_raw(const void *data, std::size_t size) {
    const std::byte *begin = static_cast<const std::byte *>(data);
    out.insert(out.end(), begin, begin + size);
    return *this;
  }

  std::size_t size() const { return out.size(); }
  const Bytes &bytes() const { return out; }
  Bytes take() { return std::move(out); }

private:
  Bytes out;
};

class WireReader {
public:
  explicit WireReader(std::span<const std::byte> data) : rest(data) {}

  /// Whether everything read so far was there and well-formed.
  bool ok() const { return !failed; }
  /// Whether all of the input was read, and well.
  bool done() const { return !failed && rest.empty(); }
  /// Marks the input as bad; for values that are there but make no sense.
  void fail() { failed = true; }
  std::size_t remaining() const { return failed ? 0 : rest.size(); }

  template <class T>
    requires std::integral<T> || std::is_enum_v<T>
  T get() {
    std::uint64_t bits = 0;
    if (const std::byte *at = raw(sizeof(T)))
      for (std::size_t i = 0; i < sizeof(T); ++i)
        bits |= static_cast<std::uint64_t>(at[i]) << (8 * i);
    if constexpr (std::same_as<T, bool>) {
      if (bits > 1)
        fail();
      return bits == 1;
    } else {
      return static_cast<T>(bits);
    }
  }
  double get_double() { return std::bit_cast<double>(get<std::uint64_t>()); }
  float get_float() { return std::bit_cast<float>(get<std::uint32_t>()); }
  std::string get_string() {
    const std::size_t size = get_count(1);
    const std::byte *at = raw(size);
    return at ? std::string(reinterpret_cast<const char *>(at), size) : std::string();
  }
  Shape get_shape() {
    Shape shape;
    for (std::size_t i = get_count(8); i > 0; --i)
      shape.push_back(get<std::int64_t>());
    return shape;
  }
  DType get_dtype() {
    const DType dtype = get<DType>();
    if (static_cast<int>(dtype) < kNumDTypes)
      return dtype;
    fail();
    return DType::F32;
  }
  /// A list of numbers or enums.
  template <class T> std::vector<T> get_numbers() {
    return get_list<T>(sizeof(T), [](WireReader &in) { return in.get<T>(); });
  }
  std::vector<std::string> get_strings() {
    return get_list<std::string>(8, [](WireReader &in) { return in.get_string(); });
  }
  /// A list whose elements `read(*this)` reads; each takes at least `least` bytes.
  template <class T, class F> std::vector<T> get_list(std::size_t least, F &&read) {
    std::vector<T> list;
    const std::size_t count = get_count(least);
    list.reserve(count);
    for (std::size_t i = 0; i < count && ok(); ++i)
      list.push_back(read(*this));
    return list;
  }
  /// A count of elements of at least `least` bytes each; more than the input can hold is a failure and gives
  /// 0.
  std::size_t get_count(std::size_t least) {
    const std::uint64_t count = get<std::uint64_t>();
    if (failed || count > rest.size() / (least ? least : 1)) {
      fail();
      return 0;
    }
    return static_cast<std::size_t>(count);
  }
  /// The next `size` bytes, or an empty span and a failure.
  std::span<const std::byte> get_raw(std::size_t size) {
    const std::byte *at = raw(size);
    return at ? std::span<const std::byte>(at, size) : std::span<const std::byte>();
  }

private:
  std::span<const std::byte> rest;
  bool failed = false;

  const std::byte *raw(std::size_t size) {
    if (failed || size > rest.size()) {
      failed = true;
      return nullptr;
    }
    const std::byte *at = rest.data();
    rest = rest.subspan(size);
    return at;
  }
};

} // namespace ingot
