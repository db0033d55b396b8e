#include "ingot/runtime/Float16.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ingot {
namespace {

template <class T> class SmallFloat : public testing::Test {};
using SmallFloats = testing::Types<float16, bfloat16>;
TYPED_TEST_SUITE(SmallFloat, SmallFloats);

/// Bits of the positive infinity, which is also the number of finite non-negative values.
template <class T> constexpr unsigned infinity_bits() { return std::numeric_limits<T>::infinity().bits; }

template <class T> double value_of(unsigned bits) {
  return static_cast<double>(static_cast<float>(T::from_bits(static_cast<std::uint16_t>(bits))));
}

/// What the value after the largest finite one would be with an exponent more: rounding goes to infinity half
/// way there.
template <class T> double next_value(unsigned bits) {
  return bits + 1 < infinity_bits<T>() ? value_of<T>(bits + 1) : 2 * value_of<T>(bits) - value_of<T>(bits - 1);
}

TYPED_TEST(SmallFloat, EveryValueSurvivesTheTripThroughFloatAndDouble) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto value = TypeParam::from_bits(static_cast<std::uint16_t>(bits));
    const float wide = value;
    if (std::isnan(wide)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(wide))));
      EXPECT_EQ(TypeParam(wide).bits >> 15, bits >> 15) << "the sign of a NaN stays";
      continue;
    }
    ASSERT_EQ(TypeParam(wide).bits, bits);
    ASSERT_EQ(TypeParam(static_cast<double>(wide)).bits, bits);
  }
}

TYPED_TEST(SmallFloat, ValuesAscendWithTheirBits) {
  for (unsigned bits = 0; bits + 1 < infinity_bits<TypeParam>(); ++bits)
    ASSERT_LT(value_of<TypeParam>(bits), value_of<TypeParam>(bits + 1));
}

TYPED_TEST(SmallFloat, RoundsToTheNearestAndTiesToEven) {
  // Rounding is monotone, so it is right everywhere when it is right on both sides of every middle and on it.
  for (unsigned bits = 0; bits < infinity_bits<TypeParam>(); ++bits) {
    const double middle = (value_of<TypeParam>(bits) + next_value<TypeParam>(bits)) / 2;
    const unsigned even = bits + (bits & 1);
    for (double sign : {1.0, -1.0}) {
      const unsigned sign_bit = sign < 0 ? 0x8000 : 0;
      ASSERT_EQ(TypeParam(sign * middle).bits, even | sign_bit) << middle;
      ASSERT_EQ(TypeParam(sign * std::nextafter(middle, 0.0)).bits, bits | sign_bit) << middle;
      ASSERT_EQ(TypeParam(sign * std::nextafter(middle, HUGE_VAL)).bits, (bits + 1) | sign_bit) << middle;
      const auto single = static_cast<float>(middle);
      ASSERT_EQ(static_cast<double>(single), middle) << "a middle is a float";
      ASSERT_EQ(TypeParam(static_cast<float>(sign) * single).bits, even | sign_bit) << middle;
      ASSERT_EQ(TypeParam(static_cast<float>(sign) * std::nextafter(single, 0.0f)).bits, bits | sign_bit) << middle;
      ASSERT_EQ(TypeParam(static_cast<float>(sign) * std::nextafter(single, HUGE_VALF)).bits, (bits + 1) | sign_bit)
          << middle;
    }
  }
}

TYPED_TEST(SmallFloat, IntegersRoundOnce) {
  // 2^62 + 2^54 is half way between two bfloat16 values; the last bit is below a double's precision.
  const std::int64_t above = (std::int64_t(1) << 62) + (std::int64_t(1) << 54) + 1;
  if constexpr (std::is_same_v<TypeParam, bfloat16>) {
    EXPECT_EQ(static_cast<float>(TypeParam(above)), 0x1.02p62f);
    EXPECT_EQ(static_cast<float>(TypeParam(-above)), -0x1.02p62f);
    EXPECT_EQ(static_cast<float>(TypeParam(above - 1)), 0x1p62f);
    EXPECT_EQ(static_cast<float>(TypeParam(~std::uint64_t(0))), 0x1p64f);
    EXPECT_EQ(static_cast<float>(TypeParam(std::numeric_limits<std::int64_t>::min())), -0x1p63f);
  } else {
    EXPECT_TRUE(std::isinf(static_cast<float>(TypeParam(above))));
    EXPECT_EQ(static_cast<float>(TypeParam(2049)), 2048.0f);
    EXPECT_EQ(static_cast<float>(TypeParam(2051)), 2052.0f);
  }
  EXPECT_EQ(static_cast<float>(TypeParam(true)), 1.0f);
  EXPECT_EQ(static_cast<float>(TypeParam(std::int8_t(-5))), -5.0f);
}

TYPED_TEST(SmallFloat, SpecialValuesConvert) {
  EXPECT_EQ(TypeParam(INFINITY).bits, infinity_bits<TypeParam>());
  EXPECT_EQ(TypeParam(-HUGE_VAL).bits, infinity_bits<TypeParam>() | 0x8000);
  EXPECT_EQ(TypeParam(1e300).bits, infinity_bits<TypeParam>());
  EXPECT_EQ(TypeParam(-0.0).bits, 0x8000);
  EXPECT_EQ(TypeParam(1e-300).bits, 0);
  EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(NAN))));
}

TYPED_TEST(SmallFloat, LimitsAreThoseOfTheFormat) {
  using Limits = std::numeric_limits<TypeParam>;
  EXPECT_EQ(Limits::max().bits + 1u, Limits::infinity().bits);
  EXPECT_EQ(static_cast<float>(Limits::lowest()), -static_cast<float>(Limits::max()));
  EXPECT_EQ(static_cast<float>(Limits::epsilon()), std::ldexp(1.0f, 1 - Limits::digits));
  EXPECT_EQ(static_cast<float>(Limits::min()), std::ldexp(1.0f, Limits::min_exponent - 1));
  EXPECT_EQ(static_cast<float>(Limits::round_error()), 0.5f);
  EXPECT_TRUE(std::isnan(static_cast<float>(Limits::quiet_NaN())));
}

} // namespace
} // namespace ingot
