#include "ingot/capture/NativeCalls.h"

#include "ingot/ir/NativeOps.h"

#include "ingot-gen/ir/OpAttributes.h.inc"

#include <utility>

namespace ingot {
namespace {

// Kernels run on the thread that runs the program, so what they throw waits there for it.
thread_local std::exception_ptr failure;

TensorSpec unnamed(const TensorType &type) { return {"", type.dtype, type.shape}; }

/// The op may have been registered anew since the call was recorded.
void check_results(const NativeOp &op, const std::vector<TensorType> &inputs, const std::vector<TensorType> &outputs,
                   const std::vector<CustomScalar> &scalars, const SourceLocation &where) {
  std::vector<TensorSpec> specs;
  for (const TensorType &type : inputs)
    specs.push_back(unnamed(type));
  const std::vector<TensorSpec> says = op.shape(specs, scalars);
  for (std::size_t i = 0; i < std::max(says.size(), outputs.size()); ++i) {
    const std::string got = i < says.size() ? says[i].type().str() : "nothing";
    const std::string want = i < outputs.size() ? outputs[i].str() : "nothing";
    if (got != want)
      throw ShapeError("[" + op.name + "] the program has " + want + " as result " + std::to_string(i) +
                           ", but the registered shape rule gives " + got,
                       where);
  }
}

} // namespace

std::exception_ptr take_native_failure() { return std::exchange(failure, nullptr); }

struct NativeCalls::Call {
  std::shared_ptr<const NativeOp> op;
  std::vector<TensorType> inputs, outputs;
  std::vector<CustomScalar> scalars;

  static std::int32_t run(void *state, const void *const *in, void *const *out) noexcept {
    const Call &call = *static_cast<const Call *>(state);
    try {
      std::vector<ConstView> inputs;
      std::vector<MutableView> outputs;
      for (std::size_t i = 0; i < call.inputs.size(); ++i)
        inputs.push_back({in[i], call.inputs[i]});
      for (std::size_t i = 0; i < call.outputs.size(); ++i)
        outputs.push_back({out[i], call.outputs[i]});
      run_native_op(*call.op, inputs, outputs, call.scalars);
      return 0;
    } catch (...) {
      failure = std::current_exception();
      return 1;
    }
  }
};

NativeCalls::NativeCalls() = default;
NativeCalls::NativeCalls(NativeCalls &&) noexcept = default;
NativeCalls &NativeCalls::operator=(NativeCalls &&) noexcept = default;
NativeCalls::~NativeCalls() = default;

NativeCalls::NativeCalls(const Trace &trace, const std::vector<std::uint32_t> &ordinals) {
  for (std::uint32_t ordinal : ordinals) {
    const auto [owner, record] = trace.at_ordinal(ordinal);
    INGOT_CHECK(record && op_info(record->kind).has(kNative), "a native op of a program is a record of its trace");
    auto call = std::make_unique<Call>();
    const auto &ref = std::get<NativeOpRef>(record->attributes[attr::CustomCall::callee]);
    call->op = resolve_native_op(ref, record->site);
    call->scalars = *unpack_scalars(std::get<std::vector<std::int64_t>>(record->attributes[attr::CustomCall::scalars]));
    for (ValueId operand : owner->operands(*record))
      call->inputs.push_back(owner->values()[operand]);
    for (std::uint32_t i = 0; i < record->numResults; ++i)
      call->outputs.push_back(owner->values()[record->firstResult + i]);
    if (!ref.op)
      check_results(*call->op, call->inputs, call->outputs, call->scalars, record->site);
    entries.push_back({&Call::run, call.get()});
    calls.push_back(std::move(call));
  }
}

} // namespace ingot
