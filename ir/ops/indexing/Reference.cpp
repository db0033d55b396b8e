// Reference kernels of gather, scatter_add and the check of indices.
#include "ingot/ir/ReferenceSums.h"

#include "ingot-gen/ir/OpAttributes.h.inc"

namespace ingot {

using namespace reference;

namespace {

int64_t index_at(const ConstView &indices, int64_t i) {
  return indices.type.dtype == DType::I64 ? indices.as<int64_t>()[i] : indices.as<int32_t>()[i];
}

/// Calls f(position, flat element of x) for each index in row-major order; the fault of the first bad one.
template <class F> KernelFault for_each_target(const Shape &x, const ConstView &indices, int64_t axis, F &&f) {
  KernelFault fault;
  int64_t i = 0;
  const int64_t size = x[int(axis)];
  for_each_index(indices.type.shape, [&](const std::vector<int64_t> &at) {
    if (fault.code)
      return;
    const int64_t index = index_at(indices, i);
    if (index < -size || index >= size) {
      fault = {1, index, size, i};
      return;
    }
    std::vector<int64_t> target = at;
    target[size_t(axis)] = index < 0 ? index + size : index;
    f(i++, flat_index(x, target));
  });
  return fault;
}

} // namespace

KernelFault reference_gather(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  return for_each_target(in[0].type.shape, in[1], call.integer(attr::Gather::axis),
                         [&](int64_t i, int64_t from) { copy_element(out[0], i, in[0], from); });
}

KernelFault reference_scatter_add(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  KernelFault fault;
  visit_compute_dtype(call, in[0].type.dtype, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool>) {
      const T *x = in[0].as<T>();
      std::vector<Sum<T>> sums(x, x + in[0].type.shape.num_elements());
      fault = for_each_target(in[0].type.shape, in[1], call.integer(attr::ScatterAdd::axis),
                              [&](int64_t i, int64_t to) { sums[size_t(to)].add(in[2].as<T>()[i]); });
      for (size_t i = 0; i < sums.size(); ++i)
        out[0].as<T>()[i] = sums[i].value();
    }
  });
  return fault;
}

KernelFault reference_check_index(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView>) {
  const int64_t size = call.integer(attr::CheckIndex::size);
  for (int64_t i = 0, n = in[0].type.shape.num_elements(); i < n; ++i)
    if (const int64_t index = index_at(in[0], i); index < -size || index >= size)
      return {1, index, size, i};
  return {};
}

} // namespace ingot
