// Checkpointing strategies: the same numbers, less memory.
#include "Values.h"

#include <cmath>

namespace ingot {
namespace {

using List = std::vector<Tensor>;

/// A function of square matrices, and which of them require a gradient.
struct Case {
  const char *name;
  std::function<Tensor(const List &)> f;
  std::vector<bool> tracked;
};

constexpr std::int64_t kSize = 5;

/// Each kind of op as its rule sees it: memory or compute bound, reading its parents or not.
Tensor flavours(const List &a, int order) {
  Tensor y = a[0];
  for (int i = 0; i < 8; ++i)
    switch ((order >> (2 * (i % 4))) & 3) {
    case 0:
      y = y * a[1]; // memory bound, reads its parents
      break;
    case 1:
      y = y + a[1]; // memory bound, reads none
      break;
    case 2:
      y = matmul(y, a[1]) * 0.3; // compute bound, reads its parents
      break;
    default:
      y = y + sum(y, 1, true) * 0.1; // compute bound, reads none
    }
  return sum(y * y) * 0.01;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (int order : {0b00011011, 0b11100100, 0b00100111, 0b10001101, 0b01110010})
    all.push_back({"flavours", [order](const List &a) { return flavours(a, order); }, {true, true}});
  const auto mixed = [](const List &a) {
    Tensor x = tanh(a[0] * a[1]) / (a[1] + 3.0);
    return sum(exp(matmul(x, a[2]) * 0.2) * x + sin(a[2] * x));
  };
  all.push_back({"first operand without a requirement", mixed, {false, true, true}});
  all.push_back({"second operand without a requirement", mixed, {true, false, true}});
  all.push_back({"only the last operand with one", mixed, {false, false, true}});
  all.push_back({"duplicates",
                 [](const List &a) {
                   Tensor x = a[0], y = sin(x * x) * x + x * x * x - x / (x * x + 1.0);
                   return sum(matmul(y, y) * y + matmul(x, x) * y) + sum(concat({x, y, x}, 0) * concat({y, y, x}, 0));
                 },
                 {true}});
  all.push_back({"long chain",
                 [](const List &a) {
                   Tensor y = a[0];
                   for (int i = 0; i < 60; ++i)
                     y = i % 3 == 0 ? sin(y) + a[0] * 0.1 : i % 3 == 1 ? y * 1.01 + 0.01 : tanh(y) * a[1] + y * 0.5;
                   return sum(y);
                 },
                 {true, true}});
  all.push_back({"half untracked",
                 [](const List &a) {
                   Tensor known = exp(matmul(tanh(a[1]), a[1] * a[1]) * 0.1), other = sin(a[0]);
                   return sum(matmul(known * other, known) * tanh(other + known));
                 },
                 {true, false}});
  return all;
}

List arguments(const Case &c, const Device &device) {
  List list;
  for (std::size_t i = 0; i < c.tracked.size(); ++i) {
    std::vector<double> values;
    for (int k = 0; k < kSize * kSize; ++k)
      values.push_back(std::sin(1.7 * k + 0.9 * double(i) + 0.3));
    list.push_back(Tensor::from<double>(values, {kSize, kSize}, device));
    if (device.is_autodiff() && c.tracked[i])
      list.back().require_grad();
  }
  return list;
}

class CheckpointCase : public testing::TestWithParam<Checkpointing> {};

TEST_P(CheckpointCase, HasTheGradientsOfTheReferenceAndOfDifferences) {
  for (const Case &c : cases()) {
    SCOPED_TRACE(c.name);
    List args = arguments(c, Device::cpu().autodiff(GetParam()));
    List plain = arguments(c, Device::reference()), judge = arguments(c, Device::reference().autodiff(GetParam()));
    Gradients got = c.f(args).backward(), want = c.f(judge).backward();
    EXPECT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (!c.tracked[i]) {
        EXPECT_FALSE(got.of(args[i]));
        continue;
      }
      std::vector<double> g = got.of(args[i])->to_vector<double>(), w = want.of(judge[i])->to_vector<double>();
      std::vector<double> x = plain[i].to_vector<double>();
      for (std::size_t k = 0; k < g.size(); ++k) {
        EXPECT_NEAR(g[k], w[k], 1e-12 * (1 + std::abs(w[k]))) << "input " << i << " element " << k;
        if (k % 6)
          continue;
        const double h = 1e-5;
        auto value = [&](double offset) {
          List moved = plain;
          std::vector<double> values = x;
          values[k] += offset;
          moved[i] = Tensor::from<double>(values, {kSize, kSize}, Device::reference());
          return c.f(moved).item<double>();
        };
        EXPECT_NEAR(g[k], (value(h) - value(-h)) / (2 * h), 1e-7 * (1 + std::abs(g[k]))) << "input " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, CheckpointCase, testing::Values(Checkpointing::None, Checkpointing::Balanced),
                         [](const auto &info) { return checkpointing_name(info.param); });

/// Loss, gradients and workspace of a deep chain: per layer a product and pointwise ops of every price.
struct Step {
  float loss;
  std::vector<std::vector<float>> gradients;
  std::uint64_t workspace;
};

Step deep_step(Checkpointing strategy, int layers, std::int64_t rows, std::int64_t width) {
  const Device device = Device::cpu().autodiff(strategy);
  auto values = [&](std::int64_t count, int seed) {
    std::vector<float> v;
    for (std::int64_t k = 0; k < count; ++k)
      v.push_back(float(std::sin(0.37 * double(k) + seed)) / float(std::sqrt(double(width))));
    return v;
  };
  std::vector<Tensor> weights;
  for (int l = 0; l < layers; ++l)
    weights.push_back(Tensor::from<float>(values(width * width, l), {width, width}, device).require_grad());
  Tensor y = Tensor::from<float>(values(rows * width, 99), {rows, width}, device);
  for (const Tensor &w : weights) {
    Tensor h = matmul(y, w);
    y = gelu(h) * sin(h) + tanh(h * 0.5) + y;
  }
  Tensor loss = mean(y * y);
  Gradients g = loss.backward();
  Step step{loss.item<float>(), {}, Device::cpu().stats().workspace_bytes};
  for (const Tensor &w : weights)
    step.gradients.push_back(g.of(w)->to_vector<float>());
  return step;
}

TEST(Checkpointing, BalancedTakesLessMemoryForTheSameNumbers) {
  const Step none = deep_step(Checkpointing::None, 6, 64, 32), balanced = deep_step(Checkpointing::Balanced, 6, 64, 32);
  EXPECT_EQ(none.loss, balanced.loss);
  EXPECT_EQ(none.gradients, balanced.gradients);
  EXPECT_LT(balanced.workspace, none.workspace);
  RecordProperty("none", std::to_string(none.workspace));
  RecordProperty("balanced", std::to_string(balanced.workspace));
  std::printf("workspace: None %zu, Balanced %zu bytes\n", std::size_t(none.workspace),
              std::size_t(balanced.workspace));
  EXPECT_GE(Device::cpu().stats().peak_workspace_bytes, none.workspace);
}

} // namespace
} // namespace ingot
