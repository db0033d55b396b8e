#include "ingot/runtime/Program.h"

#include "SampleProgram.h"

#include <gtest/gtest.h>

namespace ingot {
namespace {

TEST(TensorSpec, IsMadeFromTypeAndName) {
  const TensorSpec x = spec(DType::F32, {2, 3}, "x");
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.type().str(), "2x3xf32");
  EXPECT_EQ(spec(DType::I64, {}).shape.rank(), 0);
}

TEST(Program, SurvivesTheRoundTrip) {
  const ProgramInfo info = sample_program();
  const std::optional<ProgramInfo> back = ProgramInfo::deserialize(info.serialize());
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, info);
  EXPECT_EQ(back->serialize(), info.serialize());
  EXPECT_EQ(ProgramInfo::deserialize(ProgramInfo().serialize()), ProgramInfo());
}

TEST(Program, EveryTruncationIsNothing) {
  const Bytes bytes = sample_program().serialize();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_EQ(ProgramInfo::deserialize(std::span(bytes).first(size)), std::nullopt) << size;
  Bytes longer = bytes;
  longer.push_back(std::byte(0));
  EXPECT_EQ(ProgramInfo::deserialize(longer), std::nullopt);
}

TEST(Program, AnyDamageIsNothingOrAnotherProgram) {
  Bytes bytes = sample_program().serialize();
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (int change : {0x01, 0x80, 0xff}) {
      bytes[at] ^= std::byte(change);
      if (const auto other = ProgramInfo::deserialize(bytes)) {
        EXPECT_EQ(other->serialize(), bytes) << "what is read is what is there, at " << at;
      }
      bytes[at] ^= std::byte(change);
    }
}

TEST(Program, ContradictionsAreNothing) {
  const auto survives = [](auto change) {
    ProgramInfo info = sample_program();
    change(info);
    return ProgramInfo::deserialize(info.serialize()).has_value();
  };
  EXPECT_TRUE(survives([](ProgramInfo &) {}));
  EXPECT_FALSE(survives([](ProgramInfo &info) { info.donated.pop_back(); }));
  EXPECT_FALSE(survives([](ProgramInfo &info) { info.donated[0] = 1; }));
  EXPECT_FALSE(survives([](ProgramInfo &info) { info.donated[0] = -2; }));
  EXPECT_FALSE(survives([](ProgramInfo &info) { info.max_slots = 0; }));
  EXPECT_FALSE(survives([](ProgramInfo &info) { info.inputs[0].shape = {-4}; }));
  EXPECT_FALSE(survives([](ProgramInfo &info) { info.errors[1].code = static_cast<ErrorCode>(99); }));
}

} // namespace
} // namespace ingot
