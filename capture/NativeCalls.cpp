#include "ingot/capture/NativeCalls.h"

#include "ingot/ir/NativeOps.h"

#include "ingot-gen/ir/OpAttributes.h.inc"

#include <atomic>
#include <utility>

namespace ingot {
namespace {

// Kernels run on the thread that runs the program, so what they throw waits there for it.
thread_local std::exception_ptr failure;

template <class Buffer> Buffer buffer_of(const TensorType &type) {
  return {nullptr, type.dtype, type.shape, type.shape.num_elements()};
}

/// The op may have been registered anew since the call was recorded.
void check_results(const NativeOp &op, const std::vector<ConstBuffer> &inputs,
                   const std::vector<MutableBuffer> &outputs, const std::vector<CustomScalar> &scalars,
                   const SourceLocation &where) {
  std::vector<TensorSpec> specs;
  for (const ConstBuffer &input : inputs)
    specs.push_back({"", input.dtype, input.shape});
  const std::vector<TensorSpec> says = op.shape(specs, scalars);
  for (std::size_t i = 0; i < std::max(says.size(), outputs.size()); ++i) {
    const std::string got = i < says.size() ? says[i].type().str() : "nothing";
    const std::string want = i < outputs.size() ? TensorType{outputs[i].dtype, outputs[i].shape}.str() : "nothing";
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
  std::vector<CustomScalar> scalars;
  // What the kernel gets, but for the pointers: a run takes them as they are, or copies while another has them.
  std::vector<ConstBuffer> inputs;
  std::vector<MutableBuffer> outputs;
  std::atomic_flag taken = ATOMIC_FLAG_INIT;

  void run(std::vector<ConstBuffer> &from, std::vector<MutableBuffer> &to, const void *const *in,
           void *const *out) const {
    for (std::size_t i = 0; i < from.size(); ++i)
      from[i].data = in[i];
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i].data = out[i];
    op->kernel(from, to, scalars);
  }

  static std::int32_t enter(void *state, const void *const *in, void *const *out) noexcept {
    Call &call = *static_cast<Call *>(state);
    const bool alone = !call.taken.test_and_set(std::memory_order_acquire);
    std::int32_t code = 0;
    try {
      if (alone) {
        call.run(call.inputs, call.outputs, in, out);
      } else {
        std::vector<ConstBuffer> from;
        std::vector<MutableBuffer> to;
        for (const ConstBuffer &input : call.inputs) // all but the pointer, which the other run may be writing
          from.push_back({nullptr, input.dtype, input.shape, input.num_elements});
        for (const MutableBuffer &output : call.outputs)
          to.push_back({nullptr, output.dtype, output.shape, output.num_elements});
        call.run(from, to, in, out);
      }
    } catch (...) {
      failure = std::current_exception();
      code = 1;
    }
    if (alone)
      call.taken.clear(std::memory_order_release);
    return code;
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
      call->inputs.push_back(buffer_of<ConstBuffer>(owner->values()[operand]));
    for (std::uint32_t i = 0; i < record->numResults; ++i)
      call->outputs.push_back(buffer_of<MutableBuffer>(owner->values()[record->firstResult + i]));
    if (!ref.op)
      check_results(*call->op, call->inputs, call->outputs, call->scalars, record->site);
    entries.push_back({&Call::enter, call.get()});
    calls.push_back(std::move(call));
  }
}

} // namespace ingot
