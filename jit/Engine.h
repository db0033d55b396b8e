// Runs what was just compiled: objects into the process through ORC, one dylib per program.
#pragma once

#include "ingot/capture/Compiler.h"
#include "ingot/jit/Codegen.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <mutex>

namespace llvm::orc {
class ExecutionSession;
class JITDylib;
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

  /// Frees the memory of a program that `load` made; nothing may run in it.
  void unload(llvm::orc::JITDylib &dylib);

private:
  Engine();
  // One program is linked or unloaded at a time, from end to end: materialisation units are queued per session, so that
  // another thread's lookup may run ours, and LLVM 19 may call our entry ready before kernels linked there are.
  std::mutex mutex;
  uint64_t serial = 0;
  std::unique_ptr<llvm::orc::ExecutionSession> session;
  std::unique_ptr<llvm::orc::ObjectLinkingLayer> linker;
};

} // namespace ingot
