// The reference kernel of a custom call is the user's own.
#include "ingot/ir/NativeOps.h"
#include "ingot/ir/ShapeRules.h"

namespace ingot {

KernelFault reference_custom_call(const OpCall &call, std::span<const ConstView> in, std::span<const MutableView> out) {
  run_native_op(*resolve_native_op(call.native(attr::CustomCall::callee)), in, out,
                *unpack_scalars(call.integers(attr::CustomCall::scalars)));
  return {};
}

} // namespace ingot
