// Helpers of the capture tests: tensors on the reference device and what is in them.
#pragma once

#include "ingot/capture/Ingot.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <initializer_list>
#include <vector>

namespace ingot {

inline Tensor ref(std::initializer_list<float> values, Shape shape) {
  return Tensor::from<float>(values, std::move(shape), Device::reference());
}
inline Tensor ref_ints(std::initializer_list<std::int64_t> values, Shape shape) {
  return Tensor::from<std::int64_t>(values, std::move(shape), Device::reference());
}

/// The elements of an f32 tensor of the given shape.
inline std::vector<float> floats(const Tensor &t, const Shape &shape) {
  EXPECT_EQ(t.shape(), shape);
  return t.to_vector<float>();
}

inline void expect_near(const std::vector<float> &a, const std::vector<float> &b, float tolerance = 1e-5f) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], tolerance) << "element " << i;
}

/// The message of the Error of class E that `f` throws.
template <class E, class F> std::string message_of(F &&f) {
  try {
    f();
  } catch (const E &error) {
    return error.message();
  } catch (const std::exception &error) {
    ADD_FAILURE() << "another exception: " << error.what();
    return "";
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

} // namespace ingot
