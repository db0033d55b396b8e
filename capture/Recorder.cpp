#include "ingot/capture/Recorder.h"

#include "ingot/capture/Autodiff.h"
#include "ingot/capture/Compiler.h"
#include "ingot/capture/Dispatch.h"
#include "ingot/capture/Graph.h"
#include "ingot/capture/Stream.h"
#include "ingot/ir/NativeOps.h"
#include "ingot/ir/OperandNames.h"
#include "ingot/runtime/ScopePath.h"

namespace ingot {
namespace {

thread_local std::shared_ptr<Recorder> innermostFunction;
thread_local std::shared_ptr<const std::string> scopePath;
thread_local std::string_view compositeName; // of the outermost composite; empty for none

/// A segment is run when it has grown to this many records, so that a loop that reads nothing stays bounded.
constexpr std::size_t kMostRecords = 4096;

} // namespace

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

Composite::Composite(const char *name)
    : scope(compositeName.empty() ? std::string(name) + "()" : name), before(compositeName) {
  if (compositeName.empty())
    compositeName = name;
}
Composite::~Composite() { compositeName = before; }

ReplayedScope::ReplayedScope(const std::string &path) : scope(path), before(compositeName) {
  if (compositeName.empty())
    compositeName = called_function(*scopePath);
}
ReplayedScope::~ReplayedScope() { compositeName = before; }

std::string_view error_name(std::string_view op) { return compositeName.empty() ? op : compositeName; }

std::string index_fault_text(std::string_view name, std::int64_t index, std::int64_t position, std::int64_t size) {
  return "[" + std::string(name) + "] index " + std::to_string(index) + " at position " + std::to_string(position) +
         " is outside an axis of size " + std::to_string(size);
}

ValueId Recorder::lift(const StateRef &state, const CallSite &site) {
  if (holds(*state))
    return state->value;
  // Numbers, and what nobody else holds, need no memory of having been seen.
  const bool mayReturn = !state->number && !(state->splat && state.is_sole());
  if (mayReturn)
    if (auto found = known.find(state.get()); found != known.end())
      return found->second;
  ValueId value;
  // What the caller of a lazy program keeps is data: it may be another value in the next round.
  const bool isData = (kind == Kind::Segment || kind == Kind::Subfunction) && !state->number && mayReturn;
  if (state->splat && !isData) {
    value = append_number(state->type, state->splat, site);
  } else if (makes_constant(*state)) {
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

bool Recorder::makes_constant(const TensorState &state) const {
  return kind == Kind::Function && !state.splat && !(state.recorder && state.recorder->is_function());
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

/// Where an op runs beside the plain lazy device.
struct Place {
  std::optional<Device> autodiff;     // an autodiff device
  std::shared_ptr<Recorder> function; // a functional capture
};

bool is_lazy(const Tensor &t) {
  const Device &device = t.state()->device;
  return device.backend() == Backend::Cpu && !device.is_autodiff();
}

Place place_of(OpKind kind, TensorList &operands, Location at) {
  bool alike = !operands.empty();
  if (alike && std::all_of(operands.begin(), operands.end(), is_lazy)) // the most there is to run
    return {};
  const Device *autodiff = nullptr;
  for (const Tensor &t : operands) {
    const Device &device = t.state()->device;
    alike = alike && are_alike(device, autodiff ? *autodiff : operands[0].state()->device);
    if (device.is_autodiff()) {
      autodiff = &device;
      alike = alike && !device.is_capture();
    }
  }
  if (alike && autodiff)
    return {*autodiff, nullptr};
  if (alike)
    return {std::nullopt, is_function(*operands[0].state()) ? operands[0].state()->recorder : nullptr};
  const dispatch::Decision decision = decide(kind, operands, at);
  if (decision.route == dispatch::Route::Concrete)
    return {};
  if (decision.route != dispatch::Route::Function)
    return {operands[decision.routing].state()->device.inner().autodiff(*decision.context), nullptr};
  for (Tensor &t : operands) // what is associated with autodiff in a capture is recorded as what it is
    if (t.state()->device.is_capture() && t.state()->inner.state())
      t = t.state()->inner;
  return {std::nullopt, operands[decision.routing].state()->recorder};
}

/// What an op with a fixed number of operands rarely has more of.
template <class T> using Few = SmallVector<T, 4>;

/// An op before its results are known.
struct Use {
  OpKind kind;
  const std::vector<AttrValue> &attributes;
  const std::vector<std::shared_ptr<const Trace>> &regions;
  Location at;
  const char *name; // as apply_op's
};

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

/// Throws what infer_call does.
SmallVector<TensorType, 1> result_types(const Use &use, const TensorList &operands) {
  const OpInfo &info = op_info(use.kind);
  if (has_obvious_result(info, operands)) {
    const TensorType &first = operands[0].state()->type;
    SmallVector<TensorType, 1> types;
    types.push_back({info.has(kBoolResult) ? DType::Bool : first.dtype, first.shape});
    return types;
  }
  Few<TensorType> types;
  for (const Tensor &t : operands)
    types.push_back(t.state()->type);
  const std::string_view name = error_name(use.name ? use.name : info.name);
  return infer_call(use.kind, types, use.attributes, use.regions, name, CallSite(use.at)).results;
}

/// A transformation on the reference device: its primitives, one by one.
TensorList run_expanded(const Use &use, const TensorList &operands) {
  Trace trace;
  std::vector<ValueId> inputs, outputs;
  for (const Tensor &t : operands)
    inputs.push_back(trace.add_input(t.type()));
  const ValueId first = trace.record(use.kind, std::move(inputs), use.attributes, CallSite(use.at), 0, use.regions);
  for (std::uint32_t i = 0; i < trace.records().back().numResults; ++i)
    outputs.push_back(first + i);
  trace.set_outputs(std::move(outputs));
  const Graph expanded(with_site(CallSite(use.at), [&] { return compiler().expand(trace); }));
  return operand_list(expanded(std::vector<Tensor>(operands.begin(), operands.end()), use.at));
}

TensorList run_reference(const Use &use, const TensorList &operands) {
  const OpInfo &info = op_info(use.kind);
  if (info.has(kNative))
    resolve_native_op(std::get<NativeOpRef>(use.attributes[0]), CallSite(use.at));
  const SmallVector<TensorType, 1> results = result_types(use, operands);
  if (!info.reference)
    return run_expanded(use, operands);
  std::vector<ConstView> in;
  std::vector<TensorType> types;
  for (const Tensor &t : operands) {
    in.push_back({realize(t.state(), use.at)->data(), t.type()});
    types.push_back(t.type());
  }
  std::vector<MutableView> out;
  TensorList made;
  for (const TensorType &type : results) {
    std::shared_ptr<Buffer> buffer = Buffer::allocate(type.bytes());
    out.push_back({buffer->data(), type});
    StateRef state = make_state(type, Device::reference());
    state->settle(std::move(buffer), nullptr);
    made.emplace_back(std::move(state));
  }
  if (KernelFault fault = info.reference({use.kind, types, use.attributes}, in, out); fault.code)
    throw IndexError(index_fault_text(error_name(info.name), fault.index, fault.result, fault.bound), CallSite(use.at));
  return made;
}

/// The values of operands in a recorder, whose lock is held.
Few<ValueId> lift(Recorder &recorder, const TensorList &operands, Location at) {
  Few<ValueId> ids;
  for (const Tensor &t : operands) {
    ids.push_back(recorder.lift(t.state(), CallSite(at)));
    if (recorder.kind == Recorder::Kind::Scope) {
      Recorder::Info &info = recorder.tensors.try_emplace(t.state()->id, Recorder::Info{ids.back()}).first->second;
      if (!info.referenced)
        recorder.readOrder.push_back(t.state()->id);
      info.referenced = true;
      info.consumed |= t.state().is_sole();
    }
  }
  return ids;
}

/// Records into this thread's open segment, whose lock is held; `made` gets the handles of the results.
void record_pending(Stream &stream, const Use &use, const TensorList &operands, TensorList &made) {
  auto make = [&](const TensorType &type, ValueId value) {
    StateRef state = make_state(type, stream.device);
    stream.add_result(*state, value);
    made.emplace_back(std::move(state));
  };
  SmallVector<TensorType, 1> types;
  // An error tells its own line, not that of the same op before.
  if (stream.repetition && op_info(use.kind).has(kMayFail) && !stream.repetition->is_at(CallSite(use.at)))
    stream.stop_repeating();
  if (!stream.repetition || op_info(use.kind).has(kNative))
    types = result_types(use, operands); // before anything is recorded, because it may throw
  const Few<ValueId> ids = lift(stream, operands, use.at);
  if (types.empty()) {
    // What comes again on the same values has the same results.
    if (stream.repetition)
      if (const std::optional<ValueId> first = stream.repetition->append(use.kind, ids, use.attributes, use.regions)) {
        for (ValueId value = *first; value != stream.repetition->num_values(); ++value)
          make(stream.repetition->type(value), value);
        return;
      }
    types = result_types(use, operands);
  }
  ValueId value = stream.append(use.kind, ids, use.attributes, CallSite(use.at), use.regions, types, scopePath);
  for (const TensorType &type : types)
    make(type, value++);
}

TensorList record_lazy(const Use &use, TensorList &operands) {
  if (op_info(use.kind).has(kNative))
    resolve_native_op(std::get<NativeOpRef>(use.attributes[0]), CallSite(use.at));
  Stream &stream = Stream::current();
  TensorList made;
  for (;;) {
    std::unique_lock lock(stream.mutex);
    const std::uint64_t segment = stream.begin();
    // What is pending in another segment is finished there first.
    const auto elsewhere = std::find_if(operands.begin(), operands.end(), [segment](const Tensor &t) {
      const TensorState &state = *t.state();
      return state.segment != 0 && state.segment != segment && !state.is_settled();
    });
    if (elsewhere != operands.end()) {
      lock.unlock();
      realize(elsewhere->state(), use.at);
      continue;
    }
    record_pending(stream, use, operands, made);
    const bool full = stream.num_records() >= kMostRecords;
    lock.unlock();
    if (full) {
      operands.clear(); // no reason to keep their values
      run_segment(stream, segment, use.at);
    }
    return made;
  }
}

/// Records into a capture.
TensorList record(Recorder &recorder, const Use &use, const TensorList &operands) {
  const SmallVector<TensorType, 1> types = result_types(use, operands);
  for (const Tensor &t : operands)
    if (recorder.makes_constant(*t.state()))
      realize(t.state(), use.at);
  TensorList made;
  std::lock_guard lock(recorder.mutex);
  if (recorder.closed)
    closed_error(use.at);
  const Few<ValueId> ids = lift(recorder, operands, use.at);
  ValueId value = recorder.append(use.kind, ids, use.attributes, CallSite(use.at), use.regions, types, scopePath);
  for (const TensorType &type : types) {
    std::shared_ptr<Recorder> self = recorder.shared_from_this();
    StateRef state = make_state(type, recorder.is_function() ? Device(Backend::Capture, -1, self) : recorder.device);
    state->recorder = std::move(self);
    state->value = value++;
    if (recorder.kind == Recorder::Kind::Scope)
      recorder.tensors[state->id] = {state->value, false, true, false, true};
    made.emplace_back(std::move(state));
  }
  return made;
}

/// Records or runs an op that is not autodiff's; `function` is the capture that records it.
TensorList apply_plain(const Use &use, TensorList &operands, const std::shared_ptr<Recorder> &function) {
  if (function)
    return record(*function, use, operands);
  const TensorState &first = *operands[0].state();
  switch (first.device.backend()) {
  case Backend::Cpu:
    return record_lazy(use, operands);
  case Backend::Reference:
    return run_reference(use, operands);
  case Backend::Capture:
    break;
  }
  return record(*first.recorder, use, operands);
}

} // namespace

TensorList apply_op(OpKind kind, TensorList &&operands, Attributes attributes, Location at, const char *name,
                    std::vector<std::shared_ptr<const Trace>> regions) {
  for (const Tensor &t : operands)
    if (!t.state())
      throw DispatchError("[" + std::string(error_name(name ? name : op_info(kind).name)) + "] an operand is no tensor",
                          CallSite(at));
  const Place place = place_of(kind, operands, at);
  if (place.autodiff)
    return apply_autodiff(*place.autodiff, kind, std::move(operands), std::move(attributes.list), at, name,
                          std::move(regions));
  return apply_plain({kind, attributes.list, regions, at, name}, operands, place.function);
}

TensorList apply_below(OpKind kind, TensorList &&operands, const std::vector<AttrValue> &attributes, Location at,
                       const char *name, const std::vector<std::shared_ptr<const Trace>> &regions) {
  return apply_plain({kind, attributes, regions, at, name}, operands, place_of(kind, operands, at).function);
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
  StateRef state = make_state(type, device);
  if (!recorder) {
    if (splat)
      state->splat = std::move(data);
    else
      state->settle(std::move(data), nullptr);
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
