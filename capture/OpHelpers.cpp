#include "ingot/capture/OpHelpers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <numeric>

namespace ingot {

void shape_error(const char *op, const std::string &text, Location at) {
  throw ShapeError("[" + std::string(error_name(op)) + "] " + text, CallSite(at));
}

std::vector<std::int64_t> dims_of(const Shape &shape) { return {shape.begin(), shape.end()}; }

void require_tensor(const Tensor &x, Location at, const char *op) {
  if (!x.state())
    throw DispatchError("[" + std::string(error_name(op)) + "] an operand is no tensor", CallSite(at));
}

void require_bool(const Tensor &x, Location at, const char *op) {
  require_tensor(x, at, op);
  if (x.dtype() != DType::Bool)
    throw DTypeError("[" + std::string(error_name(op)) + "] takes bools, not " + std::string(dtype_name(x.dtype())) +
                         "; compare first",
                     CallSite(at));
}

void require_float(const Tensor &x, Location at, const char *op) {
  require_tensor(x, at, op);
  if (!is_float(x.dtype()))
    throw DTypeError("[" + std::string(error_name(op)) + "] takes floats, not " + std::string(dtype_name(x.dtype())),
                     CallSite(at));
}

std::string Scalar::str() const {
  if (isInteger)
    return std::to_string(integer);
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), number).ptr};
}

namespace {

using Bits = std::array<std::byte, 8>;

std::shared_ptr<const Buffer> element_buffer(Bits bits, std::size_t size) {
  std::shared_ptr<Buffer> buffer = Buffer::allocate(size);
  std::memcpy(buffer->data(), bits.data(), size);
  return buffer;
}

/// A number of a program on the lazy device. They come again and again; a thread remembers some of them.
Tensor known_number(Bits bits, DType dtype, const Shape &shape, Location at) {
  struct Known {
    Bits bits{};
    Tensor tensor;
  };
  thread_local std::array<Known, 128> cache;
  std::uint64_t key = std::bit_cast<std::uint64_t>(bits) + static_cast<std::uint64_t>(dtype);
  for (const std::int64_t size : shape)
    key = (key ^ static_cast<std::uint64_t>(size)) * 0x9E3779B97F4A7C15u;
  Known &known = cache[key * 0x9E3779B97F4A7C15u >> 57];
  const TensorState *state = known.tensor.state().get();
  if (!state || known.bits != bits || state->type.dtype != dtype || !(state->type.shape == shape))
    known = {bits,
             make_tensor({dtype, shape}, element_buffer(bits, dtype_size(dtype)), Content::Number, Device::cpu(), at)};
  return known.tensor;
}

} // namespace

Tensor constant_of(const Scalar &value, DType dtype, const Shape &shape, const Device &device, Location at,
                   const char *op, Content content) {
  if (!(value.isInteger ? holds(dtype, value.integer) : holds(dtype, value.number)))
    throw DTypeError("[" + std::string(error_name(op)) + "] the scalar " + value.str() + " cannot be represented in " +
                         std::string(dtype_name(dtype)),
                     CallSite(at));
  Bits bits{};
  visit_dtype(dtype, [&]<class T>() {
    const T element = value.isInteger ? static_cast<T>(value.integer) : static_cast<T>(value.number);
    std::memcpy(bits.data(), &element, sizeof element);
  });
  if (content == Content::Number && device.backend() == Backend::Cpu)
    return known_number(bits, dtype, shape, at);
  return make_tensor({dtype, shape}, element_buffer(bits, dtype_size(dtype)), content,
                     content == Content::Number ? device.inner() : device, at);
}

Shape broadcast_shapes(const Shape &a, const Shape &b, Location at, const char *op) {
  const int rank = std::max(a.rank(), b.rank());
  Shape result;
  for (int d = 0; d < rank; ++d) {
    const int i = d - (rank - a.rank()), j = d - (rank - b.rank());
    const std::int64_t x = i < 0 ? 1 : a[i], y = j < 0 ? 1 : b[j];
    if (x != y && x != 1 && y != 1)
      shape_error(op,
                  "shapes " + a.str() + " and " + b.str() + " cannot be broadcast: dimension " + std::to_string(d) +
                      " has sizes " + std::to_string(x) + " and " + std::to_string(y),
                  at);
    result.push_back(x == 1 ? y : x);
  }
  return result;
}

Tensor raw_reshape(Tensor x, const Shape &shape, Location at, const char *op) {
  if (x.shape() == shape)
    return x;
  return apply_one(OpKind::Reshape, operand_list(std::move(x)), {dims_of(shape)}, at, op);
}

Tensor raw_broadcast(Tensor x, const Shape &shape, std::vector<std::int64_t> dims, Location at, const char *op) {
  if (x.shape() == shape)
    return x;
  return apply_one(OpKind::Broadcast, operand_list(std::move(x)), {dims_of(shape), std::move(dims)}, at, op);
}

Tensor raw_transpose(Tensor x, std::vector<std::int64_t> permutation, Location at, const char *op) {
  bool identity = permutation.size() == static_cast<std::size_t>(x.shape().rank());
  for (std::size_t i = 0; identity && i < permutation.size(); ++i)
    identity = permutation[i] == static_cast<std::int64_t>(i);
  if (identity)
    return x;
  return apply_one(OpKind::Transpose, operand_list(std::move(x)), {std::move(permutation)}, at, op);
}

Tensor broadcast_to_shape(Tensor x, const Shape &shape, Location at, const char *op) {
  if (x.shape() == shape)
    return x;
  std::vector<std::int64_t> dims(static_cast<std::size_t>(x.shape().rank()));
  std::iota(dims.begin(), dims.end(), shape.rank() - x.shape().rank());
  return raw_broadcast(std::move(x), shape, std::move(dims), at, op);
}

Tensor elementwise(OpKind kind, std::initializer_list<Operand *> operands, Location at, const char *op) {
  const TensorState *model = nullptr;
  bool equal = true;
  for (const Operand *operand : operands)
    if (!operand->isScalar) {
      const TensorState *state = operand->tensor.state().get();
      require_tensor(operand->tensor, at, op);
      equal &= !model || state->type.shape == model->type.shape;
      // Inside a capture scalars live where the tensors being captured do.
      if (!model || (state->device.is_capture() && !model->device.is_capture()))
        model = state;
    }
  if (!model)
    shape_error(op, "needs at least one tensor, not scalars alone", at);
  Shape wide;
  const Shape *shape = &model->type.shape;
  if (!equal) {
    wide = *shape;
    for (const Operand *operand : operands)
      if (!operand->isScalar)
        wide = broadcast_shapes(wide, operand->tensor.shape(), at, op);
    shape = &wide;
  }
  TensorList tensors;
  for (const Operand *operand : operands)
    tensors.push_back(operand->isScalar ? constant_of(operand->scalar, model->type.dtype, *shape, model->device, at, op)
                                        : Tensor());
  for (std::size_t i = 0; i < tensors.size(); ++i) // the model may go now
    if (Operand &operand = *operands.begin()[i]; !operand.isScalar)
      tensors[i] = equal ? std::move(operand.tensor) : broadcast_to_shape(std::move(operand.tensor), wide, at, op);
  return apply_one(kind, std::move(tensors), {}, at, op);
}

Tensor unary(OpKind kind, Tensor x, Location at, const char *op) {
  return apply_one(kind, operand_list(std::move(x)), {}, at, op);
}

int resolve_axis(int axis, const Shape &shape, Location at, const char *op) {
  if (axis < -shape.rank() || axis >= shape.rank())
    shape_error(op,
                "axis " + std::to_string(axis) + " is not an axis of " + shape.str() + ", which has rank " +
                    std::to_string(shape.rank()),
                at);
  return axis < 0 ? axis + shape.rank() : axis;
}

std::vector<std::int64_t> resolve_axes(const Axes &axes, const Shape &shape, Location at, const char *op) {
  std::vector<std::int64_t> result;
  if (axes.all()) {
    result.resize(static_cast<std::size_t>(shape.rank()));
    std::iota(result.begin(), result.end(), 0);
    return result;
  }
  for (std::int64_t axis : axes) {
    result.push_back(resolve_axis(static_cast<int>(axis), shape, at, op));
    if (std::count(result.begin(), result.end(), result.back()) > 1)
      shape_error(op, "axis " + std::to_string(axis) + " is named twice for " + shape.str(), at);
  }
  std::sort(result.begin(), result.end());
  return result;
}

} // namespace ingot
