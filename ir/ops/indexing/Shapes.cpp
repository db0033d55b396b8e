// Shape rules of gather and scatter_add.
#include "ingot/ir/ShapeRules.h"

namespace ingot {

using namespace rules;

namespace {

std::optional<Inference> check_indices(const TensorType &x, const TensorType &indices, int64_t axis) {
  if (indices.dtype != DType::I32 && indices.dtype != DType::I64) // gather_c1
    return dtype_error("indices are " + std::string(dtype_name(indices.dtype)) + "; they have to be i32 or i64");
  if (!computes(x.dtype)) // gather_c2
    return dtype_error("does not take " + std::string(dtype_name(x.dtype)) + ", but f64, f32, i64, i32 and bool");
  if (auto bad = check_axis(axis, x)) // gather_c3
    return bad;
  bool fits = indices.shape.rank() == x.shape.rank();
  for (int d = 0; fits && d < x.shape.rank(); ++d)
    fits = d == axis || sizes_agree(x.shape[d], indices.shape[d]);
  if (!fits) // gather_c4
    return shape_error("indices of shape " + indices.shape.str() + " do not fit " + x.shape.str() +
                       "; they may differ along axis " + std::to_string(axis) + " alone");
  if (x.shape[int(axis)] == 0 && indices.shape.is_static() && indices.shape.num_elements() > 0) // gather_c5
    return shape_error("axis " + std::to_string(axis) + " of " + x.shape.str() +
                       " is empty, so no index can be inside it");
  return std::nullopt;
}

} // namespace

Inference infer_gather(const OpCall &call) {
  const TensorType &x = call.operands[0], &indices = call.operands[1];
  if (auto bad = check_indices(x, indices, call.integer(attr::Gather::axis)))
    return std::move(*bad);
  return Inference::of({x.dtype, indices.shape});
}

Inference infer_scatter_add(const OpCall &call) {
  const TensorType &x = call.operands[0], &indices = call.operands[1], &updates = call.operands[2];
  if (auto bad = check_indices(x, indices, call.integer(attr::ScatterAdd::axis)))
    return std::move(*bad);
  if (x.dtype == DType::Bool) // scatter_add_c1
    return dtype_error("does not take bool, but f64, f32, i64 and i32");
  if (updates.dtype != x.dtype) // scatter_add_c2
    return dtype_error("updates are " + std::string(dtype_name(updates.dtype)) + ", the tensor is " +
                       std::string(dtype_name(x.dtype)));
  if (!(updates.shape == indices.shape)) // scatter_add_c3
    return shape_error("updates of shape " + updates.shape.str() + " need one index each, but indices are " +
                       indices.shape.str());
  return Inference::of(x);
}

Inference infer_check_index(const OpCall &call) {
  const TensorType &indices = call.operands[0];
  if (indices.dtype != DType::I32 && indices.dtype != DType::I64) // check_index_c1
    return dtype_error("indices are " + std::string(dtype_name(indices.dtype)) + "; they have to be i32 or i64");
  return {};
}

} // namespace ingot
