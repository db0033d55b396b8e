// Errors in units in the last place, and the sampling of floats that the accuracy tests share.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

namespace ingot::testing {

template <class T> using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Distance of `result` from the exact value in ulps of T at the exact value; 0 for equal specials (any two
/// NaNs are equal, zeros of different sign are not), infinity where one is special and the other is not.
template <class T, class Wide> double ulpError(T result, Wide exact) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(result))
    return std::isnan(exact) && std::isnan(result) ? 0 : wrong;
  T rounded = static_cast<T>(exact);
  if (rounded == result && (rounded != 0 || std::signbit(rounded) == std::signbit(result)))
    if (std::isinf(rounded) || rounded == 0)
      return 0;
  // An overflow one step early or late is an error of that step.
  if (std::isinf(result)) {
    if (std::isinf(exact) || std::signbit(result) != std::signbit(exact))
      return wrong;
    result = std::copysign(std::numeric_limits<T>::max(), result);
    return 1 + ulpError(result, exact);
  }
  if (std::isinf(exact))
    return wrong;
  int exponent = 0;
  std::frexp(exact, &exponent);
  int lowest = std::numeric_limits<T>::min_exponent;
  Wide ulp = std::ldexp(Wide(1), (exponent < lowest ? lowest : exponent) - std::numeric_limits<T>::digits);
  double error = double(std::abs(Wide(result) - exact) / ulp);
  bool zeroSign = result == 0 && exact == 0 && std::signbit(result) != std::signbit(exact);
  return zeroSign ? wrong : error;
}

/// Values where functions have cases of their own.
template <class T> std::vector<T> specialValues() {
  using L = std::numeric_limits<T>;
  std::vector<T> positive = {T(0),
                             L::denorm_min(),
                             L::min(),
                             L::min() / 3,
                             L::epsilon(),
                             T(1) / 3,
                             T(0.5),
                             T(1),
                             T(1.5),
                             T(2),
                             T(3),
                             T(5),
                             T(17),
                             T(88),
                             T(89),
                             T(104),
                             T(709),
                             T(710),
                             T(746),
                             T(1e9),
                             T(1e30),
                             L::max(),
                             L::infinity(),
                             L::quiet_NaN(),
                             T(1) + L::epsilon(),
                             T(1) - L::epsilon() / 2,
                             T(0x1p23),
                             T(0x1p24) + 2,
                             T(2.5),
                             T(3.5),
                             T(0x1p31),
                             T(0x1p32),
                             T(0x1p63),
                             T(0x1p64),
                             T(4503599627370497.5),
                             T(9007199254740993)};
  std::vector<T> values;
  for (T v : positive) {
    values.push_back(v);
    values.push_back(-v);
  }
  return values;
}

/// Whether the whole set of f32 is to be swept (minutes for each function).
inline bool exhaustive() { return std::getenv("INGOT_EXHAUSTIVE") != nullptr; }

struct Random {
  std::uint64_t state = 0x9e3779b97f4a7c15;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double uniform(double from, double to) { return from + (to - from) * double(next() >> 11) * 0x1p-53; }
};

/// A third any bit pattern, a third of magnitudes 2^-30 to 2^10, a third spread evenly over [from, to].
template <class T> T sample(Random &random, double from, double to) {
  switch (random.next() % 3) {
  case 0:
    return std::bit_cast<T>(BitsOf<T>(random.next()));
  case 1: {
    T mantissa = T(random.uniform(1, 2));
    return (random.next() & 1 ? -1 : 1) * std::ldexp(mantissa, int(random.next() % 41) - 30);
  }
  default:
    return T(random.uniform(from, to));
  }
}

} // namespace ingot::testing
