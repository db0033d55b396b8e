#include "ingot/runtime/Target.h"

#include "ingot/runtime/Error.h"

#include <gtest/gtest.h>

namespace ingot {
namespace {

TEST(Target, KnowsItsNames) {
  for (const char *name : {"x86-64", "x86-64-v3", "x86-64-v4", "aarch64"}) {
    const Target target = Target::named(name);
    EXPECT_EQ(target.name, name);
    EXPECT_FALSE(target.triple.empty());
    EXPECT_EQ(target.vector_bits % 128, 0);
  }
  EXPECT_EQ(Target::named("host"), Target::host());
}

TEST(Target, AnUnknownNameListsTheKnownOnes) {
  try {
    Target::named("pdp-11");
    FAIL() << "nothing was thrown";
  } catch (const CompileError &error) {
    for (const char *part : {"pdp-11", "x86-64-v3", "x86-64-v4", "aarch64"})
      EXPECT_NE(error.message().find(part), std::string::npos) << part;
  }
}

TEST(Target, WiderOnesHaveMore) {
  const Target v3 = Target::named("x86-64-v3"), v4 = Target::named("x86-64-v4");
  EXPECT_EQ(v3.vector_bits, 256);
  EXPECT_EQ(v3.vector_registers, 16);
  EXPECT_TRUE(v3.has("avx2"));
  EXPECT_TRUE(v3.has("fma"));
  EXPECT_FALSE(v3.has("avx512f"));
  EXPECT_EQ(v4.vector_bits, 512);
  EXPECT_EQ(v4.vector_registers, 32);
  EXPECT_TRUE(v4.has("avx512f"));
  EXPECT_NE(v3.features.find("+avx2"), std::string::npos);
}

TEST(Target, TheKeyTellsTargetsApart) {
  const Target v3 = Target::named("x86-64-v3");
  EXPECT_NE(v3.codegen_key(), Target::named("x86-64-v4").codegen_key());
  Target renamed = v3;
  renamed.name = "other";
  EXPECT_EQ(renamed.codegen_key(), v3.codegen_key()) << "the name changes no code";
  Target cached = v3;
  cached.l2 *= 2;
  EXPECT_NE(cached.codegen_key(), v3.codegen_key());
}

TEST(Target, TheHostIsPlausibleAndRunsItself) {
  const Target &host = Target::host();
  EXPECT_TRUE(host.host_can_run());
  EXPECT_GE(host.l1, 8 << 10);
  EXPECT_GE(host.l2, host.l1);
  EXPECT_GE(host.line, 16);
  EXPECT_GE(host.vector_bits, 128);
}

#if defined(__x86_64__)
TEST(Target, TheHostAgreesWithTheCompilersProbe) {
  const Target &host = Target::host();
  EXPECT_EQ(host.has("avx2"), __builtin_cpu_supports("avx2") != 0);
  EXPECT_EQ(host.has("fma"), __builtin_cpu_supports("fma") != 0);
  EXPECT_EQ(host.has("avx512f"), __builtin_cpu_supports("avx512f") != 0);
  EXPECT_EQ(host.has("popcnt"), __builtin_cpu_supports("popcnt") != 0);
  EXPECT_EQ(host.has("bmi2"), __builtin_cpu_supports("bmi2") != 0);
  EXPECT_TRUE(Target::named("x86-64").host_can_run());
  EXPECT_EQ(Target::named("x86-64-v3").host_can_run(), host.vector_bits >= 256);
  EXPECT_EQ(Target::named("x86-64-v4").host_can_run(), host.vector_bits >= 512);
  EXPECT_FALSE(Target::named("aarch64").host_can_run());
}
#endif

} // namespace
} // namespace ingot
