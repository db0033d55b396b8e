#include "ingot/runtime/Target.h"

#include "ingot/runtime/Error.h"
#include "ingot/runtime/HostProbe.h"

#include <algorithm>
#include <initializer_list>

namespace ingot {
namespace {

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
  if (std::optional<Target> target = find(name))
    return *std::move(target);
  throw CompileError("unknown target `" + std::string(name) + "`; the known ones are " + kNames);
}

std::optional<Target> Target::find(std::string_view name) {
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
    return std::nullopt;
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
  // A new field does not compile before it is part of this.
  const auto &[own_name, own_triple, own_cpu, own_features, bits, registers, ports, latency, level1, level2, level3,
               line_bytes, needs] = *this;
  std::string key;
  const auto add = [&](const std::string &text) { key += std::to_string(text.size()) + ":" + text + "|"; };
  for (const std::string &text : {own_triple, own_cpu, own_features})
    add(text);
  for (std::int64_t number : {std::int64_t(bits), std::int64_t(registers), std::int64_t(ports), std::int64_t(latency),
                              level1, level2, level3, std::int64_t(line_bytes)})
    add(std::to_string(number));
  for (const std::string &feature : needs)
    add(feature);
  return key;
}

std::string Target::fault() const {
  const auto power_of_two = [](std::int64_t value) { return value > 0 && (value & (value - 1)) == 0; };
  const auto says = [](const char *field, std::int64_t value, const char *rule) {
    return std::string(field) + " is " + std::to_string(value) + " and must be " + rule;
  };
  if (triple.empty())
    return "triple is empty and must be an LLVM triple such as x86_64-unknown-linux-gnu";
  if (!power_of_two(vector_bits) || vector_bits < 64 || vector_bits > 2048)
    return says("vector_bits", vector_bits, "a power of two from 64 to 2048");
  if (vector_registers < 8 || vector_registers > 1024)
    return says("vector_registers", vector_registers, "8 to 1024");
  if (fma_ports < 1 || fma_ports > 64)
    return says("fma_ports", fma_ports, "1 to 64");
  if (fma_latency < 1 || fma_latency > 64)
    return says("fma_latency", fma_latency, "1 to 64");
  if (l1 < 1024)
    return says("l1", l1, "at least 1024 bytes");
  if (l2 < l1)
    return says("l2", l2, "at least l1");
  if (l3 < 0)
    return says("l3", l3, "0, for none, or more");
  if (!power_of_two(line) || line < 8 || line > 4096)
    return says("line", line, "a power of two from 8 to 4096");
  return {};
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
