// Sums of many elements keep their digits: on the reference device first, which judges, and in compiled code along
// every axis, with the same bits on any number of threads and whatever is fused around them.
#include "ingot/capture/Ingot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

using namespace ingot;

namespace {

TEST(ReferenceSums, CarryTheirRoundingErrors) {
  const Tensor x = Tensor::from<double>({1e16, 1, 1, -1e16}, {4}, Device::reference());
  EXPECT_EQ(2, sum(x).item<double>());
  const Tensor y = Tensor::full({1'000'000}, 1 + 0x1p-30, DType::F64, Device::reference());
  EXPECT_NEAR(1, prod(y).item<double>() / std::exp(1e6 * std::log1p(0x1p-30)), 1e-14);
  const Tensor many = Tensor::full({1'000'000}, 0.1, DType::F32, Device::reference());
  EXPECT_EQ(float(double(0.1f) * 1e6), sum(many).item<float>());
}

TEST(ReferenceSums, ScatteredToOnePlace) {
  const Tensor index = Tensor::zeros({1'000'000}, DType::I64, Device::reference());
  auto taken = [&](Tensor x) { return sum(take(x, index, 0) * 0.1); };
  const Tensor x = Tensor::zeros({1}, DType::F32, Device::reference());
  EXPECT_EQ(float(double(0.1f) * 1e6), grad(taken, {0})(x)[0].item<float>());
}

/// Positive numbers without a pattern that sums could profit from.
double element(std::int64_t i) { return 0.1 + double((i * 2654435761u >> 7) % 1021) / 3000; }

template <class T> Tensor elements(const Shape &shape) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < shape.num_elements(); ++i)
    values.push_back(T(element(i)));
  return Tensor::from<T>(values, shape);
}

/// Sums whose rounding errors are carried along.
std::vector<double> exact_sums(const Tensor &x, const Axes &axes) {
  return sum(x.to(Device::reference()).to(DType::F64), axes).to_vector<double>();
}

template <class T> std::vector<T> run(const Graph &graph, const Tensor &x, int threads) {
  return compile(graph, {.threads = threads, .cache_dir = ""})(x)[0].template to_vector<T>();
}

struct Long {
  Shape shape;
  Axes axes;
};

void PrintTo(const Long &c, std::ostream *out) {
  *out << c.shape.str() << " along " << testing::PrintToString(std::vector<int>(c.axes.begin(), c.axes.end()));
}

class LongSums : public testing::TestWithParam<Long> {};

template <class T> void keeps_its_digits(const Long &c) {
  const DType dtype = sizeof(T) == 4 ? DType::F32 : DType::F64;
  const Tensor x = elements<T>(c.shape);
  const std::vector<TensorSpec> specs{spec(dtype, c.shape)};
  const Graph graph = capture([&](Tensor x) { return sum(x, c.axes); }, specs);
  const std::vector<T> sums = run<T>(graph, x, 1);
  const std::vector<double> want = exact_sums(x, c.axes);
  ASSERT_EQ(want.size(), sums.size());
  // A chain of a million roundings is off by thousands of ulps, pairs by a few.
  const double tolerance = 12 * (sizeof(T) == 4 ? 0x1p-24 : 0x1p-53);
  double worst = 0;
  for (std::size_t i = 0; i < want.size(); ++i)
    worst = std::max(worst, want[i] == 0 ? std::abs(double(sums[i])) : std::abs(double(sums[i]) / want[i] - 1));
  EXPECT_LT(worst, tolerance) << worst / tolerance << " of the tolerance";
  for (int threads : {2, 4}) {
    const std::vector<T> again = run<T>(graph, x, threads);
    ASSERT_EQ(0, std::memcmp(sums.data(), again.data(), sums.size() * sizeof(T))) << threads << " threads";
  }
  // Beside other reductions, behind and before other work, in other widths.
  const Graph fused = capture(
      [&](Tensor x) {
        Tensor y = x * 1.0;
        return std::vector<Tensor>{sum(y, c.axes), prod(abs(x), c.axes) + 1,
                                   sum(x.to(dtype == DType::F32 ? DType::F64 : DType::F32) * 2, c.axes)};
      },
      specs);
  const std::vector<T> beside = run<T>(fused, x, 2);
  EXPECT_EQ(0, std::memcmp(sums.data(), beside.data(), sums.size() * sizeof(T)));
}

TEST_P(LongSums, KeepTheirDigits) {
  keeps_its_digits<float>(GetParam());
  keeps_its_digits<double>(GetParam());
}

constexpr std::int64_t kMany = 1 << 20;
INSTANTIATE_TEST_SUITE_P(
    Shapes, LongSums,
    testing::Values(Long{{kMany}, {}}, Long{{kMany / 4, 4}, {0}}, Long{{kMany / 4, 4}, {1}}, Long{{kMany / 4, 4}, {}},
                    Long{{4, kMany / 4}, {0}}, Long{{4, kMany / 4}, {1}}, Long{{4, kMany / 4}, {}},
                    Long{{kMany / 64, 8, 8}, {0}}, Long{{kMany / 64, 8, 8}, {0, 1}}, Long{{kMany / 64, 8, 8}, {0, 2}},
                    Long{{kMany / 64, 8, 8}, {}}, Long{{8, kMany / 64, 8}, {1}}, Long{{8, kMany / 64, 8}, {0, 1}},
                    Long{{8, kMany / 64, 8}, {1, 2}}, Long{{kMany / 1000, 1000}, {0}}, Long{{kMany / 1000, 1000}, {1}},
                    Long{{kMany / 1000, 1000}, {}}, Long{{kMany, 1}, {0}}, Long{{1, kMany, 1, 1}, {1}},
                    Long{{1, kMany}, {1}}, Long{{kMany, 1}, {}}, Long{{kMany / 4, 4, 1}, {0}}, Long{{100'003, 3}, {0}},
                    Long{{100'003, 7}, {0}}, Long{{30'011, 33}, {0}}, Long{{3, 100'003}, {1}}, Long{{17, 30'011}, {1}},
                    Long{{30'011, 33}, {}}, Long{{5, 3001, 2, 33}, {0, 1, 3}}, Long{{5, 3001, 2, 33}, {1, 2}},
                    Long{{257, 5003}, {0}}, Long{{1, 300, 4099}, {1}}, Long{{8193}, {}}, Long{{3, 131'101}, {1}},
                    Long{{0, 5}, {0}}, Long{{5, 0}, {1}}, Long{{0, 3}, {}}, Long{{0, 100'000}, {}},
                    Long{{0, 10'000, 3}, {0, 1}}, Long{{2, 0, 30'011}, {1, 2}}, Long{{1, 7}, {0}}, Long{{7, 1}, {1}},
                    Long{{1, 1}, {0}}));

TEST(LongMeans, OfOneNumberAreIt) {
  const Shape shape{kMany / 4, 4};
  const Tensor x = Tensor::full({kMany}, 0.1);
  for (const Shape &s : {Shape{kMany}, Shape{kMany / 4, 4}, Shape{4, kMany / 4}, Shape{kMany / 64, 8, 8}})
    for (int axis = 0; axis < s.rank(); ++axis)
      for (float m : mean(reshape(x, s), axis).to_vector<float>())
        ASSERT_NEAR(1, m / 0.1f, 1e-6) << s.str() << " along " << axis;
  EXPECT_NEAR(0.01, var(concat({x, Tensor::full({kMany}, 0.3)}, 0)).item<float>(), 1e-7);
}

/// The first of equal extrema wins, NaN before all, wherever segments and blocks end.
TEST(LongExtrema, PositionsAcrossSegments) {
  for (const auto &[shape, axis] : {std::pair{Shape{100'003}, 0},
                                    {Shape{3, 140'003}, 1},
                                    {Shape{100'003, 1}, 0},
                                    {Shape{20'011, 5}, 0},
                                    {Shape{2, 20'011, 3}, 1},
                                    {Shape{40, 9001}, 1}}) {
    const std::int64_t n = shape[axis], after = axis + 1 < shape.rank() ? shape[axis + 1] : 1;
    const std::int64_t before = shape.num_elements() / n / after;
    const auto positions = [&](const std::vector<std::int64_t> &high, float value) {
      std::vector<float> x(std::size_t(shape.num_elements()), 1);
      for (std::int64_t b = 0; b < before; ++b)
        for (std::int64_t at : high)
          for (std::int64_t a = 0; a < after; ++a)
            x[std::size_t((b * n + at) * after + a)] = value;
      Graph graph = capture([axis = axis](Tensor x) { return std::pair(argmax(x, axis), argmin(-x, axis)); },
                            {spec(DType::F32, shape)});
      auto results = compile(graph, {.threads = 2, .cache_dir = ""})(Tensor::from<float>(x, shape));
      auto largest = results[0].to_vector<std::int64_t>(), smallest = results[1].to_vector<std::int64_t>();
      EXPECT_EQ(largest, smallest);
      return largest;
    };
    const auto all = [&](std::int64_t position) {
      return std::vector<std::int64_t>(std::size_t(before * after), position);
    };
    for (std::int64_t at : {std::int64_t(0), std::int64_t(255), std::int64_t(256), std::int64_t(4096), n / 2, n - 1}) {
      EXPECT_EQ(all(at), positions({at, n - 1}, 2)) << shape.str();
      EXPECT_EQ(all(at), positions({at, n - 1}, NAN)) << shape.str();
    }
    EXPECT_EQ(all(0), positions({}, 1));
  }
}

} // namespace
