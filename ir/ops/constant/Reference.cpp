#include "ingot/ir/ReferenceMath.h"

#include "ingot-gen/ir/OpAttributes.h.inc"

namespace ingot {

using namespace reference;

KernelFault reference_constant(const OpCall &call, std::span<const ConstView>, std::span<const MutableView> out) {
  const Literal &literal = call.literal(attr::Constant::value);
  const ConstView data{literal.data->data(), literal.type};
  for (int64_t i = 0, n = out[0].type.shape.num_elements(); i < n; ++i)
    copy_element(out[0], i, data, literal.splat ? 0 : i);
  return {};
}

KernelFault reference_iota(const OpCall &call, std::span<const ConstView>, std::span<const MutableView> out) {
  const size_t axis = size_t(call.integer(attr::Iota::axis));
  visit_compute_dtype(call, out[0].type.dtype, [&]<class T>() {
    int64_t i = 0;
    for_each_index(out[0].type.shape, [&](const std::vector<int64_t> &at) { out[0].as<T>()[i++] = T(at[axis]); });
  });
  return {};
}

} // namespace ingot
