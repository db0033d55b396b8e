#include "ingot/runtime/HostProbe.h"

#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ingot {
namespace {

/// What the C library knows; 0 means unknown and keeps the default.
void caches_from_sysconf(Target &target) {
  const auto set = [](auto &field, long value) {
    if (value > 0)
      field = static_cast<std::remove_reference_t<decltype(field)>>(value);
  };
  set(target.l1, sysconf(_SC_LEVEL1_DCACHE_SIZE));
  set(target.l2, sysconf(_SC_LEVEL2_CACHE_SIZE));
  set(target.l3, sysconf(_SC_LEVEL3_CACHE_SIZE));
  set(target.line, sysconf(_SC_LEVEL1_DCACHE_LINESIZE));
}

#if defined(__x86_64__)

struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

/// All zeros where the processor does not have the leaf.
Registers cpuid(unsigned leaf, unsigned subleaf = 0) {
  Registers r;
  if (!__get_cpuid_count(leaf, subleaf, &r.a, &r.b, &r.c, &r.d))
    return {};
  return r;
}

enum class State { None, Avx, Avx512 };

struct Feature {
  const char *name; // as LLVM spells it
  unsigned leaf, subleaf;
  unsigned Registers::*word;
  int bit;
  State state; // the registers the system must save for it
};

constexpr Feature kFeatures[] = {
    {"sse3", 1, 0, &Registers::c, 0, State::None},
    {"ssse3", 1, 0, &Registers::c, 9, State::None},
    {"cx16", 1, 0, &Registers::c, 13, State::None},
    {"sse4.1", 1, 0, &Registers::c, 19, State::None},
    {"sse4.2", 1, 0, &Registers::c, 20, State::None},
    {"movbe", 1, 0, &Registers::c, 22, State::None},
    {"popcnt", 1, 0, &Registers::c, 23, State::None},
    {"sahf", 0x80000001, 0, &Registers::c, 0, State::None},
    {"lzcnt", 0x80000001, 0, &Registers::c, 5, State::None},
    {"bmi", 7, 0, &Registers::b, 3, State::None},
    {"bmi2", 7, 0, &Registers::b, 8, State::None},
    {"avx", 1, 0, &Registers::c, 28, State::Avx},
    {"f16c", 1, 0, &Registers::c, 29, State::Avx},
    {"fma", 1, 0, &Registers::c, 12, State::Avx},
    {"avx2", 7, 0, &Registers::b, 5, State::Avx},
    {"avxvnni", 7, 1, &Registers::a, 4, State::Avx},
    {"avx512f", 7, 0, &Registers::b, 16, State::Avx512},
    {"avx512dq", 7, 0, &Registers::b, 17, State::Avx512},
    {"avx512cd", 7, 0, &Registers::b, 28, State::Avx512},
    {"avx512bw", 7, 0, &Registers::b, 30, State::Avx512},
    {"avx512vl", 7, 0, &Registers::b, 31, State::Avx512},
    {"avx512vbmi", 7, 0, &Registers::c, 1, State::Avx512},
    {"avx512vnni", 7, 0, &Registers::c, 11, State::Avx512},
    {"avx512bf16", 7, 1, &Registers::a, 5, State::Avx512},
    {"avx512fp16", 7, 0, &Registers::d, 23, State::Avx512},
};

/// Which registers the operating system saves.
State saved_state() {
  const Registers leaf1 = cpuid(1);
  if (!(leaf1.c >> 27 & 1))
    return State::None;
  unsigned low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  if ((low & 0xe6) == 0xe6)
    return State::Avx512;
  return (low & 6) == 6 ? State::Avx : State::None;
}

bool has_all(const Target &target, std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (!target.has(name))
      return false;
  return true;
}

/// The LLVM CPU that has no feature this machine lacks.
const char *cpu_level(const Target &t) {
  if (!has_all(t, {"sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "cx16", "sahf"}))
    return "x86-64";
  if (!has_all(t, {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}))
    return "x86-64-v2";
  if (!has_all(t, {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}))
    return "x86-64-v3";
  return "x86-64-v4";
}

void caches_from_cpuid(Target &target, bool amd) {
  const unsigned leaf = amd ? 0x8000001D : 4;
  for (unsigned i = 0; i < 16; ++i) {
    const Registers r = cpuid(leaf, i);
    const unsigned type = r.a & 0x1f, level = r.a >> 5 & 7;
    if (type == 0)
      break;
    if (type == 2) // instructions
      continue;
    const std::int64_t line = (r.b & 0xfff) + 1;
    const std::int64_t bytes =
        line * ((r.b >> 12 & 0x3ff) + 1) * ((r.b >> 22) + 1) * (static_cast<std::int64_t>(r.c) + 1);
    if (level == 1) {
      target.l1 = bytes;
      target.line = static_cast<int>(line);
    } else if (level == 2) {
      target.l2 = bytes;
    } else if (level == 3) {
      target.l3 = bytes;
    }
  }
}

void probe(Target &target) {
  target.triple = "x86_64-unknown-linux-gnu";
  const State saved = saved_state();
  for (const Feature &feature : kFeatures)
    if (saved >= feature.state && (cpuid(feature.leaf, feature.subleaf).*feature.word >> feature.bit & 1))
      target.required_features.emplace_back(feature.name);
  const std::string level = target.cpu = cpu_level(target);
  for (const std::string &name : target.required_features)
    target.features += (target.features.empty() ? "+" : ",+") + name;

  const Registers vendor = cpuid(0);
  const bool amd = vendor.b == 0x68747541; // "Auth"
  const unsigned signature = cpuid(1).a;
  const unsigned family = (signature >> 8 & 15) + ((signature >> 8 & 15) == 15 ? signature >> 20 & 255 : 0);
  if (level == "x86-64-v4") {
    target.vector_bits = 512;
    target.vector_registers = 32;
    target.features += ",-prefer-256-bit";
    target.fma_ports = amd && family == 25 ? 1 : 2; // Zen 4 runs a 512-bit operation in two halves
  } else if (level == "x86-64-v3") {
    target.vector_bits = 256;
  }
  target.fma_latency = amd && family == 23 ? 5 : 4;
  caches_from_sysconf(target);
  caches_from_cpuid(target, amd);
}

#else

void probe(Target &target) {
  target = Target::named("aarch64");
  caches_from_sysconf(target);
}

#endif

} // namespace

Target probe_host() {
  Target target;
  probe(target);
  return target;
}

} // namespace ingot
