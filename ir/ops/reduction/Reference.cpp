// Reference kernels of reductions.
#include "ingot/ir/ReferenceSums.h"

#include "ingot-gen/ir/OpAttributes.h.inc"

#include <algorithm>

namespace ingot {

using namespace reference;

namespace {

/// For every element of x in row-major order: f(element number, number of the result element it belongs to,
/// position along the last reduced axis).
template <class F> void for_each_reduced(const Shape &x, const std::vector<int64_t> &axes, const Shape &result, F &&f) {
  int64_t i = 0;
  for_each_index(x, [&](const std::vector<int64_t> &at) {
    std::vector<int64_t> kept;
    for (size_t d = 0; d < at.size(); ++d)
      if (std::find(axes.begin(), axes.end(), int64_t(d)) == axes.end())
        kept.push_back(at[d]);
    f(i++, flat_index(result, kept), axes.empty() ? 0 : at[size_t(axes.back())]);
  });
}

/// Total is the class template of what is accumulated.
template <template <class> class Total>
KernelFault reduce(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  visit_compute_dtype(call, in[0].type.dtype, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool>) {
      std::vector<Total<T>> totals(size_t(out[0].type.shape.num_elements()));
      for_each_reduced(in[0].type.shape, call.integers(attr::ReduceSum::axes), out[0].type.shape,
                       [&](int64_t i, int64_t r, int64_t) { totals[size_t(r)].add(in[0].as<T>()[i]); });
      for (size_t r = 0; r < totals.size(); ++r)
        out[0].as<T>()[r] = totals[r].value();
    }
  });
  return {};
}

template <class F>
KernelFault extremum(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out, F better) {
  visit_compute_dtype(call, in[0].type.dtype, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool>) {
      std::vector<bool> seen(size_t(out[0].type.shape.num_elements()), false);
      for_each_reduced(in[0].type.shape, call.integers(attr::ReduceSum::axes), out[0].type.shape,
                       [&](int64_t i, int64_t r, int64_t) {
                         T &best = out[0].as<T>()[r];
                         best = seen[size_t(r)] ? better(best, in[0].as<T>()[i]) : in[0].as<T>()[i];
                         seen[size_t(r)] = true;
                       });
    }
  });
  return {};
}

template <class F>
KernelFault arg_extremum(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out,
                         F better) {
  visit_compute_dtype(call, in[0].type.dtype, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool>) {
      std::vector<T> best(size_t(out[0].type.shape.num_elements()));
      for_each_reduced(in[0].type.shape, {call.integer(attr::ArgMax::axis)}, out[0].type.shape,
                       [&](int64_t i, int64_t r, int64_t position) {
                         const T x = in[0].as<T>()[i];
                         T &b = best[size_t(r)];
                         // The first NaN wins, then the first that beats all before it.
                         if (position == 0 || (b == b && (x != x || better(x, b)))) {
                           b = x;
                           out[0].as<int64_t>()[r] = position;
                         }
                       });
    }
  });
  return {};
}

} // namespace

KernelFault reference_reduce_sum(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  return reduce<Sum>(call, in, out);
}
KernelFault reference_reduce_prod(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  return reduce<Product>(call, in, out);
}
KernelFault reference_reduce_max(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  return extremum(call, in, out, [](auto a, auto b) { return nan_max(a, b); });
}
KernelFault reference_reduce_min(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  return extremum(call, in, out, [](auto a, auto b) { return nan_min(a, b); });
}
KernelFault reference_arg_max(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  return arg_extremum(call, in, out, [](auto a, auto b) { return a > b; });
}
KernelFault reference_arg_min(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  return arg_extremum(call, in, out, [](auto a, auto b) { return a < b; });
}

} // namespace ingot
