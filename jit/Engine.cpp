#include "ingot/jit/Engine.h"

#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/MapperJITLinkMemoryManager.h"
#include "llvm/ExecutionEngine/Orc/MemoryMapper.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ingot {
namespace {

// Code is allocated from slabs of this size, so that the number of mappings does not follow the number of
// programs.
constexpr size_t kSlabBytes = size_t(64) << 20;

class LoadedCode final : public NativeCode {
public:
  LoadedCode(std::shared_ptr<Engine> engine, llvm::orc::JITDylib &dylib, void *address)
      : engine(std::move(engine)), dylib(dylib), address(address) {}
  ~LoadedCode() override { engine->unload(dylib); }
  void *entry() const override { return address; }

private:
  std::shared_ptr<Engine> engine; // outlives the dylib
  llvm::orc::JITDylib &dylib;
  void *address;
};

} // namespace

Engine::Engine() = default;

Engine::~Engine() {
  if (session)
    llvm::consumeError(session->endSession());
}

llvm::Expected<std::shared_ptr<Engine>> Engine::create() {
  std::shared_ptr<Engine> engine(new Engine);
  auto control = llvm::orc::SelfExecutorProcessControl::Create(std::make_shared<llvm::orc::SymbolStringPool>(),
                                                               std::make_unique<llvm::orc::InPlaceTaskDispatcher>());
  if (!control)
    return control.takeError();
  engine->session = std::make_unique<llvm::orc::ExecutionSession>(std::move(*control));
  auto memory = llvm::orc::MapperJITLinkMemoryManager::CreateWithMapper<llvm::orc::InProcessMemoryMapper>(kSlabBytes);
  if (!memory)
    return memory.takeError();
  engine->linker = std::make_unique<llvm::orc::ObjectLinkingLayer>(*engine->session, std::move(*memory));
  return engine;
}

llvm::Expected<std::shared_ptr<NativeCode>> Engine::load(std::vector<ObjectBytes> objects, const std::string &symbol) {
  std::lock_guard lock(mutex);
  llvm::orc::JITDylib &dylib = session->createBareJITDylib("program" + std::to_string(serial++));
  auto fail = [&](llvm::Error error) {
    llvm::consumeError(session->removeJITDylib(dylib));
    return error;
  };
  for (ObjectBytes &object : objects) {
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object.data(), object.size()), "kernel");
    if (llvm::Error error = linker->add(dylib, std::move(buffer)))
      return fail(std::move(error));
  }
  // Hidden symbols count: nothing outside the program sees any of them.
  auto order = llvm::orc::makeJITDylibSearchOrder(&dylib, llvm::orc::JITDylibLookupFlags::MatchAllSymbols);
  auto address = session->lookup(order, session->intern(symbol));
  if (!address)
    return fail(address.takeError());
  return std::make_shared<LoadedCode>(shared_from_this(), dylib, address->getAddress().toPtr<void *>());
}

void Engine::unload(llvm::orc::JITDylib &dylib) {
  std::lock_guard lock(mutex);
  llvm::consumeError(session->removeJITDylib(dylib));
  session->getSymbolStringPool()->clearDeadEntries();
}

} // namespace ingot
