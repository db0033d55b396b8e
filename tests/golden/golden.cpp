// Writes the demo's training step after each phase, for a fixed target, as DIR/<phase>.mlir. usage: golden DIR
#include "ingot/examples/fashion_model.h"

#include <cstdio>
#include <fstream>
#include <numeric>

int main(int argc, char **argv) {
  if (argc != 2)
    return std::fprintf(stderr, "usage: golden DIR\n"), 1;
  std::vector<int> donate(19);
  std::iota(donate.begin(), donate.end(), 0);
  const CompileOptions options{.threads = 2, .donate = donate, .target = Target::named("x86-64-v3")};
  const Graph graph = capture(step, step_specs());
  for (Phase phase : kPhases) {
    if (phase == Phase::Native)
      continue;
    std::ofstream file(std::string(argv[1]) + "/" + phase_name(phase) + ".mlir");
    file << graph.str(phase, options);
    if (!file.flush())
      return std::perror(argv[1]), 1;
  }
  return 0;
}
