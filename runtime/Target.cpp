#include "ingot/runtime/Target.h"

#include "ingot/runtime/Error.h"
#include "ingot/runtime/HostProbe.h"

#include <algorithm>
#include <initializer_list>

namespace ingot {
namespace {

constexpr const char *kKnown = "x86-64, x86-64-v3, x86-64-v4, aarch64 and host";

void require(Target &target, std::initializer_list<const char *> names) {
  for (const char *name : names) {
    target.required_features.emplace_back(name);
    target.features += (target.features.empty() ? "+" : ",+") + std::string(name);
  }
}

} // namespace

const Target &Target::host() {
  static const Target host = [] {
    Target target = probe_host();
    target.name = "host";
    return target;
  }();
  return host;
}

Target Target::named(std::string_view name) {
  if (name == "host")
    return host();
  Target target;
  target.name = name;
  if (name == "aarch64") {
    target.triple = "aarch64-unknown-linux-gnu";
    target.cpu = "generic";
    target.vector_registers = 32;
    target.l1 = 64 << 10;
    target.l2 = 512 << 10;
    require(target, {"neon"});
    return target;
  }
  target.triple = "x86_64-unknown-linux-gnu";
  target.cpu = name;
  if (name == "x86-64")
    return target;
  if (name != "x86-64-v3" && name != "x86-64-v4")
    throw CompileError("unknown target `" + std::string(name) + "`; the known ones are " + kKnown);
  target.vector_bits = 256;
  target.l2 = 512 << 10;
  require(target, {"sse3", "ssse3", "cx16", "sse4.1", "sse4.2", "movbe", "popcnt", "sahf", "lzcnt", "bmi", "bmi2",
                   "avx", "f16c", "fma", "avx2"});
  if (name == "x86-64-v4") {
    target.vector_bits = 512;
    target.vector_registers = 32;
    target.l2 = 1 << 20;
    require(target, {"avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl"});
    target.features += ",-prefer-256-bit";
  }
  return target;
}

bool Target::has(std::string_view feature) const {
  return std::find(required_features.begin(), required_features.end(), feature) != required_features.end();
}

std::string Target::codegen_key() const {
  std::string key = triple + "|" + cpu + "|" + features;
  for (std::int64_t number : {std::int64_t(vector_bits), std::int64_t(vector_registers), std::int64_t(fma_ports),
                              std::int64_t(fma_latency), l1, l2, l3, std::int64_t(line)})
    key += "|" + std::to_string(number);
  return key;
}

bool Target::host_can_run() const {
  const auto architecture = [](const std::string &triple) { return triple.substr(0, triple.find('-')); };
  return architecture(triple) == architecture(host().triple) && host_has_features(required_features);
}

bool host_has_features(const std::vector<std::string> &features) {
  return std::all_of(features.begin(), features.end(),
                     [](const std::string &feature) { return Target::host().has(feature); });
}

} // namespace ingot
