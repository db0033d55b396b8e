// Derivatives of graphs and of functions. They mark the program; the compiler expands the marks. What cannot be
// differentiated is refused at the call.
#pragma once

#include "ingot/capture/Graph.h"

namespace ingot {

/// Gradients of output 0, a float scalar, with respect to the inputs `wrt`, in their order. Throws GradientError.
Graph grad(const Graph &graph, const std::vector<int> &wrt, Location at = Location::current());
/// All outputs, then the gradients.
Graph value_and_grad(const Graph &graph, const std::vector<int> &wrt, Location at = Location::current());

namespace detail {

/// A differentiated function: called like the function it was made from.
class Gradient {
public:
  Gradient(ListFunction f, int arity, std::vector<int> wrt, bool withValue, Location at)
      : f(std::move(f)), arity(arity), wrt(std::move(wrt)), withValue(withValue), at(at) {}
  std::vector<Tensor> operator()(std::vector<Tensor> inputs) const { return call(std::move(inputs)); }
  template <class... Rest>
    requires(std::same_as<Rest, Tensor> && ...)
  std::vector<Tensor> operator()(Tensor first, Rest... rest) const {
    return call({std::move(first), std::move(rest)...});
  }

private:
  ListFunction f;
  int arity;
  std::vector<int> wrt;
  bool withValue;
  Location at;
  std::vector<Tensor> call(std::vector<Tensor> inputs) const;
};

template <class F>
concept Function = !std::convertible_to<F, Graph> && arity<F>() != -2;

} // namespace detail

/// The same of a C++ function: gives a function of the same arguments that returns a std::vector<Tensor>. Nests to any
/// depth and mixes with plain code.
template <detail::Function F> detail::Gradient grad(F f, std::vector<int> wrt, Location at = Location::current()) {
  return {detail::as_list_function(std::move(f)), detail::arity<F>(), std::move(wrt), false, at};
}
template <detail::Function F>
detail::Gradient value_and_grad(F f, std::vector<int> wrt, Location at = Location::current()) {
  return {detail::as_list_function(std::move(f)), detail::arity<F>(), std::move(wrt), true, at};
}

} // namespace ingot
