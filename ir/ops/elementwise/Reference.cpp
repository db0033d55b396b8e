// Reference kernels of elementwise ops whose operands differ in dtype; all others come from the records' formulas.
#include "ingot/ir/ReferenceMath.h"

namespace ingot {

using namespace reference;

KernelFault reference_select(const OpCall &, std::span<const ConstView> in, std::span<const MutableView> out) {
  const int64_t n = out[0].type.shape.num_elements();
  for (int64_t i = 0; i < n; ++i)
    copy_element(out[0], i, in[0].as<bool>()[i] ? in[1] : in[2], i);
  return {};
}

KernelFault reference_convert(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  const int64_t n = out[0].type.shape.num_elements();
  visit_compute_dtype(call, in[0].type.dtype, [&]<class From>() {
    visit_compute_dtype(call, out[0].type.dtype, [&]<class To>() {
      for (int64_t i = 0; i < n; ++i)
        out[0].as<To>()[i] = converted<To>(in[0].as<From>()[i]);
    });
  });
  return {};
}

} // namespace ingot
