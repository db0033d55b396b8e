#include "ingot/capture/Executable.h"

#include "ingot/capture/Program.h"
#include "ingot/capture/ProgramCache.h"
#include "ingot/capture/Recorder.h"
#include "ingot/capture/SoleOwner.h"

#include <algorithm>

namespace ingot {

Executable::Executable(std::shared_ptr<const ProgramState> state)
    : entry(reinterpret_cast<Entry>(state->code->entry())), context(&state->context), state(std::move(state)) {}

const ProgramState &Executable::program(Location at) const {
  if (!state)
    throw CompileError("the Executable is empty; compile makes one", CallSite(at));
  return *state;
}

const std::vector<TensorSpec> &Executable::inputs(Location at) const { return program(at).info.inputs; }
const std::vector<TensorSpec> &Executable::outputs(Location at) const { return program(at).info.outputs; }
const MemoryReport &Executable::memory(Location at) const { return program(at).info.memory; }
const std::vector<Kernel> &Executable::kernels(Location at) const { return program(at).kernels; }

namespace {

std::string count_of_inputs(std::size_t n) { return std::to_string(n) + (n == 1 ? " input" : " inputs"); }

std::string input_name(const TensorSpec &spec, std::size_t i) {
  return "input " + std::to_string(i) + (spec.name.empty() ? "" : " '" + spec.name + "'");
}

void check_input(const TensorSpec &want, const Tensor &given, std::size_t i, Location at) {
  if (!given.state())
    throw DispatchError(input_name(want, i) + " is an empty Tensor", CallSite(at));
  if (given.is_autodiff())
    throw DispatchError(input_name(want, i) + " is on an autodiff device; a compiled program takes its inner()",
                        CallSite(at));
  if (given.device().backend() != Backend::Cpu)
    throw DispatchError(input_name(want, i) + " is on the device " + given.device().str() +
                            "; a compiled program takes tensors of Cpu",
                        CallSite(at));
  if (given.dtype() != want.dtype)
    throw DTypeError(input_name(want, i) + " is " + std::string(dtype_name(given.dtype())) +
                         ", but the program takes " + std::string(dtype_name(want.dtype)),
                     CallSite(at));
  if (!(given.shape() == want.shape))
    throw ShapeError(input_name(want, i) + " has shape " + given.shape().str() + ", but the program takes " +
                         want.shape.str(),
                     CallSite(at));
}

} // namespace

std::vector<Tensor> Executable::call(std::vector<Tensor> args, Location at) const {
  const ProgramInfo &info = program(at).info;
  if (args.size() != info.inputs.size())
    throw ShapeError("the program takes " + count_of_inputs(info.inputs.size()) + ", but was called with " +
                         std::to_string(args.size()),
                     CallSite(at));
  for (std::size_t i = 0; i < args.size(); ++i)
    check_input(info.inputs[i], args[i], i, at);
  std::vector<std::shared_ptr<Buffer>> outputs(info.outputs.size());
  std::vector<const void *> pointers;
  std::vector<std::shared_ptr<const Buffer>> held;
  for (std::size_t i = 0; i < args.size(); ++i) {
    std::shared_ptr<const Buffer> data = realize(args[i].state(), at);
    if (info.donated[i] >= 0) {
      // The last handle gives its memory to the output; else the output has memory of its own, and the input stays.
      const StateRef handle = std::move(args[i]).state();
      const bool last = handle.is_sole() && is_sole_owner(handle->data, 2); // the state's and ours
      if (last) {
        handle->data.reset();
        outputs[static_cast<std::size_t>(info.donated[i])] = std::const_pointer_cast<Buffer>(data);
      } else {
        count_copy();
      }
    }
    pointers.push_back(data->data());
    held.push_back(std::move(data));
  }
  std::vector<std::shared_ptr<const Buffer>> results = run_program(*state, pointers, at, std::move(outputs));
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < results.size(); ++i) {
    StateRef made = make_state(info.outputs[i].type(), Device::cpu());
    made->settle(std::move(results[i]), nullptr);
    tensors.emplace_back(std::move(made));
  }
  return tensors;
}

void check_options(const Graph &graph, const std::vector<int> &donate, int threads, Location at) {
  const std::size_t count = graph.inputs(at).size();
  for (std::size_t i = 0; i < donate.size(); ++i) {
    if (donate[i] < 0 || static_cast<std::size_t>(donate[i]) >= count)
      throw CompileError("there is no input " + std::to_string(donate[i]) + " to donate; the graph has " +
                             count_of_inputs(count),
                         CallSite(at));
    if (std::count(donate.begin(), donate.begin() + std::ptrdiff_t(i), donate[i]))
      throw CompileError("input " + std::to_string(donate[i]) + " is donated twice", CallSite(at));
  }
  if (threads < 0)
    throw CompileError(std::to_string(threads) + " threads cannot run a program; 0 means all of the machine's",
                       CallSite(at));
}

Executable compile(const Graph &graph, const CompileOptions &options, Location at) {
  check_options(graph, options.donate, options.threads, at);
  std::shared_ptr<ProgramState> program = load_program(graph.trace(), options, at);
  program->natives = with_site(CallSite(at), [&] { return NativeCalls(graph.trace(), program->info.native_ops); });
  program->context.native_ops = program->natives.table();
  return Executable(std::move(program));
}

} // namespace ingot
