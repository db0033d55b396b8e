// Shape rule of rng_bits.
#include "ingot/ir/ShapeRules.h"

namespace ingot {

using namespace rules;

Inference infer_rng_bits(const OpCall &call) {
  const TensorType &key = call.operands[0];
  if (key.dtype != DType::I64 || !(key.shape == Shape{2})) // rng_bits_c1
    return shape_error("the key is " + key.str() + "; it has to be two i64 words");
  const DType dtype = call.dtype(attr::RngBits::dtype);
  if (dtype != DType::I32 && dtype != DType::I64) // rng_bits_c2
    return dtype_error("gives i32 or i64 bits, not " + std::string(dtype_name(dtype)));
  if (auto bad = check_shape(call.integers(attr::RngBits::shape), dtype)) // rng_bits_c3
    return std::move(*bad);
  return Inference::of({dtype, Shape(call.integers(attr::RngBits::shape))});
}

} // namespace ingot
