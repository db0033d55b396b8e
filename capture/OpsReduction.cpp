// Reductions and the composites of them.
#include "ingot/capture/OpHelpers.h"

#include <algorithm>
#include <cmath>

namespace ingot {
namespace {

/// Reinstates reduced axes with size 1.
Tensor keep_dims(Tensor reduced, const Shape &from, const std::vector<std::int64_t> &axes, bool keepdim, Location at,
                 const char *op) {
  if (!keepdim)
    return reduced;
  Shape shape = from;
  for (std::int64_t d : axes)
    shape[static_cast<int>(d)] = 1;
  return raw_reshape(std::move(reduced), shape, at, op);
}

Tensor reduce(OpKind kind, Tensor x, const Axes &axes, bool keepdim, Location at, const char *op) {
  require_tensor(x, at, op);
  const Shape shape = x.shape();
  std::vector<std::int64_t> list = resolve_axes(axes, shape, at, op);
  Tensor y =
      list.empty() && kind != OpKind::ReduceSum ? x : apply_one(kind, operand_list(std::move(x)), {list}, at, op);
  return keep_dims(std::move(y), shape, list, keepdim, at, op);
}

double count_along(const Shape &shape, const std::vector<std::int64_t> &axes) {
  double n = 1;
  for (std::int64_t d : axes)
    n *= double(shape[static_cast<int>(d)]);
  return n;
}

} // namespace

Tensor sum(Tensor x, Axes axes, bool keepdim, Location at) {
  return reduce(OpKind::ReduceSum, std::move(x), axes, keepdim, at, "sum");
}
Tensor prod(Tensor x, Axes axes, bool keepdim, Location at) {
  return reduce(OpKind::ReduceProd, std::move(x), axes, keepdim, at, "prod");
}
Tensor max(Tensor x, Axes axes, bool keepdim, Location at) {
  return reduce(OpKind::ReduceMax, std::move(x), axes, keepdim, at, "max");
}
Tensor min(Tensor x, Axes axes, bool keepdim, Location at) {
  return reduce(OpKind::ReduceMin, std::move(x), axes, keepdim, at, "min");
}

Tensor mean(Tensor x, Axes axes, bool keepdim, Location at) {
  Composite scope("mean");
  require_float(x, at, "mean");
  const double n = count_along(x.shape(), resolve_axes(axes, x.shape(), at, "mean"));
  return div(sum(std::move(x), axes, keepdim, at), n, at);
}

Tensor any(Tensor x, Axes axes, bool keepdim, Location at) {
  Composite scope("any");
  require_bool(x, at, "any");
  return ne(sum(x.to(DType::I32, at), axes, keepdim, at), 0, at);
}

Tensor all(Tensor x, Axes axes, bool keepdim, Location at) {
  Composite scope("all");
  require_bool(x, at, "all");
  return eq(sum(logical_not(std::move(x), at).to(DType::I32, at), axes, keepdim, at), 0, at);
}

Tensor var(Tensor x, Axes axes, bool keepdim, Location at) {
  Composite scope("var");
  require_float(x, at, "var");
  Tensor distance = sub(x, mean(x, axes, true, at), at);
  return mean(mul(distance, distance, at), axes, keepdim, at);
}

/// The largest element is taken out first, so that nothing overflows. Where it is infinite it is the result: of -inf
/// alone no gradient flows, of +inf it goes to these in equal parts.
Tensor logsumexp(Tensor x, Axes axes, bool keepdim, Location at) {
  Composite scope("logsumexp");
  require_float(x, at, "logsumexp");
  const Shape shape = x.shape();
  std::vector<std::int64_t> list = resolve_axes(axes, shape, at, "logsumexp");
  if (count_along(shape, list) == 0)
    return log(sum(std::move(x), axes, keepdim, at), at);
  Tensor top = max(x, axes, true, at);
  Tensor known = lt(abs(top, at), INFINITY, at);
  Tensor shift = stop_gradient(where(known, top, 0.0, at), at);
  Tensor rest = where(known, sub(std::move(x), shift, at), 0.0, at);
  Tensor y = add(log(sum(exp(std::move(rest), at), axes, true, at), at), std::move(shift), at);
  Tensor limit = where(lt(top, 0, at), stop_gradient(top, at), top, at);
  y = where(std::move(known), std::move(y), std::move(limit), at);
  if (keepdim)
    return y;
  Shape reduced;
  for (int d = 0; d < shape.rank(); ++d)
    if (!std::binary_search(list.begin(), list.end(), d))
      reduced.push_back(shape[d]);
  return raw_reshape(std::move(y), reduced, at, "logsumexp");
}

namespace {
Tensor arg_reduce(OpKind kind, Tensor x, int axis, bool keepdim, Location at, const char *op) {
  require_tensor(x, at, op);
  const Shape shape = x.shape();
  const std::int64_t d = resolve_axis(axis, shape, at, op);
  return keep_dims(apply_one(kind, operand_list(std::move(x)), {d}, at, op), shape, {d}, keepdim, at, op);
}
} // namespace

Tensor argmax(Tensor x, int axis, bool keepdim, Location at) {
  return arg_reduce(OpKind::ArgMax, std::move(x), axis, keepdim, at, "argmax");
}
Tensor argmin(Tensor x, int axis, bool keepdim, Location at) {
  return arg_reduce(OpKind::ArgMin, std::move(x), axis, keepdim, at, "argmin");
}

} // namespace ingot
