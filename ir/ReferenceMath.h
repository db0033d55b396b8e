// Scalar functions that the reference formulas of the records use: the definition of Ingot's arithmetic.
#pragma once

#include "ingot/ir/OpTable.h"
#include "ingot/runtime/Error.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace ingot::reference {

[[noreturn]] inline void refuse_dtype(const OpCall &call) {
  throw_internal_error(std::string(op_info(call.kind).name) + " of " + call.operands[0].str() +
                           " passed its shape rule but has no reference kernel",
                       std::source_location::current());
}

/// Integers wrap around; floats round once.
template <class T, class F> T wrapping(T a, T b, F f) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return T(f(U(a), U(b)));
  } else {
    return f(a, b);
  }
}
template <class T> T wrap_add(T a, T b) {
  return wrapping(a, b, [](auto x, auto y) { return x + y; });
}
template <class T> T wrap_sub(T a, T b) {
  return wrapping(a, b, [](auto x, auto y) { return x - y; });
}
template <class T> T wrap_mul(T a, T b) {
  return wrapping(a, b, [](auto x, auto y) { return x * y; });
}
template <class T> T wrap_neg(T x) {
  if constexpr (std::is_integral_v<T>)
    return wrap_sub(T(0), x);
  else
    return -x;
}
template <class T> T absolute(T x) {
  if constexpr (std::is_integral_v<T>)
    return x < 0 ? wrap_neg(x) : x;
  else
    return std::fabs(x);
}

/// x / 0 is all ones, MIN / -1 is MIN.
template <class T> T total_div(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0)
      return T(-1);
    return b == T(-1) ? wrap_neg(a) : T(a / b);
  } else {
    return a / b;
  }
}
/// x % 0 is x, MIN % -1 is 0.
template <class T> T total_rem(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0)
      return a;
    return b == T(-1) ? T(0) : T(a % b);
  } else {
    return std::fmod(a, b);
  }
}

template <class T> T nan_max(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b)
      return std::numeric_limits<T>::quiet_NaN();
    if (a == b)
      return std::signbit(a) ? b : a;
  }
  return a > b ? a : b;
}
template <class T> T nan_min(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b)
      return std::numeric_limits<T>::quiet_NaN();
    if (a == b)
      return std::signbit(a) ? a : b;
  }
  return a < b ? a : b;
}

template <class T> T complement(T x) {
  if constexpr (std::is_same_v<T, bool>)
    return !x;
  else
    return T(~x);
}

/// Transcendental functions in double, rounded once to T.
template <class T, class F> T via_double(T x, F f) { return T(f(double(x))); }
template <class T, class F> T via_double(T a, T b, F f) { return T(f(double(a), double(b))); }

/// Converts as the ABI says: float to integer truncates and saturates, NaN gives 0; to bool is "differs from zero".
template <class To, class From> To converted(From x) {
  if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (x != x)
      return To(0);
    if (x <= From(std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::min();
    // The bound above is a power of two, exact in every float type; max itself may not be.
    if (x >= -From(std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::max();
    return To(x);
  } else {
    return To(x);
  }
}

/// Runs f with the C++ type of a dtype that ops compute with.
template <class F> void visit_compute_dtype(const OpCall &call, DType dtype, F &&f) {
  switch (dtype) {
  case DType::F32:
    return f.template operator()<float>();
  case DType::F64:
    return f.template operator()<double>();
  case DType::I32:
    return f.template operator()<int32_t>();
  case DType::I64:
    return f.template operator()<int64_t>();
  case DType::Bool:
    return f.template operator()<bool>();
  default:
    refuse_dtype(call);
  }
}

/// Calls f(coordinates) for every element of a shape in row-major order.
template <class F> void for_each_index(const Shape &shape, F &&f) {
  std::vector<int64_t> at(shape.rank(), 0);
  for (int64_t left = shape.num_elements(); left > 0; --left) {
    f(at);
    for (size_t d = at.size(); d-- > 0 && ++at[d] == shape[d];)
      at[d] = 0;
  }
}

/// The row-major position of coordinates.
inline int64_t flat_index(const Shape &shape, const std::vector<int64_t> &at) {
  int64_t flat = 0;
  for (size_t d = 0; d < at.size(); ++d)
    flat = flat * shape[d] + at[d];
  return flat;
}

/// Copies one element by its bytes.
inline void copy_element(const MutableView &to, int64_t i, const ConstView &from, int64_t j) {
  const size_t size = dtype_size(from.type.dtype);
  std::memcpy(static_cast<char *>(to.data) + size_t(i) * size, static_cast<const char *>(from.data) + size_t(j) * size,
              size);
}

} // namespace ingot::reference
