// Shapes, tensor types and lists of axes.
#pragma once

#include "ingot/runtime/DType.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ingot {

/// A dimension that is known only at run time.
inline constexpr std::int64_t kDynamic = std::numeric_limits<std::int64_t>::min();

/// A list of dimensions. Holds any int64_t, so that a wrong dimension can be named by whoever checks it; up
/// to six dimensions live inside the object.
class Shape {
public:
  static constexpr std::int64_t kDynamic = ingot::kDynamic;
  static constexpr std::size_t kInline = 6;

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> dims) : Shape(std::span(dims.begin(), dims.size())) {}
  Shape(std::span<const std::int64_t> dims) { assign(dims); }
  template <std::integral T> Shape(const std::vector<T> &dims) {
    for (T dim : dims)
      push_back(static_cast<std::int64_t>(dim));
  }
  Shape(const Shape &other) : size_(other.size_), near(other.near) {
    if (other.far)
      far = std::make_unique<std::vector<std::int64_t>>(*other.far);
  }
  Shape(Shape &&other) noexcept : size_(std::exchange(other.size_, 0)), near(other.near), far(std::move(other.far)) {}
  Shape &operator=(const Shape &other) { return *this = Shape(other); }
  Shape &operator=(Shape &&other) noexcept {
    std::swap(size_, other.size_);
    std::swap(near, other.near);
    far.swap(other.far);
    return *this;
  }

  /// `rank` dimensions, all of them `value`.
  static Shape filled(std::size_t rank, std::int64_t value);

  int rank() const { return static_cast<int>(size_); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::int64_t *data() const { return size_ <= kInline ? near.data() : far->data(); }
  std::int64_t *data() { return size_ <= kInline ? near.data() : far->data(); }
  std::int64_t operator[](std::int64_t i) const { return data()[i]; }
  std::int64_t &operator[](std::int64_t i) { return data()[i]; }
  const std::int64_t *begin() const { return data(); }
  const std::int64_t *end() const { return data() + size_; }
  std::int64_t *begin() { return data(); }
  std::int64_t *end() { return data() + size_; }
  std::int64_t front() const { return data()[0]; }
  std::int64_t back() const { return data()[size_ - 1]; }
  std::span<const std::int64_t> dims() const { return {data(), size_}; }
  std::vector<std::int64_t> vec() const { return {begin(), end()}; }

  void push_back(std::int64_t dim) {
    if (size_ < kInline)
      near[size_++] = dim;
    else
      insert(rank(), dim);
  }
  void pop_back() { erase(rank() - 1); }
  /// Needs 0 <= at <= rank().
  void insert(std::int64_t at, std::int64_t dim);
  /// Needs 0 <= at < rank().
  void erase(std::int64_t at);

  bool is_static() const;
  /// The product of the dimensions: 1 for rank 0. Throws ShapeError for a negative or dynamic dimension and
  /// for a product past INT64_MAX.
  std::int64_t num_elements() const;
  /// Row-major strides in elements; the strides of a dimension left of a dynamic one are kDynamic. Throws
  /// like num_elements where a stride does not fit.
  std::vector<std::int64_t> row_major_strides() const;
  /// `3x4`, `?x4`; `scalar` for rank 0.
  std::string str() const;

  friend bool operator==(const Shape &a, const Shape &b) {
    if (a.size_ != b.size_)
      return false;
    for (std::size_t i = 0; i < a.size_; ++i)
      if (a.data()[i] != b.data()[i])
        return false;
    return true;
  }

private:
  std::size_t size_ = 0;
  std::array<std::int64_t, kInline> near{};
  std::unique_ptr<std::vector<std::int64_t>> far; // all dimensions, when there are more than kInline

  void assign(std::span<const std::int64_t> dims);
};
std::ostream &operator<<(std::ostream &out, const Shape &shape);

/// What ops take where they want a number for each dimension (starts, counts, a permutation): braces, a std::vector or
/// a shape, in any mix.
using Numbers = Shape;

/// Dtype and shape of a tensor.
struct TensorType {
  DType dtype = DType::F32;
  Shape shape;

  /// Bytes of the elements. Throws like Shape::num_elements.
  std::size_t bytes() const;
  /// `3x4xf32`; `f32` for rank 0.
  std::string str() const;
  friend bool operator==(const TensorType &, const TensorType &) = default;
};
std::ostream &operator<<(std::ostream &out, const TensorType &type);

/// A list of axes as the user wrote it: one int or a list of ints, negative ones counting from the end. An
/// empty list means all axes.
class Axes {
public:
  Axes() = default;
  template <class T>
    requires(std::integral<T> && !std::same_as<T, bool>)
  Axes(T axis) : list{static_cast<std::int64_t>(axis)} {}
  Axes(std::initializer_list<std::int64_t> axes) : list(axes) {}
  template <std::integral T> Axes(const std::vector<T> &axes) : list(axes.begin(), axes.end()) {}
  Axes(const Numbers &axes) : list(axes.begin(), axes.end()) {}

  bool all() const { return list.empty(); }
  std::size_t size() const { return list.size(); }
  std::int64_t operator[](std::int64_t i) const { return list[static_cast<std::size_t>(i)]; }
  auto begin() const { return list.begin(); }
  auto end() const { return list.end(); }
  const std::vector<std::int64_t> &vec() const { return list; }

  /// The axes as sorted, distinct numbers in [0, rank); all of them when the list is empty. Throws ShapeError
  /// that names the axis when one is out of range or stated twice.
  std::vector<std::int64_t> resolve(int rank) const;
  /// `[0, -1]`.
  std::string str() const;
  friend bool operator==(const Axes &, const Axes &) = default;

private:
  std::vector<std::int64_t> list;
};

} // namespace ingot
