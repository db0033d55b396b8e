// Shape rules of constants.
#include "ingot/ir/ShapeRules.h"

namespace ingot {

using namespace rules;

Inference infer_constant(const OpCall &call) { return Inference::of(call.literal(attr::Constant::value).type); }

Inference infer_iota(const OpCall &call) {
  TensorType type{call.dtype(attr::Iota::dtype), Shape(call.integers(attr::Iota::shape))};
  if (auto bad = check_shape(call.integers(attr::Iota::shape), type.dtype)) // iota_c1
    return std::move(*bad);
  if (auto bad = check_axis(call.integer(attr::Iota::axis), type)) // iota_c2
    return std::move(*bad);
  if (!computes(type.dtype) || type.dtype == DType::Bool) // iota_c3
    return dtype_error("cannot count in " + std::string(dtype_name(type.dtype)));
  return Inference::of(type);
}

} // namespace ingot
