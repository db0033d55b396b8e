// What train_fashion shows: a progress bar, a line an epoch, the kernels, and the ahead-of-time files.
#pragma once

#include "fashion.h"

#include <ingot/ingot.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace report {

class Clock {
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); }

private:
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

/// Durations of the same work, for their median.
class Timer {
public:
  void start() { clock = Clock(); }
  void stop() { samples.push_back(clock.seconds()); }
  double median() const {
    std::vector<double> sorted = samples;
    std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
  }

private:
  Clock clock;
  std::vector<double> samples;
};

/// The part of the test images whose label the program's second output is. Its last input is a batch of images.
inline double accuracy(const ingot::Executable &predict, const std::vector<ingot::Tensor> &state,
                       const fashion::Set &test) {
  using ingot::Tensor;
  const std::int64_t batch = predict.inputs().back().shape[0];
  std::int64_t right = 0;
  std::vector<Tensor> args(state.begin(), state.begin() + 6);
  for (std::int64_t at = 0; at + batch <= test.count(); at += batch) {
    auto begin = test.images.begin() + at * fashion::kPixels;
    args.push_back(
        Tensor::from<float>(std::vector<float>(begin, begin + batch * fashion::kPixels), {batch, fashion::kPixels}));
    std::vector<std::int64_t> guess = predict(args)[1].to_vector<std::int64_t>();
    args.pop_back();
    for (std::int64_t i = 0; i < batch; ++i)
      right += guess[std::size_t(i)] == test.labels[std::size_t(at + i)];
  }
  return double(right) / double(test.count());
}

/// Redraws one line on a terminal; silent elsewhere.
inline void progress(int epoch, int epochs, std::int64_t done, std::int64_t total, double loss) {
  if (!isatty(1) || (done % 8 && done != total))
    return;
  const int width = 40, filled = int(width * done / total);
  std::printf("\repoch %2d/%d [%s%s] %4lld/%lld  loss %.4f", epoch, epochs, std::string(filled, '#').c_str(),
              std::string(width - filled, '.').c_str(), static_cast<long long>(done), static_cast<long long>(total),
              loss);
  std::fflush(stdout);
}

inline void epoch(int epoch, int epochs, double loss, double accuracy) {
  std::printf("%sepoch %2d/%d  loss %.4f  test accuracy %.2f %%\n", isatty(1) ? "\r\033[K" : "", epoch, epochs, loss,
              100 * accuracy);
  std::fflush(stdout);
}

inline void summary(const ingot::Executable &run, double compile_seconds, const Timer &timer) {
  std::printf("\ncompile %.0f ms, step %.3f ms (median), workspace %.1f KiB\n", 1e3 * compile_seconds,
              1e3 * timer.median(), run.memory().workspace_bytes / 1024.0);
  std::printf("%zu kernels:\n", run.kernels().size());
  for (const ingot::Kernel &kernel : run.kernels()) {
    std::vector<std::string> lines;
    for (const ingot::SourceLocation &s : kernel.sources)
      lines.push_back(std::filesystem::path(s.file).filename().string() + ":" + std::to_string(s.line));
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    std::printf("  %-22s %-8s %8.2f MFLOP %8.2f MB ", kernel.name.c_str(), kernel.kind.c_str(), kernel.flops / 1e6,
                kernel.bytes / 1e6);
    for (const std::string &line : lines)
      std::printf(" %s", line.c_str());
    std::printf("\n");
  }
}

template <class T> void dump(const std::filesystem::path &path, const std::vector<T> &values) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char *>(values.data()), std::streamsize(values.size() * sizeof(T)));
  if (!out)
    throw std::runtime_error("cannot write " + path.string());
}

/// Writes step and inference as .o + .h, and beside them the inputs of one call of each with the compiled
/// program's results, for use_fashion to compare bits with.
inline void write_ahead_of_time(const std::filesystem::path &dir, const ingot::Graph &step, const ingot::Graph &predict,
                                const std::vector<int> &donate, const std::vector<ingot::Tensor> &state,
                                const fashion::Set &test) {
  using namespace ingot;
  std::filesystem::create_directories(dir);
  struct Program {
    const char *name;
    const Graph *graph;
    std::vector<int> donate;
    std::vector<Tensor> inputs;
  };
  const std::int64_t rows = predict.inputs().back().shape[0], batch = step.inputs()[19].shape[0];
  auto images = [&](std::int64_t n) {
    return Tensor::from<float>(std::vector<float>(test.images.begin(), test.images.begin() + n * fashion::kPixels),
                               {n, fashion::kPixels});
  };
  Program programs[] = {{"fashion_step", &step, donate, state}, {"fashion_predict", &predict, {}, {}}};
  programs[0].inputs.push_back(images(batch));
  programs[0].inputs.push_back(
      Tensor::from<std::int64_t>(std::vector<std::int64_t>(test.labels.begin(), test.labels.begin() + batch), {batch}));
  programs[1].inputs.assign(state.begin(), state.begin() + 6);
  programs[1].inputs.push_back(images(rows));
  for (const Program &program : programs) {
    aot::Library library = aot::compile(*program.graph, {.name = program.name, .donate = program.donate});
    library.write_object((dir / (std::string(program.name) + ".o")).string());
    library.write_header((dir / (std::string(program.name) + ".h")).string());
    auto bytes = [&](const char *kind, std::size_t i) {
      return dir / (std::string(program.name) + kind + std::to_string(i));
    };
    auto dump_tensor = [&](const std::filesystem::path &path, const Tensor &t) {
      if (t.dtype() == DType::I64)
        dump(path, t.to_vector<std::int64_t>());
      else
        dump(path, t.to_vector<float>());
    };
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
      dump_tensor(bytes(".in", i), program.inputs[i]);
    std::vector<Tensor> results = compile(*program.graph)(program.inputs);
    for (std::size_t i = 0; i < results.size(); ++i)
      dump_tensor(bytes(".out", i), results[i]);
  }
  std::printf("\nwrote fashion_step and fashion_predict (.o + .h) to %s\n", dir.c_str());
}

} // namespace report
