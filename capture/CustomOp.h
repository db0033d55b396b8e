// Ops of the user's own: by expression, of which nothing is left but a name, or native, with a kernel that is called.
#pragma once

#include "ingot/capture/Graph.h"
#include "ingot/runtime/NativeBuffers.h"

#include <optional>
#include <type_traits>

namespace ingot {

namespace detail {

/// What a call of a custom op takes: a tensor, several of them (a struct of tensors as a vector, pair, tuple or array),
/// or a number by value. Built at the call; that is how the op knows its line.
class CustomArgument {
public:
  CustomArgument(Tensor tensor, Location at = Location::current()) : at(at) { tensors.push_back(std::move(tensor)); }
  template <class T>
    requires std::is_arithmetic_v<T>
  CustomArgument(T number, Location at = Location::current()) : at(at) {
    if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>)
      scalar = std::conditional_t<std::is_same_v<T, bool>, bool, double>(number);
    else
      scalar = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>(number);
  }
  template <class T>
    requires requires(T list) { to_list(std::move(list)); } && (!std::same_as<T, Tensor>)
  CustomArgument(T list, Location at = Location::current())
      : tensors(to_list(std::move(list))), isStruct(true), at(at) {}

  std::vector<Tensor> tensors;
  std::optional<CustomScalar> scalar;
  bool isStruct = false;
  Location at;
};

/// `f(inputs..., scalars)`, where f may leave the scalars out.
template <class F, class... A> decltype(auto) with_scalars(F &f, const std::vector<CustomScalar> &scalars, A &...a) {
  if constexpr (std::is_invocable_v<F &, A &..., const std::vector<CustomScalar> &>)
    return f(a..., scalars);
  else
    return f(a...);
}
template <class F, class... A>
concept TakesScalarsOrNot =
    std::is_invocable_v<F &, A &...> || std::is_invocable_v<F &, A &..., const std::vector<CustomScalar> &>;

} // namespace detail

/// Called like a function, on every device and while capturing: with tensors, and, for a native op, numbers of which
/// the kernel gets the values; returns the results. An immutable value, cheap to copy.
///
/// A native op is called on the thread that runs the program, once per call that something reads; programs that run on
/// several threads at once call it from all of them. The kernel must be a function of its inputs: equal calls may
/// be one, and a call that nobody reads none. It writes every element of every result; what it throws passes unchanged
/// to whoever reads a result, and what does not depend on the call is not lost.
///
/// The name is the op's in graphs and their files: a loaded graph finds the op that was last registered under it, which
/// it stays for the rest of the process. An op that exists keeps its own kernel.
class CustomOp {
public:
  /// `f` takes tensors or one std::vector<Tensor> and gives tensors; it is inlined where it is called, under the name.
  template <class F> static CustomOp expression(std::string name, F f) {
    static_assert(detail::arity<F>() != -2, "an expression takes tensors or one std::vector<Tensor>");
    return expression_list(std::move(name), detail::as_list_function(std::move(f)), detail::arity<F>());
  }

  /// `rule(std::vector<TensorSpec>)` gives the results' dtypes and shapes, at the call;
  /// `kernel(std::vector<ConstBuffer>, std::vector<MutableBuffer>)` computes them. Either takes, if it wants them, a
  /// std::vector<CustomScalar> as well.
  template <class Rule, class Kernel> static CustomOp native(std::string name, Rule rule, Kernel kernel) {
    static_assert(
        detail::TakesScalarsOrNot<Rule, const Specs> &&
            detail::TakesScalarsOrNot<Kernel, const std::vector<ConstBuffer>, const std::vector<MutableBuffer>>,
        "a shape rule maps TensorSpecs to TensorSpecs; a kernel takes ConstBuffers and MutableBuffers");
    return native_erased(
        std::move(name),
        [rule = std::move(rule)](const Specs &in, const Scalars &scalars) mutable -> Specs {
          return detail::with_scalars(rule, scalars, in);
        },
        [kernel = std::move(kernel)](const std::vector<ConstBuffer> &in, const std::vector<MutableBuffer> &out,
                                     const Scalars &scalars) mutable {
          detail::with_scalars(kernel, scalars, in, out);
        });
  }

  /// A copy of a native op with a derivative, written in ops: `f(inputs, outputs, output_gradients)`, each a
  /// std::vector<Tensor>, and, if it wants them, the scalars. Gives one gradient for each input; an empty Tensor where
  /// none flows, and for inputs that are no floats. The gradient of an output that is no float is an empty Tensor.
  /// Throws GradientError for an expression.
  template <class F> CustomOp with_gradient(F f, Location at = Location::current()) const {
    static_assert(detail::TakesScalarsOrNot<F, const Tensors, const Tensors, const Tensors>,
                  "a gradient takes inputs, outputs and the gradients of the outputs");
    return with_gradient_erased(
        [f = std::move(f)](const Tensors &in, const Tensors &out, const Tensors &grads, const Scalars &scalars) mutable
            -> Tensors { return detail::to_list(detail::with_scalars(f, scalars, in, out, grads)); },
        at);
  }

  /// A copy that is refused on other backends; Capture is one of them.
  CustomOp on(std::vector<Backend> backends) const;

  const std::string &name() const;

  std::vector<Tensor> operator()(std::vector<Tensor> inputs, Location at = Location::current()) const;
  template <class... Rest>
    requires(std::convertible_to<Rest, detail::CustomArgument> && ...)
  std::vector<Tensor> operator()(detail::CustomArgument first, Rest... rest) const {
    const Location at = first.at;
    std::vector<detail::CustomArgument> arguments;
    arguments.reserve(sizeof...(Rest) + 1);
    arguments.push_back(std::move(first));
    (arguments.push_back(std::move(rest)), ...);
    return call(std::move(arguments), at);
  }
  std::vector<Tensor> operator()(Location at = Location::current()) const { return call({}, at); }

private:
  using Specs = std::vector<TensorSpec>;
  using Tensors = std::vector<Tensor>;
  using Scalars = std::vector<CustomScalar>;
  using Rule = std::function<Specs(const Specs &, const Scalars &)>;
  using Kernel =
      std::function<void(const std::vector<ConstBuffer> &, const std::vector<MutableBuffer> &, const Scalars &)>;
  using Gradient = std::function<Tensors(const Tensors &, const Tensors &, const Tensors &, const Scalars &)>;

  struct State;
  std::shared_ptr<const State> state;

  explicit CustomOp(std::shared_ptr<const State> state) : state(std::move(state)) {}
  static CustomOp expression_list(std::string name, detail::ListFunction f, int arity);
  static CustomOp native_erased(std::string name, Rule rule, Kernel kernel);
  CustomOp with_gradient_erased(Gradient gradient, Location at) const;
  std::vector<Tensor> call(std::vector<detail::CustomArgument> arguments, Location at) const;
  std::vector<Tensor> call_native(Tensors inputs, const Scalars &scalars, Location at) const;
  std::shared_ptr<const Trace> record_gradient(const Specs &inputs, const Specs &outputs, const Scalars &scalars,
                                               Location at) const;
};

} // namespace ingot
