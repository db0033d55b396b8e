// Operands, shapes, dtypes, scalars, devices: refused when an op is recorded.
#include "Expect.h"

namespace ingot {
namespace {

const Tensor a = Tensor::zeros({3, 4}), b = Tensor::zeros({5, 6}), i = Tensor::zeros({3, 4}, DType::I32), m = gt(a, 0);

TEST(OperandErrors, Elementwise) {
  EXPECT_ERROR(
      ShapeError, [] { a + b; }, "[add] shapes 3x4 and 5x6 cannot be broadcast: dimension 0 has sizes 3 and 5");
  EXPECT_ERROR(
      DTypeError, [] { a + i; }, "[add] operands are f32 and i32; convert one of them, there is no implicit promotion");
  EXPECT_ERROR(DTypeError, [] { exp(i); }, "[exp] does not take i32, but f64 and f32");
  EXPECT_ERROR(
      DTypeError, [] { Tensor::zeros({2}, DType::F16) + 1.0; }, "[add] does not take f16, but f64, f32, i64 and i32");
  EXPECT_ERROR(DTypeError, [] { where(a, a, a); }, "[where] the condition is f32; it has to be bool");
  EXPECT_ERROR(DTypeError, [] { logical_and(i, i); }, "[logical_and] takes bools, not i32; compare first");
  EXPECT_ERROR(ShapeError, [] { add(1.0, 2.0); }, "[add] needs at least one tensor, not scalars alone");
  EXPECT_ERROR(DispatchError, [] { a + Tensor(); }, "[add] an operand is no tensor");
}

TEST(OperandErrors, ScalarsMustFit) {
  EXPECT_ERROR(DTypeError, [] { i + 0.5; }, "[add] the scalar 0.5 cannot be represented in i32");
  EXPECT_ERROR(DTypeError, [] { i * 3000000000; }, "[mul] the scalar 3000000000 cannot be represented in i32");
  EXPECT_ERROR(DTypeError, [] { clip(i, 0.5, 1); }, "[clip] the scalar 0.5 cannot be represented in i32");
  EXPECT_ERROR(
      DTypeError, [] { Tensor::full({2}, 0.5, DType::I32); }, "[full] the scalar 0.5 cannot be represented in i32");
  EXPECT_ERROR(DTypeError, [] { a * 1e300; }, "[mul] the scalar 1e+300 cannot be represented in f32");
}

TEST(OperandErrors, Shapes) {
  EXPECT_ERROR(ShapeError, [] { reshape(a, {5, 5}); }, "[reshape] 3x4 has 12 elements, 5x5 has 25");
  EXPECT_ERROR(
      ShapeError, [] { reshape(a, {-1, 5}); },
      "[reshape] 3x4 has 12 elements, which the other dimensions of the shape (5 elements) do not divide");
  EXPECT_ERROR(
      ShapeError, [] { transpose(a, {0, 0}); }, "[transpose] [0, 0] is no permutation of the 2 dimensions of 3x4");
  EXPECT_ERROR(
      ShapeError, [] { concat({a, b}, 0); }, "[concat] tensors are 3x4 and 5x6; they may differ along axis 0 alone");
  EXPECT_ERROR(ShapeError, [] { stack({a, b}, 0); }, "[stack] tensors are 3x4 and 5x6; they have to be equal");
  EXPECT_ERROR(ShapeError, [] { split(a, 3, 1); }, "[split] axis 1 of 3x4 does not divide into 3 equal parts");
  EXPECT_ERROR(ShapeError, [] { squeeze(a, 0); }, "[squeeze] axis 0 of 3x4 has size 3, not 1");
  EXPECT_ERROR(ShapeError, [] { slice(a, {0, 0}, {1, 1}, {0, 1}); }, "[slice] step 0 of dimension 0 is not positive");
  EXPECT_ERROR(ShapeError, [] { flip(a, 7); }, "[flip] axis 7 is not an axis of 3x4, which has rank 2");
}

TEST(OperandErrors, ReductionsAndProducts) {
  EXPECT_ERROR(
      ShapeError, [] { matmul(a, b); },
      "[matmul] inner sizes differ: a is 3x4, b is 5x6; the last dimension of a (4) has to equal the rows of b (5)");
  EXPECT_ERROR(ShapeError, [] { sum(a, {0, 0}); }, "[sum] axis 0 is named twice for 3x4");
  EXPECT_ERROR(
      ShapeError, [] { max(Tensor::zeros({0, 2}), 0); }, "[max] axis 0 of 0x2 is empty, and nothing has no extremum");
  EXPECT_ERROR(DTypeError, [] { mean(i); }, "[mean] takes floats, not i32");
  EXPECT_ERROR(DTypeError, [] { any(a); }, "[any] takes bools, not f32; compare first");
  EXPECT_ERROR(ShapeError, [] { einsum("ij,jk", {a, b}); }, "[einsum] 'j' is 4 and 5 in 'ij,jk'");
  EXPECT_ERROR(ShapeError, [] { einsum("i.->i", {a}); }, "[einsum] '.' in 'i.->i' is no label; labels are letters");
}

TEST(OperandErrors, CompositesSpeakTheirOwnName) {
  EXPECT_ERROR(ShapeError, [] { softmax(a, 2); }, "[softmax] axis 2 is not an axis of 3x4, which has rank 2");
  EXPECT_ERROR(DTypeError, [] { log_softmax(i, 1); }, "[log_softmax] takes floats, not i32");
  EXPECT_ERROR(
      ShapeError, [] { layer_norm(a, b); },
      "[layer_norm] shapes 3x4 and 5x6 cannot be broadcast: dimension 0 has sizes 3 and 5");
  EXPECT_ERROR(
      ShapeError, [] { cross_entropy(a, Tensor::zeros({2}, DType::I64)); },
      "[cross_entropy] logits are 3x4, labels 2; they have to be (batch, classes) and (batch)");
  EXPECT_ERROR(
      ShapeError, [] { mse_loss(a, b); },
      "[mse_loss] shapes 3x4 and 5x6 cannot be broadcast: dimension 0 has sizes 3 and 5");
  EXPECT_ERROR(DTypeError, [] { one_hot(a, 3); }, "[one_hot] indices are f32; they have to be i32 or i64");
}

TEST(OperandErrors, Tensors) {
  EXPECT_ERROR(
      ShapeError, [] { Tensor::from<float>({1, 2, 3}, {2, 2}); },
      "[from] 3 values for the shape 2x2, which has 4 elements");
  EXPECT_ERROR(ShapeError, [] { Tensor::zeros({2, -3}); }, "[zeros] a dimension of size -3 in the shape 2x-3");
  EXPECT_ERROR(ShapeError, [] { a.item<float>(); }, "[item] the tensor has shape 3x4, not one element");
  EXPECT_ERROR(
      DTypeError, [] { a.to_vector<double>(); },
      "[read] the tensor is f32 and cannot be read as f64; convert it with to(DType)");
}

TEST(OperandErrors, Backends) {
  const Tensor r = Tensor::zeros({3, 4}, Device::reference());
  EXPECT_ERROR(
      DispatchError, [&] { a + r; },
      "The provided tensors are not on the same backend. Got backends Cpu and Reference.");
  EXPECT_ERROR(
      DispatchError, [&] { r + a; },
      "The provided tensors are not on the same backend. Got backends Reference and Cpu.");
  EXPECT_ERROR(DispatchError, [&] { where(m, a, r); }, "input tensor `b` is on the wrong backend");
  const Tensor balanced = Tensor::ones({3, 4}, Device::cpu().autodiff(Checkpointing::Balanced));
  const Tensor none = Tensor::ones({3, 4}, Device::cpu().autodiff());
  EXPECT_ERROR(
      DispatchError, [&] { balanced + none; },
      "Gradient checkpointing strategy mismatch: Balanced vs None. "
      "Tensors in the same operation must share a strategy.");
}

TEST(OperandErrors, Autodiff) {
  EXPECT_ERROR(GradientError, [] { Tensor::ones({2}).backward(); }, "Requires autodiff tensor.");
  EXPECT_ERROR(GradientError, [] { Device::cpu().autodiff().autodiff(); }, "Only first-order autodiff is supported");
}

} // namespace
} // namespace ingot
