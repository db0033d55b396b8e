#include "Mlp.h"

namespace bench {

using namespace ingot;

const std::vector<Shape> &mlp_shapes() {
  static const std::vector<Shape> shapes{{784, 256}, {256}, {256, 128}, {128}, {128, 10}, {10}};
  return shapes;
}

Tensor mlp(const std::vector<Tensor> &p, Tensor x) {
  Tensor h = relu(matmul(x, p[0]) + p[1]);
  h = relu(matmul(h, p[2]) + p[3]);
  return matmul(h, p[4]) + p[5];
}

std::vector<Tensor> mlp_step(const std::vector<Tensor> &in) {
  std::vector<Tensor> args(in.begin(), in.begin() + 6), p, m, v;
  args.insert(args.end(), {in[19], in[20]});
  auto loss = [](const std::vector<Tensor> &a) { return cross_entropy(mlp(a, a[6]), a[7]); };
  std::vector<Tensor> r = value_and_grad(loss, {0, 1, 2, 3, 4, 5})(args);
  Tensor t = in[18] + 1.0;
  for (std::size_t i = 0; i < 6; ++i) {
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

std::vector<TensorSpec> mlp_step_specs(std::int64_t batch) {
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < 18; ++i)
    specs.push_back(spec(DType::F32, mlp_shapes()[i % 6]));
  specs.insert(specs.end(), {spec(DType::F32, {}), spec(DType::F32, {batch, 784}), spec(DType::I64, {batch})});
  return specs;
}

std::vector<int> mlp_step_donated() {
  std::vector<int> inputs;
  for (int i = 0; i < 19; ++i)
    inputs.push_back(i);
  return inputs;
}

Tensor EagerMlp::step(const Tensor &x, const Tensor &labels) {
  std::vector<Tensor> leaves;
  for (const Tensor &p : parameters)
    leaves.push_back(p.autodiff().require_grad());
  Tensor loss = cross_entropy(mlp(leaves, x), labels);
  Gradients gradients = loss.backward();
  count = count + 1.0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor g = *gradients.take(leaves[i]);
    first[i] = 0.9 * first[i] + 0.1 * g;
    second[i] = 0.999 * second[i] + 0.001 * g * g;
    Tensor mean = first[i] / (1.0 - pow(0.9, count)), variance = second[i] / (1.0 - pow(0.999, count));
    parameters[i] = parameters[i] - 0.001 * mean / (sqrt(variance) + 1e-8);
  }
  return loss;
}

} // namespace bench
