// Operations that move elements.
#include "ingot/capture/OpHelpers.h"

#include <algorithm>
#include <numeric>

namespace ingot {

Tensor reshape(Tensor x, Shape shape, Location at) {
  require_tensor(x, at, "reshape");
  int open = -1;
  std::int64_t rest = 1;
  for (int d = 0; d < shape.rank(); ++d) {
    if (shape[d] == -1 && open < 0)
      open = d;
    else if (shape[d] < 0)
      shape_error("reshape",
                  "the shape " + shape.str() + " has a negative dimension; at most one may be -1, for what is left",
                  at);
    else
      rest *= shape[d];
  }
  if (open >= 0) {
    const std::int64_t count = x.shape().num_elements();
    if (rest == 0 || count % rest)
      shape_error("reshape",
                  x.shape().str() + " has " + std::to_string(count) +
                      " elements, which the other dimensions of the shape (" + std::to_string(rest) +
                      " elements) do not divide",
                  at);
    shape[open] = count / rest;
  }
  return raw_reshape(std::move(x), shape, at, "reshape");
}

Tensor transpose(Tensor x, Numbers permutation, Location at) {
  require_tensor(x, at, "transpose");
  std::vector<std::int64_t> order;
  if (permutation.empty())
    for (int d = x.shape().rank(); d-- > 0;)
      order.push_back(d);
  for (const std::int64_t d : permutation)
    order.push_back(d < 0 ? d + x.shape().rank() : d);
  return raw_transpose(std::move(x), std::move(order), at, "transpose");
}

Tensor broadcast_to(Tensor x, Shape shape, Location at) {
  require_tensor(x, at, "broadcast_to");
  const Shape both = broadcast_shapes(x.shape(), shape, at, "broadcast_to");
  if (!(both == shape))
    shape_error("broadcast_to", x.shape().str() + " cannot be broadcast to " + shape.str(), at);
  return broadcast_to_shape(std::move(x), shape, at, "broadcast_to");
}

Tensor expand_dims(Tensor x, int axis, Location at) {
  require_tensor(x, at, "expand_dims");
  const int rank = x.shape().rank();
  if (axis < -rank - 1 || axis > rank)
    shape_error("expand_dims",
                "axis " + std::to_string(axis) + " is no place for a new dimension in " + x.shape().str(), at);
  std::vector<std::int64_t> shape = dims_of(x.shape());
  shape.insert(shape.begin() + (axis < 0 ? axis + rank + 1 : axis), 1);
  return raw_reshape(std::move(x), Shape(shape), at, "expand_dims");
}

Tensor squeeze(Tensor x, Axes axes, Location at) {
  require_tensor(x, at, "squeeze");
  std::vector<std::int64_t> drop = resolve_axes(axes, x.shape(), at, "squeeze");
  Shape shape;
  for (int d = 0; d < x.shape().rank(); ++d) {
    const bool named = std::binary_search(drop.begin(), drop.end(), d);
    if (named && !axes.all() && x.shape()[d] != 1)
      shape_error("squeeze",
                  "axis " + std::to_string(d) + " of " + x.shape().str() + " has size " + std::to_string(x.shape()[d]) +
                      ", not 1",
                  at);
    if (!named || x.shape()[d] != 1)
      shape.push_back(x.shape()[d]);
  }
  return raw_reshape(std::move(x), shape, at, "squeeze");
}

Tensor slice(Tensor x, Numbers starts, Numbers stops, Numbers steps, Location at) {
  require_tensor(x, at, "slice");
  const int rank = x.shape().rank();
  if (steps.empty())
    steps = Numbers::filled(x.shape().size(), 1);
  if (starts.rank() == rank && stops.rank() == rank)
    for (int d = 0; d < rank; ++d) {
      const std::int64_t size = x.shape()[d];
      auto fix = [&](std::int64_t v) { return std::clamp<std::int64_t>(v < 0 ? v + size : v, 0, size); };
      starts[d] = fix(starts[d]);
      stops[d] = std::max(fix(stops[d]), starts[d]);
    }
  return apply_one(OpKind::Slice, operand_list(std::move(x)), {starts.vec(), stops.vec(), steps.vec()}, at, "slice");
}

Tensor concat(std::vector<Tensor> list, int axis, Location at) {
  if (list.empty())
    return apply_one(OpKind::Concat, {}, {std::int64_t(0)}, at, "concat"); // the dispatcher refuses it
  for (const Tensor &t : list)
    require_tensor(t, at, "concat");
  const std::int64_t d = resolve_axis(axis, list[0].shape(), at, "concat");
  return apply_one(OpKind::Concat, operand_list(std::move(list)), {d}, at, "concat");
}

Tensor stack(std::vector<Tensor> list, int axis, Location at) {
  Composite scope("stack");
  if (list.empty())
    return concat({}, 0, at);
  for (const Tensor &t : list)
    require_tensor(t, at, "stack");
  const int rank = list[0].shape().rank();
  if (axis < -rank - 1 || axis > rank)
    shape_error("stack",
                "axis " + std::to_string(axis) + " is no place for a new dimension in " + list[0].shape().str(), at);
  const int place = axis < 0 ? axis + rank + 1 : axis;
  for (const Tensor &t : list)
    if (!(t.shape() == list[0].shape()))
      shape_error("stack",
                  "tensors are " + list[0].shape().str() + " and " + t.shape().str() + "; they have to be equal", at);
  for (Tensor &t : list)
    t = expand_dims(std::move(t), place, at);
  return concat(std::move(list), place, at);
}

std::vector<Tensor> split(Tensor x, int sections, int axis, Location at) {
  Composite scope("split");
  require_tensor(x, at, "split");
  const int d = resolve_axis(axis, x.shape(), at, "split");
  const std::int64_t size = x.shape()[d];
  if (sections < 1 || size % sections)
    shape_error("split",
                "axis " + std::to_string(axis) + " of " + x.shape().str() + " does not divide into " +
                    std::to_string(sections) + " equal parts",
                at);
  std::vector<Tensor> parts;
  Numbers starts = Numbers::filled(x.shape().size(), 0), stops = x.shape();
  for (int i = 0; i < sections; ++i) {
    starts[d] = i * (size / sections);
    stops[d] = (i + 1) * (size / sections);
    parts.push_back(slice(x, starts, stops, {}, at));
  }
  return parts;
}

Tensor pad(Tensor x, Numbers low, Numbers high, double value, Location at) {
  require_tensor(x, at, "pad");
  Tensor around = constant_of(value, x.dtype(), Shape{}, x.device(), at, "pad");
  TensorList operands;
  operands.push_back(std::move(x));
  operands.push_back(std::move(around));
  return apply_one(OpKind::Pad, std::move(operands), {low.vec(), high.vec()}, at, "pad");
}

Tensor flip(Tensor x, Axes axes, Location at) {
  require_tensor(x, at, "flip");
  std::vector<std::int64_t> list = resolve_axes(axes, x.shape(), at, "flip");
  return apply_one(OpKind::Reverse, operand_list(std::move(x)), {std::move(list)}, at, "flip");
}

} // namespace ingot
