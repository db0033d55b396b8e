// The phases of a program's life, in order. Tools can stop at, start from and print any of them.
#pragma once

#include <optional>
#include <string_view>

namespace ingot {

enum class Phase {
  Captured,       ///< what the user wrote
  Differentiated, ///< no transformation is left unexpanded
  Simplified,     ///< algebra done; nothing after this changes a bit of any result
  Partitioned,    ///< decided what the backward keeps and what it computes again
  Fused,          ///< every op lies in a cluster
  Planned,        ///< clusters in order, every value has its memory
  Kernels,        ///< one function per kernel, no tensors
  Native,         ///< LLVM IR
};

inline constexpr Phase kPhases[] = {Phase::Captured, Phase::Differentiated, Phase::Simplified, Phase::Partitioned,
                                    Phase::Fused,    Phase::Planned,        Phase::Kernels,    Phase::Native};

constexpr const char *phase_name(Phase phase) {
  constexpr const char *names[] = {"captured", "differentiated", "simplified", "partitioned",
                                   "fused",    "planned",        "kernels",    "native"};
  return names[static_cast<int>(phase)];
}

constexpr std::optional<Phase> parse_phase(std::string_view name) {
  for (Phase phase : kPhases)
    if (name == phase_name(phase))
      return phase;
  return std::nullopt;
}

} // namespace ingot
