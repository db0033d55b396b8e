// Functions over primitives that keep their name as a scope on what they record.
#include "ingot/capture/OpHelpers.h"

#include <algorithm>
#include <cmath>

namespace ingot {

namespace {

/// x with its largest element along the axis taken out: no exponential of it overflows. Nothing stays nothing.
Tensor without_top(const Tensor &x, int axis, Location at) {
  if (x.shape()[axis] == 0)
    return x;
  return sub(x, stop_gradient(max(x, axis, true, at), at), at);
}

/// softmax along the last axis, where a row that is -inf throughout weighs nothing.
Tensor softmax_of_masked(const Tensor &x, Location at) {
  Composite scope("softmax");
  if (x.shape().back() == 0)
    return x;
  Tensor top = stop_gradient(max(x, -1, true, at), at);
  top = where(eq(top, -INFINITY, at), 0.0, top, at);
  Tensor e = exp(sub(x, std::move(top), at), at), total = sum(e, -1, true, at);
  return div(std::move(e), where(eq(total, 0, at), 1.0, total, at), at);
}

} // namespace

Tensor softmax(Tensor x, int axis, Location at) {
  Composite scope("softmax");
  require_float(x, at, "softmax");
  axis = resolve_axis(axis, x.shape(), at, "softmax");
  Tensor e = exp(without_top(x, axis, at), at);
  return div(e, sum(e, axis, true, at), at);
}

Tensor log_softmax(Tensor x, int axis, Location at) {
  Composite scope("log_softmax");
  require_float(x, at, "log_softmax");
  axis = resolve_axis(axis, x.shape(), at, "log_softmax");
  Tensor shifted = without_top(x, axis, at);
  return sub(shifted, log(sum(exp(shifted, at), axis, true, at), at), at);
}

Tensor layer_norm(Tensor x, std::optional<Tensor> weight, std::optional<Tensor> bias, double eps, Location at) {
  Composite scope("layer_norm");
  require_float(x, at, "layer_norm");
  resolve_axis(-1, x.shape(), at, "layer_norm");
  Tensor centred = sub(x, mean(x, -1, true, at), at);
  Tensor y = mul(centred, rsqrt(add(mean(mul(centred, centred, at), -1, true, at), eps, at), at), at);
  if (weight)
    y = mul(std::move(y), *weight, at);
  return bias ? add(std::move(y), *bias, at) : y;
}

Tensor rms_norm(Tensor x, std::optional<Tensor> weight, double eps, Location at) {
  Composite scope("rms_norm");
  require_float(x, at, "rms_norm");
  resolve_axis(-1, x.shape(), at, "rms_norm");
  Tensor y = mul(x, rsqrt(add(mean(mul(x, x, at), -1, true, at), eps, at), at), at);
  return weight ? mul(std::move(y), *weight, at) : y;
}

Tensor cross_entropy(Tensor logits, Tensor labels, Location at) {
  Composite scope("cross_entropy");
  require_float(logits, at, "cross_entropy");
  require_tensor(labels, at, "cross_entropy");
  const Shape x = logits.shape(), y = labels.shape();
  if (x.rank() != 2 || y.rank() != 1 || x[0] != y[0])
    shape_error("cross_entropy",
                "logits are " + x.str() + ", labels " + y.str() + "; they have to be (batch, classes) and (batch)", at);
  Tensor p = log_softmax(std::move(logits), 1, at);
  Tensor picked =
      take_along_axis(std::move(p), raw_reshape(std::move(labels), Shape{y[0], 1}, at, "cross_entropy"), 1, at);
  return neg(mean(std::move(picked), {}, false, at), at);
}

Tensor mse_loss(Tensor prediction, Tensor target, Location at) {
  Composite scope("mse_loss");
  Tensor distance = sub(std::move(prediction), std::move(target), at);
  return mean(mul(distance, distance, at), {}, false, at);
}

Tensor attention(Tensor q, Tensor k, Tensor v, AttentionOptions options, Location at) {
  Composite scope("attention");
  require_float(q, at, "attention");
  require_tensor(k, at, "attention");
  require_tensor(v, at, "attention");
  if (q.shape().rank() < 2 || k.shape().rank() != q.shape().rank() || v.shape().rank() != q.shape().rank())
    shape_error("attention",
                "q, k and v are " + q.shape().str() + ", " + k.shape().str() + " and " + v.shape().str() +
                    "; they need equal ranks of at least 2",
                at);
  const int rank = q.shape().rank();
  const std::int64_t queries = q.shape()[rank - 2], keys = k.shape()[rank - 2];
  const double scale =
      options.scale != 0 ? options.scale : 1 / std::sqrt(double(std::max<std::int64_t>(q.shape()[rank - 1], 1)));
  std::vector<int> swap(static_cast<std::size_t>(rank));
  for (int d = 0; d < rank; ++d)
    swap[static_cast<std::size_t>(d)] = d;
  std::swap(swap[static_cast<std::size_t>(rank - 1)], swap[static_cast<std::size_t>(rank - 2)]);
  Tensor score = mul(matmul(std::move(q), transpose(std::move(k), swap, at), at), scale, at);
  const double hidden = -INFINITY;
  if (options.causal) {
    Tensor row = reshape(Tensor::arange(queries, DType::I64, score.device(), at), {queries, 1}, at);
    Tensor seen = ge(row, Tensor::arange(keys, DType::I64, score.device(), at), at);
    score = where(std::move(seen), std::move(score), hidden, at);
  }
  if (options.mask)
    score = where(*options.mask, std::move(score), hidden, at);
  Tensor weights = options.mask ? softmax_of_masked(score, at) : softmax(std::move(score), -1, at);
  return matmul(std::move(weights), std::move(v), at);
}

Tensor dropout(Tensor x, double rate, Tensor key, Location at) {
  Composite scope("dropout");
  require_float(x, at, "dropout");
  if (!(rate >= 0 && rate < 1))
    shape_error("dropout", "the rate " + std::to_string(rate) + " is not in [0, 1)", at);
  Tensor bits =
      apply_one(OpKind::RngBits, operand_list(std::move(key)), {dims_of(x.shape()), DType::I32}, at, "dropout");
  Tensor mask =
      apply_one(OpKind::And,
                operand_list(std::move(bits), constant_of(0xFFFFFF, DType::I32, x.shape(), x.device(), at, "dropout")),
                {}, at, "dropout");
  Tensor keep = ge(mask, std::int32_t(rate * 0x1000000), at);
  return where(std::move(keep), mul(x, 1 / (1 - rate), at), 0, at);
}

} // namespace ingot
