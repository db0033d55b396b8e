// Operations whose positions are data.
#include "ingot/capture/OpHelpers.h"

namespace ingot {

Tensor take_along_axis(Tensor x, Tensor indices, int axis, Location at) {
  Composite scope("take_along_axis");
  require_tensor(x, at, "take_along_axis");
  require_tensor(indices, at, "take_along_axis");
  const int d = resolve_axis(axis, x.shape(), at, "take_along_axis");
  if (indices.shape().rank() != x.shape().rank())
    shape_error("take_along_axis", "indices of shape " + indices.shape().str() + " need the rank of " + x.shape().str(),
                at);
  // Off the axis both broadcast, as NumPy's.
  Shape wantX = x.shape(), wantI = indices.shape();
  for (int i = 0; i < wantX.rank(); ++i)
    if (i != d) {
      if (wantX[i] == 1)
        wantX[i] = wantI[i];
      else if (wantI[i] == 1)
        wantI[i] = wantX[i];
    }
  TensorList operands;
  operands.push_back(broadcast_to_shape(std::move(x), wantX, at, "take_along_axis"));
  operands.push_back(broadcast_to_shape(std::move(indices), wantI, at, "take_along_axis"));
  return apply_one(OpKind::Gather, std::move(operands), {std::int64_t(d)}, at, "take_along_axis");
}

/// A gather with the indices repeated off the axis, which costs nothing in a kernel.
Tensor take(Tensor x, Tensor indices, int axis, Location at) {
  Composite scope("take");
  require_tensor(x, at, "take");
  require_tensor(indices, at, "take");
  const int d = resolve_axis(axis, x.shape(), at, "take");
  const Shape from = x.shape(), shape = indices.shape();
  Shape gathered = from, result;
  gathered[d] = shape.num_elements();
  for (int i = 0; i < from.rank(); ++i) {
    if (i != d)
      result.push_back(from[i]);
    else
      for (std::int64_t size : shape)
        result.push_back(size);
  }
  Tensor flat = raw_reshape(std::move(indices), Shape{shape.num_elements()}, at, "take");
  TensorList operands;
  operands.push_back(std::move(x));
  operands.push_back(raw_broadcast(std::move(flat), gathered, {std::int64_t(d)}, at, "take"));
  Tensor y = apply_one(OpKind::Gather, std::move(operands), {std::int64_t(d)}, at, "take");
  return raw_reshape(std::move(y), result, at, "take");
}

Tensor one_hot(Tensor indices, std::int64_t n, DType dtype, Location at) {
  Composite scope("one_hot");
  require_tensor(indices, at, "one_hot");
  if (n < 0)
    shape_error("one_hot", std::to_string(n) + " classes", at);
  if (is_float(indices.dtype()) || indices.dtype() == DType::Bool)
    throw DTypeError("[one_hot] indices are " + std::string(dtype_name(indices.dtype())) +
                         "; they have to be i32 or i64",
                     CallSite(at));
  Shape line = indices.shape(), shape = line;
  line.push_back(1);
  shape.push_back(n);
  // Ones added to zeros: an index counts from the end and is checked as every other.
  const DType sum = dtype == DType::Bool ? DType::I32 : dtype;
  const Device device = indices.device();
  TensorList operands;
  operands.push_back(constant_of(0, sum, shape, device, at, "one_hot"));
  operands.push_back(raw_reshape(std::move(indices), line, at, "one_hot"));
  operands.push_back(constant_of(1, sum, line, device, at, "one_hot"));
  const std::int64_t axis = line.rank() - 1;
  return apply_one(OpKind::ScatterAdd, std::move(operands), {axis}, at, "one_hot").to(dtype, at);
}

} // namespace ingot
