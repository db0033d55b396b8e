// MLIR contexts for compile threads: one user at a time, threading off, dialects loaded once, and recycled
// after a bounded number of programs, so that nothing in the process grows with what it compiled.
#pragma once

#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <mutex>
#include <vector>

namespace ingot {

class ContextPool {
  struct Entry {
    std::unique_ptr<mlir::MLIRContext> context;
    int uses = 0;
  };

public:
  /// A context for the holder alone; goes back to the pool when dropped. Modules in it must be gone by then.
  class Lease {
  public:
    Lease(ContextPool &pool, Entry entry) : pool(&pool), entry(std::move(entry)) {}
    Lease(Lease &&other) = default;
    Lease &operator=(Lease &&) = delete;
    ~Lease();
    mlir::MLIRContext &operator*() const { return *entry.context; }
    mlir::MLIRContext *operator->() const { return entry.context.get(); }

  private:
    ContextPool *pool;
    Entry entry;
  };

  Lease acquire();

private:
  std::mutex mutex;
  std::vector<Entry> idle;
};

} // namespace ingot
