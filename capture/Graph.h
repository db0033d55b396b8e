// A captured program as a value: looked at, saved, composed, transformed, compiled.
#pragma once

#include "ingot/capture/Operand.h"
#include "ingot/capture/Options.h"
#include "ingot/capture/Tensor.h"
#include "ingot/runtime/Hash.h"
#include "ingot/runtime/Program.h"

#include <array>
#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ingot {

class Trace;

/// Immutable and cheap to copy.
class Graph {
public:
  /// No graph; every use but assignment and destruction throws CaptureError.
  Graph() = default;
  explicit operator bool() const { return trace_ != nullptr; }

  const std::vector<TensorSpec> &inputs(Location at = Location::current()) const;
  const std::vector<TensorSpec> &outputs(Location at = Location::current()) const;

  /// The program's text in a phase: MLIR, and LLVM IR for Native. Throws CompileError.
  std::string str(Phase phase = Phase::Captured, const CompileOptions &options = {},
                  Location at = Location::current()) const;
  /// Graphviz.
  std::string dot(Location at = Location::current()) const;
  /// Equal for equal programs, whatever their names, scopes and lines.
  Hash128 hash(Location at = Location::current()) const;

  /// Text for `.mlir`, bytecode for `.mlirbc`; call sites are kept. Throws IoError.
  void save(const std::string &path, Location at = Location::current()) const;
  static Graph load(const std::string &path, Location at = Location::current());
  /// Throws CompileError for what is no program.
  static Graph parse(const std::string &text, Location at = Location::current());

  /// A graph is a function: inlined while capturing, recorded on concrete tensors.
  std::vector<Tensor> operator()(std::vector<Tensor> inputs, Location at = Location::current()) const {
    return apply(std::move(inputs), at);
  }
  std::vector<Tensor> operator()(Location at = Location::current()) const { return apply({}, at); }
  template <class... Rest> std::vector<Tensor> operator()(Operand first, Rest... rest) const {
    std::vector<Tensor> inputs;
    inputs.push_back(std::move(first.tensor));
    (inputs.push_back(std::move(rest)), ...);
    return apply(std::move(inputs), first.at);
  }

  // Used inside the library.
  explicit Graph(std::shared_ptr<const Trace> trace);
  const Trace &trace(Location at = Location::current()) const { return *shared_trace(at); }
  const std::shared_ptr<const Trace> &shared_trace(Location at = Location::current()) const;

private:
  std::shared_ptr<const Trace> trace_;
  std::shared_ptr<const std::pair<std::vector<TensorSpec>, std::vector<TensorSpec>>> signature;

  std::vector<Tensor> apply(std::vector<Tensor> inputs, Location at) const;
};

namespace detail {

inline std::vector<Tensor> to_list(Tensor t) { return {std::move(t)}; }
inline std::vector<Tensor> to_list(std::vector<Tensor> list) { return list; }
template <class A, class B> std::vector<Tensor> to_list(std::pair<A, B> p) {
  return {std::move(p.first), std::move(p.second)};
}
template <std::size_t N> std::vector<Tensor> to_list(std::array<Tensor, N> a) { return {a.begin(), a.end()}; }
template <class... T> std::vector<Tensor> to_list(std::tuple<T...> t) {
  return std::apply([](auto &&...x) { return std::vector<Tensor>{std::move(x)...}; }, std::move(t));
}

template <class F, std::size_t... I> auto spread(F &f, std::vector<Tensor> &args, std::index_sequence<I...>) {
  return f(std::move(args[I])...);
}

/// How many tensors `f` takes: the number of arguments it can be called with, counted up to 12; -1 for one list.
template <class F, std::size_t N = 0> constexpr int arity() {
  if constexpr (std::is_invocable_v<F &, std::vector<Tensor>> && !std::is_invocable_v<F &, Tensor>)
    return -1;
  else if constexpr (N > 12)
    return -2;
  else if constexpr ([]<std::size_t... I>(std::index_sequence<I...>) {
                       return std::is_invocable_v<F &, decltype((void)I, std::declval<Tensor>())...>;
                     }(std::make_index_sequence<N>()))
    return int(N);
  else
    return arity<F, N + 1>();
}

/// `f` as a function of a list; calls with another number of tensors are an error.
using ListFunction = std::function<std::vector<Tensor>(std::vector<Tensor>)>;
template <class F> ListFunction as_list_function(F f) {
  constexpr int count = arity<F>();
  static_assert(count != -2, "a captured function takes tensors or one std::vector<Tensor>, and returns tensors");
  if constexpr (count == -1)
    return [f = std::move(f)](std::vector<Tensor> args) mutable { return to_list(f(std::move(args))); };
  else
    return [f = std::move(f)](std::vector<Tensor> args) mutable {
      return to_list(spread(f, args, std::make_index_sequence<std::size_t(count)>()));
    };
}

/// Captures a list function of `arity` tensors (-1: any number).
Graph capture_list(const ListFunction &f, int arity, const std::vector<TensorSpec> &specs, Location at);

} // namespace detail

/// Captures a function of tensors once. Concrete tensors used inside become constants of the graph; tensors of an
/// enclosing capture cannot be. Throws what the operations inside throw.
template <class F> Graph capture(F f, const std::vector<TensorSpec> &specs, Location at = Location::current()) {
  return detail::capture_list(detail::as_list_function(std::move(f)), detail::arity<F>(), specs, at);
}

} // namespace ingot
