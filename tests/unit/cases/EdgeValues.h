// Values where arithmetic has cases of its own, for each element type that ops compute with.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace cases {

template <class T> std::vector<T> edge_values() {
  using L = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (std::is_integral_v<T>) {
    std::vector<T> values;
    constexpr std::int64_t width = sizeof(T) * 8, bits24 = (1 << 24) + 1, bits53 = (std::int64_t(1) << 53) + 1;
    for (std::int64_t x : {std::int64_t(0), std::int64_t(1), std::int64_t(2), std::int64_t(3), std::int64_t(7),
                           width - 1, width, width + 1, std::int64_t(12345), bits24, bits53})
      for (std::int64_t signed_x : {x, -x})
        values.push_back(T(signed_x));
    for (T x : {L::min(), T(L::min() + 1), T(L::min() / 2), T(L::max() / 2 + 1), T(L::max() - 1), L::max()})
      values.push_back(x);
    return values;
  } else {
    std::vector<T> values;
    for (T x : {T(0),
                T(1),
                T(0.5),
                T(1) / 3,
                T(1.5),
                T(2),
                T(2.5),
                T(3),
                T(30),
                T(800),
                T(0x1p31),
                T(0x1p63),
                T(1e30),
                L::epsilon(),
                T(1) - L::epsilon() / 2,
                L::denorm_min(),
                L::min() / 3,
                L::min(),
                L::max(),
                L::infinity()})
      for (T signed_x : {x, -x})
        values.push_back(signed_x);
    values.push_back(L::quiet_NaN());
    return values;
  }
}

} // namespace cases
