// Somebody who runs a benchmark row: Ingot, a library in this process, or a Python peer in its own.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace bench {

/// Runs the row's work `iterations` times and returns the seconds that took.
using Run = std::function<double(long iterations)>;

struct Contender {
  std::string name; // "ingot", "onednn", "openblas", "torch", "compile", "jax"
  Run run;
  std::optional<double> prepare_seconds; // compilation, where there is one
};

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Times `work()` in a loop.
template <class F> Run loop(F work) {
  return [work](long iterations) mutable {
    const double start = now();
    for (long i = 0; i < iterations; ++i)
      work();
    return now() - start;
  };
}

} // namespace bench
