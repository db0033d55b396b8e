// ingot bench: how long a program takes, and how much of what the machine can do that is.
#include "ingot/bench/Roofline.h"
#include "ingot/tools/ingot/Common.h"
#include "ingot/tools/ingot/Json.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

namespace ingot::cli {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Normal floats, zeros of anything else: indices and masks that are valid whatever they are for.
Tensor example(const std::string &model, const TensorSpec &spec, std::uint64_t seed) {
  if (!spec.shape.is_static())
    throw UsageError(model + ": an input is " + type_text(spec) + "; only programs of known shapes can be timed");
  if (is_float(spec.dtype))
    return Tensor::normal(spec.shape, seed, spec.dtype, Device::cpu(), Location());
  return Tensor::zeros(spec.shape, spec.dtype, Device::cpu(), Location());
}

/// Seconds of a call: the median and the least of the batches that fit into `seconds`.
struct Times {
  double median, least;
};
template <class F> Times measure(F call, double seconds) {
  call();
  double start = now();
  call();
  const double once = std::max(now() - start, 1e-9);
  const int rounds = 25;
  const long batch = std::max(1L, long(seconds / rounds / once));
  std::vector<double> samples;
  for (int round = 0; round < rounds && (round < 5 || round * batch * once < 4 * seconds); ++round) {
    start = now();
    for (long i = 0; i < batch; ++i)
      call();
    samples.push_back((now() - start) / double(batch));
  }
  std::sort(samples.begin(), samples.end());
  return {samples[samples.size() / 2], samples[0]};
}

} // namespace

void bench_command(const std::vector<std::string> &words) {
  const Arguments arguments("bench", words, {"json", "threads", "seconds", "suite"});
  if (auto suite = arguments.get("suite"))
    return bench_suite(arguments, *suite);
  const std::string model = arguments.model();
  const double seconds = arguments.positive("seconds", 1);
  CompileOptions options = compile_options(arguments);
  if (options.threads == 0)
    options.threads = int(std::max(1u, std::thread::hardware_concurrency()));
  const Graph graph = load_model(model);
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < graph.inputs().size(); ++i)
    inputs.push_back(example(model, graph.inputs()[i], i + 1));

  Times times{};
  double compile_seconds = 0, flops = 0, bytes = 0;
  bench::Roofline limit{};
  {
    Progress progress("timing " + model);
    for (const Tensor &input : inputs)
      input.eval(Location());
    options.cache_dir = "";
    const double start = now();
    const Executable program = compile(graph, options, Location());
    compile_seconds = now() - start;
    for (const Kernel &kernel : program.kernels())
      flops += kernel.flops;
    bytes = double(program.memory().argument_bytes + program.memory().output_bytes + program.memory().constant_bytes);
    times = measure([&] { program(inputs, Location()); }, seconds);
    limit = bench::measure_roofline(options.threads);
  }
  const double least = limit.seconds(flops, bytes, /*cached=*/bytes < 8e6), fraction = least / times.median;
  std::printf("%s: %.2f us a call (median; least %.2f us) with %d threads, compiled in %.1f ms\n", model.c_str(),
              1e6 * times.median, 1e6 * times.least, options.threads, 1e3 * compile_seconds);
  std::printf(
      "%.2f GFLOP/s, %.2f GB/s of arguments and results; %.0f %% of this machine's limit (%.1f GFLOP/s, %.1f GB/s)\n",
      1e-9 * flops / times.median, 1e-9 * bytes / times.median, 100 * fraction, 1e-9 * limit.flops_per_second,
      1e-9 * limit.bytes_per_second);
  if (auto path = arguments.get("json"))
    write_text(*path, "{\"model\": " + json_string(model) + ", \"threads\": " + std::to_string(options.threads) +
                          ", \"median_seconds\": " + json_number(times.median) + ", \"least_seconds\": " +
                          json_number(times.least) + ", \"compile_seconds\": " + json_number(compile_seconds) +
                          ", \"flops\": " + json_number(flops) + ", \"bytes\": " + json_number(bytes) +
                          ", \"limit_fraction\": " + json_number(fraction) + "}\n");
}

} // namespace ingot::cli
