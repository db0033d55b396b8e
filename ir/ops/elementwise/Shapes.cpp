// Shape and dtype rules of elementwise ops.
#include "ingot/ir/ShapeRules.h"

namespace ingot {

using namespace rules;

Inference infer_elementwise(const OpCall &call) {
  const OpInfo &info = op_info(call.kind);
  const TensorType &first = call.operands[0];
  for (const TensorType &other : call.operands.subspan(1)) {
    if (other.dtype != first.dtype) // elementwise_c1
      return dtype_error("operands are " + std::string(dtype_name(first.dtype)) + " and " +
                         std::string(dtype_name(other.dtype)) +
                         "; convert one of them, there is no implicit promotion");
    if (!(other.shape == first.shape)) // elementwise_c2
      return shape_error("operands are " + first.shape.str() + " and " + other.shape.str() + ", which are not equal");
  }
  if (!(info.dtypes & dtype_bit(first.dtype))) // elementwise_c3
    return dtype_error("does not take " + std::string(dtype_name(first.dtype)) + ", but " + dtype_list(info.dtypes));
  return Inference::of({info.has(kBoolResult) ? DType::Bool : first.dtype, first.shape});
}

Inference infer_select(const OpCall &call) {
  const TensorType &c = call.operands[0], &a = call.operands[1], &b = call.operands[2];
  if (c.dtype != DType::Bool) // select_c1
    return dtype_error("the condition is " + std::string(dtype_name(c.dtype)) + "; it has to be bool");
  if (a.dtype != b.dtype) // select_c2
    return dtype_error("the choices are " + std::string(dtype_name(a.dtype)) + " and " +
                       std::string(dtype_name(b.dtype)) + "; convert one of them, there is no implicit promotion");
  if (!computes(a.dtype)) // select_c3
    return dtype_error("does not take " + std::string(dtype_name(a.dtype)) + ", but " +
                       dtype_list(op_info(call.kind).dtypes));
  if (!(c.shape == a.shape) || !(a.shape == b.shape)) // select_c4
    return shape_error("condition and choices are " + c.shape.str() + ", " + a.shape.str() + " and " + b.shape.str() +
                       ", which are not equal");
  return Inference::of(a);
}

Inference infer_convert(const OpCall &call) {
  const TensorType &x = call.operands[0];
  const DType to = call.dtype(attr::Convert::dtype);
  for (DType dtype : {x.dtype, to})
    if (!computes(dtype)) // convert_c1
      return dtype_error("does not take " + std::string(dtype_name(dtype)) + ", but " +
                         dtype_list(op_info(call.kind).dtypes));
  return Inference::of({to, x.shape});
}

} // namespace ingot
