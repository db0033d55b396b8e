#include "ingot/capture/CustomOp.h"

#include "ingot/capture/Autodiff.h"
#include "ingot/capture/Recorder.h"
#include "ingot/ir/NativeOps.h"

#include <algorithm>

namespace ingot {

struct CustomOp::State {
  std::string name;
  std::optional<std::vector<Backend>> backends; // all for none
  // Of an expression:
  detail::ListFunction expression;
  int arity = -1;
  // Of a native op:
  NativeOpRef native;
  Gradient gradient;
};

namespace {

/// How often a derivative that calls its own op is recorded inside itself: as many derivatives such an op has.
constexpr std::ptrdiff_t kDeepestDerivative = 3;
thread_local std::vector<std::string> derivatives; // names of ops whose are being recorded, from the outside in

std::string tensors(std::size_t n) { return std::to_string(n) + (n == 1 ? " tensor" : " tensors"); }

/// Whether the tensor belongs to a functional capture, which records every op that reads it.
bool is_lifted(const Tensor &t) {
  const TensorState &state = *t.state();
  const TensorState &plain = state.device.is_capture() && state.inner.state() ? *state.inner.state() : state;
  return plain.recorder && plain.recorder->is_function();
}

/// The tensor that says where the op runs: the first float, else the first of any dtype.
const Tensor &routing_tensor(const std::vector<Tensor> &inputs) {
  auto found = std::find_if(inputs.begin(), inputs.end(), [](const Tensor &t) { return is_float(t.dtype()); });
  return found == inputs.end() ? inputs.front() : *found;
}

/// Refuses what has no backend to run on. `inStruct` says which inputs are parts of a struct.
void check_route(const std::string &name, const std::optional<std::vector<Backend>> &backends,
                 const std::vector<Tensor> &inputs, const std::vector<bool> &inStruct, Location at) {
  if (inputs.empty())
    throw DispatchError("backend extension op received no tensor input to select a backend from (e.g. an enum input on "
                        "a tensor-less variant with no other tensor input)",
                        CallSite(at));
  for (const Tensor &t : inputs)
    if (!t.state())
      throw DispatchError("[" + name + "] an operand is no tensor", CallSite(at));
  auto listed = [&](Backend backend) {
    return !backends || std::find(backends->begin(), backends->end(), backend) != backends->end();
  };
  const bool captured = std::any_of(inputs.begin(), inputs.end(), is_lifted); // whatever else there is, it becomes part
  const Device route = routing_tensor(inputs).device();
  if (!listed(captured ? Backend::Capture : route.backend()))
    throw DispatchError("Backend not supported for custom op `" + name + "`", CallSite(at));
  for (std::size_t i = 0; i < inputs.size() && !captured; ++i)
    if (!(inputs[i].device() == route))
      throw DispatchError(inStruct[i] ? "backend extension input is on the wrong backend"
                                      : "input tensor `" + std::to_string(i) + "` is on the wrong backend",
                          CallSite(at));
}

} // namespace

CustomOp CustomOp::expression_list(std::string name, detail::ListFunction f, int arity) {
  auto state = std::make_shared<State>();
  state->name = std::move(name);
  state->expression = std::move(f);
  state->arity = arity;
  return CustomOp(std::move(state));
}

CustomOp CustomOp::native_erased(std::string name, Rule rule, Kernel kernel) {
  auto state = std::make_shared<State>();
  state->name = name;
  state->native = register_native_op(std::move(name), std::move(rule), std::move(kernel));
  return CustomOp(std::move(state));
}

CustomOp CustomOp::with_gradient_erased(Gradient gradient, Location at) const {
  if (state->expression)
    throw GradientError("[" + state->name +
                            "] an expression has the derivative of what it is made of; only a native op is given one",
                        CallSite(at));
  auto copy = std::make_shared<State>(*state);
  copy->gradient = std::move(gradient);
  return CustomOp(std::move(copy));
}

CustomOp CustomOp::on(std::vector<Backend> backends) const {
  auto copy = std::make_shared<State>(*state);
  copy->backends = std::move(backends);
  return CustomOp(std::move(copy));
}

const std::string &CustomOp::name() const { return state->name; }

std::vector<Tensor> CustomOp::operator()(std::vector<Tensor> inputs, Location at) const {
  std::vector<detail::CustomArgument> arguments;
  arguments.reserve(inputs.size());
  for (Tensor &input : inputs)
    arguments.emplace_back(std::move(input), at);
  inputs.clear();
  return call(std::move(arguments), at);
}

std::vector<Tensor> CustomOp::call(std::vector<detail::CustomArgument> arguments, Location at) const {
  std::vector<Tensor> inputs;
  std::vector<bool> inStruct;
  Scalars scalars;
  for (detail::CustomArgument &argument : arguments) {
    if (argument.scalar)
      scalars.push_back(*argument.scalar);
    for (Tensor &tensor : argument.tensors) {
      inputs.push_back(std::move(tensor));
      inStruct.push_back(argument.isStruct);
    }
  }
  arguments.clear();
  check_route(state->name, state->backends, inputs, inStruct, at);
  if (!state->expression)
    return call_native(std::move(inputs), scalars, at);
  if (!scalars.empty())
    throw DispatchError("[" + state->name + "] an expression takes tensors alone; its function can hold numbers",
                        CallSite(at));
  if (state->arity >= 0 && static_cast<std::size_t>(state->arity) != inputs.size())
    throw ShapeError("[" + state->name + "] the expression takes " + tensors(std::size_t(state->arity)) + ", not " +
                         std::to_string(inputs.size()),
                     CallSite(at));
  Composite composite(state->name.c_str());
  std::vector<Tensor> results = state->expression(std::move(inputs));
  for (const Tensor &t : results)
    if (!t.state())
      throw DispatchError("[" + state->name + "] the expression returned an empty Tensor", CallSite(at));
  return results;
}

std::vector<Tensor> CustomOp::call_native(std::vector<Tensor> inputs, const Scalars &scalars, Location at) const {
  const bool captured = std::any_of(inputs.begin(), inputs.end(),
                                    [](const Tensor &t) { return is_lifted(t) || t.device().is_capture(); });
  const bool autodiff = std::any_of(inputs.begin(), inputs.end(), [](const Tensor &t) { return t.is_autodiff(); });
  if (autodiff && !captured && !state->gradient)
    refuse_custom_autodiff(state->name, at);
  Specs in;
  for (const Tensor &t : inputs)
    in.push_back({"", t.dtype(), t.shape()});
  const Specs out = state->native.op->shape(in, scalars);
  std::vector<AttrValue> attributes{state->native, pack_scalars(scalars), pack_types(out)};
  std::vector<std::shared_ptr<const Trace>> regions;
  if (state->gradient && (captured || autodiff) &&
      std::count(derivatives.begin(), derivatives.end(), state->name) < kDeepestDerivative)
    regions.push_back(record_gradient(in, out, scalars, at));
  TensorList results = apply_op(OpKind::CustomCall, operand_list(std::move(inputs)), std::move(attributes), at,
                                state->name.c_str(), std::move(regions));
  return {std::make_move_iterator(results.begin()), std::make_move_iterator(results.end())};
}

/// The derivative as a function of inputs, outputs and the cotangents of float outputs.
std::shared_ptr<const Trace> CustomOp::record_gradient(const Specs &inputs, const Specs &outputs,
                                                       const Scalars &scalars, Location at) const {
  const std::string name = "[" + state->name + "] ";
  auto flows = [](const TensorSpec &spec) { return is_float(spec.dtype); };
  auto floats = [&](const Specs &specs) { return std::size_t(std::count_if(specs.begin(), specs.end(), flows)); };
  Specs specs = inputs;
  specs.insert(specs.end(), outputs.begin(), outputs.end());
  std::copy_if(outputs.begin(), outputs.end(), std::back_inserter(specs), flows);
  auto derivative = [&](std::vector<Tensor> given) {
    auto next = std::make_move_iterator(given.begin());
    const Tensors in(next, next + std::ptrdiff_t(inputs.size()));
    next += std::ptrdiff_t(inputs.size());
    const Tensors out(next, next + std::ptrdiff_t(outputs.size()));
    next += std::ptrdiff_t(outputs.size());
    Tensors cotangents;
    for (const TensorSpec &output : outputs)
      cotangents.push_back(flows(output) ? Tensor(*next++) : Tensor());
    Tensors gradients = state->gradient(in, out, cotangents, scalars);
    const bool floatsAlone = gradients.size() != inputs.size() && gradients.size() == floats(inputs);
    if (!floatsAlone && gradients.size() != inputs.size())
      throw GradientError(name + "the gradient function gave " + tensors(gradients.size()) + " for " +
                              std::to_string(inputs.size()) + (inputs.size() == 1 ? " input" : " inputs"),
                          CallSite(at));
    Tensors results;
    for (std::size_t i = 0, g = 0; i < inputs.size(); ++i) {
      if (floatsAlone && !flows(inputs[i]))
        continue;
      Tensor gradient = std::move(gradients[g++]);
      if (!flows(inputs[i]))
        continue;
      if (!gradient.state())
        gradient = Tensor::full(inputs[i].shape, 0, inputs[i].dtype, in[i].device(), at);
      if (gradient.type() != inputs[i].type())
        throw GradientError(name + "the gradient of input " + std::to_string(i) + " is " + gradient.type().str() +
                                ", but the input is " + inputs[i].type().str(),
                            CallSite(at));
      results.push_back(std::move(gradient));
    }
    return results;
  };
  struct Guard {
    explicit Guard(const std::string &op) { derivatives.push_back(op); }
    ~Guard() { derivatives.pop_back(); }
  } guard(state->name);
  return detail::capture_list(derivative, -1, specs, at).shared_trace();
}

} // namespace ingot
