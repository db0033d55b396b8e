// Elementwise operations and the composites of them.
#include "ingot/capture/OpHelpers.h"

#include <cmath>

namespace ingot {

Tensor operator+(Operand a, Operand b) {
  Location at = a.isScalar ? b.at : a.at;
  return add(std::move(a), std::move(b), at);
}
Tensor operator-(Operand a, Operand b) {
  Location at = a.isScalar ? b.at : a.at;
  return sub(std::move(a), std::move(b), at);
}
Tensor operator*(Operand a, Operand b) {
  Location at = a.isScalar ? b.at : a.at;
  return mul(std::move(a), std::move(b), at);
}
Tensor operator/(Operand a, Operand b) {
  Location at = a.isScalar ? b.at : a.at;
  return div(std::move(a), std::move(b), at);
}
Tensor operator-(Operand x) { return neg(std::move(x.tensor), x.at); }

namespace {

Tensor binary(OpKind kind, Operand a, Operand b, Location at, const char *op) {
  return elementwise(kind, {&a, &b}, at, op);
}

} // namespace

#include "ingot-gen/ir/OpFunctions.cpp.inc"

Tensor remainder(Operand a, Operand b, Location at) {
  Composite scope("remainder");
  Operand divisor = b;
  Tensor r = binary(OpKind::Rem, std::move(a), std::move(b), at, "remainder");
  Tensor d = divisor.isScalar ? constant_of(divisor.scalar, r.dtype(), r.shape(), r.device(), at, "remainder")
                              : broadcast_to_shape(std::move(divisor.tensor), r.shape(), at, "remainder");
  // As of a positive divisor, where a negative remainder needs one more of it and + 0 makes a zero positive.
  Tensor turned = lt(d, 0, at);
  r = where(turned, neg(r, at), r, at);
  r = add(r, where(lt(r, 0, at), abs(std::move(d), at), 0, at), at);
  return where(std::move(turned), neg(r, at), r, at);
}

namespace {
Tensor logical(OpKind kind, Operand a, Operand b, Location at, const char *op) {
  for (const Operand *x : {&a, &b})
    if (!x->isScalar)
      require_bool(x->tensor, at, op);
  return binary(kind, std::move(a), std::move(b), at, op);
}
} // namespace

Tensor logical_and(Operand a, Operand b, Location at) {
  return logical(OpKind::And, std::move(a), std::move(b), at, "logical_and");
}
Tensor logical_or(Operand a, Operand b, Location at) {
  return logical(OpKind::Or, std::move(a), std::move(b), at, "logical_or");
}
Tensor logical_not(Tensor x, Location at) {
  require_bool(x, at, "logical_not");
  return unary(OpKind::Not, std::move(x), at, "logical_not");
}

Tensor where(Tensor c, Operand a, Operand b, Location at) {
  require_tensor(c, at, "where");
  for (const Operand *choice : {&a, &b})
    if (!choice->isScalar)
      require_tensor(choice->tensor, at, "where");
  if (a.isScalar && b.isScalar)
    shape_error("where", "needs at least one tensor to choose from, not scalars alone", at);
  const Tensor &model = a.isScalar ? b.tensor : a.tensor;
  const DType dtype = model.dtype();
  const Device device = model.device();
  Shape shape = broadcast_shapes(c.shape(), model.shape(), at, "where");
  if (!a.isScalar && !b.isScalar)
    shape = broadcast_shapes(shape, b.tensor.shape(), at, "where");
  auto choice = [&](Operand &x) {
    return x.isScalar ? constant_of(x.scalar, dtype, shape, device, at, "where")
                      : broadcast_to_shape(std::move(x.tensor), shape, at, "where");
  };
  TensorList operands;
  operands.push_back(broadcast_to_shape(std::move(c), shape, at, "where"));
  operands.push_back(choice(a));
  operands.push_back(choice(b));
  return apply_one(OpKind::Select, std::move(operands), {}, at, "where");
}

Tensor clip(Tensor x, Operand lo, Operand hi, Location at) {
  Composite scope("clip");
  return minimum(maximum(std::move(x), std::move(lo), at), std::move(hi), at);
}

Tensor reciprocal(Tensor x, Location at) {
  Composite scope("reciprocal");
  require_float(x, at, "reciprocal");
  return div(1.0, std::move(x), at);
}
Tensor isnan(Tensor x, Location at) {
  Composite scope("isnan");
  return ne(x, x, at);
}
Tensor isinf(Tensor x, Location at) {
  Composite scope("isinf");
  require_tensor(x, at, "isinf");
  if (!is_float(x.dtype()))
    return ne(x, x, at);
  return eq(abs(std::move(x), at), INFINITY, at);
}
Tensor isfinite(Tensor x, Location at) {
  Composite scope("isfinite");
  require_tensor(x, at, "isfinite");
  if (!is_float(x.dtype()))
    return eq(x, x, at);
  return lt(abs(std::move(x), at), INFINITY, at);
}

Tensor relu(Tensor x, Location at) {
  Composite scope("relu");
  return where(le(x, 0, at), 0, x, at); // NaN is not <= 0 and stays; the derivative at 0 is 0
}
Tensor gelu(Tensor x, Location at) {
  Composite scope("gelu");
  require_float(x, at, "gelu");
  Tensor half = mul(x, 0.5, at);
  return mul(std::move(half), add(erf(mul(x, 0.70710678118654752440, at), at), 1.0, at), at);
}
Tensor silu(Tensor x, Location at) {
  Composite scope("silu");
  return mul(x, sigmoid(x, at), at);
}
/// max(x, 0) + log(1 + exp(-|x|)): no overflow.
Tensor softplus(Tensor x, Location at) {
  Composite scope("softplus");
  return logaddexp(x, 0, at); // has a second derivative at 0 too
}

} // namespace ingot
