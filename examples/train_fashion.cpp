// Trains a 784-256-128-10 classifier on Fashion-MNIST. The whole step (forward, cross entropy, symbolic
// gradient, Adam) is captured once from the C++ below, compiled once, and run with donated state.
// usage: train_fashion [OUTPUT-DIR [EPOCHS]]: with a directory, also writes the step and the trained inference as .o +
// .h.
#include "fashion.h"
#include "report.h"

#include <ingot/ingot.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace ingot;

constexpr std::int64_t kBatch = 128;
const std::vector<Shape> kParams{{784, 256}, {256}, {256, 128}, {128}, {128, 10}, {10}};

Tensor model(const std::vector<Tensor> &p, Tensor x) {
  Tensor h1 = relu(matmul(x, p[0]) + p[1]);
  Tensor h2 = relu(matmul(h1, p[2]) + p[3]);
  return matmul(h2, p[4]) + p[5];
}

// inputs: 6 parameters, 6 first and 6 second moments, step count, images, labels; outputs: the same 19, loss
std::vector<Tensor> step(const std::vector<Tensor> &in) {
  std::vector<Tensor> args(in.begin(), in.begin() + 6);
  args.insert(args.end(), {in[19], in[20]});
  auto loss = [](const std::vector<Tensor> &a) { return cross_entropy(model(a, a[6]), a[7]); };
  std::vector<Tensor> r = value_and_grad(loss, {0, 1, 2, 3, 4, 5})(args), p, m, v;
  Tensor t = in[18] + 1.0;
  for (int i = 0; i < 6; ++i) {
    m.push_back(0.9 * in[6 + i] + 0.1 * r[i + 1]);
    v.push_back(0.999 * in[12 + i] + 0.001 * r[i + 1] * r[i + 1]);
    Tensor mean = m[i] / (1.0 - pow(0.9, t)), variance = v[i] / (1.0 - pow(0.999, t));
    p.push_back(in[i] - 0.001 * mean / (sqrt(variance) + 1e-8));
  }
  p.insert(p.end(), m.begin(), m.end());
  p.insert(p.end(), v.begin(), v.end());
  p.insert(p.end(), {t, r[0]});
  return p;
}

int main(int argc, char **argv) {
  fashion::Set train = fashion::load("train"), test = fashion::load("t10k");
  const int epochs = argc > 2 ? std::atoi(argv[2]) : 10;

  std::vector<TensorSpec> specs;
  for (const char *kind : {"p", "m", "v"})
    for (std::size_t i = 0; i < kParams.size(); ++i)
      specs.push_back(spec(DType::F32, kParams[i], kind + std::to_string(i)));
  std::vector<TensorSpec> eval(specs.begin(), specs.begin() + 6);
  specs.insert(specs.end(),
               {spec(DType::F32, {}, "t"), spec(DType::F32, {kBatch, 784}, "x"), spec(DType::I64, {kBatch}, "labels")});
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
