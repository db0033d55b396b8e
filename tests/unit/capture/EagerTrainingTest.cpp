// Training written eagerly on an autodiff device, against the step that is captured whole.
#include "ingot/capture/Recorder.h"

#include "fashion_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ingot {
namespace {

/// Parameters, moments and the step count of the demo's model.
struct Training {
  std::vector<Tensor> parameters, first, second;
  Tensor count = Tensor::zeros({});

  Training() {
    for (std::size_t i = 0; i < kParams.size(); ++i) {
      const Tensor start = Tensor::normal(kParams[i], 7 + i);
      parameters.push_back(
          Tensor::from<float>((start * (kParams[i].rank() == 2 ? 0.05 : 0.0)).to_vector<float>(), kParams[i]));
      first.push_back(Tensor::zeros(kParams[i]));
      second.push_back(Tensor::zeros(kParams[i]));
    }
  }

  /// Everything but the gradient as `step` in the example writes it.
  Tensor step(const Tensor &x, const Tensor &labels) {
    std::vector<Tensor> leaves;
    for (const Tensor &p : parameters)
      leaves.push_back(p.autodiff().require_grad());
    const Tensor loss = cross_entropy(model(leaves, x), labels);
    Gradients gradients = loss.backward();
    count = count + 1.0;
    for (std::size_t i = 0; i < kParams.size(); ++i) {
      const Tensor g = *gradients.take(leaves[i]);
      first[i] = 0.9 * first[i] + 0.1 * g;
      second[i] = 0.999 * second[i] + 0.001 * g * g;
      const Tensor mean = first[i] / (1.0 - pow(0.9, count)), variance = second[i] / (1.0 - pow(0.999, count));
      parameters[i] = parameters[i] - 0.001 * mean / (sqrt(variance) + 1e-8);
    }
    return loss;
  }
};

std::pair<Tensor, Tensor> batch(unsigned seed) {
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < kBatch; ++i)
    labels.push_back((i * 7 + seed) % 10);
  return {Tensor::uniform({kBatch, 784}, 100 + seed), Tensor::from<std::int64_t>(labels, {kBatch})};
}

std::uint64_t compiles() { return Device::cpu().stats().compiles; }

TEST(EagerTraining, HasTheLossesOfTheCapturedStepAndCompilesOnce) {
  const Training start;
  std::vector<Tensor> state = start.parameters;
  state.insert(state.end(), start.first.begin(), start.first.end());
  state.insert(state.end(), start.second.begin(), start.second.end());
  state.push_back(start.count);
  const Executable captured = compile(capture(::step, step_specs()));
  Training eager = start;
  std::uint64_t after = 0;
  for (unsigned s = 0; s < 6; ++s) {
    auto [x, labels] = batch(s);
    state.insert(state.end(), {x, labels});
    state = captured(std::move(state));
    const double expected = state.back().item<float>();
    state.pop_back();
    const double loss = eager.step(x, labels).item<float>();
    EXPECT_NEAR(loss, expected, 1e-6 * std::abs(expected)) << "step " << s;
    if (s == 0)
      after = compiles();
  }
  EXPECT_EQ(compiles(), after);
}

TEST(EagerTraining, ALoopThatReadsNothingIsOneProgramARound) {
  Training read, unread;
  std::vector<Tensor> losses;
  std::uint64_t after = 0;
  for (unsigned s = 0; s < 40; ++s) {
    auto [x, labels] = batch(s % 3);
    losses.push_back(unread.step(x, labels));
    if (losses.size() > 2)
      losses.erase(losses.begin());
    if (s == 4)
      after = compiles();
  }
  EXPECT_EQ(compiles(), after);
  float last = 0;
  for (unsigned s = 0; s < 40; ++s) {
    auto [x, labels] = batch(s % 3);
    last = read.step(x, labels).item<float>();
  }
  EXPECT_NEAR(losses.back().item<float>(), last, 1e-6 * std::abs(last));
}

TEST(EagerTraining, ResultsTakeTheMemoryOfWhatNobodyElseHolds) {
  Tensor x = Tensor::from<float>({1, 2, 3}, {3}), kept = Tensor::from<float>({4, 5, 6}, {3});
  const void *memory = x.data<float>().data();
  for (int i = 0; i < 3; ++i) {
    x = x * 2.0 + kept;
    x.eval();
    EXPECT_EQ(static_cast<const void *>(x.data<float>().data()), memory) << "round " << i;
  }
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{36, 51, 66}));
  EXPECT_EQ(kept.to_vector<float>(), (std::vector<float>{4, 5, 6}));
  Tensor other = x, y = x * 2.0 + kept; // the same program, but x is still held
  y.eval();
  EXPECT_NE(static_cast<const void *>(y.data<float>().data()), memory);
  EXPECT_EQ(other.to_vector<float>(), (std::vector<float>{36, 51, 66}));
}

TEST(EagerTraining, AFailedCheckLeavesWhatWouldHaveBeenOverwritten) {
  Tensor x = Tensor::from<float>({1, 2, 3}, {3}), index = Tensor::from<std::int64_t>({0, 1, 7}, {3});
  Tensor bad = take(x, index, 0), good = x + 1.0;
  x = Tensor(); // the last handle: either result may have its memory
  EXPECT_EQ(good.to_vector<float>(), (std::vector<float>{2, 3, 4}));
  EXPECT_THROW(bad.to_vector<float>(), IndexError);
}

} // namespace
} // namespace ingot
