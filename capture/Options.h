// Options of a compilation.
#pragma once

#include "ingot/runtime/Phase.h"
#include "ingot/runtime/Target.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ingot {

struct CompileOptions {
  int threads = 0;                // workers a call may use; 0: all of the machine's
  std::vector<int> donate{};      // inputs whose buffers become outputs
  std::optional<Target> target{}; // unset: the host
  std::size_t memory_limit = 0;   // bytes of workspace; 0: no limit
  bool fast_math = false;
  std::optional<std::string> cache_dir{}; // unset: the user's cache; empty: no disk cache
  bool profile = false;
  bool tune = false;
};

} // namespace ingot
