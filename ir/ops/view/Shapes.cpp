// Shape rules of movement ops.
#include "ingot/ir/ShapeRules.h"

namespace ingot {

using namespace rules;

Inference infer_broadcast(const OpCall &call) {
  const TensorType &x = call.operands[0];
  const auto &shape = call.integers(attr::Broadcast::shape), &dims = call.integers(attr::Broadcast::dims);
  if (auto bad = check_shape(shape, x.dtype)) // broadcast_c1
    return std::move(*bad);
  TensorType result{x.dtype, Shape(shape)};
  if (auto bad = check_axes(dims, result)) // broadcast_c2
    return std::move(*bad);
  if (dims.size() != size_t(x.shape.rank())) // broadcast_c3
    return shape_error("dims " + list_text(dims) + " name " + std::to_string(dims.size()) + " dimensions for " +
                       x.shape.str());
  for (size_t i = 0; i < dims.size(); ++i)
    if (x.shape[int(i)] != 1 && !sizes_agree(x.shape[int(i)], shape[size_t(dims[i])])) // broadcast_c4
      return shape_error(x.shape.str() + " cannot be broadcast to " + result.shape.str() + ": dimension " +
                         std::to_string(i) + " has size " + std::to_string(x.shape[int(i)]) +
                         ", which is neither 1 nor " + std::to_string(shape[size_t(dims[i])]));
  return Inference::of(result);
}

Inference infer_reshape(const OpCall &call) {
  const TensorType &x = call.operands[0];
  const auto &shape = call.integers(attr::Reshape::shape);
  if (auto bad = check_shape(shape, x.dtype)) // reshape_c1
    return std::move(*bad);
  TensorType result{x.dtype, Shape(shape)};
  if (x.shape.is_static() && result.shape.is_static() &&
      x.shape.num_elements() != result.shape.num_elements()) // reshape_c2
    return shape_error(x.shape.str() + " has " + std::to_string(x.shape.num_elements()) + " elements, " +
                       result.shape.str() + " has " + std::to_string(result.shape.num_elements()));
  return Inference::of(result);
}

Inference infer_transpose(const OpCall &call) {
  const TensorType &x = call.operands[0];
  const auto &permutation = call.integers(attr::Transpose::permutation);
  std::vector<bool> seen(size_t(x.shape.rank()), false);
  bool valid = permutation.size() == seen.size();
  for (int64_t d : permutation)
    if (!valid || d < 0 || d >= int64_t(seen.size()) || seen[size_t(d)])
      valid = false;
    else
      seen[size_t(d)] = true;
  if (!valid) // transpose_c1
    return shape_error(list_text(permutation) + " is no permutation of the " + std::to_string(x.shape.rank()) +
                       " dimensions of " + x.shape.str());
  Shape shape;
  for (int64_t d : permutation)
    shape.push_back(x.shape[int(d)]);
  return Inference::of({x.dtype, shape});
}

Inference infer_slice(const OpCall &call) {
  const TensorType &x = call.operands[0];
  const auto &starts = call.integers(attr::Slice::starts), &stops = call.integers(attr::Slice::stops),
             &steps = call.integers(attr::Slice::steps);
  const size_t rank = size_t(x.shape.rank());
  if (starts.size() != rank || stops.size() != rank || steps.size() != rank) // slice_c1
    return shape_error("starts " + list_text(starts) + ", stops " + list_text(stops) + " and steps " +
                       list_text(steps) + " need one entry for each dimension of " + x.shape.str());
  Shape shape;
  for (size_t d = 0; d < rank; ++d) {
    if (steps[d] < 1) // slice_c2
      return shape_error("step " + std::to_string(steps[d]) + " of dimension " + std::to_string(d) +
                         " is not positive");
    const int64_t size = x.shape[int(d)];
    if (starts[d] < 0 || stops[d] < starts[d] || (size != kDynamic && stops[d] > size)) // slice_c3
      return shape_error("[" + std::to_string(starts[d]) + ", " + std::to_string(stops[d]) +
                         ") is no range of dimension " + std::to_string(d) + " of " + x.shape.str());
    shape.push_back(stops[d] == starts[d] ? 0 : (stops[d] - starts[d] - 1) / steps[d] + 1);
  }
  return Inference::of({x.dtype, shape});
}

Inference infer_reverse(const OpCall &call) {
  if (auto bad = check_axes(call.integers(attr::Reverse::axes), call.operands[0])) // reverse_c1
    return std::move(*bad);
  return Inference::of(call.operands[0]);
}

Inference infer_pad(const OpCall &call) {
  const TensorType &x = call.operands[0], &value = call.operands[1];
  const auto &low = call.integers(attr::Pad::low), &high = call.integers(attr::Pad::high);
  if (value.dtype != x.dtype) // pad_c1
    return dtype_error("the padding is " + std::string(dtype_name(value.dtype)) + ", the tensor " +
                       std::string(dtype_name(x.dtype)));
  if (value.shape.rank() != 0) // pad_c2
    return shape_error("the padding has shape " + value.shape.str() + "; it has to be a scalar");
  if (low.size() != size_t(x.shape.rank()) || high.size() != low.size()) // pad_c3
    return shape_error("low " + list_text(low) + " and high " + list_text(high) +
                       " need one entry for each dimension of " + x.shape.str());
  std::vector<int64_t> shape;
  for (size_t d = 0; d < low.size(); ++d) {
    if (low[d] < 0 || high[d] < 0) // pad_c4
      return shape_error("low " + list_text(low) + " and high " + list_text(high) +
                         " must not be negative; use slice to cut");
    if (low[d] > (int64_t(1) << 60) || high[d] > (int64_t(1) << 60)) // pad_c5
      return shape_error("low " + list_text(low) + " and high " + list_text(high) + " are more than memory can hold");
    shape.push_back(x.shape[int(d)] == kDynamic ? kDynamic : low[d] + x.shape[int(d)] + high[d]);
  }
  if (auto bad = check_shape(shape, x.dtype)) // pad_c6
    return std::move(*bad);
  return Inference::of({x.dtype, Shape(shape)});
}

Inference infer_concat(const OpCall &call) {
  if (call.operands.empty()) // concat_c1
    return value_error("needs at least one tensor");
  const TensorType &first = call.operands[0];
  const int64_t axis = call.integer(attr::Concat::axis);
  if (auto bad = check_axis(axis, first)) // concat_c2
    return std::move(*bad);
  std::vector<int64_t> shape(first.shape.begin(), first.shape.end());
  for (const TensorType &other : call.operands.subspan(1)) {
    if (other.dtype != first.dtype) // concat_c3
      return dtype_error("tensors are " + std::string(dtype_name(first.dtype)) + " and " +
                         std::string(dtype_name(other.dtype)));
    bool fits = other.shape.rank() == first.shape.rank();
    for (int d = 0; fits && d < first.shape.rank(); ++d)
      fits = d == axis || sizes_agree(first.shape[d], other.shape[d]);
    if (!fits) // concat_c4
      return shape_error("tensors are " + first.shape.str() + " and " + other.shape.str() +
                         "; they may differ along axis " + std::to_string(axis) + " alone");
    int64_t &sum = shape[size_t(axis)];
    sum = sum == kDynamic || other.shape[int(axis)] == kDynamic ? kDynamic : sum + other.shape[int(axis)];
  }
  if (auto bad = check_shape(shape, first.dtype)) // concat_c5
    return std::move(*bad);
  return Inference::of({first.dtype, Shape(shape)});
}

} // namespace ingot
