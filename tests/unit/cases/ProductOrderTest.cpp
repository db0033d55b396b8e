// Products with a long inner axis keep their digits, and an element's bits depend on the length of that axis alone.
#include "ingot/capture/Ingot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace ingot;

namespace {

struct Case {
  const char *name;
  std::int64_t m, k, n, batch = 1;
  bool turn_a = false, turn_b = false; // stored with the last two dimensions exchanged
  DType dtype = DType::F32;
};

std::ostream &operator<<(std::ostream &to, const Case &c) { return to << c.name; }

/// Numbers about 0.1: the sums grow, and roundings of one chain all go the same way.
std::vector<double> numbers(std::int64_t n, std::uint32_t seed) {
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double &value : values) {
    seed = seed * 1664525 + 1013904223;
    value = float(0.1 + 0x1p-31 * double(seed >> 8));
  }
  return values;
}

Tensor tensor(const std::vector<double> &values, const Shape &shape, DType dtype) {
  if (dtype == DType::F64)
    return Tensor::from<double>(values, shape);
  return Tensor::from<float>(std::vector<float>(values.begin(), values.end()), shape);
}

Shape stored(std::int64_t batch, std::int64_t rows, std::int64_t columns, bool turned) {
  if (turned)
    std::swap(rows, columns);
  return batch == 1 ? Shape{rows, columns} : Shape{batch, rows, columns};
}

Tensor turned(const Tensor &x, bool turn) {
  if (!turn)
    return x;
  return x.shape().rank() == 2 ? transpose(x, {1, 0}) : transpose(x, {0, 2, 1});
}

std::vector<double> result(const Tensor &x) {
  if (x.dtype() == DType::F64)
    return x.to_vector<double>();
  const auto values = x.to_vector<float>();
  return {values.begin(), values.end()};
}

void expect_bits(const std::vector<double> &x, const std::vector<double> &y, const char *what) {
  ASSERT_EQ(x.size(), y.size());
  EXPECT_EQ(0, std::memcmp(x.data(), y.data(), x.size() * sizeof(double))) << what;
}

class LongProduct : public testing::TestWithParam<Case> {
protected:
  const Case &c = GetParam();
  const Shape left = stored(c.batch, c.m, c.k, c.turn_a), right = stored(c.batch, c.k, c.n, c.turn_b);
  const std::vector<double> x = numbers(left.num_elements(), 7), y = numbers(right.num_elements(), 3);
  const Tensor a = tensor(x, left, c.dtype), b = tensor(y, right, c.dtype);

  template <class F> std::vector<double> run(F f, int threads = 2) const {
    const Graph graph = capture(f, std::vector{spec(c.dtype, left), spec(c.dtype, right)});
    return result(compile(graph, {.threads = threads, .cache_dir = ""})(a, b)[0]);
  }
  Tensor product(const Tensor &a, const Tensor &b) const { return matmul(turned(a, c.turn_a), turned(b, c.turn_b)); }
  std::vector<double> plain(int threads = 2) const {
    return run([&](Tensor a, Tensor b) { return product(a, b); }, threads);
  }
  /// Of products that double holds, or nearly.
  long double exact(std::int64_t batch, std::int64_t i, std::int64_t j) const {
    long double sum = 0;
    const std::int64_t rowA = c.turn_a ? 1 : c.k, stepA = c.turn_a ? c.m : 1;
    const std::int64_t columnB = c.turn_b ? c.k : 1, stepB = c.turn_b ? 1 : c.n;
    for (std::int64_t k = 0; k < c.k; ++k)
      sum += static_cast<long double>(x[size_t(batch * c.m * c.k + i * rowA + k * stepA)]) *
             y[size_t(batch * c.k * c.n + j * columnB + k * stepB)];
    return sum;
  }
};

TEST_P(LongProduct, KeepsItsDigits) {
  const std::vector<double> got = plain();
  const double unit = c.dtype == DType::F64 ? 0x1p-53 : 0x1p-24, most = unit * 4 * std::log2(double(c.k));
  const std::int64_t size = std::int64_t(got.size()), step = std::max<std::int64_t>(1, size / 23);
  double worst = 0;
  for (std::int64_t at = 0; at < size; at += step) {
    const long double want = exact(at / (c.m * c.n), at / c.n % c.m, at % c.n);
    worst = std::max(worst, std::abs(double(got[size_t(at)] / want - 1)));
  }
  EXPECT_LE(worst, most) << worst / unit << " units";
}

TEST_P(LongProduct, HasOneOrderOnAnyNumberOfThreadsAndInAnyFusion) {
  const std::vector<double> once = plain(1);
  expect_bits(once, plain(2), "two threads");
  expect_bits(once, plain(4), "four threads");
  const std::vector<double> after = run([&](Tensor a, Tensor b) { return product(a, b) * 2 + 1; });
  for (std::size_t i = 0; i < after.size(); ++i)
    ASSERT_EQ(after[i], c.dtype == DType::F64 ? std::fma(once[i], 2, 1) : double(std::fmaf(float(once[i]), 2, 1)))
        << "with an epilogue, element " << i;
  std::vector<double> before = run([&](Tensor a, Tensor b) { return product(a * 2, b * -4); });
  for (double &v : before)
    v /= -8;
  expect_bits(once, before, "with prologues");
}

const Case kCases[] = {
    {"vectors", 1, 1000000, 1},
    {"vectors_f64", 1, 1000000, 1, 1, false, false, DType::F64},
    {"few_by_few", 4, 100000, 4},
    {"few_by_few_left_turned", 4, 100000, 4, 1, true},
    {"few_by_few_right_turned", 4, 100000, 4, 1, false, true},
    {"row", 1, 100000, 37},
    {"row_right_turned", 1, 100000, 37, 1, false, true},
    {"column", 37, 100000, 1},
    {"column_left_turned", 37, 100000, 1, 1, true},
    {"few_rows", 8, 100000, 70},
    {"few_rows_f64", 5, 100000, 21, 1, false, false, DType::F64},
    {"square", 64, 60000, 64},
    {"square_f64", 40, 50000, 40, 1, false, false, DType::F64},
    {"both_turned", 31, 50000, 67, 1, true, true},
    {"batch", 9, 50000, 17, 3},
    {"batch_of_vectors", 1, 100000, 1, 5},
    {"many_results", 170, 10000, 131},
    {"many_results_turned", 131, 10000, 170, 1, true, true},
    {"many_columns", 3, 9000, 5600},
    {"many_products", 12, 9000, 20, 80},
    {"one_stretch", 33, 4100, 150},
};

INSTANTIATE_TEST_SUITE_P(Shapes, LongProduct, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case> &info) { return std::string(info.param.name); });

/// One element's bits in every way its product can be computed: with few rows or many, down a column, turned.
TEST(LongProduct, HasOneOrderInEveryLayout) {
  for (std::int64_t k : {200, 1000, 5000, 100000}) {
    const std::int64_t m = 19, n = 45, row = 3, column = 21;
    const std::vector<double> x = numbers(m * k, 7), y = numbers(k * n, 3);
    const Tensor a = tensor(x, {m, k}, DType::F32), b = tensor(y, {k, n}, DType::F32);
    auto run = [](auto f, const Tensor &a, const Tensor &b) {
      const Graph graph = capture(f, std::vector{spec(DType::F32, a.shape()), spec(DType::F32, b.shape())});
      return result(compile(graph, {.cache_dir = ""})(a, b)[0]);
    };
    auto plain = [](Tensor a, Tensor b) { return matmul(a, b); };
    const std::vector<double> whole = run(plain, a, b);
    std::vector<double> of_row, of_column;
    for (std::int64_t j = 0; j < n; ++j)
      of_row.push_back(whole[std::size_t(row * n + j)]);
    for (std::int64_t i = 0; i < m; ++i)
      of_column.push_back(whole[std::size_t(i * n + column)]);
    const Tensor a_row = slice(a, {row, 0}, {row + 1, k}), b_column = slice(b, {0, column}, {k, column + 1});
    const Tensor a_turned = transpose(a), b_turned = transpose(b);
    SCOPED_TRACE(k);
    expect_bits(of_row, run(plain, a_row, b), "a row");
    expect_bits(of_column, run(plain, a, b_column), "a column");
    expect_bits(whole, run([](Tensor a, Tensor b) { return matmul(transpose(a), b); }, a_turned, b), "left turned");
    expect_bits(whole, run([](Tensor a, Tensor b) { return matmul(a, transpose(b)); }, a, b_turned), "right turned");
    expect_bits(of_row, run([](Tensor a, Tensor b) { return matmul(a, transpose(b)); }, a_row, b_turned),
                "a row of what is turned");
    expect_bits(whole, run([](Tensor a, Tensor b) { return transpose(matmul(transpose(b), transpose(a))); }, a, b),
                "the transpose of the transposes' product");
  }
}

TEST(LongProduct, CarriesRoundingErrorsOnTheReferenceDevice) {
  const Device judge = Device::reference();
  auto dot = [&](std::vector<double> x, std::vector<double> y) {
    const Shape shape{std::int64_t(x.size())};
    return matmul(Tensor::from<double>(x, shape, judge), Tensor::from<double>(y, shape, judge)).item<double>();
  };
  EXPECT_EQ(1, dot({1e16, 1, -1e16}, {1, 1, 1}));
  EXPECT_EQ(-0x1p-60, dot({1 + 0x1p-30, -1}, {1 - 0x1p-30, 1})) << "the rounding error of a product";
  const Tensor many = Tensor::full({1'000'000}, 0.1, DType::F32, judge);
  EXPECT_EQ(float(double(0.1f) * double(0.1f) * 1e6), matmul(many, many).item<float>());
}

} // namespace
