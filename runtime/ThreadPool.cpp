#include "ingot/runtime/ThreadPool.h"

#include "ingot/runtime/CpuQuota.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>

namespace ingot {
namespace {

/// How long an idle worker and a waiting caller spin before they sleep.
constexpr std::chrono::microseconds kSpin{200};

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits until `done(value)` holds for the value of `word`: first spinning, then asleep. Whoever changes the
/// word must notify it.
template <class Done> std::uint32_t wait_until(const std::atomic<std::uint32_t> &word, Done done) {
  std::uint32_t value = word.load(std::memory_order_acquire);
  if (done(value))
    return value;
  const auto deadline = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 32; ++i) {
      pause();
      value = word.load(std::memory_order_acquire);
      if (done(value))
        return value;
    }
  } while (std::chrono::steady_clock::now() < deadline);
  while (!done(value)) {
    word.wait(value, std::memory_order_acquire);
    value = word.load(std::memory_order_acquire);
  }
  return value;
}

/// Counts forks on the child's side: a forked child has none of its parent's threads.
std::atomic<unsigned> forks{0};

unsigned current_fork_generation() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  static_cast<void>(registered);
  return forks.load(std::memory_order_relaxed);
}

int affinity_cpus() {
  // The kernel refuses a mask that is smaller than its own, so grow until it fits.
  for (int bits = 1024; bits <= (1 << 20); bits *= 4) {
    std::vector<cpu_set_t> mask(static_cast<std::size_t>(bits) / 1024);
    const std::size_t bytes = mask.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, mask.data()) == 0)
      return CPU_COUNT_S(bytes, mask.data());
  }
  return static_cast<int>(std::thread::hardware_concurrency());
}

} // namespace

/// A worker runs one range of each region it is posted. `ticket` is even when a range is posted and odd when
/// it is taken, by the worker or, if that has not started, by the caller. `done` repeats the ticket whose
/// range the worker has finished.
struct alignas(64) ThreadPool::Worker {
  std::atomic<std::uint32_t> ticket{1};
  std::atomic<std::uint32_t> done{1};
  std::thread thread;

  bool take(std::uint32_t posted) {
    return ticket.compare_exchange_strong(posted, posted | 1u, std::memory_order_acq_rel);
  }
};

void ThreadPool::Region::run(std::int64_t range) const {
  // The first `extra` ranges are one task longer than the others.
  const std::int64_t length = tasks / ranges, extra = tasks % ranges;
  std::int64_t task = range * length + std::min(range, extra);
  const std::int64_t end = task + length + (range < extra ? 1 : 0);
  for (; task < end; ++task)
    fn(arg, task, static_cast<std::int32_t>(range));
}

ThreadPool::ThreadPool(int threads)
    : count(std::max(threads, 1)), fork_generation(current_fork_generation()),
      workers(std::make_unique<Worker[]>(static_cast<std::size_t>(count - 1))) {
  for (int i = 0; i < count - 1; ++i) {
    try {
      workers[i].thread = std::thread([this, i] { work(workers[i], i + 1); });
    } catch (const std::system_error &) {
      count = i + 1; // the system gives no more threads: do with those there are
    }
  }
}

ThreadPool::~ThreadPool() {
  stop();
  if (fork_generation != current_fork_generation())
    workers.release(); // their threads are not in this process and cannot be joined
}

void ThreadPool::stop() noexcept {
  if (fork_generation != current_fork_generation())
    return;
  // Holding `busy` from here on sends every later region inline. It is not to be had when the process exits
  // from inside a region; the workers then end with the process.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  while (busy.exchange(true, std::memory_order_acquire)) {
    if (std::chrono::steady_clock::now() > deadline)
      return;
    std::this_thread::yield();
  }
  stopping.store(true, std::memory_order_relaxed);
  for (int i = 0; i < count - 1; ++i) {
    workers[i].ticket.fetch_add(1, std::memory_order_release);
    workers[i].ticket.notify_one();
  }
  for (int i = 0; i < count - 1; ++i)
    workers[i].thread.join();
}

void ThreadPool::work(Worker &worker, std::int64_t range) {
  while (true) {
    const std::uint32_t posted = wait_until(worker.ticket, [](std::uint32_t ticket) { return ticket % 2 == 0; });
    if (stopping.load(std::memory_order_relaxed))
      return;
    if (!worker.take(posted))
      continue;
    region.run(range);
    worker.done.store(posted, std::memory_order_release);
    worker.done.notify_one();
  }
}

void ThreadPool::parallel_for(std::int64_t tasks, ingot_task_fn fn, void *arg, std::int32_t slots) noexcept {
  const std::int64_t ranges = std::min<std::int64_t>({tasks, slots, count});
  if (ranges <= 1 || fork_generation != forks.load(std::memory_order_relaxed) ||
      busy.exchange(true, std::memory_order_acquire)) {
    for (std::int64_t task = 0; task < tasks; ++task)
      fn(arg, task, 0);
    return;
  }
  region = {tasks, ranges, fn, arg};
  for (std::int64_t range = 1; range < ranges; ++range) {
    Worker &worker = workers[range - 1];
    worker.ticket.fetch_add(1, std::memory_order_release);
    worker.ticket.notify_one();
  }
  region.run(0);
  // A range that no worker has started yet, because it sleeps or its processor is taken, is run here.
  for (std::int64_t range = 1; range < ranges; ++range) {
    Worker &worker = workers[range - 1];
    const std::uint32_t ticket = worker.ticket.load(std::memory_order_relaxed);
    if (ticket % 2 == 0 && worker.take(ticket)) {
      region.run(range);
      worker.done.store(ticket, std::memory_order_relaxed);
    }
  }
  for (std::int64_t range = 1; range < ranges; ++range) {
    Worker &worker = workers[range - 1];
    const std::uint32_t posted = worker.ticket.load(std::memory_order_relaxed) & ~1u;
    wait_until(worker.done, [=](std::uint32_t done) { return done == posted; });
  }
  busy.store(false, std::memory_order_release);
}

int ThreadPool::available_cpus() {
  int cpus = std::max(affinity_cpus(), 1);
  if (const std::optional<double> quota = cgroup_cpu_quota())
    cpus = std::min(cpus, std::max(static_cast<int>(*quota), 1));
  return cpus;
}

ThreadPool &ThreadPool::shared() {
  // The pool itself stays: objects that are destroyed later may still call it, and then run inline.
  static ThreadPool &pool = *new ThreadPool(available_cpus());
  struct AtExit {
    ~AtExit() { pool.stop(); }
  };
  static const AtExit at_exit;
  return pool;
}

ingot_context make_context(std::int32_t slots) {
  ingot_context context{};
  context.size = sizeof(context);
  context.slots = std::max(slots, 1);
  if (slots > 1) {
    ThreadPool::shared();
    // The state carries the number of slots, so that a context is plain data that can be copied and dropped.
    context.state = reinterpret_cast<void *>(static_cast<std::intptr_t>(slots));
    context.parallel_for = [](void *state, std::int64_t tasks, ingot_task_fn fn, void *arg) {
      const auto slots = static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(state));
      ThreadPool::shared().parallel_for(tasks, fn, arg, slots);
    };
  }
  return context;
}

} // namespace ingot
