#include "ingot/runtime/DType.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace ingot {
namespace {

DType dtype_at(int i) { return static_cast<DType>(i); }

TEST(DType, NamesParseBack) {
  for (int i = 0; i < kNumDTypes; ++i)
    EXPECT_EQ(parse_dtype(dtype_name(dtype_at(i))), dtype_at(i));
  EXPECT_EQ(parse_dtype("f8"), std::nullopt);
  EXPECT_EQ(parse_dtype(""), std::nullopt);
  EXPECT_EQ(parse_dtype("F32"), std::nullopt);
}

TEST(DType, PrintsItsName) {
  std::ostringstream out;
  out << DType::F32 << ' ' << DType::I64 << ' ' << DType::Bool << ' ' << DType::BF16 << ' ' << float16(1.5);
  EXPECT_EQ(out.str(), "f32 i64 bool bf16 1.5");
}

TEST(DType, VisitGivesTheTypeThatNamesIt) {
  for (int i = 0; i < kNumDTypes; ++i)
    visit_dtype(dtype_at(i), [&]<class T>() {
      EXPECT_EQ(dtype_of<T>(), dtype_at(i));
      EXPECT_EQ(sizeof(T), dtype_size(dtype_at(i)));
      EXPECT_EQ(is_float(dtype_at(i)), !std::is_integral_v<T>);
      EXPECT_EQ(is_integer(dtype_at(i)), (std::is_integral_v<T> && !std::is_same_v<T, bool>));
      EXPECT_EQ(is_signed(dtype_at(i)), !std::is_integral_v<T> || std::is_signed_v<T>);
    });
}

TEST(DType, VisitOfNoDTypeIsABug) {
  EXPECT_THROW(visit_dtype(dtype_at(13), []<class T>() { return sizeof(T); }), InternalError);
}

TEST(DType, IntegersGoBySizeAndSign) {
  EXPECT_EQ(dtype_of<long>(), DType::I64);
  EXPECT_EQ(dtype_of<long long>(), DType::I64);
  EXPECT_EQ(dtype_of<unsigned long long>(), DType::U64);
  EXPECT_EQ(dtype_of<unsigned char>(), DType::U8);
}

TEST(DTypeHolds, IntegersHoldIntegralValuesInRange) {
  EXPECT_FALSE(holds(DType::I64, 0.5));
  EXPECT_TRUE(holds(DType::I64, -3.0));
  EXPECT_FALSE(holds(DType::I8, 300));
  EXPECT_TRUE(holds(DType::I8, -128));
  EXPECT_FALSE(holds(DType::I8, -129));
  EXPECT_FALSE(holds(DType::I8, 128.0));
  EXPECT_TRUE(holds(DType::U8, 255u));
  EXPECT_FALSE(holds(DType::U8, -1));
  EXPECT_FALSE(holds(DType::U64, -1.0));
  EXPECT_TRUE(holds(DType::U64, ~std::uint64_t(0)));
  EXPECT_FALSE(holds(DType::I64, ~std::uint64_t(0)));
  EXPECT_TRUE(holds(DType::I64, std::numeric_limits<std::int64_t>::min()));
  EXPECT_TRUE(holds(DType::I64, -0x1p63));
  EXPECT_FALSE(holds(DType::I64, 0x1p63));
  EXPECT_FALSE(holds(DType::U64, 0x1p64));
  EXPECT_FALSE(holds(DType::I32, NAN));
  EXPECT_FALSE(holds(DType::I32, INFINITY));
}

TEST(DTypeHolds, BoolHoldsZeroAndOne) {
  EXPECT_TRUE(holds(DType::Bool, true));
  EXPECT_TRUE(holds(DType::Bool, 1));
  EXPECT_TRUE(holds(DType::Bool, 0.0));
  EXPECT_FALSE(holds(DType::Bool, 2));
  EXPECT_FALSE(holds(DType::Bool, -1));
  EXPECT_FALSE(holds(DType::Bool, 0.5));
}

TEST(DTypeHolds, FloatsHoldWhatDoesNotOverflow) {
  EXPECT_TRUE(holds(DType::F32, 0.1));
  EXPECT_TRUE(holds(DType::F32, 16777217));
  EXPECT_TRUE(holds(DType::F32, 1e-300));
  EXPECT_FALSE(holds(DType::F32, 1e39));
  EXPECT_TRUE(holds(DType::F16, 65504));
  EXPECT_TRUE(holds(DType::F16, 65519.0)) << "rounds down to 65504";
  EXPECT_FALSE(holds(DType::F16, 65520.0));
  EXPECT_FALSE(holds(DType::F16, -70000));
  EXPECT_TRUE(holds(DType::BF16, 1e38f));
  EXPECT_TRUE(holds(DType::F16, INFINITY));
  EXPECT_TRUE(holds(DType::F16, NAN));
}

} // namespace
} // namespace ingot
