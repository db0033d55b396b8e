// What the shape rules share: messages, and checks that many of them make.
#pragma once

#include "ingot/ir/OpTable.h"

#include "ingot-gen/ir/OpAttributes.h.inc"

#include <string>

namespace ingot::rules {

inline Inference shape_error(std::string message) {
  return Inference::error(Inference::Fault::Shape, std::move(message));
}
inline Inference dtype_error(std::string message) {
  return Inference::error(Inference::Fault::DType, std::move(message));
}
inline Inference value_error(std::string message) {
  return Inference::error(Inference::Fault::Value, std::move(message));
}

/// "f32, i32 and bool": the names of the dtypes of a mask.
std::string dtype_list(uint32_t mask);
/// "[0, 2]"
std::string list_text(const std::vector<int64_t> &values);

/// Whether ops compute with this dtype.
bool computes(DType dtype);

/// A shape of non-negative (or dynamic) sizes whose bytes can be counted; else the reason.
std::optional<Inference> check_shape(const std::vector<int64_t> &shape, DType dtype);
/// An axis of a tensor of this rank; else the reason.
std::optional<Inference> check_axis(int64_t axis, const TensorType &x);
/// Strictly ascending axes of the tensor; else the reason.
std::optional<Inference> check_axes(const std::vector<int64_t> &axes, const TensorType &x);

/// Sizes agree, or one of them is only known at run time.
inline bool sizes_agree(int64_t a, int64_t b) { return a == b || a == kDynamic || b == kDynamic; }

} // namespace ingot::rules
