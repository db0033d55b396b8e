// Trains a 784-256-128-10 classifier on Fashion-MNIST. The whole step (forward, cross entropy, symbolic
// gradient, Adam) is captured once from the C++ below, compiled once, and run with donated state.
// usage: train_fashion [OUTPUT-DIR [EPOCHS]]: with a directory, also writes the step and the trained inference as .o +
// .h.
#include "fashion.h"
#include "fashion_model.h"
#include "report.h"

#include <ingot/ingot.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace ingot;

int main(int argc, char **argv) {
  fashion::Set train = fashion::load("train"), test = fashion::load("t10k");
  const int epochs = argc > 2 ? std::atoi(argv[2]) : 10;

  const std::vector<TensorSpec> specs = step_specs();
  std::vector<TensorSpec> eval(specs.begin(), specs.begin() + 6);
  eval.push_back(spec(DType::F32, {500, 784}, "x"));
  Graph step_graph = capture(step, specs);
  Graph predict_graph = capture(
      [](const std::vector<Tensor> &a) {
        Tensor z = model(a, a[6]);
        return std::pair(z, argmax(z, 1));
      },
      eval);

  std::vector<int> donate(19);
  std::iota(donate.begin(), donate.end(), 0);
  report::Clock clock;
  Executable run = compile(step_graph, {.donate = donate});
  const double compile_seconds = clock.seconds();
  Executable predict = compile(predict_graph);

  std::vector<Tensor> state;
  std::mt19937 random(1);
  for (const Shape &s : kParams) {
    std::normal_distribution<float> normal(0, s.rank() == 2 ? std::sqrt(2.0f / s[0]) : 0.0f);
    std::vector<float> values(s.num_elements());
    std::generate(values.begin(), values.end(), [&] { return s.rank() == 2 ? normal(random) : 0.0f; });
    state.push_back(Tensor::from<float>(values, s));
  }
  for (int i = 0; i < 12; ++i)
    state.push_back(Tensor::zeros(kParams[i % 6]));
  state.push_back(Tensor::zeros({}));

  std::vector<std::int64_t> order(train.count());
  std::iota(order.begin(), order.end(), 0);
  const std::int64_t steps = train.count() / kBatch;
  report::Timer timer;
  double score = 0;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    std::shuffle(order.begin(), order.end(), random);
    double loss = 0;
    for (std::int64_t s = 0; s < steps; ++s) {
      auto [x, y] = train.batch(order, s * kBatch, kBatch);
      std::vector<Tensor> args = std::move(state);
      args.insert(args.end(), {Tensor::from<float>(x, {kBatch, 784}), Tensor::from<std::int64_t>(y, {kBatch})});
      timer.start();
      state = run(std::move(args));
      timer.stop();
      loss += state.back().item<float>();
      state.pop_back();
      report::progress(epoch, epochs, s + 1, steps, loss / (s + 1));
    }
    score = report::accuracy(predict, state, test);
    report::epoch(epoch, epochs, loss / steps, score);
  }
  report::summary(run, compile_seconds, timer);
  if (argc > 1)
    report::write_ahead_of_time(argv[1], step_graph, predict_graph, donate, state, test);
  return epochs >= 10 && score < 0.88;
}
