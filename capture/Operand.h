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
  Operand(T number, Location at = Location::current()) : number(static_cast<double>(number)), isInteger(std::is_integral_v<T>), isScalar(true), at(at) {
    if constexpr (std::is_integral_v<T>)
      integer = static_cast<std::int64_t>(number);
  }

  Tensor tensor;
  double number = 0;
  std::int64_t integer = 0;
  bool isInteger = false, isScalar = false;
  Location at;
};

Tensor operator+(Operand a, Operand b);
Tensor operator-(Operand a, Operand b);
Tensor operator*(Operand a, Operand b);
Tensor operator/(Operand a, Operand b);
Tensor operator-(Operand x);

} // namespace ingot
