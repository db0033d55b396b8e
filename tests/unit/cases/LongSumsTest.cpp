// Sums of many elements keep their digits: on the reference device first, which judges.
#include "ingot/capture/Ingot.h"

#include <gtest/gtest.h>

#include <cmath>

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

} // namespace
