#include "ingot/capture/Recorder.h"

#include <atomic>

namespace ingot {
namespace {

std::atomic<std::uint64_t> nextId{1};
thread_local std::shared_ptr<Recorder> innermostFunction;
thread_local std::string scopePath;
thread_local const char *compositeName = nullptr;

} // namespace

TensorState::TensorState(TensorType type, Device device) : id(nextId++), type(std::move(type)), device(std::move(device)) {}
TensorState::~TensorState() = default;

std::shared_ptr<Recorder> current_function() { return innermostFunction; }
FunctionGuard::FunctionGuard(std::shared_ptr<Recorder> recorder) : before(std::move(innermostFunction)) {
  innermostFunction = std::move(recorder);
}
FunctionGuard::~FunctionGuard() { innermostFunction = std::move(before); }

const std::string &current_scope() { return scopePath; }
NameScope::NameScope(std::string name) : before(scopePath) {
  scopePath = scopePath.empty() ? std::move(name) : scopePath + "/" + name;
}
NameScope::~NameScope() { scopePath = std::move(before); }

Composite::Composite(const char *name) : scope(name), before(compositeName) {
  if (!compositeName)
    compositeName = name;
}
Composite::~Composite() { compositeName = before; }

std::string_view error_name(std::string_view op) { return compositeName ? std::string_view(compositeName) : op; }

ValueId Recorder::lift(const std::shared_ptr<TensorState> &state) {
  // A segment is closed before its results get data, so what an open one recorded is still its own.
  if (state->recorder.get() == this)
    return state->value;
  auto found = known.find(state.get());
  if (found != known.end())
    return found->second;
  ValueId value;
  std::shared_ptr<const Buffer> splat = state->splat;
  if (splat) {
    value = trace.append(OpKind::Constant, {}, {Literal{state->type, splat, true}}, {}, 0, {}, {state->type});
    constants.push_back(state);
  } else if (kind == Kind::Function && !(state->recorder && state->recorder->kind == Kind::Function)) {
    std::shared_ptr<const Buffer> data = realize(state, {});
    value = trace.append(OpKind::Constant, {}, {Literal{state->type, data, false}}, {}, 0, {}, {state->type});
    constants.push_back(state);
  } else {
    value = trace.add_input(state->type);
    inputs.push_back(state);
  }
  known.emplace(state.get(), value);
  return value;
}

namespace {

[[noreturn]] void refuse_backends(std::string_view, const Device &a, const Device &b, Location at) {
  throw DispatchError("The provided tensors are not on the same backend. Got backends " + std::string(backend_name(a.backend())) +
                          " and " + backend_name(b.backend()) + ".",
                      CallSite(at));
}

bool is_function(const TensorState &state) { return state.recorder && state.recorder->kind == Recorder::Kind::Function; }

/// Who records an op with these operands; null for one that runs at once.
std::shared_ptr<Recorder> choose_recorder(const std::vector<Tensor> &operands, Location at) {
  std::shared_ptr<Recorder> deepest;
  for (const Tensor &t : operands)
    if (is_function(*t.state()) && (!deepest || t.state()->recorder->depth > deepest->depth))
      deepest = t.state()->recorder;
  if (deepest)
    return deepest;
  if (operands.empty())
    return nullptr;
  const Device first = operands[0].device();
  for (const Tensor &t : operands)
    if (t.device().backend() != first.backend() || (first.is_capture() && !(t.device() == first)))
      refuse_backends("", first, t.device(), at);
  if (first.backend() == Backend::Cpu)
    return current_segment();
  return first.is_capture() ? operands[0].state()->recorder : nullptr;
}

std::vector<Tensor> run_reference(OpKind kind, const std::vector<Tensor> &operands, const std::vector<AttrValue> &attributes,
                                  std::vector<TensorType> results, Location at) {
  const OpInfo &info = op_info(kind);
  if (!info.reference)
    throw DispatchError("[" + std::string(error_name(info.name)) + "] cannot run on the reference device; compile the graph that holds it",
                        CallSite(at));
  std::vector<ConstView> in;
  std::vector<TensorType> types;
  for (const Tensor &t : operands) {
    in.push_back({realize(t.state(), at)->data(), t.type()});
    types.push_back(t.type());
  }
  std::vector<MutableView> out;
  std::vector<Tensor> tensors;
  for (TensorType &type : results) {
    std::shared_ptr<Buffer> buffer = Buffer::allocate(type.bytes());
    out.push_back({buffer->data(), type});
    auto state = std::make_shared<TensorState>(type, Device::reference());
    state->data = std::move(buffer);
    tensors.emplace_back(std::move(state));
  }
  if (KernelFault fault = info.reference({kind, types, attributes}, in, out); fault.code)
    throw IndexError("[" + std::string(error_name(info.name)) + "] index " + std::to_string(fault.index) + " at position " +
                         std::to_string(fault.result) + " is outside an axis of size " + std::to_string(fault.bound),
                     CallSite(at));
  return tensors;
}

/// Records into a trace and makes the result handles.
std::vector<Tensor> record_op(Recorder &recorder, OpKind kind, std::vector<Tensor> operands, std::vector<AttrValue> attributes,
                              Location at, std::vector<std::shared_ptr<const Trace>> regions, std::vector<TensorType> results) {
  std::lock_guard lock(recorder.mutex);
  if (recorder.closed)
    throw CaptureError("capture scope is already complete", CallSite(at));
  std::vector<ValueId> ids;
  for (Tensor &t : operands) {
    ids.push_back(recorder.lift(t.state()));
    if (recorder.kind == Recorder::Kind::Scope) {
      auto [entry, fresh] = recorder.tensors.try_emplace(t.state()->id, Recorder::Info{ids.back()});
      if (!entry->second.referenced)
        recorder.readOrder.push_back(t.state()->id);
      entry->second.referenced = true;
      if (t.state().use_count() == 1)
        entry->second.consumed = true;
    }
  }
  operands.clear();
  ValueId value = recorder.trace.append(kind, std::move(ids), std::move(attributes), CallSite(at),
                                        recorder.trace.intern_scope(current_scope()), std::move(regions), results);
  std::vector<Tensor> tensors;
  for (TensorType &type : results) {
    auto state = std::make_shared<TensorState>(std::move(type), recorder.kind == Recorder::Kind::Function
                                                                    ? Device(Backend::Capture, -1, recorder.shared_from_this())
                                                                    : recorder.device);
    state->recorder = recorder.shared_from_this();
    state->value = value++;
    if (recorder.kind == Recorder::Kind::Segment)
      recorder.results.push_back(state);
    if (recorder.kind == Recorder::Kind::Scope)
      recorder.tensors[state->id] = {state->value, false, true, false, true};
    tensors.emplace_back(std::move(state));
  }
  return tensors;
}

} // namespace

std::vector<Tensor> apply_op(OpKind kind, std::vector<Tensor> operands, std::vector<AttrValue> attributes, Location at,
                             const char *name, std::vector<std::shared_ptr<const Trace>> regions) {
  std::vector<TensorType> types;
  for (const Tensor &t : operands) {
    if (!t.state())
      throw DispatchError("[" + std::string(error_name(name ? name : op_info(kind).name)) + "] an operand is no tensor", CallSite(at));
    types.push_back(t.type());
  }
  std::shared_ptr<Recorder> recorder = choose_recorder(operands, at);
  Inference inference =
      infer_call(kind, types, attributes, regions, error_name(name ? name : op_info(kind).name), CallSite(at));
  if (!recorder)
    return run_reference(kind, operands, attributes, std::move(inference.results), at);
  if (recorder->kind == Recorder::Kind::Segment)
    for (const Tensor &t : operands) // pending in another segment: finished there first
      if (t.state()->recorder && t.state()->recorder != recorder)
        realize(t.state(), at);
  return record_op(*recorder, kind, std::move(operands), std::move(attributes), at, std::move(regions), std::move(inference.results));
}

Tensor apply_one(OpKind kind, std::vector<Tensor> operands, std::vector<AttrValue> attributes, Location at, const char *name) {
  return std::move(apply_op(kind, std::move(operands), std::move(attributes), at, name)[0]);
}

Tensor make_tensor(TensorType type, std::shared_ptr<const Buffer> data, bool splat, const Device &device, Location at) {
  std::shared_ptr<Recorder> recorder = device.recorder();
  if (device.is_capture() && !recorder)
    recorder = scope_of(device, at);
  if (recorder) {
    std::lock_guard lock(recorder->mutex);
    if (recorder->closed)
      throw CaptureError("capture scope is already complete", CallSite(at));
    auto state = std::make_shared<TensorState>(type, device);
    state->recorder = recorder;
    state->value = recorder->trace.append(OpKind::Constant, {}, {Literal{type, data, splat}}, CallSite(at),
                                          recorder->trace.intern_scope(current_scope()), {}, {type});
    if (recorder->kind == Recorder::Kind::Segment)
      recorder->results.push_back(state);
    if (recorder->kind == Recorder::Kind::Scope) {
      recorder->tensors[state->id] = {state->value, !splat, splat, false, true};
      if (!splat)
        recorder->initializers[state->id] = state;
      state->initial = splat ? nullptr : data;
    }
    return Tensor(std::move(state));
  }
  auto state = std::make_shared<TensorState>(type, device);
  if (splat)
    state->splat = std::move(data);
  else
    state->data = std::move(data);
  if (splat && device.backend() == Backend::Reference)
    realize(state, at);
  return Tensor(std::move(state));
}

} // namespace ingot
