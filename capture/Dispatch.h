// The rules about kinds of tensors, as tables over plain descriptors: which states exist, whose context and backend an
// op takes, which route it runs on, where a tensor may move, what gradient calls do. A rule that refuses throws the
// text and the family of its row. Off the way of plain tensors of one device, which need no rule.
#pragma once

#include "ingot/capture/Device.h"
#include "ingot/runtime/DType.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ingot {

class Recorder;
struct TensorState;

namespace dispatch {

/// What a payload holds; Autodiff is a float of the autodiff layer.
enum class Class : std::uint8_t { Float, Int, Bool, Quantized, Autodiff };

constexpr Class class_of(DType dtype) {
  return dtype == DType::Bool ? Class::Bool : ingot::is_float(dtype) ? Class::Float : Class::Int;
}

/// The strategy of the autodiff device a tensor is associated with; nothing for a plain one. Says nothing about
/// whether a gradient is wanted.
using Context = std::optional<Checkpointing>;

/// A device below autodiff.
struct Place {
  Backend backend = Backend::Cpu;
  std::int32_t number = -1;           // of a capture device
  const Recorder *function = nullptr; // of the device of a functional capture
  friend bool operator==(const Place &, const Place &) = default;
  std::string str() const;
};

/// A device: how many autodiff devices it wraps its place in, and the outermost one's strategy.
struct Target {
  Place place;
  std::uint8_t wrappers = 0;
  Context context;
};

/// What is known of a tensor without its elements. `boxes` counts the autodiff layers around the payload.
struct State {
  Place place;
  Class payload = Class::Float;
  std::uint8_t boxes = 0;
  Context context;
};
State state_of(const TensorState &tensor);
Target target_of(const Device &device);

/// Throws DispatchError for a state that no tensor may have.
void check(const State &state, const CallSite &site);

/// The context of an op on tensors of two contexts. Throws DispatchError when their strategies differ.
Context merge(const Context &a, const Context &b, const CallSite &site);

/// How an op declares an argument: a tensor, one that may be absent, or one of a list or of a struct.
enum class Form : std::uint8_t { Required, Optional, Listed };
struct Argument {
  State state;
  Form form = Form::Required;
  bool present = true;
  int function = -1; // depth of the functional capture the tensor belongs to: it records every op that reads it
  std::string_view name = {};
};

enum class Route : std::uint8_t {
  Concrete,         // on the backend
  Autodiff,         // on the autodiff layer: floats are lifted and followed
  ConcreteThenLift, // on the backend; float results are lifted to untracked leaves
  Function          // recorded by the functional capture of the routing argument
};
struct Decision {
  std::size_t routing; // the argument that picks the backend
  Route route;
  Context context; // of the results
};
/// Where an op runs. Every present argument is checked before anything is decided. Throws DispatchError.
Decision decide(std::span<const Argument> arguments, const CallSite &site);

/// Whether a result is boxed when the op's context is this.
bool boxes_result(const Context &context, Class result);

enum class Step : std::uint8_t {
  Same,   // the payload is there already
  Create, // its elements are read and a tensor is made of them
  Adopt   // a captured value is registered in the target's scope
};
struct Move {
  Step step;
  Context context;
};
/// What moving a tensor takes. `id` is for the text; `initialized` says whether a captured tensor has a value. Throws
/// DispatchError or CaptureError.
Move move(const State &state, const Target &target, bool initialized, std::string_view id, const CallSite &site);

enum class Call : std::uint8_t {
  Backward,
  Grad,
  GradRemove,
  GradReplace,
  Inner,
  FromInner,
  IsRequireGrad,
  RequireGrad,
  RequireNoGrad,
  Detach
};
/// Whether a gradient call does its work on such a tensor (else it gives the tensor as it is, or false). Throws
/// GradientError where the strict layer refuses; what users call is idempotent and asks only where there is work.
bool allows(Call call, const State &state, const CallSite &site);
/// Whether `gradient` may stand for the gradient of a tensor. Throws GradientError or DispatchError.
void check_replacement(const State &tensor, const State &gradient, const CallSite &site);

} // namespace dispatch
} // namespace ingot
