// What compiling the training step costs: in a new process with an empty cache, as a later program of a process, and in
// a new process with a warm disk cache. Prints the medians and whether the compiler's libraries were mapped.
// usage: ingot-bench-startup [REPEATS]
#include "../Mlp.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <stdlib.h>
#include <unistd.h>

using namespace ingot;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double compile_step(const std::string &cache, std::int64_t batch) {
  const Graph graph = capture(bench::mlp_step, bench::mlp_step_specs(batch));
  const double start = now();
  const Executable run = compile(graph, {.donate = bench::mlp_step_donated(), .cache_dir = cache});
  return now() - start;
}

bool compiler_is_mapped() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("libLLVM") != std::string::npos || line.find("libMLIR") != std::string::npos)
      return true;
  return false;
}

/// `ROLE CACHE`: runs in a process of its own and prints milliseconds and whether the compiler was mapped.
int child(const std::string &role, const std::string &cache) {
  if (role == "later")
    compile_step(cache, 32);
  const double seconds = compile_step(cache, 128);
  std::printf("%.3f %d\n", 1e3 * seconds, int(compiler_is_mapped()));
  return 0;
}

struct Answer {
  double milliseconds;
  bool mapped;
};

Answer ask(const std::string &self, const std::string &role, const std::string &cache) {
  FILE *pipe = popen(("'" + self + "' " + role + " '" + cache + "'").c_str(), "r");
  double milliseconds = 0;
  int mapped = 0;
  if (!pipe || std::fscanf(pipe, "%lf %d", &milliseconds, &mapped) != 2 || pclose(pipe) != 0) {
    std::fprintf(stderr, "the %s process failed\n", role.c_str());
    std::exit(1);
  }
  return {milliseconds, mapped != 0};
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 3)
    return child(argv[1], argv[2]);
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 9;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  std::string cache = (std::filesystem::temp_directory_path() / "ingot-startup-XXXXXX").string();
  if (repeats < 1 || !mkdtemp(cache.data()))
    return 1;
  const char *roles[] = {"cold", "later", "warm"};
  const char *texts[] = {"new process, empty cache", "later program, empty cache", "new process, warm cache"};
  std::vector<Answer> answers[3];
  for (int i = 0; i < repeats; ++i)
    for (int role = 0; role < 3; ++role) {
      if (role < 2) // the cache of `later` stays for `warm`
        std::filesystem::remove_all(cache);
      answers[role].push_back(ask(self, roles[role], cache));
    }
  std::filesystem::remove_all(cache);
  for (int role = 0; role < 3; ++role) {
    auto &list = answers[role];
    std::sort(list.begin(), list.end(), [](auto &x, auto &y) { return x.milliseconds < y.milliseconds; });
    std::printf("%-28s %8.2f ms (least %.2f)   libLLVM and libMLIR %s\n", texts[role],
                list[list.size() / 2].milliseconds, list[0].milliseconds, list[0].mapped ? "mapped" : "not mapped");
  }
  return 0;
}
