// The demo's training step gives the same bits on one, two and three threads, and at every run; its loss falls.
#include "ingot/examples/fashion_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

namespace {

std::vector<float> wave(const Shape &shape, float scale, float pace) {
  std::vector<float> values(std::size_t(shape.num_elements()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = scale * std::sin(pace * float(i));
  return values;
}

/// All state after five steps, and the loss of each.
std::pair<std::vector<std::vector<float>>, std::vector<float>> train(const Graph &graph, int threads) {
  std::vector<int> donate(19);
  std::iota(donate.begin(), donate.end(), 0);
  const Executable run = compile(graph, {.threads = threads, .donate = donate, .cache_dir = ""});
  EXPECT_LE(run.kernels().size(), 16u);
  std::vector<Tensor> state;
  for (std::size_t i = 0; i < 18; ++i)
    state.push_back(i < 6 ? Tensor::from<float>(wave(kParams[i], 0.05f, 0.37f + float(i)), kParams[i])
                          : Tensor::zeros(kParams[i % 6]));
  state.push_back(Tensor::zeros({}));
  std::vector<std::int64_t> labels(kBatch);
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = std::int64_t(i * 7 % 10);
  const Tensor x = Tensor::from<float>(wave({kBatch, 784}, 1, 0.011f), {kBatch, 784});
  const Tensor y = Tensor::from<std::int64_t>(labels, {kBatch});
  std::vector<float> losses;
  for (int i = 0; i < 5; ++i) {
    state.insert(state.end(), {x, y});
    state = run(std::move(state));
    losses.push_back(state.back().item<float>());
    state.pop_back();
  }
  std::vector<std::vector<float>> values;
  for (const Tensor &t : state)
    values.push_back(t.to_vector<float>());
  return {values, losses};
}

TEST(TrainingBits, OnAnyNumberOfThreadsAndAtEveryRun) {
  const Graph graph = capture(step, step_specs());
  const auto [expected, losses] = train(graph, 1);
  EXPECT_LT(losses.back(), losses.front());
  for (int threads : {1, 2, 3}) {
    const auto [values, again] = train(graph, threads);
    ASSERT_EQ(losses, again) << threads << " threads";
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(0, std::memcmp(expected[i].data(), values[i].data(), expected[i].size() * sizeof(float)))
          << "state " << i << " on " << threads << " threads";
  }
}

} // namespace
