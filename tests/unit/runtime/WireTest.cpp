#include "ingot/runtime/Wire.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ingot {
namespace {

TEST(Wire, ReadsBackWhatWasWritten) {
  WireWriter out;
  out.put(std::uint8_t(200)).put(std::int16_t(-2)).put(std::uint32_t(7)).put(std::int64_t(-5)).put(true);
  out.put(DType::BF16).put(-0.5).put(0.25f).put("text").put(std::string()).put(Shape{2, kDynamic});
  out.put(std::vector<std::int32_t>{1, -1}).put(std::vector<std::string>{"a", "bc"});
  WireReader in(out.bytes());
  EXPECT_EQ(in.get<std::uint8_t>(), 200);
  EXPECT_EQ(in.get<std::int16_t>(), -2);
  EXPECT_EQ(in.get<std::uint32_t>(), 7u);
  EXPECT_EQ(in.get<std::int64_t>(), -5);
  EXPECT_TRUE(in.get<bool>());
  EXPECT_EQ(in.get_dtype(), DType::BF16);
  EXPECT_EQ(in.get_double(), -0.5);
  EXPECT_EQ(in.get_float(), 0.25f);
  EXPECT_EQ(in.get_string(), "text");
  EXPECT_EQ(in.get_string(), "");
  EXPECT_EQ(in.get_shape(), (Shape{2, kDynamic}));
  EXPECT_EQ(in.get_numbers<std::int32_t>(), (std::vector<std::int32_t>{1, -1}));
  EXPECT_EQ(in.get_strings(), (std::vector<std::string>{"a", "bc"}));
  EXPECT_TRUE(in.done());
}

TEST(Wire, NumbersAreLittleEndian) {
  WireWriter out;
  out.put(std::uint32_t(0x04030201));
  EXPECT_EQ(out.bytes(), (Bytes{std::byte(1), std::byte(2), std::byte(3), std::byte(4)}));
}

TEST(Wire, ReadingPastTheEndFailsForGood) {
  WireWriter out;
  out.put(std::uint16_t(9));
  WireReader in(out.bytes());
  EXPECT_EQ(in.get<std::uint32_t>(), 0u);
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.get<std::uint8_t>(), 0) << "nothing is read after a failure";
  EXPECT_EQ(in.remaining(), 0u);
}

TEST(Wire, AnImpossibleCountFailsBeforeItAllocates) {
  WireWriter out;
  out.put(~std::uint64_t(0)).put(std::uint64_t(1));
  for (int kind = 0; kind < 4; ++kind) {
    WireReader in(out.bytes());
    if (kind == 0)
      EXPECT_TRUE(in.get_string().empty());
    else if (kind == 1)
      EXPECT_TRUE(in.get_numbers<std::int64_t>().empty());
    else if (kind == 2)
      EXPECT_TRUE(in.get_strings().empty());
    else
      EXPECT_EQ(in.get_shape(), Shape());
    EXPECT_FALSE(in.ok());
  }
}

TEST(Wire, ValuesThatMakeNoSenseFail) {
  WireWriter out;
  out.put(std::uint8_t(2)).put(std::uint8_t(kNumDTypes));
  WireReader in(out.bytes());
  in.get<bool>();
  EXPECT_FALSE(in.ok());
  WireReader dtypes(std::span(out.bytes()).subspan(1));
  dtypes.get_dtype();
  EXPECT_FALSE(dtypes.ok());
}

TEST(Wire, BytesLeftOverAreNotDone) {
  WireWriter out;
  out.put(std::uint16_t(9));
  WireReader in(out.bytes());
  in.get<std::uint8_t>();
  EXPECT_TRUE(in.ok());
  EXPECT_FALSE(in.done());
  EXPECT_EQ(in.get_raw(1).size(), 1u);
  EXPECT_TRUE(in.done());
}

} // namespace
} // namespace ingot
