// What follows a product is computed on its tiles, short epilogues and long ones: the bits of a program of its own.
#include "ingot/capture/Ingot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <tuple>

using namespace ingot;

namespace {

Tensor numbers(const Shape &shape, float step) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < shape.num_elements(); ++i)
    values.push_back(std::sin(float(i) * step));
  return Tensor::from<float>(values, shape);
}

void expect_bits(const Tensor &a, const Tensor &b) {
  const auto x = a.to_vector<float>(), y = b.to_vector<float>();
  ASSERT_EQ(x.size(), y.size());
  EXPECT_EQ(0, std::memcmp(x.data(), y.data(), x.size() * sizeof(float)));
}

Tensor short_epilogue(Tensor product, Tensor state, Tensor) { return relu(product + state); }

/// Adam's step, with both of its divisions by one number.
Tensor long_epilogue(Tensor product, Tensor state, Tensor count) {
  Tensor first = 0.9 * state + 0.1 * product, second = 0.999 * abs(state) + 0.001 * product * product;
  Tensor mean = first / (1.0 - pow(0.9, count)), variance = second / (1.0 - pow(0.999, count));
  return state - 0.001 * mean / (sqrt(variance) + 1e-8);
}

class ProductEpilogue : public testing::TestWithParam<std::tuple<int, int, int>> {};

template <class F> void check(F epilogue, const std::tuple<int, int, int> &sizes, bool transposed) {
  const auto [m, n, k] = sizes;
  const Shape left = transposed ? Shape{k, m} : Shape{m, k}, right{k, n}, result{m, n};
  const Tensor a = numbers(left, 0.7f), b = numbers(right, 0.3f), state = numbers(result, 1.1f);
  const Tensor count = Tensor::from<float>({3}, {});
  auto product = [transposed = transposed](Tensor a, Tensor b) {
    return matmul(transposed ? transpose(a, {1, 0}) : a, b);
  };
  const TensorSpec x = spec(DType::F32, left), y = spec(DType::F32, right), z = spec(DType::F32, result),
                   t = spec(DType::F32, {});
  const CompileOptions options{.cache_dir = ""};
  Executable alone = compile(capture(product, std::vector{x, y}), options);
  Executable after = compile(capture(epilogue, std::vector{z, z, t}), options);
  Executable fused = compile(
      capture([&](Tensor a, Tensor b, Tensor state, Tensor count) { return epilogue(product(a, b), state, count); },
              std::vector{x, y, z, t}),
      options);
  expect_bits(fused(a, b, state, count)[0], after(alone(a, b)[0], state, count)[0]);
}

TEST_P(ProductEpilogue, Short) { check(short_epilogue, GetParam(), false); }
TEST_P(ProductEpilogue, Long) { check(long_epilogue, GetParam(), false); }
TEST_P(ProductEpilogue, LongOnAdjacentRows) { check(long_epilogue, GetParam(), true); }

// Tiles, their remainders in both directions, several units, several parts of the summed dimension.
INSTANTIATE_TEST_SUITE_P(Sizes, ProductEpilogue,
                         testing::Values(std::tuple(1, 33, 40), std::tuple(9, 7, 3), std::tuple(13, 64, 1),
                                         std::tuple(27, 100, 300), std::tuple(40, 129, 257), std::tuple(131, 256, 784),
                                         std::tuple(300, 40, 90), std::tuple(784, 70, 128)));

} // namespace
