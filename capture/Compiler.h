// The seam to libingot-compiler: everything capture and the runtime side need a compiler for. Opened on the
// first cold compile or the first look at IR; implemented by jit/Plugin.cpp.
#pragma once

#include "ingot/capture/Options.h"
#include "ingot/capture/Trace.h"
#include "ingot/runtime/Program.h"

#include <memory>
#include <string>
#include <vector>

namespace ingot {

/// Native code that can run now; dropping the last reference unloads it.
class NativeCode {
public:
  virtual ~NativeCode() = default;
  /// int32_t (*)(const ingot_context *, const void *const *, void *const *, void *)
  virtual void *entry() const = 0;
};

struct CompiledProgram {
  ProgramInfo info; // ops by ordinal
  std::shared_ptr<NativeCode> code;
  std::vector<std::byte> image; // the ELF image of the same objects, for the disk cache
};

/// What ahead-of-time compilation can write.
enum class ArtifactKind { Object, Assembly, LlvmIr, Shared };
struct ArtifactRequest {
  ArtifactKind kind;
  std::string symbol;   // of the entry point
  std::string soname{}; // of a shared object: the name under which programs that link it look for it
};

class Compiler {
public:
  virtual ~Compiler() = default;
  /// Throws CompileError; sites of diagnostics are the trace's.
  virtual CompiledProgram compile(const Trace &, const CompileOptions &) = 0;
  /// Code for another machine or for a file.
  virtual std::vector<std::byte> artifact(const Trace &, const CompileOptions &, const ArtifactRequest &,
                                          ProgramInfo *info) = 0;
  /// Text of a phase. `withLocations` keeps call sites in the text.
  virtual std::string print(const Trace &, Phase, const CompileOptions &, bool withLocations) = 0;
  /// Text or bytecode of a module in the Captured phase; `name` is the file's for messages. Throws IoError or
  /// CompileError.
  virtual std::shared_ptr<const Trace> parse(std::string_view bytes, const std::string &name) = 0;
  virtual std::string bytecode(const Trace &) = 0;
  /// The program with every transformation (grad, ...) expanded: primitives only.
  virtual std::shared_ptr<const Trace> expand(const Trace &) = 0;
  /// Runs the module after every phase that still holds only ingot ops on the reference evaluator and compares
  /// with the compiled results; an empty string is agreement, else a report naming phase, pass, op and line.
  virtual std::string check(const Trace &, const CompileOptions &) = 0;
};

/// The compiler of this process; opens libingot-compiler at the first call. Throws CompileError when it is missing.
Compiler &compiler();

} // namespace ingot
