// Operations on tensors. Shapes broadcast as in NumPy; dtypes never promote, but a C++ scalar takes the tensor's dtype.
// A negative axis counts from the end; an empty list of axes means all; lists of numbers are braces, a std::vector or a
// Shape. Bad operands throw ShapeError or DTypeError
// with the caller's line.
#pragma once

#include "ingot/capture/Operand.h"
#include "ingot/runtime/Shape.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ingot {

// Elementwise ---------------------------------------------------------------------------------------------------

// One function for each op of one element: add, exp, maximum, tanh, ... (docs/generated/ops.md)
#include "ingot-gen/ir/OpFunctions.h.inc"

/// Remainder with the sign of b, as NumPy's; x for b = 0 in integers.
Tensor remainder(Operand a, Operand b, Location at = Location::current());
/// Of bools.
Tensor logical_and(Operand a, Operand b, Location at = Location::current());
Tensor logical_or(Operand a, Operand b, Location at = Location::current());
Tensor logical_not(Tensor x, Location at = Location::current());
/// a where the bool c holds, else b.
Tensor where(Tensor c, Operand a, Operand b, Location at = Location::current());
Tensor clip(Tensor x, Operand lo, Operand hi, Location at = Location::current());

Tensor reciprocal(Tensor x, Location at = Location::current());
Tensor isnan(Tensor x, Location at = Location::current());
Tensor isinf(Tensor x, Location at = Location::current());
Tensor isfinite(Tensor x, Location at = Location::current());
/// max(x, 0); NaN stays.
Tensor relu(Tensor x, Location at = Location::current());
/// x times the normal distribution function at x, with erf.
Tensor gelu(Tensor x, Location at = Location::current());
Tensor silu(Tensor x, Location at = Location::current());
Tensor softplus(Tensor x, Location at = Location::current());

// Shape ---------------------------------------------------------------------------------------------------------

/// One entry may be -1: what is left.
Tensor reshape(Tensor x, Shape shape, Location at = Location::current());
/// Reversed dimensions when no permutation is given.
Tensor transpose(Tensor x, Numbers permutation = {}, Location at = Location::current());
Tensor broadcast_to(Tensor x, Shape shape, Location at = Location::current());
Tensor expand_dims(Tensor x, int axis, Location at = Location::current());
Tensor squeeze(Tensor x, Axes axes = {}, Location at = Location::current());
/// Negative starts and stops count from the end; stops past the end are the end.
Tensor slice(Tensor x, Numbers starts, Numbers stops, Numbers steps = {}, Location at = Location::current());
Tensor concat(std::vector<Tensor> list, int axis, Location at = Location::current());
Tensor stack(std::vector<Tensor> list, int axis, Location at = Location::current());
/// Equal parts along the axis.
std::vector<Tensor> split(Tensor x, int sections, int axis, Location at = Location::current());
Tensor pad(Tensor x, Numbers low, Numbers high, double value = 0, Location at = Location::current());
Tensor flip(Tensor x, Axes axes, Location at = Location::current());

// Reductions ----------------------------------------------------------------------------------------------------

Tensor sum(Tensor x, Axes axes = {}, bool keepdim = false, Location at = Location::current());
Tensor mean(Tensor x, Axes axes = {}, bool keepdim = false, Location at = Location::current());
Tensor prod(Tensor x, Axes axes = {}, bool keepdim = false, Location at = Location::current());
/// Of an empty axis: an error. NaN wins.
Tensor max(Tensor x, Axes axes = {}, bool keepdim = false, Location at = Location::current());
Tensor min(Tensor x, Axes axes = {}, bool keepdim = false, Location at = Location::current());
/// Of bools.
Tensor any(Tensor x, Axes axes = {}, bool keepdim = false, Location at = Location::current());
Tensor all(Tensor x, Axes axes = {}, bool keepdim = false, Location at = Location::current());
/// Mean squared distance to the mean (divided by n).
Tensor var(Tensor x, Axes axes = {}, bool keepdim = false, Location at = Location::current());
Tensor logsumexp(Tensor x, Axes axes = {}, bool keepdim = false, Location at = Location::current());
/// Position (i64) of the first largest or smallest element along the axis; NaN wins.
Tensor argmax(Tensor x, int axis, bool keepdim = false, Location at = Location::current());
Tensor argmin(Tensor x, int axis, bool keepdim = false, Location at = Location::current());

// Products ------------------------------------------------------------------------------------------------------

/// NumPy's rules: vectors are rows or columns, batch dimensions broadcast.
Tensor matmul(Tensor a, Tensor b, Location at = Location::current());
/// Einstein summation: "bij,bjk->bik". Without "->" the result has the labels that are named once, in the order of
/// letters; a label twice in one operand takes the diagonal.
Tensor einsum(const std::string &equation, std::vector<Tensor> list, Location at = Location::current());

// Indices (i32 or i64; negative ones count from the end; one outside its axis is an error when the value is used) ----

Tensor take(Tensor x, Tensor indices, int axis, Location at = Location::current());
Tensor take_along_axis(Tensor x, Tensor indices, int axis, Location at = Location::current());
Tensor one_hot(Tensor indices, std::int64_t n, DType dtype = DType::F32, Location at = Location::current());

// Composites ----------------------------------------------------------------------------------------------------

Tensor softmax(Tensor x, int axis, Location at = Location::current());
Tensor log_softmax(Tensor x, int axis, Location at = Location::current());
/// Over the last axis: (x - mean) / sqrt(variance + eps), times weight, plus bias.
Tensor layer_norm(Tensor x, std::optional<Tensor> weight = std::nullopt, std::optional<Tensor> bias = std::nullopt,
                  double eps = 1e-5, Location at = Location::current());
/// Over the last axis: x / sqrt(mean of squares + eps), times weight.
Tensor rms_norm(Tensor x, std::optional<Tensor> weight = std::nullopt, double eps = 1e-5,
                Location at = Location::current());
/// Mean over the batch of -log softmax(logits)[label]; logits (batch, classes), labels (batch) of i32 or i64.
Tensor cross_entropy(Tensor logits, Tensor labels, Location at = Location::current());
Tensor mse_loss(Tensor prediction, Tensor target, Location at = Location::current());
struct AttentionOptions {
  bool causal = false;
  std::optional<Tensor> mask = std::nullopt; ///< bool, true where a key may be seen
  double scale = 0;                          ///< 0: 1 / sqrt(depth)
};
/// softmax(q k^T scale) v over the last two axes (positions, depth). A query that sees no key gets zeros.
Tensor attention(Tensor q, Tensor k, Tensor v, AttentionOptions options = {}, Location at = Location::current());
/// Zeroes elements with probability `rate` and scales the others by 1 / (1 - rate); `key` is i64[2].
Tensor dropout(Tensor x, double rate, Tensor key, Location at = Location::current());

} // namespace ingot
