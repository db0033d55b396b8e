// Native custom ops: ops whose shape rule and kernel are the user's. The registry of them is the one open table of the
// project; an op of a program names its registration.
#pragma once

#include "ingot/ir/OpTable.h"
#include "ingot/runtime/NativeBuffers.h"
#include "ingot/runtime/Program.h"

#include <functional>

namespace ingot {

using NativeShapeRule =
    std::function<std::vector<TensorSpec>(const std::vector<TensorSpec> &, const std::vector<CustomScalar> &)>;
using NativeKernel = std::function<void(const std::vector<ConstBuffer> &, const std::vector<MutableBuffer> &,
                                        const std::vector<CustomScalar> &)>;

/// One registration of a name. Numbers of a name are small and used again once a registration is gone, so that equal
/// programs have equal numbers in every process.
struct NativeOp {
  std::string name;
  int64_t registration;
  NativeShapeRule shape;
  NativeKernel kernel;
};

/// Makes the registration that the name stands for from now on.
NativeOpRef register_native_op(std::string name, NativeShapeRule shape, NativeKernel kernel);
/// The registration of this number while it is alive; the last one of the name for a negative number. Its `op` is null,
/// and its number negative, when there is none.
NativeOpRef find_native_op(const std::string &name, int64_t registration = -1);
/// The op that a reference means now. Throws DispatchError when nobody has registered it.
std::shared_ptr<const NativeOp> resolve_native_op(const NativeOpRef &ref, const SourceLocation &where = {});

/// Numbers and types as the integers that an op stores.
std::vector<int64_t> pack_scalars(const std::vector<CustomScalar> &scalars);
std::optional<std::vector<CustomScalar>> unpack_scalars(const std::vector<int64_t> &words);
std::vector<int64_t> pack_types(std::span<const TensorSpec> types);
std::optional<std::vector<TensorType>> unpack_types(const std::vector<int64_t> &words);

/// Runs the kernel of a custom call. What it throws passes through.
void run_native_op(const NativeOp &op, std::span<const ConstView> inputs, std::span<const MutableView> outputs,
                   const std::vector<CustomScalar> &scalars);

} // namespace ingot
