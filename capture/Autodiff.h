// Tensors of an autodiff device: the tape they are recorded on, and what backward() does with it.
#pragma once

#include "ingot/capture/Recorder.h"

namespace ingot {

struct TapeStep;

/// A float tensor's place on the tape; shared by the handles of one tensor.
struct TapeNode {
  enum class Requirement : std::uint8_t { None, Grad, GradInBackward };
  std::atomic<Requirement> requirement = Requirement::None;
  Tensor leaf;              // the plain tensor below, of a node with requirement Grad
  TapeStep *step = nullptr; // of a result with requirement GradInBackward, which is a part of its step
  std::uint32_t result = 0; // which of the step's

  bool tracked() const { return requirement != Requirement::None; }
};

/// A plain tensor on the autodiff device; a float is an untracked leaf.
Tensor wrap_autodiff(Tensor plain, const Device &device);

/// apply_op on an autodiff device: records below, and on the tape what depends on a tensor that requires a gradient.
TensorList apply_autodiff(const Device &device, OpKind kind, TensorList &&operands, std::vector<AttrValue> attributes,
                          Location at, const char *name, std::vector<std::shared_ptr<const Trace>> regions);

/// A custom op without a derivative met an autodiff tensor.
[[noreturn]] void refuse_custom_autodiff(const std::string &name, Location at);

/// Throws GradientError that names the first op of the trace without a derivative, or a custom op without one between
/// floats of the inputs `wrt` (null: any) and output 0.
void refuse_without_derivative(const Trace &trace, Location at, const std::vector<std::int64_t> *wrt = nullptr);

} // namespace ingot
