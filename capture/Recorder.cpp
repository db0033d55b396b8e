#include "ingot/capture/Recorder.h"

#include "ingot/capture/Autodiff.h"
#include "ingot/capture/Compiler.h"
#include "ingot/capture/Dispatch.h"
#include "ingot/capture/Graph.h"
#include "ingot/ir/NativeOps.h"
#include "ingot/ir/OperandNames.h"

namespace ingot {
namespace {

thread_local std::shared_ptr<Recorder> innermostFunction;
thread_local std::shared_ptr<const std::string> scopePath;
thread_local const char *compositeName = nullptr;

/// A segment is run when it has grown to this many records, so that a loop that reads nothing stays bounded.
constexpr std::size_t kMostRecords = 4096;

/// Ascending on each thread. A thread takes many at once, because an atomic step costs as much as the rest of a state.
std::uint64_t next_id() {
  constexpr std::uint64_t kTaken = 1024;
  static std::atomic<std::uint64_t> taken{1};
  thread_local std::uint64_t next = 0, end = 0;
  if (next == end) {
    next = taken.fetch_add(kTaken, std::memory_order_relaxed);
    end = next + kTaken;
  }
  return next++;
}

} // namespace

TensorState::TensorState(const TensorType &type, const Device &device) : id(next_id()), type(type), device(device) {}
TensorState::~TensorState() = default;

std::shared_ptr<Recorder> current_function() { return innermostFunction; }
FunctionGuard::FunctionGuard(std::shared_ptr<Recorder> recorder) : before(std::move(innermostFunction)) {
  innermostFunction = std::move(recorder);
}
FunctionGuard::~FunctionGuard() { innermostFunction = std::move(before); }

const std::shared_ptr<const std::string> &current_scope() { return scopePath; }

NameScope::NameScope(std::string name) : before(std::move(scopePath)) {
  scopePath = std::make_shared<const std::string>(before ? *before + "/" + name : std::move(name));
}
NameScope::~NameScope() { scopePath = std::move(before); }

Composite::Composite(const char *name) : scope(name), before(compositeName) {
  if (!compositeName)
    compositeName = name;
}
Composite::~Composite() { compositeName = before; }

std::string_view error_name(std::string_view op) { return compositeName ? std::string_view(compositeName) : op; }

std::uint32_t Recorder::scope_number(const std::shared_ptr<const std::string> &scope) {
  if (!scope)
    return 0;
  if (lastScope != scope) {
    lastScope = scope;
    lastScopeNumber = trace.intern_scope(*scope);
  }
  return lastScopeNumber;
}

Trace Recorder::forget() {
  inputs.clear();
  constants.clear();
  known.clear();
  results.clear();
  repetition.reset();
  trace.clear();
  return std::exchange(trace, Trace());
}

void Recorder::stop_repeating() {
  repetition->copy_to(trace);
  repetition.reset();
}

ValueId Recorder::add_input(const TensorType &type) {
  if (repetition) {
    if (const std::optional<ValueId> value = repetition->add_input(type))
      return *value;
    stop_repeating();
  }
  return trace.add_input(type);
}

ValueId Recorder::append(OpKind kind, std::span<const ValueId> operands, std::span<const AttrValue> attributes,
                         const CallSite &site, std::span<const std::shared_ptr<const Trace>> regions,
                         std::span<const TensorType> results, const std::shared_ptr<const std::string> &scope) {
  if (repetition) {
    if (const std::optional<ValueId> value = repetition->append(kind, operands, attributes, regions, results))
      return *value;
    stop_repeating();
  }
  return trace.append_span(kind, operands, {attributes.begin(), attributes.end()}, site, scope_number(scope),
                           {regions.begin(), regions.end()}, results);
}

ValueId Recorder::append_constant(Literal value, const CallSite &site,
                                  const std::shared_ptr<const std::string> &scope) {
  const TensorType type = value.type;
  AttrValue attribute(std::move(value));
  if (repetition) {
    if (const std::optional<ValueId> known = repetition->append(OpKind::Constant, {}, {&attribute, 1}, {}, {&type, 1}))
      return *known;
    stop_repeating();
  }
  return trace.append_constant(std::get<Literal>(std::move(attribute)), site, scope_number(scope));
}

std::shared_ptr<const Trace> Recorder::finish(std::vector<ValueId> outputs) {
  if (repetition) {
    if (std::shared_ptr<const Trace> whole = repetition->whole(outputs))
      return whole;
    stop_repeating();
  }
  trace.set_outputs(std::move(outputs));
  return {std::shared_ptr<void>(), &trace};
}

ValueId Recorder::lift(const std::shared_ptr<TensorState> &state, const CallSite &site) {
  if (state->recorder.get() == this)
    return state->value;
  // Numbers, and what nobody else holds, need no memory of having been seen.
  const bool mayReturn = !state->number && !(state->splat && state.use_count() == 1);
  if (mayReturn)
    if (auto found = known.find(state.get()); found != known.end())
      return found->second;
  ValueId value;
  // What the caller of a lazy program keeps is data: it may be another value in the next round.
  const bool isData = (kind == Kind::Segment || kind == Kind::Subfunction) && !state->number && mayReturn;
  if (state->splat && !isData) {
    value = append_constant({state->type, state->splat, true}, site, nullptr);
  } else if (kind == Kind::Function && !(state->recorder && state->recorder->is_function())) {
    value = append_constant({state->type, realize(state, {}), false}, site, nullptr);
  } else {
    value = add_input(state->type);
    inputs.push_back(state);
  }
  if (mayReturn) {
    constants.push_back(state);
    known.emplace(state.get(), value);
  }
  return value;
}

namespace {

bool is_function(const TensorState &state) { return state.recorder && state.recorder->is_function(); }

[[noreturn]] void closed_error(Location at) { throw CaptureError("capture scope is already complete", CallSite(at)); }

/// Of one device, and of one strategy where they are associated with one: an op on such tensors needs no decision.
bool are_alike(const Device &a, const Device &b) {
  return a == b && (!a.is_autodiff() || !b.is_autodiff() || a.checkpointing() == b.checkpointing());
}

/// Where an op of operands that are not all alike runs.
dispatch::Decision decide(OpKind kind, const TensorList &operands, Location at) {
  const std::span<const std::string_view> names = operand_names(kind);
  SmallVector<dispatch::Argument, 4> arguments;
  for (const Tensor &t : operands) {
    const TensorState &state = *t.state();
    const TensorState &plain = state.device.is_capture() && state.inner.state() ? *state.inner.state() : state;
    arguments.push_back({dispatch::state_of(state)});
    if (const std::size_t i = arguments.size() - 1; i < names.size())
      arguments.back().name = names[i];
    if (is_function(plain))
      arguments.back().function = plain.recorder->depth;
  }
  return dispatch::decide(arguments, CallSite(at));
}

/// A transformation on the reference device: its primitives, one by one.
TensorList run_expanded(OpKind kind, const TensorList &operands, const std::vector<AttrValue> &attributes,
                        const std::vector<std::shared_ptr<const Trace>> &regions, Location at) {
  Trace trace;
  std::vector<ValueId> inputs, outputs;
  for (const Tensor &t : operands)
    inputs.push_back(trace.add_input(t.type()));
  const ValueId first = trace.record(kind, std::move(inputs), attributes, CallSite(at), 0, regions);
  for (std::uint32_t i = 0; i < trace.records().back().numResults; ++i)
    outputs.push_back(first + i);
  trace.set_outputs(std::move(outputs));
  const Graph expanded(with_site(CallSite(at), [&] { return compiler().expand(trace); }));
  return operand_list(expanded(std::vector<Tensor>(operands.begin(), operands.end()), at));
}

TensorList run_reference(OpKind kind, const TensorList &operands, const std::vector<AttrValue> &attributes,
                         const std::vector<std::shared_ptr<const Trace>> &regions, std::span<const TensorType> results,
                         Location at) {
  const OpInfo &info = op_info(kind);
  if (!info.reference)
    return run_expanded(kind, operands, attributes, regions, at);
  std::vector<ConstView> in;
  std::vector<TensorType> types;
  for (const Tensor &t : operands) {
    in.push_back({realize(t.state(), at)->data(), t.type()});
    types.push_back(t.type());
  }
  std::vector<MutableView> out;
  TensorList made;
  for (const TensorType &type : results) {
    std::shared_ptr<Buffer> buffer = Buffer::allocate(type.bytes());
    out.push_back({buffer->data(), type});
    auto state = make_state(type, Device::reference());
    state->data = std::move(buffer);
    made.emplace_back(std::move(state));
  }
  if (KernelFault fault = info.reference({kind, types, attributes}, in, out); fault.code)
    throw IndexError("[" + std::string(error_name(info.name)) + "] index " + std::to_string(fault.index) +
                         " at position " + std::to_string(fault.result) + " is outside an axis of size " +
                         std::to_string(fault.bound),
                     CallSite(at));
  return made;
}

/// What an op with a fixed number of operands rarely has more of.
template <class T> using Few = SmallVector<T, 4>;

/// Records into an open trace, whose lock is held, and makes the result handles.
TensorList record_op(const std::shared_ptr<Recorder> &self, OpKind kind, TensorList &operands,
                     const std::vector<AttrValue> &attributes, Location at,
                     const std::vector<std::shared_ptr<const Trace>> &regions, std::span<const TensorType> results) {
  Recorder &recorder = *self;
  const CallSite site(at);
  Few<ValueId> ids;
  for (Tensor &t : operands) {
    ids.push_back(recorder.lift(t.state(), site));
    if (recorder.kind == Recorder::Kind::Scope) {
      Recorder::Info &info = recorder.tensors.try_emplace(t.state()->id, Recorder::Info{ids.back()}).first->second;
      if (!info.referenced)
        recorder.readOrder.push_back(t.state()->id);
      info.referenced = true;
      info.consumed |= t.state().use_count() == 1;
    }
  }
  TensorList made;
  ValueId value = recorder.append(kind, ids, attributes, site, regions, results, scopePath);
  for (const TensorType &type : results) {
    auto state = make_state(type, recorder.is_function() ? Device(Backend::Capture, -1, self) : recorder.device);
    state->recorder = self;
    state->value = value++;
    if (recorder.kind == Recorder::Kind::Segment)
      recorder.results.emplace_back(state);
    if (recorder.kind == Recorder::Kind::Scope)
      recorder.tensors[state->id] = {state->value, false, true, false, true};
    made.emplace_back(std::move(state));
  }
  operands.clear(); // not before: `results` may be the type of one
  return made;
}

/// Records into this thread's segment.
TensorList record_lazy(OpKind kind, TensorList &operands, const std::vector<AttrValue> &attributes, Location at,
                       const std::vector<std::shared_ptr<const Trace>> &regions, std::span<const TensorType> results) {
  for (;;) {
    const std::shared_ptr<Recorder> &segment = current_segment();
    for (const Tensor &t : operands) // pending in another segment: finished there first
      if (t.state()->recorder && t.state()->recorder != segment)
        realize(t.state(), at);
    std::unique_lock lock(segment->mutex);
    if (segment->closed)
      continue; // another thread read one of its results meanwhile
    TensorList made = record_op(segment, kind, operands, attributes, at, regions, results);
    const bool full = segment->num_records() >= kMostRecords;
    lock.unlock();
    if (full)
      flush_segment(*segment, at);
    return made;
  }
}

TensorList record(OpKind kind, TensorList &operands, const std::vector<AttrValue> &attributes, Location at,
                  const std::vector<std::shared_ptr<const Trace>> &regions, std::span<const TensorType> results,
                  std::shared_ptr<Recorder> recorder) {
  if (!recorder) {
    const Device &device = operands[0].state()->device;
    if (device.backend() == Backend::Cpu)
      return record_lazy(kind, operands, attributes, at, regions, results);
    if (device.backend() == Backend::Reference)
      return run_reference(kind, operands, attributes, regions, results, at);
    recorder = operands[0].state()->recorder;
  }
  std::lock_guard lock(recorder->mutex);
  if (recorder->closed)
    closed_error(at);
  return record_op(recorder, kind, operands, attributes, at, regions, results);
}

/// Whether an op is elementwise on operands of one type that it takes, so that its result needs no shape rule.
bool has_obvious_result(const OpInfo &info, const TensorList &operands) {
  const TensorType &first = operands[0].state()->type;
  if (!keeps_type(info) || operands.size() != info.numOperands || !(info.dtypes & dtype_bit(first.dtype)))
    return false;
  for (std::size_t i = 1; i < operands.size(); ++i)
    if (const TensorType &other = operands[i].state()->type; !(other == first))
      return false;
  return true;
}

} // namespace

TensorList apply_op(OpKind kind, TensorList &&operands, Attributes attributes, Location at, const char *name,
                    std::vector<std::shared_ptr<const Trace>> regions) {
  const OpInfo &info = op_info(kind);
  bool alike = !operands.empty();
  const Device *autodiff = nullptr;
  for (const Tensor &t : operands) {
    if (!t.state())
      throw DispatchError("[" + std::string(error_name(name ? name : info.name)) + "] an operand is no tensor",
                          CallSite(at));
    const Device &device = t.state()->device;
    alike = alike && are_alike(device, autodiff ? *autodiff : operands[0].state()->device);
    if (device.is_autodiff()) {
      autodiff = &device;
      alike = alike && !device.is_capture();
    }
  }
  std::shared_ptr<Recorder> recorder;
  if (!alike) {
    const dispatch::Decision decision = decide(kind, operands, at);
    if (decision.route == dispatch::Route::Function) {
      for (Tensor &t : operands) // what is associated with autodiff in a capture is recorded as what it is
        if (t.state()->device.is_capture() && t.state()->inner.state())
          t = t.state()->inner;
      recorder = operands[decision.routing].state()->recorder;
    } else if (decision.route != dispatch::Route::Concrete) {
      const Device device = operands[decision.routing].state()->device.inner().autodiff(*decision.context);
      return apply_autodiff(device, kind, std::move(operands), std::move(attributes.list), at, name,
                            std::move(regions));
    }
  } else if (autodiff) {
    return apply_autodiff(Device(*autodiff), kind, std::move(operands), std::move(attributes.list), at, name,
                          std::move(regions));
  } else if (is_function(*operands[0].state())) {
    recorder = operands[0].state()->recorder;
  }
  if (has_obvious_result(info, operands)) {
    const TensorType &first = operands[0].state()->type;
    if (!info.has(kBoolResult))
      return record(kind, operands, attributes.list, at, regions, {&first, 1}, std::move(recorder));
    const TensorType result{DType::Bool, first.shape};
    return record(kind, operands, attributes.list, at, regions, {&result, 1}, std::move(recorder));
  }
  if (info.has(kNative) && !recorder && !operands[0].state()->device.is_capture())
    resolve_native_op(std::get<NativeOpRef>(attributes.list[0]), CallSite(at));
  Few<TensorType> types;
  for (const Tensor &t : operands)
    types.push_back(t.state()->type);
  const Inference inference =
      infer_call(kind, types, attributes.list, regions, error_name(name ? name : info.name), CallSite(at));
  return record(kind, operands, attributes.list, at, regions, inference.results, std::move(recorder));
}

Tensor apply_one(OpKind kind, TensorList &&operands, Attributes attributes, Location at, const char *name) {
  return std::move(apply_op(kind, std::move(operands), std::move(attributes), at, name)[0]);
}

Tensor make_tensor(TensorType type, std::shared_ptr<const Buffer> data, Content content, const Device &device,
                   Location at) {
  const bool splat = content != Content::Elements;
  if (device.is_autodiff())
    return wrap_autodiff(make_tensor(std::move(type), std::move(data), content, device.inner(), at), device);
  std::shared_ptr<Recorder> recorder = device.recorder();
  if (device.is_capture() && !recorder)
    recorder = scope_of(device, at);
  auto state = make_state(type, device);
  if (!recorder) {
    (splat ? state->splat : state->data) = std::move(data);
    state->number = content == Content::Number;
    if (splat && device.backend() == Backend::Reference)
      realize(state, at);
    return Tensor(std::move(state));
  }
  std::lock_guard lock(recorder->mutex);
  if (recorder->closed)
    closed_error(at);
  state->recorder = recorder;
  state->value = recorder->append_constant({type, data, splat}, CallSite(at), scopePath);
  if (recorder->kind == Recorder::Kind::Scope) {
    recorder->tensors[state->id] = {state->value, !splat, splat, false, true};
    if (!splat)
      state->initial = std::move(data);
  }
  return Tensor(std::move(state));
}

} // namespace ingot
