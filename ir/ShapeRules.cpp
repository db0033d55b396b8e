#include "ingot/ir/ShapeRules.h"

namespace ingot::rules {

std::string dtype_list(uint32_t mask) {
  std::vector<std::string> names;
  for (int d = 0; d < kNumDTypes; ++d)
    if (mask & dtype_bit(DType(d)))
      names.emplace_back(dtype_name(DType(d)));
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string list_text(const std::vector<int64_t> &values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

bool computes(DType dtype) {
  return dtype == DType::F32 || dtype == DType::F64 || dtype == DType::I32 || dtype == DType::I64 ||
         dtype == DType::Bool;
}

std::optional<Inference> check_shape(const std::vector<int64_t> &shape, DType dtype) {
  // Bytes stay below 2^62, so that no count or offset in a kernel overflows.
  int64_t room = (int64_t(1) << 62) / int64_t(dtype_size(dtype));
  for (int64_t size : shape) {
    if (size == kDynamic)
      continue;
    if (size < 0)
      return shape_error("a dimension of size " + std::to_string(size) + " in the shape " + Shape(shape).str());
    if (size > 0)
      room /= size;
    if (room == 0)
      return shape_error("the shape " + Shape(shape).str() + " has more elements than memory can hold");
  }
  return std::nullopt;
}

std::optional<Inference> check_axis(int64_t axis, const TensorType &x) {
  if (axis >= 0 && axis < int64_t(x.shape.rank()))
    return std::nullopt;
  return shape_error("axis " + std::to_string(axis) + " is not an axis of " + x.shape.str() + ", which has rank " +
                     std::to_string(x.shape.rank()));
}

std::optional<Inference> check_axes(const std::vector<int64_t> &axes, const TensorType &x) {
  for (size_t i = 0; i < axes.size(); ++i) {
    if (auto bad = check_axis(axes[i], x))
      return bad;
    if (i && axes[i] <= axes[i - 1])
      return shape_error("axes " + list_text(axes) + " do not ascend strictly");
  }
  return std::nullopt;
}

} // namespace ingot::rules
