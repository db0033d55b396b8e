#include "ingot/runtime/DType.h"

#include <cmath>
#include <limits>
#include <ostream>

namespace ingot {

bool holds_float(DType dtype, double value) {
  return visit_dtype(dtype, [&]<class T>() -> bool {
    if constexpr (std::same_as<T, bool>) {
      return value == 0 || value == 1;
    } else if constexpr (std::integral<T>) {
      // One past the largest value is a power of two, so it is exact as a double where the largest may not
      // be.
      const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
      return value == std::trunc(value) && value < end && value >= static_cast<double>(std::numeric_limits<T>::min());
    } else {
      return !std::isfinite(value) || std::isfinite(static_cast<double>(T(value)));
    }
  });
}

bool holds_signed(DType dtype, std::int64_t value) {
  if (value >= 0)
    return holds_unsigned(dtype, static_cast<std::uint64_t>(value));
  return visit_dtype(dtype, [&]<class T>() -> bool {
    if constexpr (std::integral<T>)
      return std::is_signed_v<T> && value >= static_cast<std::int64_t>(std::numeric_limits<T>::min());
    else
      return std::isfinite(static_cast<double>(T(value)));
  });
}

bool holds_unsigned(DType dtype, std::uint64_t value) {
  return visit_dtype(dtype, [&]<class T>() -> bool {
    if constexpr (std::integral<T>)
      return value <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    else
      return std::isfinite(static_cast<double>(T(value)));
  });
}

std::ostream &operator<<(std::ostream &out, DType dtype) { return out << dtype_name(dtype); }
std::ostream &operator<<(std::ostream &out, float16 value) { return out << static_cast<float>(value); }
std::ostream &operator<<(std::ostream &out, bfloat16 value) { return out << static_cast<float>(value); }

} // namespace ingot
