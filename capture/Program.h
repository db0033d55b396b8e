// A program that can run, shared by executables and the lazy device.
#pragma once

#include "ingot/capture/Compiler.h"
#include "ingot/capture/Graph.h"
#include "ingot/capture/NativeCalls.h"
#include "ingot/runtime/Abi.h"

#include <memory>

namespace ingot {

/// Where an op comes from.
struct OpOrigin {
  OpKind kind;
  SourceLocation site;
  std::string scope;
};

struct ProgramState : std::enable_shared_from_this<ProgramState> {
  ProgramInfo info;
  std::shared_ptr<NativeCode> code;
  ingot_context context{};
  NativeCalls natives;           // of an executable; the lazy device has its own for each run
  std::vector<Kernel> kernels;   // with the lines of the graph that asked
  std::vector<OpOrigin> origins; // by ordinal, of that graph
  bool compiled = false;         // here and now, not taken from the disk
};

/// Throws CompileError for options that fit no program of this graph.
void check_options(const Graph &graph, const std::vector<int> &donate, int threads, Location at);

/// The program of a trace: from the disk cache when it is there, else compiled and put there. Throws CompileError.
std::shared_ptr<ProgramState> load_program(const Trace &trace, const CompileOptions &options, Location at);

/// Runs it on host memory and gives the outputs. Throws IndexError for an index out of range, and what a native op
/// throws. `natives`: the native ops to call instead of the program's own; `asking`: an
/// equal trace, whose names and lines errors have instead of the program's own.
std::vector<std::shared_ptr<const Buffer>> run_program(const ProgramState &program,
                                                       const std::vector<const void *> &inputs, Location at,
                                                       std::vector<std::shared_ptr<Buffer>> outputs = {},
                                                       const NativeCalls *natives = nullptr,
                                                       const Trace *asking = nullptr);

} // namespace ingot
