// Sums and products that the reference kernels judge by: of f32 in double, rounded once; of f64 with the rounding error
// of every step carried along; of integers wrapping around.
#pragma once

#include "ingot/ir/ReferenceMath.h"

namespace ingot::reference {

template <class T> class Sum {
public:
  Sum() = default;
  explicit Sum(T first) : total(first) {}
  void add(T x) { total = wrap_add(total, A(x)); }
  T value() const { return T(total); }

private:
  using A = std::conditional_t<std::is_same_v<T, float>, double, T>;
  A total = 0;
};

template <> class Sum<double> {
public:
  Sum() = default;
  explicit Sum(double first) : total(first) {}
  void add(double x) {
    const double next = total + x;
    lost += std::fabs(total) >= std::fabs(x) ? (total - next) + x : (x - next) + total;
    total = next;
  }
  double value() const { return lost != 0 && std::isfinite(total) ? total + lost : total; } // keeps -0

private:
  double total = 0, lost = 0;
};

template <class T> class Product {
public:
  void add(T x) { total = wrap_mul(total, A(x)); }
  T value() const { return T(total); }

private:
  using A = std::conditional_t<std::is_same_v<T, float>, double, T>;
  A total = 1;
};

template <> class Product<double> {
public:
  void add(double x) {
    const double next = total * x;
    lost = lost * x + std::fma(total, x, -next);
    total = next;
  }
  double value() const { return lost != 0 && std::isfinite(total + lost) ? total + lost : total; }

private:
  double total = 1, lost = 0;
};

} // namespace ingot::reference
