// What the kernel of a native custom op gets: tensors as memory, and numbers given by value.
#pragma once

#include "ingot/runtime/DType.h"
#include "ingot/runtime/Shape.h"

#include <cstdint>
#include <variant>

namespace ingot {

/// A tensor that a kernel reads: dense, row major, aligned to 64 bytes unless it is the caller's own memory.
struct ConstBuffer {
  const void *data = nullptr;
  DType dtype = DType::F32;
  Shape shape;
  std::int64_t num_elements = 0;

  template <class T> const T *as() const { return static_cast<const T *>(data); }
};

/// A tensor that a kernel writes, every element of it; what it holds before is undefined.
struct MutableBuffer {
  void *data = nullptr;
  DType dtype = DType::F32;
  Shape shape;
  std::int64_t num_elements = 0;

  template <class T> T *as() const { return static_cast<T *>(data); }
};

/// A number given to a custom op by value: part of the program, not an input of it.
using CustomScalar = std::variant<double, std::int64_t, std::uint64_t, bool>;

} // namespace ingot
