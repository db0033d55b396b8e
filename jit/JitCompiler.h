// Implements the seam to libingot: everything capture asks of a compiler.
#pragma once

#include "ingot/capture/Compiler.h"
#include "ingot/jit/ContextPool.h"
#include "ingot/jit/Engine.h"
#include "ingot/jit/KernelCompiler.h"

#include <mutex>

namespace ingot {

class JitCompiler final : public Compiler {
public:
  CompiledProgram compile(const Trace &trace, const CompileOptions &options) override;
  std::vector<std::byte> artifact(const Trace &trace, const CompileOptions &options, const ArtifactRequest &request,
                                  ProgramInfo *info) override;
  std::string print(const Trace &trace, Phase phase, const CompileOptions &options, bool withLocations) override;
  std::shared_ptr<const Trace> parse(std::string_view bytes, const std::string &name) override;
  std::string bytecode(const Trace &trace) override;
  std::shared_ptr<const Trace> expand(const Trace &trace) override;
  std::string check(const Trace &trace, const CompileOptions &options) override;

private:
  ContextPool contexts;
  std::mutex engineMutex;
  std::shared_ptr<Engine> engine;

  std::shared_ptr<Engine> sharedEngine();
  /// The program's pieces and facts, with the entry point named `symbol`.
  std::vector<CompilationUnit> lower(const Trace &trace, const CompileOptions &options, const std::string &symbol,
                                     ProgramInfo &info);
};

} // namespace ingot
