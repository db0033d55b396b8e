// An empty Tensor is refused with the op's name at the line of the call, whatever is done with it.
#include "Expect.h"

namespace ingot {
namespace {

const Tensor a = Tensor::zeros({3, 4}), m = gt(a, 0), i = Tensor::zeros({3}, DType::I64), none;

struct Case {
  const char *op;
  std::function<void()> run;
  std::source_location at;
  Case(const char *op, std::function<void()> run, std::source_location at = std::source_location::current())
      : op(op), run(std::move(run)), at(at) {}
};

TEST(EmptyTensorErrors, OfEveryOp) {
  const std::vector<Case> cases{
      {"exp", [] { exp(none); }},
      {"add", [] { none + 1.0; }},
      {"add", [] { a + none; }},
      {"neg", [] { -none; }},
      {"remainder", [] { remainder(none, a); }},
      {"remainder", [] { remainder(a, none); }},
      {"logical_and", [] { logical_and(m, none); }},
      {"logical_not", [] { logical_not(none); }},
      {"where", [] { where(none, a, a); }},
      {"where", [] { where(m, a, none); }},
      {"where", [] { where(m, 1.0, none); }},
      {"clip", [] { clip(none, 0, 1); }},
      {"clip", [] { clip(a, 0, none); }},
      {"reciprocal", [] { reciprocal(none); }},
      {"isnan", [] { isnan(none); }},
      {"isinf", [] { isinf(none); }},
      {"isfinite", [] { isfinite(none); }},
      {"relu", [] { relu(none); }},
      {"gelu", [] { gelu(none); }},
      {"silu", [] { silu(none); }},
      {"softplus", [] { softplus(none); }},
      {"reshape", [] { reshape(none, {2, -1}); }},
      {"reshape", [] { reshape(none, {2}); }},
      {"transpose", [] { transpose(none); }},
      {"transpose", [] { transpose(none, {1, 0}); }},
      {"broadcast_to", [] { broadcast_to(none, {2}); }},
      {"expand_dims", [] { expand_dims(none, 0); }},
      {"squeeze", [] { squeeze(none); }},
      {"slice", [] { slice(none, {0}, {1}); }},
      {"concat", [] { concat({a, none}, 0); }},
      {"concat", [] { concat({none, a}, 0); }},
      {"stack", [] { stack({a, none}, 0); }},
      {"split", [] { split(none, 2, 0); }},
      {"pad", [] { pad(none, {0}, {1}); }},
      {"flip", [] { flip(none, 0); }},
      {"sum", [] { sum(none); }},
      {"mean", [] { mean(none); }},
      {"prod", [] { prod(none); }},
      {"max", [] { max(none, 0); }},
      {"min", [] { min(none); }},
      {"any", [] { any(none); }},
      {"all", [] { all(none); }},
      {"var", [] { var(none); }},
      {"logsumexp", [] { logsumexp(none); }},
      {"argmax", [] { argmax(none, 0); }},
      {"argmin", [] { argmin(none, 0); }},
      {"matmul", [] { matmul(none, a); }},
      {"matmul", [] { matmul(a, none); }},
      {"einsum", [] { einsum("ij,jk->ik", {a, none}); }},
      {"take", [] { take(none, i, 0); }},
      {"take", [] { take(a, none, 0); }},
      {"take_along_axis", [] { take_along_axis(none, i, 0); }},
      {"take_along_axis", [] { take_along_axis(a, none, 0); }},
      {"one_hot", [] { one_hot(none, 3); }},
      {"softmax", [] { softmax(none, 0); }},
      {"log_softmax", [] { log_softmax(none, 0); }},
      {"layer_norm", [] { layer_norm(none); }},
      {"layer_norm", [] { layer_norm(a, none); }},
      {"layer_norm", [] { layer_norm(a, std::nullopt, none); }},
      {"rms_norm", [] { rms_norm(none); }},
      {"rms_norm", [] { rms_norm(a, none); }},
      {"cross_entropy", [] { cross_entropy(none, i); }},
      {"cross_entropy", [] { cross_entropy(a, none); }},
      {"mse_loss", [] { mse_loss(a, none); }},
      {"attention", [] { attention(none, a, a); }},
      {"attention", [] { attention(a, none, a); }},
      {"attention", [] { attention(a, a, none); }},
      {"attention", [] { attention(a, a, a, {.mask = none}); }},
      {"dropout", [] { dropout(none, 0.5, i); }},
      {"dropout", [] { dropout(a, 0.5, none); }},
      {"stop_gradient", [] { stop_gradient(none); }},
      {"to", [] { none.to(DType::I32); }},
  };
  for (const Case &c : cases)
    expect_error<DispatchError>(c.at, c.run, "[" + std::string(c.op) + "] an operand is no tensor");
}

TEST(EmptyTensorErrors, OfEveryAccessor) {
  EXPECT_ERROR(DispatchError, [] { none.shape(); }, "[shape] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.dtype(); }, "[dtype] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.device(); }, "[device] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.id(); }, "[id] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.to(Device::reference()); }, "[to] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.to_vector<float>(); }, "[read] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.item<float>(); }, "[item] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.eval(); }, "[eval] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.backward(); }, "[backward] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.require_grad(); }, "[require_grad] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.detach(); }, "[detach] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.autodiff(); }, "[autodiff] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.inner(); }, "[inner] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { none.gradient_checkpointing_strategy(); }, "[device] the Tensor is empty");
  EXPECT_ERROR(
      DispatchError, [] { none.with_gradient_checkpointing_strategy(Checkpointing::None); },
      "[device] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { Gradients().replace(none, a); }, "[replace] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { Gradients().replace(a.autodiff(), none); }, "[replace] the Tensor is empty");
  EXPECT_ERROR(DispatchError, [] { grad([](Tensor t) { return sum(t); }, {0})(none); }, "[grad] the Tensor is empty");
}

} // namespace
} // namespace ingot
