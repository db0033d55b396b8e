// The table of op cases: each is a function of tensors with shapes, dtypes and a range of values. The tests derive from
// it a comparison with the reference device, a gradient check and bits that do not depend on threads.
#pragma once

#include "ingot/capture/Ingot.h"

#include <functional>
#include <string>
#include <vector>

namespace cases {

struct OpCase {
  std::string name;
  std::function<ingot::Tensor(const std::vector<ingot::Tensor> &)> f;
  std::vector<ingot::Shape> shapes;
  std::vector<ingot::DType> dtypes; // of every operand; an empty list: f32 and f64
  double low = -2, high = 2;
  bool gradient = true;
  double tolerance = 1; // multiples of the dtype's own
};

std::vector<OpCase> op_cases();
/// The functions of one float of the table, by name.
std::vector<std::pair<std::string, std::function<ingot::Tensor(ingot::Tensor)>>> unary_functions();

} // namespace cases
