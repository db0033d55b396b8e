#include "ingot/runtime/Shape.h"

#include <algorithm>
#include <ostream>

namespace ingot {
namespace {

std::string dim_text(std::int64_t dim) { return dim == kDynamic ? "?" : std::to_string(dim); }

/// a * b for non-negative numbers; throws when it does not fit.
std::int64_t checked_product(std::int64_t a, std::int64_t b, const Shape &shape) {
  std::int64_t product;
  if (__builtin_mul_overflow(a, b, &product))
    throw ShapeError("shape " + shape.str() + " has more than 2^63 - 1 elements");
  return product;
}

} // namespace

Shape Shape::filled(std::size_t rank, std::int64_t value) {
  Shape shape;
  for (std::size_t i = 0; i < rank; ++i)
    shape.push_back(value);
  return shape;
}

void Shape::assign(std::span<const std::int64_t> dims) {
  if (dims.size() <= kInline)
    std::copy(dims.begin(), dims.end(), near.begin());
  else
    far = std::make_unique<std::vector<std::int64_t>>(dims.begin(), dims.end());
  size_ = dims.size();
}

void Shape::insert(std::int64_t at, std::int64_t dim) {
  INGOT_CHECK(at >= 0 && at <= rank(), "insertion outside a shape");
  if (size_ < kInline) {
    std::copy_backward(near.begin() + at, near.begin() + size_, near.begin() + size_ + 1);
    near[at] = dim;
  } else {
    if (size_ == kInline)
      far = std::make_unique<std::vector<std::int64_t>>(near.begin(), near.end());
    far->insert(far->begin() + at, dim);
  }
  ++size_;
}

void Shape::erase(std::int64_t at) {
  INGOT_CHECK(at >= 0 && at < rank(), "erasure outside a shape");
  if (size_ <= kInline) {
    std::copy(near.begin() + at + 1, near.begin() + size_, near.begin() + at);
  } else {
    far->erase(far->begin() + at);
    if (far->size() == kInline) {
      std::copy(far->begin(), far->end(), near.begin());
      far.reset();
    }
  }
  --size_;
}

bool Shape::is_static() const { return std::find(begin(), end(), kDynamic) == end(); }

std::int64_t Shape::num_elements() const {
  for (std::int64_t dim : *this) {
    if (dim == kDynamic)
      throw ShapeError("shape " + str() + " has a dimension that is known only at run time");
    if (dim < 0)
      throw ShapeError("shape " + str() + " has a negative dimension: " + std::to_string(dim));
  }
  if (std::find(begin(), end(), 0) != end())
    return 0;
  std::int64_t count = 1;
  for (std::int64_t dim : *this)
    count = checked_product(count, dim, *this);
  return count;
}

std::vector<std::int64_t> Shape::row_major_strides() const {
  std::vector<std::int64_t> strides(size_);
  std::int64_t stride = 1;
  for (std::size_t i = size_; i-- > 0;) {
    strides[i] = stride;
    const std::int64_t dim = data()[i];
    if (dim == kDynamic || stride == kDynamic)
      stride = kDynamic;
    else if (dim < 0)
      throw ShapeError("shape " + str() + " has a negative dimension: " + std::to_string(dim));
    else if (i > 0)
      stride = checked_product(stride, dim, *this);
  }
  return strides;
}

std::string Shape::str() const {
  if (empty())
    return "scalar";
  std::string text;
  for (std::int64_t dim : *this)
    text += (text.empty() ? "" : "x") + dim_text(dim);
  return text;
}

std::ostream &operator<<(std::ostream &out, const Shape &shape) { return out << shape.str(); }

std::size_t TensorType::bytes() const {
  return static_cast<std::size_t>(
      checked_product(shape.num_elements(), static_cast<std::int64_t>(dtype_size(dtype)), shape));
}

std::string TensorType::str() const {
  return shape.empty() ? dtype_name(dtype) : shape.str() + "x" + dtype_name(dtype);
}

std::ostream &operator<<(std::ostream &out, const TensorType &type) { return out << type.str(); }

std::vector<std::int64_t> Axes::resolve(int rank) const {
  std::vector<bool> named(static_cast<std::size_t>(rank), all());
  for (std::int64_t axis : list) {
    if (axis < -rank || axis >= rank)
      throw ShapeError("axis " + std::to_string(axis) + " is out of range for a tensor of rank " +
                       std::to_string(rank));
    const auto at = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    if (named[at])
      throw ShapeError("axis " + std::to_string(axis) + " is named twice in " + str());
    named[at] = true;
  }
  std::vector<std::int64_t> axes;
  for (std::size_t i = 0; i < named.size(); ++i)
    if (named[i])
      axes.push_back(static_cast<std::int64_t>(i));
  return axes;
}

std::string Axes::str() const {
  std::string text;
  for (std::int64_t axis : list)
    text += (text.empty() ? "" : ", ") + std::to_string(axis);
  return "[" + text + "]";
}

} // namespace ingot
