// The custom ops that the tests call, and what they are called with.
#pragma once

#include "Values.h"

#include <atomic>
#include <cmath>
#include <memory>

namespace ingot::custom {

using Specs = std::vector<TensorSpec>;
using In = std::vector<ConstBuffer>;
using Out = std::vector<MutableBuffer>;
using Tensors = std::vector<Tensor>;

inline Specs same(const Specs &in) { return {in[0]}; }

/// y = x / (1 + |x|); counts its calls.
inline CustomOp softsign(std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0)) {
  return CustomOp::native("softsign", same, [calls](const In &in, const Out &out) {
    ++*calls;
    for (std::int64_t i = 0; i < in[0].num_elements; ++i)
      out[0].as<float>()[i] = in[0].as<float>()[i] / (1 + std::fabs(in[0].as<float>()[i]));
  });
}
inline CustomOp smooth(std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0)) {
  return softsign(calls).with_gradient([](const Tensors &in, const Tensors &, const Tensors &gradients) {
    Tensor a = 1.0 + abs(in[0]);
    return Tensors{gradients[0] / (a * a)};
  });
}

inline const std::vector<float> kX{-2, -0.5f, 0, 0.25f, 3};
inline const std::vector<float> kY{-2 / 3.0f, -0.5f / 1.5f, 0, 0.25f / 1.25f, 0.75f};
inline Tensor x_on(Device device = Device::cpu()) { return Tensor::from<float>(kX, {5}, device); }
inline Graph captured(const CustomOp &op) {
  return capture([&](Tensor x) { return op(x)[0] * 2.0; }, {spec(DType::F32, {5}, "x")});
}
inline std::vector<float> twice(std::vector<float> values) {
  for (float &v : values)
    v *= 2;
  return values;
}

} // namespace ingot::custom
