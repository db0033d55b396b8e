#include "ingot/jit/ContextPool.h"

#include "ingot/passes/Passes.h"

#include "mlir/IR/DialectRegistry.h"

namespace ingot {
namespace {

// Types, attributes and locations are uniqued for the life of a context.
constexpr int kUsesPerContext = 64;
constexpr size_t kIdleContexts = 8;

} // namespace

ContextPool::Lease ContextPool::acquire() {
  {
    std::lock_guard lock(mutex);
    if (!idle.empty()) {
      Entry entry = std::move(idle.back());
      idle.pop_back();
      ++entry.uses;
      return Lease(*this, std::move(entry));
    }
  }
  mlir::DialectRegistry registry;
  registerPipelineDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  context->disableMultithreading();    // the constructor's argument leaves the uniquers their caches of every thread
  context->printOpOnDiagnostic(false); // a message is for users; the op is at the line it names
  context->loadAllAvailableDialects();
  return Lease(*this, Entry{std::move(context), 1});
}

ContextPool::Lease::~Lease() {
  if (!entry.context || entry.uses >= kUsesPerContext)
    return;
  std::lock_guard lock(pool->mutex);
  if (pool->idle.size() < kIdleContexts)
    pool->idle.push_back(std::move(entry));
}

} // namespace ingot
