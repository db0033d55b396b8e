#include "Mlp.h"

#include "ingot/examples/fashion_model.h"

namespace bench {

using namespace ingot;

const std::vector<Shape> &mlp_shapes() { return kParams; }
Tensor mlp(const std::vector<Tensor> &p, Tensor x) { return model(p, x); }
std::vector<Tensor> mlp_step(const std::vector<Tensor> &in) { return step(in); }

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
