// Tensor: an immutable value, cheap to copy. What it holds may not be computed yet; reading computes it.
#pragma once

#include "ingot/capture/Device.h"
#include "ingot/capture/StateRef.h"
#include "ingot/runtime/DType.h"
#include "ingot/runtime/Shape.h"

#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace ingot {

class Gradients;
using Location = std::source_location;

/// A C++ number of any arithmetic type; it takes the dtype of the tensor it meets, which must be able to hold it.
struct Scalar {
  double number = 0;
  std::int64_t integer = 0; ///< the exact value when isInteger
  bool isInteger = false;

  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr Scalar(T value) : number(static_cast<double>(value)) {
    if constexpr (std::is_integral_v<T>)
      if (sizeof(T) < 8 || std::is_signed_v<T> || value <= static_cast<T>(INT64_MAX)) {
        integer = static_cast<std::int64_t>(value);
        isInteger = true;
      }
  }
  std::string str() const;
};

/// Names a tensor within the process; printed as `TensorId(7)`.
struct TensorId {
  explicit TensorId(std::uint64_t value = 0) : value(value) {}
  std::uint64_t value;
  std::string str() const { return "TensorId(" + std::to_string(value) + ")"; }
  friend bool operator==(const TensorId &, const TensorId &) = default;
};
std::ostream &operator<<(std::ostream &out, const TensorId &id);

class Tensor {
public:
  /// No tensor; every use but assignment and destruction is an error.
  Tensor() = default;

  /// Elements in row-major order; their number must be the shape's. Throws ShapeError.
  template <class T>
  static Tensor from(std::span<const T> values, Shape shape, Device device = Device(),
                     Location at = Location::current()) {
    return from_bytes(values.data(), values.size(), dtype_of<T>(), std::move(shape), device, at);
  }
  template <class T>
  static Tensor from(const std::vector<T> &values, Shape shape, Device device = Device(),
                     Location at = Location::current()) {
    if constexpr (std::is_same_v<T, bool>) {
      auto copy = std::make_unique<bool[]>(values.size());
      for (std::size_t i = 0; i < values.size(); ++i)
        copy[i] = values[i];
      return from_bytes(copy.get(), values.size(), DType::Bool, std::move(shape), device, at);
    } else {
      return from_bytes(values.data(), values.size(), dtype_of<T>(), std::move(shape), device, at);
    }
  }
  template <class T>
  static Tensor from(std::initializer_list<T> values, Shape shape, Device device = Device(),
                     Location at = Location::current()) {
    return from_bytes(values.begin(), values.size(), dtype_of<T>(), std::move(shape), device, at);
  }

  static Tensor zeros(Shape shape, DType dtype = DType::F32, Device device = Device(),
                      Location at = Location::current());
  static Tensor zeros(Shape shape, Device device, Location at = Location::current());
  static Tensor ones(Shape shape, DType dtype = DType::F32, Device device = Device(),
                     Location at = Location::current());
  static Tensor ones(Shape shape, Device device, Location at = Location::current());
  /// Every element `value`, which the dtype must be able to hold. Throws DTypeError.
  static Tensor full(Shape shape, Scalar value, DType dtype = DType::F32, Device device = Device(),
                     Location at = Location::current());
  static Tensor full(Shape shape, Scalar value, Device device, Location at = Location::current());
  /// 0, 1, ..., n - 1.
  static Tensor arange(std::int64_t n, DType dtype = DType::I64, Device device = Device(),
                       Location at = Location::current());
  /// The n x n identity.
  static Tensor eye(std::int64_t n, DType dtype = DType::F32, Device device = Device(),
                    Location at = Location::current());
  /// Uniform in [0, 1), a function of the seed alone.
  static Tensor uniform(Shape shape, std::uint64_t seed = 0, DType dtype = DType::F32, Device device = Device(),
                        Location at = Location::current());
  static Tensor uniform(Shape shape, Device device, Location at = Location::current()) {
    return uniform(std::move(shape), 0, DType::F32, std::move(device), at);
  }
  /// Standard normal, a function of the seed alone.
  static Tensor normal(Shape shape, std::uint64_t seed = 0, DType dtype = DType::F32, Device device = Device(),
                       Location at = Location::current());
  static Tensor normal(Shape shape, Device device, Location at = Location::current()) {
    return normal(std::move(shape), 0, DType::F32, std::move(device), at);
  }

  // Throw DispatchError for an empty Tensor.
  const Shape &shape(Location at = Location::current()) const;
  DType dtype(Location at = Location::current()) const;
  Device device(Location at = Location::current()) const;
  TensorId id(Location at = Location::current()) const;
  TensorType type(Location at = Location::current()) const { return {dtype(at), shape(at)}; }

  /// The same values on another device; the tensor itself where it already is there. Throws DispatchError or
  /// CaptureError.
  Tensor to(const Device &device, Location at = Location::current()) const;
  /// The values in another dtype.
  Tensor to(DType dtype, Location at = Location::current()) const;

  /// A copy of the elements; T must be the dtype's C++ type. Throws DTypeError; CaptureError for a tensor that a
  /// capture computed.
  template <class T> std::vector<T> to_vector(Location at = Location::current()) const {
    const T *begin = static_cast<const T *>(read(dtype_of<T>(), at));
    return std::vector<T>(begin, begin + count());
  }
  /// The only element. Throws ShapeError when there is not exactly one.
  template <class T> T item(Location at = Location::current()) const {
    check_single(at);
    return *static_cast<const T *>(read(dtype_of<T>(), at));
  }
  /// The elements in place; valid as long as the tensor.
  template <class T> std::span<const T> data(Location at = Location::current()) const & {
    return {static_cast<const T *>(read(dtype_of<T>(), at)), count()};
  }
  template <class T> std::span<const T> data(Location at = Location::current()) const && = delete;
  /// Computes the value now.
  const Tensor &eval(Location at = Location::current()) const;

  // Differentiation by backward(), on the tensors of an autodiff device. Three questions, three answers:
  bool is_autodiff(Location at = Location::current()) const;     ///< associated with an autodiff device (any dtype)
  bool is_tracked(Location at = Location::current()) const;      ///< takes part in what backward() will differentiate
  bool is_require_grad(Location at = Location::current()) const; ///< a leaf whose gradient backward() keeps
  /// Marks a leaf as one whose gradient is wanted, or gives an untracked copy. A tensor of a plain device is returned
  /// as it is. Throws GradientError for the result of an op on tracked tensors.
  Tensor require_grad(bool wanted = true, Location at = Location::current()) const;
  /// A leaf with the same values; it keeps the wish for a gradient of its own.
  Tensor detach(Location at = Location::current()) const;
  /// The plain tensor below; the tensor itself when it is plain.
  Tensor inner(Location at = Location::current()) const;
  /// On the autodiff device above its own, as an untracked leaf; the tensor itself when it is there. Throws
  /// GradientError for a captured float.
  Tensor autodiff(Location at = Location::current()) const;
  /// The strategy of its autodiff device; nothing for a plain tensor.
  std::optional<Checkpointing> gradient_checkpointing_strategy(Location at = Location::current()) const;
  /// The same tensor, with the same place in what is differentiated, under another strategy. Throws GradientError for a
  /// plain tensor.
  Tensor with_gradient_checkpointing_strategy(Checkpointing strategy, Location at = Location::current()) const;
  /// Gradients of the sum of the elements with respect to the leaves that require one. Consumes what was recorded: a
  /// second call through the same ops is an error. Throws GradientError.
  Gradients backward(Location at = Location::current()) const;

  // Used inside the library.
  explicit Tensor(StateRef state) : state_(std::move(state)) {}
  const StateRef &state() const & { return state_; }
  StateRef state() && { return std::move(state_); }

private:
  StateRef state_;

  static Tensor from_bytes(const void *data, std::size_t count, DType dtype, Shape shape, const Device &device,
                           Location at);
  const void *read(DType wanted, Location at) const;
  std::size_t count() const;
  void check_single(Location at) const;
};

/// Names what is recorded while it lives: "outer/inner", and what is called inside "outer/inner/softmax()". Per thread.
class NameScope {
public:
  explicit NameScope(std::string name);
  ~NameScope();
  NameScope(const NameScope &) = delete;
  NameScope &operator=(const NameScope &) = delete;

private:
  std::shared_ptr<const std::string> before;
};

} // namespace ingot
