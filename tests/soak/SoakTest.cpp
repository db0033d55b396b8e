// Many small programs, no two alike, compiled, run and dropped: the process must not grow with their number.
// INGOT_SOAK_PROGRAMS says how many; 500 unless set.
#include "ingot/capture/Ingot.h"
#include "ingot/tests/support/ProcessState.h"
#include "ingot/tests/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace ingot {
namespace {

int number_of_programs() {
  const char *wanted = std::getenv("INGOT_SOAK_PROGRAMS");
  return wanted ? std::atoi(wanted) : 500;
}

/// The shape of the `i`th program: four sizes from 1 to 10, all 10,000 of them, large and small mixed.
Shape shape_of(int i) {
  const std::int64_t number = std::int64_t(i) * 7919 % 10000;
  return {1 + number / 1000, 1 + number / 100 % 10, 1 + number / 10 % 10, 1 + number % 10};
}

Tensor program(int i, Tensor x) {
  switch (i % 7) {
  case 0:
    return x * x + 1.0;
  case 1:
    return sum(x * 2.0);
  case 2:
    return transpose(x) - 1.0;
  case 3:
    return softmax(x, -1);
  case 4:
    return matmul(reshape(x, {1, -1}), reshape(x, {-1, 1}));
  case 5:
    return where(gt(x, 0.75), x, -x);
  default:
    return maximum(tanh(x), 0.25);
  }
}

/// Of an x whose elements are all one half.
void expect_first(int i, const std::vector<float> &out) {
  const Shape shape = shape_of(i);
  const double count = double(shape.num_elements());
  const double want[] = {1.25, count, -0.5, 1 / double(shape[3]), 0.25 * count, -0.5, std::tanh(0.5)};
  ASSERT_FALSE(out.empty());
  EXPECT_NEAR(out[0], want[i % 7], 1e-5 * std::abs(want[i % 7])) << "program " << i;
}

class Soak {
public:
  explicit Soak(int programs) : programs(programs) {}

  void run() {
    for (int i = 0; i < programs; ++i) {
      const Shape shape = shape_of(i);
      const Tensor x = Tensor::from<float>(std::vector<float>(std::size_t(shape.num_elements()), 0.5f), shape);
      if (i % 3 == 0)
        expect_first(i, program(i, x).to_vector<float>());
      else
        compiled(i, x, i % 3 == 1);
      if ((i + 1) % 50 == 0)
        look(i + 1);
    }
  }

private:
  /// By an executable that is dropped, and with the disk cache by one that is read back and dropped.
  void compiled(int i, const Tensor &x, bool disk) {
    const Graph graph = capture([i](Tensor x) { return program(i, x); }, {spec(DType::F32, x.shape(), "x")});
    CompileOptions options;
    options.cache_dir = disk ? directory.path() / "cache" : std::filesystem::path();
    for (int round = 0; round < (disk ? 2 : 1); ++round)
      expect_first(i, compile(graph, options)(x)[0].to_vector<float>());
    if (disk)
      std::filesystem::remove_all(directory.path() / "cache");
  }

  void look(int done) {
    const ProcessState now = ProcessState::now();
    if (done % std::max(programs / 10, 1) == 0 || done == warm())
      std::printf("%6d programs: %7.1f MB resident, %zu threads, %zu mappings, %zu kB of code\n", done,
                  double(now.resident) / 1e6, now.threads, now.mappings, now.anonymous_code / 1024),
          std::fflush(stdout);
    if (done == warm())
      base = now;
    if (done <= warm())
      return;
    EXPECT_LE(now.resident, base.resident + kMoreBytes) << "after " << done;
    EXPECT_LE(now.threads, base.threads) << "after " << done;
    EXPECT_LE(now.mappings, base.mappings + kMoreMappings) << "after " << done;
  }

  /// By then every path was taken and every pool is full.
  int warm() const { return std::min(programs / 2, 500); }

  // What an allocator's arenas may still take once they have seen every size.
  static constexpr std::size_t kMoreBytes = std::size_t(16) << 20, kMoreMappings = 32;
  const int programs;
  TemporaryDirectory directory;
  ProcessState base;
};

TEST(Soak, TheProcessDoesNotGrowWithTheNumberOfPrograms) {
  setenv("INGOT_CACHE_DIR", "", 1);
  Device::cpu().set_program_limit(64);
  Soak(number_of_programs()).run();
  EXPECT_LE(Device::cpu().stats().entries, 64u);
  EXPECT_GT(Device::cpu().stats().evictions, 0u);
}

} // namespace
} // namespace ingot
