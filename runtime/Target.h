// The machine that code is generated for: everything an emitter asks, and what a host needs to run the
// result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot {

struct Target {
  std::string name;      ///< `host`, or the name it was asked by
  std::string triple;    ///< LLVM triple, e.g. `x86_64-unknown-linux-gnu`
  std::string cpu;       ///< LLVM CPU, e.g. `x86-64-v3`
  std::string features;  ///< LLVM features, e.g. `+avx2,+fma`
  int vector_bits = 128; ///< width of a vector register, a power of two
  int vector_registers = 16;
  int fma_ports = 2;          ///< multiply-adds that can start in one cycle
  int fma_latency = 4;        ///< cycles
  std::int64_t l1 = 32 << 10; ///< bytes of data cache of one core
  std::int64_t l2 = 256 << 10;
  std::int64_t l3 = 8 << 20; ///< bytes of the last-level cache that cores share; 0 when there is none
  int line = 64;             ///< bytes of a cache line
  /// Names from `features` that the code may use and a host must have.
  std::vector<std::string> required_features;

  /// The machine this process runs on. Probed once.
  static const Target &host();
  static constexpr const char *kNames = "x86-64, x86-64-v3, x86-64-v4, aarch64 and host";
  /// One of kNames; any other name is a CompileError that lists these.
  static Target named(std::string_view name);
  /// As `named`, without a value for another name.
  static std::optional<Target> find(std::string_view name);

  /// Fields may be changed before use; this says in words which one has a value that no code can be generated for.
  /// Empty when all are sound. Compiling for an unsound target is a CompileError with this text.
  std::string fault() const;
  bool has(std::string_view feature) const;
  bool is_x86() const { return triple.starts_with("x86_64"); }
  /// Every field but the name, as text: two targets with equal keys get equal code that equal hosts can run.
  std::string codegen_key() const;
  /// Whether this process can run code for the target.
  bool host_can_run() const;

  friend bool operator==(const Target &, const Target &) = default;
};

/// Whether this process can run code that needs these LLVM features.
bool host_has_features(const std::vector<std::string> &features);

} // namespace ingot
