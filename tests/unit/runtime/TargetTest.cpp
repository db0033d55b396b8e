#include "ingot/runtime/Target.h"

#include "ingot/runtime/Error.h"

#include <gtest/gtest.h>

#include <set>

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
  // Every other field; the number of changes is that of the fields.
  const std::vector<void (*)(Target &)> changes = {[](Target &t) { t.triple += "x"; },
                                                   [](Target &t) { t.cpu += "x"; },
                                                   [](Target &t) { t.features += ",+x"; },
                                                   [](Target &t) { t.vector_bits *= 2; },
                                                   [](Target &t) { t.vector_registers *= 2; },
                                                   [](Target &t) { t.fma_ports += 1; },
                                                   [](Target &t) { t.fma_latency += 1; },
                                                   [](Target &t) { t.l1 *= 2; },
                                                   [](Target &t) { t.l2 *= 2; },
                                                   [](Target &t) { t.l3 *= 2; },
                                                   [](Target &t) { t.line *= 2; },
                                                   [](Target &t) { t.required_features.push_back("x"); }};
  std::set<std::string> keys{v3.codegen_key()};
  for (auto change : changes) {
    Target changed = v3;
    change(changed);
    EXPECT_TRUE(keys.insert(changed.codegen_key()).second) << changed.codegen_key();
  }
  Target first = v3, second = v3; // texts do not run together
  first.triple = "a|1:b";
  first.cpu = "c";
  second.triple = "a";
  second.cpu = "b|c";
  EXPECT_NE(first.codegen_key(), second.codegen_key());
}

TEST(Target, SaysWhichFieldIsUnsound) {
  for (const char *name : {"host", "x86-64", "x86-64-v3", "x86-64-v4", "aarch64"})
    EXPECT_EQ(Target::named(name).fault(), "") << name;
  const auto fault = [](auto change) {
    Target target = Target::named("x86-64-v3");
    change(target);
    return target.fault();
  };
  EXPECT_EQ(fault([](Target &t) { t.vector_bits = 0; }), "vector_bits is 0 and must be a power of two from 64 to 2048");
  EXPECT_EQ(fault([](Target &t) { t.vector_bits = 384; }),
            "vector_bits is 384 and must be a power of two from 64 to 2048");
  EXPECT_EQ(fault([](Target &t) { t.vector_registers = 1; }), "vector_registers is 1 and must be 8 to 1024");
  EXPECT_EQ(fault([](Target &t) { t.fma_ports = 0; }), "fma_ports is 0 and must be 1 to 64");
  EXPECT_EQ(fault([](Target &t) { t.fma_latency = -1; }), "fma_latency is -1 and must be 1 to 64");
  EXPECT_EQ(fault([](Target &t) { t.l1 = 0; }), "l1 is 0 and must be at least 1024 bytes");
  EXPECT_EQ(fault([](Target &t) { t.l2 = 0; }), "l2 is 0 and must be at least l1");
  EXPECT_EQ(fault([](Target &t) { t.l3 = -1; }), "l3 is -1 and must be 0, for none, or more");
  EXPECT_EQ(fault([](Target &t) { t.line = 65; }), "line is 65 and must be a power of two from 8 to 4096");
  EXPECT_EQ(fault([](Target &t) { t.triple = ""; }),
            "triple is empty and must be an LLVM triple such as x86_64-unknown-linux-gnu");
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
