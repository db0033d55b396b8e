// What compiling costs as programs grow: seconds and peak memory of programs of n and 2n ops, each in a process of its
// own with an empty cache.
// usage: ingot-bench-compile [--only TEXT] [--most N] [--repeats R]     or     ingot-bench-compile FAMILY N, in this
// process
#include <ingot/ingot.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/resource.h>

using namespace ingot;

namespace {

const TensorSpec kRow = spec(DType::F32, {64});

/// n elementwise ops, two in three of them cheap.
Tensor chain(Tensor x, int n) {
  for (int i = 0; i < n; i += 3)
    x = sin(x) * 1.01 + 0.1;
  return x;
}

/// The same with other numbers in each round, so that no two kernels are alike.
Tensor distinct(Tensor x, int n) {
  for (int i = 0; i < n; i += 3)
    x = sin(x) * (1 + 1e-5 * i) + 0.1;
  return x;
}

Tensor tanhs(Tensor x, Tensor c, int n) {
  for (int i = 0; i < n; i += 2)
    x = tanh(x * c);
  return x;
}

Tensor reductions(Tensor x, int n) {
  for (int i = 0; i < n; i += 3)
    x = tanh(x - mean(x, -1, true));
  return x;
}

Tensor stacked(const std::vector<Tensor> &xs) { return stack(xs, 0); }

/// Pre-norm residual layers, as a transformer's without attention.
Tensor layers(Tensor x, Tensor w, int n) {
  for (int i = 0; i < n; i += 16)
    x = x + relu(matmul(layer_norm(x), w));
  return x;
}

/// Many results that share one operand.
std::vector<Tensor> fan(Tensor x, int n) {
  std::vector<Tensor> out;
  for (int i = 0; i < n; i += 2)
    out.push_back(exp(x * (1 + 1e-4 * i)));
  return out;
}

Graph graph_of(const std::string &family, int n) {
  const auto loss = [](auto f) { return [f](Tensor x) { return sum(f(x)); }; };
  if (family == "chain")
    return capture([n](Tensor x) { return chain(x, n); }, {kRow});
  if (family == "distinct")
    return capture([n](Tensor x) { return distinct(x, n); }, {kRow});
  if (family == "gradchain")
    return grad(capture(loss([n](Tensor x) { return chain(x, n); }), {kRow}), {0});
  if (family == "tanh")
    return capture([n](Tensor x, Tensor c) { return tanhs(x, c, n); }, {kRow, spec(DType::F32, {})});
  if (family == "reduce")
    return capture([n](Tensor x) { return reductions(x, n); }, {spec(DType::F32, {8, 64})});
  if (family == "gradreduce")
    return grad(capture(loss([n](Tensor x) { return reductions(x, n); }), {spec(DType::F32, {8, 64})}), {0});
  if (family == "layers" || family == "gradlayers") {
    Graph g = capture([n](Tensor x, Tensor w) { return sum(layers(x, w, n)); },
                      {spec(DType::F32, {16, 64}), spec(DType::F32, {64, 64})});
    return family == "layers" ? g : grad(g, {1});
  }
  if (family == "fan")
    return capture([n](Tensor x) { return fan(x, n); }, {kRow});
  if (family == "stack")
    return capture([](std::vector<Tensor> xs) { return stacked(xs); },
                   std::vector<TensorSpec>(std::size_t(n), spec(DType::F32, {4})));
  std::fprintf(stderr, "there is no family %s\n", family.c_str());
  std::exit(1);
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The loader's work comes first, so that it is not counted.
int child(const std::string &family, int n) {
  (void)compile(graph_of("chain", 3), {.cache_dir = ""});
  const Graph graph = graph_of(family, n);
  const double start = now();
  const Executable run = compile(graph, {.cache_dir = ""});
  const double seconds = now() - start;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%.4f %.1f %zu\n", seconds, double(usage.ru_maxrss) / 1024, run.kernels().size());
  return 0;
}

struct Cost {
  double seconds = 0, megabytes = 0;
  std::size_t kernels = 0;
};

/// The median of some runs.
Cost measure(const std::string &family, int n, int repeats) {
  std::vector<Cost> costs(static_cast<std::size_t>(repeats));
  for (Cost &cost : costs) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    FILE *pipe = popen(("'" + self + "' " + family + " " + std::to_string(n)).c_str(), "r");
    if (!pipe || std::fscanf(pipe, "%lf %lf %zu", &cost.seconds, &cost.megabytes, &cost.kernels) != 3 ||
        pclose(pipe) != 0) {
      std::fprintf(stderr, "compiling %s of %d ops failed\n", family.c_str(), n);
      return {};
    }
  }
  std::sort(costs.begin(), costs.end(), [](const Cost &a, const Cost &b) { return a.seconds < b.seconds; });
  return costs[costs.size() / 2];
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 3 && argv[1][0] != '-')
    return child(argv[1], std::atoi(argv[2]));
  std::string only;
  int most = 20000, repeats = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!std::strcmp(argv[i], "--only"))
      only = argv[i + 1];
    else if (!std::strcmp(argv[i], "--most"))
      most = std::atoi(argv[i + 1]);
    else if (!std::strcmp(argv[i], "--repeats"))
      repeats = std::max(1, std::atoi(argv[i + 1]));
    else
      return std::fprintf(stderr, "unknown option %s\n", argv[i]), 1;
  }
  std::printf("%-26s %10s %10s %8s   %s\n", "row", "seconds", "MB", "kernels", "time of twice the ops");
  for (const char *family :
       {"chain", "gradchain", "distinct", "tanh", "reduce", "gradreduce", "layers", "gradlayers", "fan", "stack"})
    for (const int n : {300, 1200, 5000, 20000}) {
      const std::string name = "compile_" + std::string(family) + "_" + std::to_string(n);
      if (n > most || name.find(only) == std::string::npos)
        continue;
      const Cost one = measure(family, n, repeats), two = measure(family, 2 * n, repeats);
      std::printf("%-26s %10.3f %10.1f %8zu   %.2fx\n", name.c_str(), one.seconds, one.megabytes, one.kernels,
                  two.seconds / one.seconds);
      std::fflush(stdout);
    }
  return 0;
}
