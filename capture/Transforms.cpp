#include "ingot/capture/Transforms.h"

#include "ingot/capture/Autodiff.h"

#include <algorithm>

namespace ingot {

namespace {

/// Records that a cotangent goes through on its way from output 0 to the inputs `wrt` (null: to any): floats on both
/// sides, and no stop_gradient between.
std::vector<bool> carriers(const Trace &trace, const std::vector<std::int64_t> *wrt) {
  std::vector<bool> active(trace.values().size(), false), wanted(active), carries;
  for (std::size_t i = 0; i < trace.inputs().size(); ++i) {
    const bool asked = !wrt || std::find(wrt->begin(), wrt->end(), std::int64_t(i)) != wrt->end();
    active[trace.inputs()[i].value] = asked && is_float(trace.values()[trace.inputs()[i].value].dtype);
  }
  for (const Record &record : trace.records()) {
    bool reached = false;
    for (ValueId operand : trace.operands(record))
      reached |= active[operand];
    reached &= record.kind != OpKind::StopGradient;
    carries.push_back(reached);
    for (ValueId r = record.firstResult; r < record.firstResult + record.numResults; ++r)
      active[r] = reached && is_float(trace.values()[r].dtype);
  }
  if (!trace.outputs().empty())
    wanted[trace.outputs()[0]] = true;
  for (std::size_t i = trace.records().size(); i-- > 0;) {
    const Record &record = trace.records()[i];
    bool read = false;
    for (ValueId r = record.firstResult; r < record.firstResult + record.numResults; ++r)
      read |= wanted[r] && active[r];
    carries[i] = carries[i] && read;
    for (ValueId operand : trace.operands(record))
      wanted[operand] = wanted[operand] || carries[i];
  }
  return carries;
}

} // namespace

void refuse_without_derivative(const Trace &trace, Location at, const std::vector<std::int64_t> *wrt) {
  std::vector<bool> carries; // found out when a custom op asks
  for (std::size_t i = 0; i < trace.records().size(); ++i) {
    const Record &record = trace.records()[i];
    const OpInfo &info = op_info(record.kind);
    auto refuse = [&](const std::string &text) {
      throw GradientError("[grad] " + text +
                              (record.site.known() ? "; it is used at " + SourceLocation(record.site).str() : ""),
                          CallSite(at));
    };
    if (info.has(kNative)) {
      if (record.regions.empty() && carries.empty())
        carries = carriers(trace, wrt);
      if (record.regions.empty() && carries[i])
        refuse("Autodiff not supported for custom op `" + std::get<NativeOpRef>(record.attributes[0]).name + "`");
      continue; // what its derivative is made of has to have one when that is differentiated
    }
    if (!info.has(kDifferentiable))
      refuse(std::string(info.name) + " has no derivative");
    for (const auto &region : record.regions)
      refuse_without_derivative(*region, at);
  }
}

namespace {

std::vector<std::int64_t> wide(const std::vector<int> &wrt) { return {wrt.begin(), wrt.end()}; }

std::vector<AttrValue> marks(const std::vector<std::int64_t> &wrt, bool withValue) {
  return {wrt, std::int64_t(withValue), std::string(checkpointing_name(Checkpointing::None))};
}

/// A program that is one grad mark around `trace`.
Graph mark(const std::shared_ptr<const Trace> &trace, const std::vector<int> &wrt, bool withValue, Location at) {
  const std::vector<std::int64_t> inputs = wide(wrt);
  refuse_without_derivative(*trace, at, &inputs);
  auto outer = std::make_shared<Trace>();
  std::vector<ValueId> operands;
  for (const TraceInput &input : trace->inputs())
    operands.push_back(outer->add_input(trace->values()[input.value], input.name));
  const ValueId first =
      outer->record(OpKind::Grad, std::move(operands), marks(inputs, withValue), CallSite(at), 0, {trace});
  std::vector<ValueId> outputs;
  for (std::uint32_t i = 0; i < outer->records().back().numResults; ++i)
    outputs.push_back(first + i);
  outer->set_outputs(std::move(outputs));
  return Graph(std::move(outer));
}

} // namespace

Graph grad(const Graph &graph, const std::vector<int> &wrt, Location at) {
  return mark(graph.shared_trace(at), wrt, false, at);
}
Graph value_and_grad(const Graph &graph, const std::vector<int> &wrt, Location at) {
  return mark(graph.shared_trace(at), wrt, true, at);
}

std::vector<Tensor> detail::Gradient::call(std::vector<Tensor> inputs) const {
  if (arity >= 0 && static_cast<std::size_t>(arity) != inputs.size())
    throw GradientError("[grad] the function takes " + std::to_string(arity) + " tensors, not " +
                            std::to_string(inputs.size()),
                        CallSite(at));
  std::vector<TensorSpec> specs;
  for (const Tensor &t : inputs) {
    if (!t.state())
      throw DispatchError("[grad] the Tensor is empty", CallSite(at));
    specs.push_back({"", t.dtype(at), t.shape(at)});
  }
  CapturedFunction captured = capture_function(f, specs);
  const std::vector<std::int64_t> differentiated = wide(wrt);
  refuse_without_derivative(*captured.trace, at, &differentiated);
  for (Tensor &t : captured.lifted)
    inputs.push_back(std::move(t));
  const TensorList results = apply_op(OpKind::Grad, operand_list(std::move(inputs)), marks(differentiated, withValue),
                                      at, "grad", {captured.trace});
  return {results.begin(), results.end()};
}

} // namespace ingot
