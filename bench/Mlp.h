// The 784-256-128-10 classifier and its training step with Adam, as the demo and the peers have it.
#pragma once

#include <ingot/ingot.h>

#include <vector>

namespace bench {

/// Of weights and biases, in turn.
const std::vector<ingot::Shape> &mlp_shapes();
ingot::Tensor mlp(const std::vector<ingot::Tensor> &parameters, ingot::Tensor x);

/// Inputs: 6 parameters, 6 first and 6 second moments, step count, images, labels. Outputs: the first 19 anew, loss.
std::vector<ingot::Tensor> mlp_step(const std::vector<ingot::Tensor> &in);
std::vector<ingot::TensorSpec> mlp_step_specs(std::int64_t batch);
/// The inputs whose memory the outputs take.
std::vector<int> mlp_step_donated();

/// The same training, written eagerly on the lazy device: tensors of an autodiff device, backward(), Adam in plain ops.
struct EagerMlp {
  std::vector<ingot::Tensor> parameters, first, second; // and the moments
  ingot::Tensor count;

  /// One step; gives the loss, which nothing has computed yet.
  ingot::Tensor step(const ingot::Tensor &x, const ingot::Tensor &labels);
};

} // namespace bench
