// Runs rows of work through Ingot and its peers, interleaved in one run, and prints times, the ratio to the best peer
// and the fraction of the machine's own limit.
// usage: ingot-bench [--threads N] [--only TEXT] [--seconds S] [--target NAME] [--json FILE]
//                    [--python PATH | --no-python]
#include "PythonPeer.h"
#include "Roofline.h"
#include "Row.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sched.h>

namespace bench {
namespace {

struct Result {
  std::string name;
  double median, fastest;
  std::optional<double> prepare_seconds;
};

Options parse(int argc, char **argv) {
  Options options;
  if (const char *dir = std::getenv("INGOT_PEERS_DIR"))
    options.python_path = std::string(dir) + "/bin/python";
  else if (const char *home = std::getenv("HOME"))
    options.python_path = std::string(home) + "/.cache/ingot-peers/bin/python";
  for (int i = 1; i < argc; ++i) {
    auto is = [&](const char *flag) { return std::strcmp(argv[i], flag) == 0; };
    if (is("--no-python"))
      options.python = false;
    else if (i + 1 == argc)
      std::fprintf(stderr, "%s needs a value\n", argv[i]), std::exit(1);
    else if (is("--threads"))
      options.threads = std::atoi(argv[++i]);
    else if (is("--only"))
      options.only = argv[++i];
    else if (is("--seconds"))
      options.seconds = std::atof(argv[++i]);
    else if (is("--target"))
      options.target = argv[++i];
    else if (is("--json"))
      options.json = argv[++i];
    else if (is("--python"))
      options.python_path = argv[++i];
    else
      std::fprintf(stderr, "unknown option %s\n", argv[i]), std::exit(1);
  }
  return options;
}

/// Before any of them starts: what each reads at its first use.
void hold_peers_to_avx2() {
  setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
  setenv("OPENBLAS_CORETYPE", "Haswell", 1);
  setenv("ATEN_CPU_CAPABILITY", "avx2", 1);
  setenv("XLA_FLAGS", "--xla_cpu_max_isa=AVX2", 1);
}

/// Rounds of every contender in turn, so that a slow minute of the machine meets all of them.
std::vector<Result> race(std::vector<Contender> &contenders, double seconds) {
  const int rounds = 15;
  std::vector<std::vector<double>> samples(contenders.size());
  std::vector<long> iterations;
  for (Contender &contender : contenders) {
    contender.run(1);
    const double one = std::max(contender.run(1), 1e-8);
    const double some = contender.run(std::max(1L, long(0.002 / one))) / double(std::max(1L, long(0.002 / one)));
    iterations.push_back(std::max(1L, long(seconds / rounds / std::max(some, 1e-9))));
  }
  for (int round = 0; round < rounds; ++round)
    for (std::size_t c = 0; c < contenders.size(); ++c)
      samples[c].push_back(contenders[c].run(iterations[c]) / double(iterations[c]));
  std::vector<Result> results;
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    std::sort(samples[c].begin(), samples[c].end());
    results.push_back({contenders[c].name, samples[c][rounds / 2], samples[c][0], contenders[c].prepare_seconds});
  }
  return results;
}

void print(const Row &row, const std::vector<Result> &results, const Roofline &limit, int threads,
           std::ofstream *json) {
  double best = INFINITY;
  std::string who = "-";
  for (const Result &r : results)
    if (r.name != "ingot" && r.median < best)
      best = r.median, who = r.name;
  const double least = limit.seconds(row.flops, row.bytes, row.cached);
  std::printf("%-22s %2d", row.name.c_str(), threads);
  for (const Result &r : results) {
    if (r.name == "ingot")
      std::printf("  %10.2f us  %5.2fx %-8s %3.0f%% |", 1e6 * r.median, best / r.median, who.c_str(),
                  100 * least / r.median);
    else
      std::printf("  %s %.2f", r.name.c_str(), 1e6 * r.median);
    if (json)
      *json << "{\"row\": \"" << row.name << "\", \"threads\": " << threads << ", \"who\": \"" << r.name
            << "\", \"median_us\": " << 1e6 * r.median << ", \"min_us\": " << 1e6 * r.fastest
            << ", \"limit_us\": " << 1e6 * least << ", \"prepare_s\": " << r.prepare_seconds.value_or(0) << "}\n";
  }
  std::printf("\n");
  std::fflush(stdout);
}

} // namespace
} // namespace bench

int main(int argc, char **argv) {
  using namespace bench;
  const Options options = parse(argc, argv);
  if (options.threads == 1) { // as the peers do: one processor, so that nobody gains from the other
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  if (options.target == "x86-64-v3")
    hold_peers_to_avx2();
  std::vector<Row> rows;
  for (auto make : {gemm_rows, pointwise_rows, rowwise_rows, model_rows, call_rows})
    for (Row &row : make())
      if (row.name.find(options.only) != std::string::npos)
        rows.push_back(std::move(row));
  std::vector<std::shared_ptr<PythonPeer>> peers;
  if (options.python)
    for (const char *framework : {"torch", "compile", "jax"})
      if (auto peer = PythonPeer::start(options.python_path, framework, options.threads))
        peers.push_back(peer);
  const Roofline limit = measure_roofline(options.threads);
  std::printf("limits with %d threads: %.1f GFLOP/s, %.1f GB/s from memory, %.1f GB/s from cache\n", options.threads,
              limit.flops_per_second * 1e-9, limit.bytes_per_second * 1e-9, limit.cached_bytes_per_second * 1e-9);
  std::printf("%-22s %2s  %10s     %s\n", "row", "t", "ingot",
              "ratio to the best peer, fraction of the limit | peers in us");
  std::ofstream json;
  if (!options.json.empty())
    json.open(options.json);
  for (const Row &row : rows) {
    std::vector<Contender> contenders = row.contenders(options);
    for (auto &peer : peers)
      if (row.python_peers)
        if (auto contender = peer->contender(row.name))
          contenders.push_back(*contender);
    print(row, race(contenders, options.seconds), limit, options.threads, json.is_open() ? &json : nullptr);
  }
  return 0;
}
