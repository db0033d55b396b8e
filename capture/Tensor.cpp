#include "ingot/capture/Autodiff.h"
#include "ingot/capture/Dispatch.h"
#include "ingot/capture/OpHelpers.h"
#include "ingot/runtime/Rng.h"

#include <cmath>
#include <ostream>

namespace ingot {

namespace {

const TensorState &need(const StateRef &state, Location at, const char *what) {
  if (!state)
    throw DispatchError("[" + std::string(what) + "] the Tensor is empty", CallSite(at));
  return *state;
}

void check_factory_shape(const Shape &shape, Location at, const char *op) {
  for (std::int64_t size : shape)
    if (size < 0)
      shape_error(op, "a dimension of size " + std::to_string(size) + " in the shape " + shape.str(), at);
  with_site(CallSite(at), [&] { (void)shape.num_elements(); });
}

} // namespace

std::ostream &operator<<(std::ostream &out, const TensorId &id) { return out << id.str(); }

Tensor Tensor::from_bytes(const void *data, std::size_t count, DType dtype, Shape shape, const Device &device,
                          Location at) {
  check_factory_shape(shape, at, "from");
  if (static_cast<std::int64_t>(count) != shape.num_elements())
    shape_error("from",
                std::to_string(count) + " values for the shape " + shape.str() + ", which has " +
                    std::to_string(shape.num_elements()) + " elements",
                at);
  std::shared_ptr<Buffer> buffer = Buffer::allocate(count * dtype_size(dtype));
  if (buffer->size())
    std::memcpy(buffer->data(), data, buffer->size());
  return make_tensor({dtype, std::move(shape)}, std::move(buffer), Content::Elements, device, at);
}

Tensor Tensor::full(Shape shape, Scalar value, DType dtype, Device device, Location at) {
  check_factory_shape(shape, at, "full");
  return constant_of(value, dtype, std::move(shape), device, at, "full", Content::Splat);
}
Tensor Tensor::full(Shape shape, Scalar value, Device device, Location at) {
  return full(std::move(shape), value, DType::F32, std::move(device), at);
}
Tensor Tensor::zeros(Shape shape, DType dtype, Device device, Location at) {
  check_factory_shape(shape, at, "zeros");
  return constant_of(0, dtype, std::move(shape), device, at, "zeros", Content::Splat);
}
Tensor Tensor::zeros(Shape shape, Device device, Location at) {
  return zeros(std::move(shape), DType::F32, std::move(device), at);
}
Tensor Tensor::ones(Shape shape, DType dtype, Device device, Location at) {
  check_factory_shape(shape, at, "ones");
  return constant_of(1, dtype, std::move(shape), device, at, "ones", Content::Splat);
}
Tensor Tensor::ones(Shape shape, Device device, Location at) {
  return ones(std::move(shape), DType::F32, std::move(device), at);
}

Tensor Tensor::arange(std::int64_t n, DType dtype, Device device, Location at) {
  check_factory_shape(Shape{n}, at, "arange");
  std::shared_ptr<Buffer> buffer = Buffer::allocate(static_cast<std::size_t>(n) * dtype_size(dtype));
  visit_dtype(dtype, [&]<class T>() {
    for (std::int64_t i = 0; i < n; ++i)
      buffer->as<T>()[i] = static_cast<T>(i);
  });
  return make_tensor({dtype, Shape{n}}, std::move(buffer), Content::Elements, device, at);
}

Tensor Tensor::eye(std::int64_t n, DType dtype, Device device, Location at) {
  check_factory_shape(Shape{n, n}, at, "eye");
  std::shared_ptr<Buffer> buffer = Buffer::zeros(static_cast<std::size_t>(n * n) * dtype_size(dtype));
  visit_dtype(dtype, [&]<class T>() {
    for (std::int64_t i = 0; i < n; ++i)
      buffer->as<T>()[i * n + i] = static_cast<T>(1);
  });
  return make_tensor({dtype, Shape{n, n}}, std::move(buffer), Content::Elements, device, at);
}

namespace {

void require_random_dtype(DType dtype, Location at, const char *op) {
  if (dtype != DType::F32 && dtype != DType::F64)
    throw DTypeError("[" + std::string(op) + "] gives f32 or f64, not " + std::string(dtype_name(dtype)), CallSite(at));
}

template <class F> Tensor fill_floats(Shape shape, DType dtype, const Device &device, Location at, F &&value) {
  const std::int64_t n = shape.num_elements();
  std::shared_ptr<Buffer> buffer = Buffer::allocate(static_cast<std::size_t>(n) * dtype_size(dtype));
  for (std::int64_t i = 0; i < n; ++i)
    if (dtype == DType::F32)
      buffer->as<float>()[i] = static_cast<float>(value(i));
    else
      buffer->as<double>()[i] = value(i);
  return make_tensor({dtype, std::move(shape)}, std::move(buffer), Content::Elements, device, at);
}

} // namespace

Tensor Tensor::uniform(Shape shape, std::uint64_t seed, DType dtype, Device device, Location at) {
  check_factory_shape(shape, at, "uniform");
  require_random_dtype(dtype, at, "uniform");
  const RngKey key = rng_key(seed);
  return fill_floats(std::move(shape), dtype, device, at, [&](std::int64_t i) -> double {
    return dtype == DType::F32 ? rng_unit_f32(rng_bits32(key, static_cast<std::uint64_t>(i)))
                               : rng_unit_f64(rng_bits64(key, static_cast<std::uint64_t>(i)));
  });
}

/// Box and Muller's transform of two uniform numbers per element.
Tensor Tensor::normal(Shape shape, std::uint64_t seed, DType dtype, Device device, Location at) {
  check_factory_shape(shape, at, "normal");
  require_random_dtype(dtype, at, "normal");
  const RngKey key = rng_key(seed);
  return fill_floats(std::move(shape), dtype, device, at, [&](std::int64_t i) {
    const double u = 1 - rng_unit_f64(rng_bits64(key, 2 * static_cast<std::uint64_t>(i))),
                 v = rng_unit_f64(rng_bits64(key, 2 * static_cast<std::uint64_t>(i) + 1));
    return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
  });
}

const Shape &Tensor::shape(Location at) const { return need(state_, at, "shape").type.shape; }
DType Tensor::dtype(Location at) const { return need(state_, at, "dtype").type.dtype; }
Device Tensor::device(Location at) const { return need(state_, at, "device").device; }
TensorId Tensor::id(Location at) const {
  const TensorState &state = need(state_, at, "id");
  // What a capture scope knows is the tensor below.
  return TensorId(state.inner.state() && state.device.is_capture() ? state.inner.state()->id : state.id);
}
std::size_t Tensor::count() const { return static_cast<std::size_t>(shape().num_elements()); }

Tensor Tensor::to(DType dtype, Location at) const {
  require_tensor(*this, at, "to");
  if (this->dtype() == dtype)
    return *this;
  return apply_one(OpKind::Convert, operand_list(*this), {dtype}, at, "to");
}

namespace {

/// A tensor of the same elements, read and stored on a plain device.
Tensor recreate(const TensorState &state, const Tensor &tensor, const Device &device, Location at) {
  if (state.splat && (!device.is_capture() || device.recorder())) // still one number
    return make_tensor(state.type, state.splat, state.number ? Content::Number : Content::Splat, device, at);
  std::shared_ptr<const Buffer> data;
  try {
    data = realize(tensor.state(), at);
  } catch (const InternalError &) {
    throw;
  } catch (const Error &error) {
    throw DispatchError(std::string("Should read data: ") + error.what(), CallSite(at));
  }
  return make_tensor(state.type, std::move(data), Content::Elements, device, at);
}

} // namespace

Tensor Tensor::to(const Device &device, Location at) const {
  const TensorState &state = need(state_, at, "to");
  if (!state.device.is_autodiff() && !device.is_autodiff() && state.device == device)
    return *this;
  const Tensor plain = state.inner.state() ? state.inner : *this;
  const TensorState &below = *plain.state();
  const Device target = device.inner();
  const dispatch::Move move = dispatch::move(dispatch::state_of(state), dispatch::target_of(device),
                                             below.initial != nullptr, id(at).str(), CallSite(at));
  Tensor moved = plain;
  if (move.step == dispatch::Step::Create)
    moved = recreate(below, plain, target, at);
  if (move.step == dispatch::Step::Adopt)
    moved =
        adopt_initializer(*(target.recorder() ? target.recorder() : scope_of(target, at)), plain.state(), target, at);
  if (move.step == dispatch::Step::Same && move.context == state.device.checkpointing())
    return *this;
  return move.context ? wrap_autodiff(std::move(moved), target.autodiff(*move.context)) : moved;
}

const void *Tensor::read(DType wanted, Location at) const {
  if (need(state_, at, "read").type.dtype != wanted)
    throw DTypeError("[read] the tensor is " + std::string(dtype_name(state_->type.dtype)) + " and cannot be read as " +
                         std::string(dtype_name(wanted)) + "; convert it with to(DType)",
                     CallSite(at));
  return realize(state_, at)->data();
}

void Tensor::check_single(Location at) const {
  if (need(state_, at, "item").type.shape.num_elements() != 1)
    shape_error("item", "the tensor has shape " + shape().str() + ", not one element", at);
}

const Tensor &Tensor::eval(Location at) const {
  need(state_, at, "eval");
  realize(state_, at);
  return *this;
}

} // namespace ingot
