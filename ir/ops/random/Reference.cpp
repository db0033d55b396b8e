// Reference kernel of rng_bits.
#include "ingot/ir/OpTable.h"
#include "ingot/runtime/Rng.h"

namespace ingot {

KernelFault reference_rng_bits(const OpCall &, std::span<const ConstView> in, std::span<const MutableView> out) {
  const int64_t *words = in[0].as<int64_t>();
  const RngKey key{{uint64_t(words[0]), uint64_t(words[1])}};
  const int64_t n = out[0].type.shape.num_elements();
  if (out[0].type.dtype == DType::I32)
    for (int64_t i = 0; i < n; ++i)
      out[0].as<int32_t>()[i] = int32_t(rng_bits32(key, uint64_t(i)));
  else
    for (int64_t i = 0; i < n; ++i)
      out[0].as<int64_t>()[i] = int64_t(rng_bits64(key, uint64_t(i)));
  return {};
}

} // namespace ingot
