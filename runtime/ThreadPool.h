// The worker threads behind ingot_context::parallel_for. Work is split statically; the calling thread takes
// part.
#pragma once

#include "ingot/runtime/Abi.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace ingot {

class ThreadPool {
public:
  /// A pool of `threads` threads including the caller of parallel_for, so `threads - 1` workers are started.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// The pool of the process, made at the first call with available_cpus() threads. Its workers are joined at
  /// exit; calls after that run inline. In a forked child calls run inline as well.
  static ThreadPool &shared();
  /// Processors this process may use: the smaller of its affinity mask and its cgroup's CPU quota; at
  /// least 1.
  static int available_cpus();

  int threads() const { return count; }

  /// Runs fn(arg, task, slot) for every task in [0, tasks) and returns when all are done. Tasks are cut into
  /// at most `slots` contiguous ranges (never more than there are threads); range s runs in order under slot
  /// id s, range 0 on the calling thread. A call from inside a region, or while another thread has the
  /// workers, runs everything on the calling thread under slot 0. `fn` must not throw.
  void parallel_for(std::int64_t tasks, ingot_task_fn fn, void *arg, std::int32_t slots) noexcept;

private:
  struct Worker;
  struct Region {
    std::int64_t tasks = 0;
    std::int64_t ranges = 0;
    ingot_task_fn fn = nullptr;
    void *arg = nullptr;

    void run(std::int64_t range) const;
  };

  int count;
  unsigned fork_generation;
  std::atomic<bool> busy{false};
  std::atomic<bool> stopping{false};
  Region region;
  std::unique_ptr<Worker[]> workers;

  void work(Worker &worker, std::int64_t range);
  void stop() noexcept;
};

/// A context for up to `slots` slots of the shared pool, everything else null. With one slot parallel_for is
/// null; with more, the shared pool is started here, so that runs do not have to.
ingot_context make_context(std::int32_t slots);

} // namespace ingot
