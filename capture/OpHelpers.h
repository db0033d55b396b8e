// What the op families share: scalars as constants, broadcasting, axes.
#pragma once

#include "ingot/capture/Ops.h"
#include "ingot/capture/Recorder.h"

#include <span>

namespace ingot {

/// A constant of the shape on the device, in the dtype, which must be able to hold it; a number of an expression is a
/// plain tensor, also for autodiff. Throws DTypeError.
Tensor constant_of(const Scalar &value, DType dtype, const Shape &shape, const Device &device, Location at,
                   const char *op, Content content = Content::Number);
/// The operand broadcast to the shape.
Tensor broadcast_to_shape(Tensor x, const Shape &shape, Location at, const char *op);
/// The shape both broadcast to. Throws ShapeError.
Shape broadcast_shapes(const Shape &a, const Shape &b, Location at, const char *op);
/// Elementwise over operands, which are given up, after broadcasting; scalars take the tensors' dtype.
Tensor elementwise(OpKind kind, std::initializer_list<Operand *> operands, Location at, const char *op);
Tensor unary(OpKind kind, Tensor x, Location at, const char *op);
/// The axis as a dimension of x. Throws ShapeError.
int resolve_axis(int axis, const Shape &shape, Location at, const char *op);
/// Ascending dimensions; all for none.
std::vector<std::int64_t> resolve_axes(const Axes &axes, const Shape &shape, Location at, const char *op);
[[noreturn]] void shape_error(const char *op, const std::string &text, Location at);
/// Refuse an empty handle, which has neither shape nor dtype. Throws DispatchError.
void require_tensor(const Tensor &x, Location at, const char *op);
void require_bool(const Tensor &x, Location at, const char *op);
void require_float(const Tensor &x, Location at, const char *op);
std::vector<std::int64_t> dims_of(const Shape &shape);
Tensor raw_reshape(Tensor x, const Shape &shape, Location at, const char *op);
Tensor raw_broadcast(Tensor x, const Shape &shape, std::vector<std::int64_t> dims, Location at, const char *op);
Tensor raw_transpose(Tensor x, std::vector<std::int64_t> permutation, Location at, const char *op);

} // namespace ingot
