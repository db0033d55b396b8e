// Shape rules of reductions.
#include "ingot/ir/ShapeRules.h"

#include <algorithm>

namespace ingot {

using namespace rules;

namespace {

Shape without_axes(const Shape &shape, const std::vector<int64_t> &axes) {
  Shape rest;
  for (int d = 0; d < shape.rank(); ++d)
    if (std::find(axes.begin(), axes.end(), d) == axes.end())
      rest.push_back(shape[d]);
  return rest;
}

bool numeric(DType dtype) { return computes(dtype) && dtype != DType::Bool; }

std::string not_numeric(DType dtype) {
  return "does not take " + std::string(dtype_name(dtype)) + ", but f64, f32, i64 and i32";
}

} // namespace

Inference infer_reduce(const OpCall &call) {
  const TensorType &x = call.operands[0];
  const auto &axes = call.integers(attr::ReduceSum::axes);
  if (auto bad = check_axes(axes, x)) // reduce_c1
    return std::move(*bad);
  if (!numeric(x.dtype)) // reduce_c2
    return dtype_error(not_numeric(x.dtype));
  if (call.kind == OpKind::ReduceMax || call.kind == OpKind::ReduceMin)
    for (int64_t axis : axes)
      if (x.shape[int(axis)] == 0) // reduce_c3
        return shape_error("axis " + std::to_string(axis) + " of " + x.shape.str() +
                           " is empty, and nothing has no extremum");
  return Inference::of({x.dtype, without_axes(x.shape, axes)});
}

Inference infer_arg_reduce(const OpCall &call) {
  const TensorType &x = call.operands[0];
  const int64_t axis = call.integer(attr::ArgMax::axis);
  if (auto bad = check_axis(axis, x)) // arg_reduce_c1
    return std::move(*bad);
  if (!numeric(x.dtype)) // arg_reduce_c2
    return dtype_error(not_numeric(x.dtype));
  if (x.shape[int(axis)] == 0) // arg_reduce_c3
    return shape_error("axis " + std::to_string(axis) + " of " + x.shape.str() +
                       " is empty, and nothing has no extremum");
  return Inference::of({DType::I64, without_axes(x.shape, {axis})});
}

} // namespace ingot
