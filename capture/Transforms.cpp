#include "ingot/capture/Transforms.h"

#include "ingot/capture/Autodiff.h"

namespace ingot {

void refuse_without_derivative(const Trace &trace, Location at) {
  for (const Record &record : trace.records()) {
    const OpInfo &info = op_info(record.kind);
    if (!info.has(kDifferentiable))
      throw GradientError("[grad] " + std::string(info.name) + " has no derivative" +
                              (record.site.known() ? "; it is used at " + SourceLocation(record.site).str() : ""),
                          CallSite(at));
    for (const auto &region : record.regions)
      refuse_without_derivative(*region, at);
  }
}

namespace {

std::vector<std::int64_t> wide(const std::vector<int> &wrt) { return {wrt.begin(), wrt.end()}; }

/// A program that is one grad mark around `trace`.
Graph mark(const std::shared_ptr<const Trace> &trace, const std::vector<int> &wrt, bool withValue, Location at) {
  refuse_without_derivative(*trace, at);
  auto outer = std::make_shared<Trace>();
  std::vector<ValueId> operands;
  for (const TraceInput &input : trace->inputs())
    operands.push_back(outer->add_input(trace->values()[input.value], input.name));
  const ValueId first =
      outer->record(OpKind::Grad, std::move(operands), {wide(wrt), std::int64_t(withValue)}, CallSite(at), 0, {trace});
  std::vector<ValueId> outputs;
  for (std::uint32_t i = 0; i < outer->records().back().numResults; ++i)
    outputs.push_back(first + i);
  outer->set_outputs(std::move(outputs));
  return Graph(std::move(outer));
}

} // namespace

Graph grad(const Graph &graph, const std::vector<int> &wrt, Location at) {
  return mark(graph.shared_trace(), wrt, false, at);
}
Graph value_and_grad(const Graph &graph, const std::vector<int> &wrt, Location at) {
  return mark(graph.shared_trace(), wrt, true, at);
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
  refuse_without_derivative(*captured.trace, at);
  for (Tensor &t : captured.lifted)
    inputs.push_back(std::move(t));
  const TensorList results = apply_op(OpKind::Grad, operand_list(std::move(inputs)),
                                      {wide(wrt), std::int64_t(withValue)}, at, "grad", {captured.trace});
  return {results.begin(), results.end()};
}

} // namespace ingot
