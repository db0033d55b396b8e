// One training step of a 784-256-128-10 classifier: forward, cross entropy, symbolic gradient, Adam.
#pragma once

#include <ingot/ingot.h>

#include <string>
#include <vector>

using namespace ingot;

inline constexpr std::int64_t kBatch = 128;
inline const std::vector<Shape> kParams{{784, 256}, {256}, {256, 128}, {128}, {128, 10}, {10}};

inline Tensor model(const std::vector<Tensor> &p, Tensor x) {
  Tensor h1 = relu(matmul(x, p[0]) + p[1]);
  Tensor h2 = relu(matmul(h1, p[2]) + p[3]);
  return matmul(h2, p[4]) + p[5];
}

// inputs: 6 parameters, 6 first and 6 second moments, step count, images, labels; outputs: the same 19, loss
inline std::vector<Tensor> step(const std::vector<Tensor> &in) {
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

inline std::vector<TensorSpec> step_specs() {
  std::vector<TensorSpec> specs;
  for (const char *kind : {"p", "m", "v"})
    for (std::size_t i = 0; i < kParams.size(); ++i)
      specs.push_back(spec(DType::F32, kParams[i], kind + std::to_string(i)));
  specs.insert(specs.end(),
               {spec(DType::F32, {}, "t"), spec(DType::F32, {kBatch, 784}, "x"), spec(DType::I64, {kBatch}, "labels")});
  return specs;
}
