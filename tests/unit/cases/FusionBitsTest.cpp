// What is fused around a reduction must not change its bits.
#include "ingot/capture/Ingot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace ingot;

namespace {

std::vector<float> numbers(std::int64_t n) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < n; ++i)
    values.push_back(std::sin(float(i) * 0.7f) * std::exp2(float(i % 23) - 11));
  return values;
}

std::vector<float> first_output(const Graph &graph, const Tensor &x) {
  Executable run = compile(graph, {.cache_dir = ""});
  return run(x)[0].to_vector<float>();
}

class FusionBits : public testing::TestWithParam<std::int64_t> {};

TEST_P(FusionBits, SumBesideOtherWidths) {
  const Shape shape{3, GetParam()};
  Tensor x = Tensor::from<float>(numbers(shape.num_elements()), shape);
  const std::vector<TensorSpec> specs{spec(DType::F32, shape)};
  auto alone = first_output(capture([](Tensor x) { return sum(x, {1}); }, specs), x);
  auto beside_f64 =
      first_output(capture([](Tensor x) { return std::pair(sum(x, {1}), sum(x.to(DType::F64) * 2, {1})); }, specs), x);
  auto beside_i64 =
      first_output(capture([](Tensor x) { return std::pair(sum(x, {1}), sum(x.to(DType::I64), {1})); }, specs), x);
  EXPECT_EQ(0, std::memcmp(alone.data(), beside_f64.data(), 12));
  EXPECT_EQ(0, std::memcmp(alone.data(), beside_i64.data(), 12));
}

TEST_P(FusionBits, WholeSumBesideOtherWidths) {
  const Shape shape{5, GetParam() * 3};
  Tensor x = Tensor::from<float>(numbers(shape.num_elements()), shape);
  const std::vector<TensorSpec> specs{spec(DType::F32, shape)};
  auto alone = first_output(capture([](Tensor x) { return sum(x); }, specs), x);
  auto beside = first_output(capture([](Tensor x) { return std::pair(sum(x), sum(x.to(DType::F64) * 2)); }, specs), x);
  EXPECT_EQ(0, std::memcmp(alone.data(), beside.data(), 4));
}

INSTANTIATE_TEST_SUITE_P(Sizes, FusionBits, testing::Values(1, 5, 31, 64, 101, 9001));

} // namespace
