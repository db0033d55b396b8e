// What operators and elementwise functions take: a tensor or a C++ scalar, with the line it is used on.
#pragma once

#include "ingot/capture/Tensor.h"

#include <type_traits>

namespace ingot {

/// A tensor, or a number that takes the other operand's dtype. Built implicitly at the call; that is how an operator
/// knows its line. An rvalue tensor gives up its handle.
class Operand {
public:
  Operand(Tensor tensor, Location at = Location::current()) : tensor(std::move(tensor)), at(at) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  Operand(T number, Location at = Location::current()) : scalar(number), isScalar(true), at(at) {}

  Tensor tensor;
  Scalar scalar = 0;
  bool isScalar = false;
  Location at;
};

Tensor operator+(Operand a, Operand b);
Tensor operator-(Operand a, Operand b);
Tensor operator*(Operand a, Operand b);
Tensor operator/(Operand a, Operand b);
Tensor operator-(Operand x);

} // namespace ingot
