// A compiled program: called with tensors, or raw on caller-owned memory.
#pragma once

#include "ingot/capture/Graph.h"
#include "ingot/capture/Options.h"
#include "ingot/capture/Tensor.h"
#include "ingot/runtime/Program.h"

#include <memory>
#include <string>
#include <vector>

struct ingot_context;

namespace ingot {

struct ProgramState;

/// Immutable; may be called from any number of threads at once.
class Executable {
public:
  /// No program: run() gives kNoProgram, every other use but assignment and destruction throws CompileError.
  Executable() = default;
  explicit operator bool() const { return state != nullptr; }
  /// What run() of an empty Executable gives; no program does.
  static constexpr std::int32_t kNoProgram = -1;

  /// Checked call: tensors, or one vector of them, on the Cpu device. Throws ShapeError, DTypeError or DispatchError
  /// that names the input, IndexError for an index out of range. A donated input should be the last handle; else it
  /// is copied first.
  std::vector<Tensor> operator()(std::vector<Tensor> inputs, Location at = Location::current()) const {
    return call(std::move(inputs), at);
  }
  template <class... Rest> std::vector<Tensor> operator()(Operand first, Rest... rest) const {
    std::vector<Tensor> inputs;
    inputs.push_back(std::move(first.tensor));
    (inputs.push_back(std::move(rest)), ...);
    return call(std::move(inputs), first.at);
  }
  std::vector<Tensor> operator()(Location at = Location::current()) const { return call({}, at); }

  /// The compiled function itself: pointers in the order of the graph, `workspace` of memory().workspace_bytes at its
  /// alignment. 0 is success. Allocates nothing and takes no lock,
  /// but for what native custom ops do.
  std::int32_t run(const void *const *inputs, void *const *outputs, void *workspace) const noexcept {
    return entry(context, inputs, outputs, workspace);
  }
  /// The same with a context of the caller's, which has to bring the native ops that the program calls: without them
  /// the run ends with the code of the first.
  std::int32_t run(const void *const *inputs, void *const *outputs, void *workspace,
                   const ingot_context *with) const noexcept {
    return entry(with, inputs, outputs, workspace);
  }

  const std::vector<TensorSpec> &inputs(Location at = Location::current()) const;
  const std::vector<TensorSpec> &outputs(Location at = Location::current()) const;
  const MemoryReport &memory(Location at = Location::current()) const;
  /// In the order they run, with the user's lines.
  const std::vector<Kernel> &kernels(Location at = Location::current()) const;

  // Used inside the library.
  explicit Executable(std::shared_ptr<const ProgramState> state);

private:
  using Entry = std::int32_t (*)(const ingot_context *, const void *const *, void *const *, void *);
  Entry entry = [](const ingot_context *, const void *const *, void *const *, void *) { return kNoProgram; };
  const ingot_context *context = nullptr;
  std::shared_ptr<const ProgramState> state;

  const ProgramState &program(Location at) const;
  std::vector<Tensor> call(std::vector<Tensor> inputs, Location at) const;
};

/// Compiles the graph, or takes the program from the disk cache. Throws CompileError.
Executable compile(const Graph &graph, const CompileOptions &options = {}, Location at = Location::current());

} // namespace ingot
