// Reference kernel of dot. Products of f32 are exact in double, those of f64 are added with what rounding takes from
// them; the sum is rounded once.
#include "ingot/ir/ReferenceSums.h"

#include "ingot-gen/ir/OpAttributes.h.inc"

#include <algorithm>

namespace ingot {

using namespace reference;

namespace {

template <class T> void add_product(Sum<T> &sum, T x, T y) { sum.add(wrap_mul(x, y)); }
void add_product(Sum<double> &sum, double x, double y) {
  const double product = x * y;
  sum.add(product);
  if (std::isfinite(product))
    sum.add(std::fma(x, y, -product));
}

std::vector<int64_t> free_dims(const Shape &shape, const std::vector<int64_t> &batch,
                               const std::vector<int64_t> &contract) {
  std::vector<int64_t> rest;
  for (int64_t d = 0; d < shape.rank(); ++d)
    if (std::find(batch.begin(), batch.end(), d) == batch.end() &&
        std::find(contract.begin(), contract.end(), d) == contract.end())
      rest.push_back(d);
  return rest;
}

} // namespace

KernelFault reference_dot(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  const auto &lhsBatch = call.integers(attr::Dot::lhs_batch), &rhsBatch = call.integers(attr::Dot::rhs_batch);
  const auto &lhsContract = call.integers(attr::Dot::lhs_contract),
             &rhsContract = call.integers(attr::Dot::rhs_contract);
  const Shape &a = in[0].type.shape, &b = in[1].type.shape;
  const std::vector<int64_t> lhsFree = free_dims(a, lhsBatch, lhsContract),
                             rhsFree = free_dims(b, rhsBatch, rhsContract);
  Shape inner;
  for (int64_t d : lhsContract)
    inner.push_back(a[int(d)]);
  visit_compute_dtype(call, in[0].type.dtype, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool>) {
      using A = std::conditional_t<std::is_same_v<T, float>, double, T>;
      int64_t i = 0;
      std::vector<int64_t> u(size_t(a.rank())), v(size_t(b.rank()));
      for_each_index(out[0].type.shape, [&](const std::vector<int64_t> &at) {
        size_t next = 0;
        for (size_t d = 0; d < lhsBatch.size(); ++d)
          u[size_t(lhsBatch[d])] = v[size_t(rhsBatch[d])] = at[next++];
        for (int64_t d : lhsFree)
          u[size_t(d)] = at[next++];
        for (int64_t d : rhsFree)
          v[size_t(d)] = at[next++];
        Sum<A> sum;
        for_each_index(inner, [&](const std::vector<int64_t> &k) {
          for (size_t d = 0; d < k.size(); ++d)
            u[size_t(lhsContract[d])] = v[size_t(rhsContract[d])] = k[d];
          add_product(sum, A(in[0].as<T>()[flat_index(a, u)]), A(in[1].as<T>()[flat_index(b, v)]));
        });
        out[0].as<T>()[i++] = T(sum.value());
      });
    }
  });
  return {};
}

} // namespace ingot
