// Reference kernels of movement ops: for each result element, where it comes from.
#include "ingot/ir/ReferenceMath.h"

#include "ingot-gen/ir/OpAttributes.h.inc"

namespace ingot {

using namespace reference;

namespace {

/// Copies result element by element from `in` at the coordinates that `source` writes.
template <class F> KernelFault move_elements(const ConstView &in, const MutableView &out, F &&source) {
  std::vector<int64_t> from(size_t(in.type.shape.rank()));
  int64_t i = 0;
  for_each_index(out.type.shape, [&](const std::vector<int64_t> &at) {
    source(at, from);
    copy_element(out, i++, in, flat_index(in.type.shape, from));
  });
  return {};
}

} // namespace

KernelFault reference_broadcast(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  const auto &dims = call.integers(attr::Broadcast::dims);
  return move_elements(in[0], out[0], [&](const auto &at, auto &from) {
    for (size_t d = 0; d < dims.size(); ++d)
      from[d] = in[0].type.shape[int(d)] == 1 ? 0 : at[size_t(dims[d])];
  });
}

KernelFault reference_reshape(const OpCall &, std::span<const ConstView> in, std::span<const MutableView> out) {
  if (const size_t bytes = out[0].type.bytes())
    std::memcpy(out[0].data, in[0].data, bytes);
  return {};
}

KernelFault reference_transpose(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  const auto &permutation = call.integers(attr::Transpose::permutation);
  return move_elements(in[0], out[0], [&](const auto &at, auto &from) {
    for (size_t d = 0; d < at.size(); ++d)
      from[size_t(permutation[d])] = at[d];
  });
}

KernelFault reference_slice(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  const auto &starts = call.integers(attr::Slice::starts), &steps = call.integers(attr::Slice::steps);
  return move_elements(in[0], out[0], [&](const auto &at, auto &from) {
    for (size_t d = 0; d < at.size(); ++d)
      from[d] = starts[d] + at[d] * steps[d];
  });
}

KernelFault reference_reverse(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  return move_elements(in[0], out[0], [&](const auto &at, auto &from) {
    from = at;
    for (int64_t axis : call.integers(attr::Reverse::axes))
      from[size_t(axis)] = in[0].type.shape[int(axis)] - 1 - at[size_t(axis)];
  });
}

KernelFault reference_pad(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  const auto &low = call.integers(attr::Pad::low);
  int64_t i = 0;
  std::vector<int64_t> from(low.size());
  for_each_index(out[0].type.shape, [&](const std::vector<int64_t> &at) {
    bool inside = true;
    for (size_t d = 0; d < at.size(); ++d) {
      from[d] = at[d] - low[d];
      inside &= from[d] >= 0 && from[d] < in[0].type.shape[int(d)];
    }
    copy_element(out[0], i++, in[inside ? 0 : 1], inside ? flat_index(in[0].type.shape, from) : 0);
  });
  return {};
}

KernelFault reference_concat(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  const size_t axis = size_t(call.integer(attr::Concat::axis));
  int64_t i = 0;
  for_each_index(out[0].type.shape, [&](const std::vector<int64_t> &at) {
    std::vector<int64_t> from = at;
    size_t piece = 0;
    while (from[axis] >= in[piece].type.shape[int(axis)])
      from[axis] -= in[piece++].type.shape[int(axis)];
    copy_element(out[0], i++, in[piece], flat_index(in[piece].type.shape, from));
  });
  return {};
}

} // namespace ingot
