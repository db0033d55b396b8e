#include "Values.h"

#include <cmath>
#include <numeric>

namespace ingot {
namespace {

using Floats = std::vector<float>;

template <class T>
concept ReadsTemporary = requires(T t) { std::move(t).template data<float>(); };

TEST(Tensor, FactoriesGiveTheirValues) {
  for (const Device &device : {Device::cpu(), Device::reference()}) {
    EXPECT_EQ(Tensor::zeros({2, 2}, device).to_vector<float>(), Floats(4, 0.0f));
    EXPECT_EQ(Tensor::ones({3}, DType::I32, device).to_vector<std::int32_t>(), std::vector<std::int32_t>(3, 1));
    EXPECT_EQ(Tensor::full({2}, 2.5, device).to_vector<float>(), Floats(2, 2.5f));
    EXPECT_EQ(Tensor::arange(4, DType::I64, device).to_vector<std::int64_t>(), (std::vector<std::int64_t>{0, 1, 2, 3}));
    EXPECT_EQ(Tensor::eye(2, DType::F32, device).to_vector<float>(), (Floats{1, 0, 0, 1}));
  }
}

TEST(Tensor, RandomNumbersAreAFunctionOfTheSeed) {
  const Floats a = Tensor::uniform({1000}, 3).to_vector<float>(), b = Tensor::uniform({1000}, 3).to_vector<float>();
  EXPECT_EQ(a, b);
  EXPECT_NE(a, Tensor::uniform({1000}, 4).to_vector<float>());
  EXPECT_NEAR(std::accumulate(a.begin(), a.end(), 0.0) / 1000, 0.5, 0.05);
  double mean = 0, square = 0;
  for (float v : Tensor::normal({4000}, 9).to_vector<float>())
    mean += v / 4000.0, square += double(v) * v / 4000.0;
  EXPECT_NEAR(mean, 0, 0.06);
  EXPECT_NEAR(square, 1, 0.08);
}

TEST(Tensor, LargeIntegersKeepEveryBit) {
  const std::int64_t large = (std::int64_t(1) << 62) + 1;
  EXPECT_EQ(Tensor::full({1}, large, DType::I64).item<std::int64_t>(), large);
  Tensor x = Tensor::zeros({2}, DType::I64, Device::reference());
  EXPECT_EQ((x + large).to_vector<std::int64_t>(), std::vector<std::int64_t>(2, large));
}

TEST(Tensor, ReadingInPlaceAndByCopy) {
  Tensor x = ref({1, 2, 3, 4}, {2, 2});
  EXPECT_EQ(x.data<float>()[3], 4);
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(sum(x).item<float>(), 10);
  static_assert(!ReadsTemporary<Tensor>);
}

TEST(Tensor, BoolsComeFromAndGoToVectors) {
  const std::vector<bool> bits{true, false, true};
  EXPECT_EQ(Tensor::from<bool>(bits, {3}).to_vector<bool>(), bits);
}

TEST(Tensor, ConvertsAndMoves) {
  Tensor x = ref({1.5f, -2.5f}, {2});
  EXPECT_EQ(x.to(DType::I32).to_vector<std::int32_t>(), (std::vector<std::int32_t>{1, -2}));
  EXPECT_EQ(x.to(Device::reference()).id(), x.id());
  Tensor moved = x.to(Device::cpu());
  EXPECT_NE(moved.id(), x.id());
  EXPECT_EQ(moved.device(), Device::cpu());
  EXPECT_EQ(moved.to_vector<float>(), x.to_vector<float>());
}

TEST(Tensor, EmptyShapes) {
  EXPECT_TRUE(Tensor::zeros({0, 3}).to_vector<float>().empty());
  EXPECT_EQ(sum(Tensor::zeros({0, 3}, Device::reference())).item<float>(), 0);
}

TEST(Device, PrintsAndCompares) {
  EXPECT_EQ(Device::cpu().str(), "Cpu");
  EXPECT_EQ(Device::reference().str(), "Reference");
  EXPECT_NE(Device::cpu(), Device::reference());
  EXPECT_NE(Device::capture(), Device::capture());
  EXPECT_EQ(Device::cpu(), Device::cpu().autodiff());
  EXPECT_EQ(Device::cpu().autodiff(Checkpointing::Balanced).checkpointing(), Checkpointing::Balanced);
}

} // namespace
} // namespace ingot
