// Runs what was just compiled: objects into the process through ORC, one dylib per program.
#pragma once

#include "ingot/capture/Compiler.h"
#include "ingot/jit/Codegen.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace llvm::orc {
class ExecutionSession;
class ObjectLinkingLayer;
} // namespace llvm::orc

namespace ingot {

class Engine : public std::enable_shared_from_this<Engine> {
public:
  static llvm::Expected<std::shared_ptr<Engine>> create();
  ~Engine();

  /// Links the objects against each other and nothing else; the code lives until the result is dropped.
  /// Thread safe.
  llvm::Expected<std::shared_ptr<NativeCode>> load(std::vector<ObjectBytes> objects, const std::string &symbol);

private:
  Engine();
  std::unique_ptr<llvm::orc::ExecutionSession> session;
  std::unique_ptr<llvm::orc::ObjectLinkingLayer> linker;
};

} // namespace ingot
