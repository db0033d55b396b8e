// Capture devices and their scopes (the capture contract): life cycle, boundaries, movement.
#include "ingot/capture/Scope.h"

#include "ingot/capture/ProgramCache.h"
#include "ingot/capture/Recorder.h"

#include <map>
#include <ostream>
#include <set>

namespace ingot {
namespace {

std::mutex scopesMutex;
std::map<std::int32_t, std::shared_ptr<Recorder>> &open_scopes() {
  static auto *scopes = new std::map<std::int32_t, std::shared_ptr<Recorder>>;
  return *scopes;
}

} // namespace

const char *backend_name(Backend backend) {
  switch (backend) {
  case Backend::Cpu:
    return "Cpu";
  case Backend::Reference:
    return "Reference";
  case Backend::Capture:
    return "Capture";
  }
  return "?";
}

Device Device::cpu() { return Device(); }
Device Device::reference() { return Device(Backend::Reference, -1, nullptr); }

Device Device::capture(std::source_location at) {
  static std::atomic<std::int32_t> next{0};
  const std::int32_t number = next.fetch_add(1);
  if (number >= 65536) {
    next = 65536;
    throw CaptureError("capture device identifier space exhausted", CallSite(at));
  }
  return Device(Backend::Capture, number, nullptr);
}

const char *checkpointing_name(Checkpointing strategy) { return strategy == Checkpointing::None ? "None" : "Balanced"; }

Device Device::autodiff(Checkpointing strategy, std::source_location at) const {
  if (is_autodiff())
    throw GradientError("Only first-order autodiff is supported", CallSite(at));
  Device wrapped = *this;
  wrapped.strategy_ = strategy;
  return wrapped;
}

Checkpointing Device::gradient_checkpointing_strategy(std::source_location at) const {
  if (!is_autodiff())
    throw GradientError("Autodiff is not enabled on this device", CallSite(at));
  return *strategy_;
}

Device Device::gradient_checkpointing(Checkpointing strategy, std::source_location at) const {
  (void)gradient_checkpointing_strategy(at);
  return inner().autodiff(strategy, at);
}

Device Device::inner() const {
  Device plain = *this;
  plain.strategy_.reset();
  return plain;
}

std::string Device::str() const {
  return is_capture() && number_ >= 0 ? "Capture(" + std::to_string(number_) + ")" : backend_name(backend_);
}
std::ostream &operator<<(std::ostream &out, const Device &device) { return out << device.str(); }

LazyStats Device::stats() const { return lazy_stats(); }
std::size_t Device::set_program_limit(std::size_t most) const { return ingot::set_program_limit(most); }

std::shared_ptr<Recorder> scope_of(const Device &device, Location at) {
  std::lock_guard lock(scopesMutex);
  auto found = open_scopes().find(device.number());
  if (found == open_scopes().end())
    throw CaptureError("capture tensor operations must run inside CaptureDevice::capture_scope", CallSite(at));
  return found->second;
}

Tensor adopt_initializer(Recorder &target, const StateRef &state, const Device &device, Location at) {
  std::lock_guard lock(target.mutex);
  if (target.closed)
    throw CaptureError("capture scope is already complete", CallSite(at));
  StateRef copy = make_state(state->type, device);
  copy->recorder = target.shared_from_this();
  copy->initial = state->initial;
  copy->value = target.trace.append(OpKind::Constant, {}, {Literal{state->type, state->initial, false}}, CallSite(at),
                                    0, {}, {state->type});
  target.tensors[copy->id] = {copy->value, true, false, false, false};
  return Tensor(std::move(copy));
}

CaptureCompletion CaptureScope::complete(std::vector<TensorId> inputs, std::vector<TensorId> outputs, Location at) {
  std::lock_guard lock(recorder->mutex);
  if (recorder->closed)
    throw CaptureError("capture scope is already complete", CallSite(at));
  recorder->closed = true;
  return {recorder, std::move(inputs), std::move(outputs)};
}

namespace {

using Info = Recorder::Info;

void check_list(const Recorder &recorder, const std::vector<TensorId> &ids, const char *boundary, Location at) {
  std::set<std::uint64_t> seen;
  for (const TensorId &id : ids)
    if (!seen.insert(id.value).second)
      throw CaptureError(std::string("duplicate graph ") + boundary + " tensor " + id.str(), CallSite(at));
  for (const TensorId &id : ids)
    if (!recorder.tensors.count(id.value))
      throw CaptureError(std::string("unknown graph ") + boundary + " tensor " + id.str(), CallSite(at));
}

/// In the contract's order; the first violation is reported.
void check_boundary(const Recorder &recorder, const std::vector<TensorId> &inputs, const std::vector<TensorId> &outputs,
                    Location at) {
  check_list(recorder, inputs, "input", at);
  check_list(recorder, outputs, "output", at);
  std::set<std::uint64_t> declared;
  for (const TensorId &id : inputs) {
    const Info &info = recorder.tensors.at(id.value);
    if (info.produced && !info.initialized)
      throw CaptureError("graph input tensor " + id.str() + " is produced within the graph", CallSite(at));
    declared.insert(id.value);
  }
  for (std::uint64_t id : recorder.readOrder) {
    const Info &info = recorder.tensors.at(id);
    if (!info.produced && !info.initialized && !declared.count(id))
      throw CaptureError("graph reads undeclared input tensor " + TensorId(id).str(), CallSite(at));
  }
  for (const TensorId &id : outputs) {
    const Info &info = recorder.tensors.at(id.value);
    if (info.consumed || (!info.produced && !info.referenced))
      throw CaptureError("graph output tensor " + id.str() + " does not survive the graph", CallSite(at));
  }
}

/// The scope's trace with declared inputs as inputs; what was given and not declared stays constant.
std::shared_ptr<const Trace> finish_trace(const Recorder &recorder, const std::vector<TensorId> &inputs,
                                          const std::vector<TensorId> &outputs) {
  auto trace = std::make_shared<Trace>();
  std::map<ValueId, ValueId> values;
  for (const TensorId &id : inputs) {
    const ValueId value = recorder.tensors.at(id.value).value;
    values[value] = trace->add_input(recorder.trace.values()[value]);
  }
  for (const Record &record : recorder.trace.records()) {
    if (values.count(record.firstResult)) // the initialiser of a declared input
      continue;
    std::vector<ValueId> operands;
    for (ValueId operand : recorder.trace.operands(record))
      operands.push_back(values.at(operand));
    std::vector<TensorType> types(recorder.trace.values().begin() + record.firstResult,
                                  recorder.trace.values().begin() + record.firstResult + record.numResults);
    const ValueId first =
        trace->append(record.kind, std::move(operands), record.attributes, record.site,
                      trace->intern_scope(recorder.trace.scopes()[record.scope]), record.regions, std::move(types));
    for (std::uint32_t i = 0; i < record.numResults; ++i)
      values[record.firstResult + i] = first + i;
  }
  std::vector<ValueId> results;
  for (const TensorId &id : outputs)
    results.push_back(values.at(recorder.tensors.at(id.value).value));
  trace->set_outputs(std::move(results));
  return trace;
}

/// Unbinds the device and closes the session, whatever way the scope ends.
class Binding {
public:
  Binding(const Device &device, Location at) : number(device.number()) {
    std::lock_guard lock(scopesMutex);
    auto [entry, fresh] = open_scopes().try_emplace(number);
    if (!fresh)
      throw CaptureError("a capture scope is already active on this device", CallSite(at));
    entry->second = recorder = std::make_shared<Recorder>(Recorder::Kind::Scope, 0, device);
  }
  ~Binding() {
    {
      std::lock_guard lock(scopesMutex);
      open_scopes().erase(number);
    }
    std::lock_guard lock(recorder->mutex);
    recorder->closed = true;
  }
  std::shared_ptr<Recorder> recorder;

private:
  std::int32_t number;
};

} // namespace

Graph Device::capture_scope(const std::function<CaptureCompletion(CaptureScope)> &f, std::source_location at) const {
  if (!is_capture() || number_ < 0 || is_autodiff())
    throw CaptureError("capture scope requires a capture device", CallSite(at));
  Binding binding(*this, at);
  CaptureCompletion completion = f(CaptureScope(binding.recorder));
  if (completion.recorder != binding.recorder)
    throw CaptureError("the capture scope was completed with another scope's completion", CallSite(at));
  check_boundary(*binding.recorder, completion.inputs, completion.outputs, at);
  return Graph(finish_trace(*binding.recorder, completion.inputs, completion.outputs));
}

} // namespace ingot
