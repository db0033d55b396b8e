// Phases and options of a compilation, as users see them.
#pragma once

#include "ingot/runtime/Target.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ingot {

/// The phases of a program's life, in order. Tools can stop at, start from and print any of them.
enum class Phase { Captured, Differentiated, Simplified, Partitioned, Fused, Planned, Kernels, Native };
inline constexpr Phase kPhases[] = {Phase::Captured, Phase::Differentiated, Phase::Simplified, Phase::Partitioned,
                                    Phase::Fused, Phase::Planned, Phase::Kernels, Phase::Native};
const char *phase_name(Phase);                        // "captured"
std::optional<Phase> parse_phase(const std::string &);

struct CompileOptions {
  int threads = 0;                     // workers a call may use; 0: all of the machine's
  std::vector<int> donate;             // inputs whose buffers become outputs
  std::optional<Target> target;        // unset: the host
  std::size_t memory_limit = 0;        // bytes of workspace; 0: no limit
  bool fast_math = false;
  std::optional<std::string> cache_dir; // unset: the user's cache; empty: no disk cache
  bool profile = false;
  bool tune = false;
};

} // namespace ingot
