#include "ingot/capture/Graph.h"

#include "ingot/capture/Compiler.h"
#include "ingot/capture/Recorder.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace ingot {

Graph::Graph(std::shared_ptr<const Trace> trace) : trace_(std::move(trace)) {
  auto specs = std::make_shared<std::pair<std::vector<TensorSpec>, std::vector<TensorSpec>>>();
  for (const TraceInput &input : trace_->inputs()) {
    const TensorType &type = trace_->values()[input.value];
    specs->first.push_back({input.name, type.dtype, type.shape});
  }
  for (std::size_t i = 0; i < trace_->outputs().size(); ++i) {
    const TensorType &type = trace_->values()[trace_->outputs()[i]];
    specs->second.push_back({trace_->output_names()[i], type.dtype, type.shape});
  }
  signature = std::move(specs);
}

const std::shared_ptr<const Trace> &Graph::shared_trace(Location at) const {
  if (!trace_)
    throw CaptureError("the Graph is empty; capture, load or parse makes one", CallSite(at));
  return trace_;
}

const std::vector<TensorSpec> &Graph::inputs(Location at) const { return shared_trace(at), signature->first; }
const std::vector<TensorSpec> &Graph::outputs(Location at) const { return shared_trace(at), signature->second; }
Hash128 Graph::hash(Location at) const { return trace(at).hash(); }

std::string Graph::str(Phase phase, const CompileOptions &options, Location at) const {
  return with_site(CallSite(at), [&] { return compiler().print(trace(at), phase, options, false); });
}

void Graph::save(const std::string &path, Location at) const {
  const std::string suffix = std::filesystem::path(path).extension().string();
  std::string bytes;
  if (suffix == ".mlir")
    bytes = compiler().print(trace(at), Phase::Captured, {}, true);
  else if (suffix == ".mlirbc")
    bytes = compiler().bytecode(trace(at));
  else
    throw IoError("cannot save a graph as " + path + ": the suffix has to be .mlir or .mlirbc", CallSite(at));
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.flush();
  if (!out)
    throw IoError("cannot write " + path, CallSite(at));
}

Graph Graph::load(const std::string &path, Location at) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  if (!in || !(bytes << in.rdbuf()))
    throw IoError("cannot read " + path, CallSite(at));
  return with_site(CallSite(at), [&] { return Graph(compiler().parse(bytes.str(), path)); });
}

Graph Graph::parse(const std::string &text, Location at) {
  return with_site(CallSite(at), [&] { return Graph(compiler().parse(text, "text")); });
}

std::vector<Tensor> Graph::apply(std::vector<Tensor> args, Location at) const {
  if (args.size() != inputs(at).size())
    throw ShapeError("the graph takes " + std::to_string(inputs().size()) +
                         (inputs().size() == 1 ? " tensor" : " tensors") + ", not " + std::to_string(args.size()),
                     CallSite(at));
  for (std::size_t i = 0; i < args.size(); ++i) {
    const TensorSpec &want = inputs()[i];
    const std::string name =
        want.name.empty() ? "input " + std::to_string(i) : "input " + std::to_string(i) + " (" + want.name + ")";
    if (!args[i].state())
      throw DispatchError(name + " of the graph is an empty Tensor", CallSite(at));
    if (args[i].dtype() != want.dtype)
      throw DTypeError(name + " of the graph is " + std::string(dtype_name(args[i].dtype())) + ", not " +
                           std::string(dtype_name(want.dtype)),
                       CallSite(at));
    if (!(args[i].shape() == want.shape))
      throw ShapeError(name + " of the graph has shape " + args[i].shape().str() + ", not " + want.shape.str(),
                       CallSite(at));
  }
  // Inlined record by record; each keeps its own line.
  const Device device = args.empty() ? Device() : args[0].device().inner();
  std::vector<Tensor> values(trace_->values().size());
  for (std::size_t i = 0; i < args.size(); ++i)
    values[trace_->inputs()[i].value] = std::move(args[i]);
  std::optional<ReplayedScope> scope;
  std::uint32_t scopeNumber = 0;
  for (const Record &record : trace_->records()) {
    if (record.scope != scopeNumber) {
      scope.reset();
      if (scopeNumber = record.scope; scopeNumber != 0)
        scope.emplace(trace_->scopes()[scopeNumber]);
    }
    TensorList operands, results;
    for (ValueId operand : trace_->operands(record))
      operands.push_back(values[operand]);
    if (record.kind == OpKind::Constant) {
      const Literal &literal = std::get<Literal>(record.attributes[0]);
      results.push_back(
          make_tensor(literal.type, literal.data, literal.splat ? Content::Number : Content::Elements, device, at));
    } else {
      results = apply_op(record.kind, std::move(operands), record.attributes, at, nullptr, record.regions);
    }
    for (std::size_t i = 0; i < results.size(); ++i)
      values[record.firstResult + i] = std::move(results[i]);
  }
  std::vector<Tensor> results;
  for (ValueId output : trace_->outputs())
    results.push_back(values[output]);
  return results;
}

std::string Graph::dot(Location at) const {
  std::ostringstream out;
  out << "digraph ingot {\n  rankdir=TB;\n  node [shape=box, fontname=monospace];\n";
  const Trace &trace = this->trace(at);
  std::vector<std::string> node(trace.values().size());
  for (std::size_t i = 0; i < trace.inputs().size(); ++i) {
    const TraceInput &input = trace.inputs()[i];
    node[input.value] = "in" + std::to_string(i);
    out << "  in" << i << " [shape=ellipse, label=\""
        << (input.name.empty() ? "input " + std::to_string(i) : input.name) << "\\n"
        << trace.values()[input.value].str() << "\"];\n";
  }
  for (std::size_t r = 0; r < trace.records().size(); ++r) {
    const Record &record = trace.records()[r];
    out << "  op" << r << " [label=\"" << op_info(record.kind).name;
    if (op_info(record.kind).has(kNative))
      out << ' ' << std::get<NativeOpRef>(record.attributes[0]).name;
    if (record.numResults)
      out << "\\n" << trace.values()[record.firstResult].str();
    if (record.site.known())
      out << "\\n" << std::filesystem::path(record.site.file).filename().string() << ':' << record.site.line;
    out << "\"];\n";
    for (ValueId operand : trace.operands(record))
      out << "  " << node[operand] << " -> op" << r << ";\n";
    for (std::uint32_t i = 0; i < record.numResults; ++i)
      node[record.firstResult + i] = "op" + std::to_string(r);
  }
  for (std::size_t i = 0; i < trace.outputs().size(); ++i)
    out << "  out" << i << " [shape=ellipse, label=\"output " << i << "\"];\n  " << node[trace.outputs()[i]]
        << " -> out" << i << ";\n";
  out << "}\n";
  return out.str();
}

namespace detail {

namespace {

/// Runs `f` on the inputs of a fresh functional recorder; what it returns are the outputs.
std::shared_ptr<Recorder> record_function(const ListFunction &f, const std::vector<TensorSpec> &specs,
                                          Recorder::Kind kind) {
  std::shared_ptr<Recorder> outer = current_function();
  auto recorder = std::make_shared<Recorder>(kind, outer ? outer->depth + 1 : 0, Device());
  FunctionGuard guard(recorder);
  std::vector<Tensor> args;
  for (const TensorSpec &spec : specs) {
    StateRef state = make_state(spec.type(), Device(Backend::Capture, -1, recorder));
    state->recorder = recorder;
    state->value = recorder->trace.add_input(spec.type(), spec.name);
    args.emplace_back(std::move(state));
  }
  std::vector<Tensor> outputs = f(std::move(args));
  for (const Tensor &t : outputs) {
    if (!t.state())
      throw CaptureError("a captured function returned an empty Tensor");
    if (recorder->makes_constant(*t.state()))
      realize(t.state(), {});
  }
  std::vector<ValueId> values;
  std::lock_guard lock(recorder->mutex);
  for (const Tensor &t : outputs)
    values.push_back(recorder->lift(t.state(), {}));
  recorder->trace.set_outputs(std::move(values));
  recorder->closed = true;
  return recorder;
}

} // namespace

Graph capture_list(const ListFunction &f, int arity, const std::vector<TensorSpec> &specs, Location at) {
  if (arity >= 0 && static_cast<std::size_t>(arity) != specs.size())
    throw CaptureError("the function takes " + std::to_string(arity) + (arity == 1 ? " tensor" : " tensors") +
                           ", but " + std::to_string(specs.size()) + (specs.size() == 1 ? " is" : " are") +
                           " specified",
                       CallSite(at));
  for (std::size_t i = 0; i < specs.size(); ++i)
    for (std::int64_t size : specs[i].shape)
      if (size < 0)
        throw ShapeError("[capture] input " + std::to_string(i) + " has the shape " + specs[i].shape.str() +
                             (size == kDynamic ? "; sizes have to be known at capture" : "; a size cannot be negative"),
                         CallSite(at));
  std::shared_ptr<Recorder> recorder =
      with_site(CallSite(at), [&] { return record_function(f, specs, Recorder::Kind::Function); });
  if (!recorder->inputs.empty())
    throw CaptureError("the function reads a tensor of an enclosing capture; pass it as an argument", CallSite(at));
  return Graph(std::make_shared<const Trace>(std::move(recorder->trace)));
}

CapturedFunction capture_function(const ListFunction &f, const std::vector<TensorSpec> &specs) {
  std::shared_ptr<Recorder> recorder = record_function(f, specs, Recorder::Kind::Subfunction);
  CapturedFunction result;
  for (const StateRef &state : recorder->inputs)
    result.lifted.emplace_back(state);
  result.trace = std::make_shared<const Trace>(std::move(recorder->trace));
  return result;
}

} // namespace detail
} // namespace ingot
