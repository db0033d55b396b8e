#include "ingot/runtime/ThreadPool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ingot {
namespace {

/// What ran where in one region.
struct Log {
  explicit Log(std::int64_t tasks)
      : slot_of(static_cast<std::size_t>(tasks), -1), runs(static_cast<std::size_t>(tasks)),
        thread_of(static_cast<std::size_t>(tasks)) {}
  std::vector<std::int32_t> slot_of;
  std::vector<int> runs;
  std::vector<std::thread::id> thread_of;

  static void task(void *arg, std::int64_t task, std::int32_t slot) {
    Log &log = *static_cast<Log *>(arg);
    const auto i = static_cast<std::size_t>(task);
    ++log.runs[i];
    log.slot_of[i] = slot;
    log.thread_of[i] = std::this_thread::get_id();
  }
  bool all_ran_once() const {
    return std::all_of(runs.begin(), runs.end(), [](int n) { return n == 1; });
  }
};

TEST(ThreadPool, RunsEveryTaskOnceInContiguousRanges) {
  ThreadPool pool(4);
  for (std::int64_t tasks : {0, 1, 2, 3, 4, 5, 7, 64, 1000})
    for (std::int32_t slots : {1, 2, 3, 4, 9}) {
      Log log(tasks);
      pool.parallel_for(tasks, Log::task, &log, slots);
      ASSERT_TRUE(log.all_ran_once()) << tasks << " tasks, " << slots << " slots";
      ASSERT_TRUE(std::is_sorted(log.slot_of.begin(), log.slot_of.end()));
      const std::int64_t ranges = std::min<std::int64_t>({tasks, slots, 4});
      for (std::int64_t slot = 0; slot < ranges; ++slot) {
        const auto length = std::count(log.slot_of.begin(), log.slot_of.end(), slot);
        ASSERT_GE(length, tasks / ranges);
        ASSERT_LE(length, (tasks + ranges - 1) / ranges);
      }
      if (tasks > 0) {
        ASSERT_EQ(log.slot_of.back(), ranges - 1);
      }
    }
}

TEST(ThreadPool, SplitsTheSameWayEveryTime) {
  ThreadPool pool(3);
  Log first(100);
  pool.parallel_for(100, Log::task, &first, 3);
  for (int i = 0; i < 200; ++i) {
    Log again(100);
    pool.parallel_for(100, Log::task, &again, 3);
    ASSERT_EQ(again.slot_of, first.slot_of);
  }
}

TEST(ThreadPool, SlotZeroIsTheCaller) {
  ThreadPool pool(2);
  Log log(8);
  pool.parallel_for(8, Log::task, &log, 2);
  EXPECT_EQ(log.thread_of[0], std::this_thread::get_id());
  EXPECT_EQ(log.thread_of[3], std::this_thread::get_id());
}

TEST(ThreadPool, WorkersTakePart) {
  // Slot 0 waits for slot 1, so the region ends only when a worker runs it.
  ThreadPool pool(2);
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> other{false};
    pool.parallel_for(
        2,
        [](void *arg, std::int64_t task, std::int32_t) {
          auto &other = *static_cast<std::atomic<bool> *>(arg);
          if (task == 1)
            other.store(true);
          while (!other.load())
            std::this_thread::yield();
        },
        &other, 2);
    ASSERT_TRUE(other.load());
  }
}

TEST(ThreadPool, RangesWithoutAWorkerAreRunByTheCaller) {
  // Four regions' worth of threads on few processors: whoever runs a range, its slot is its own.
  ThreadPool pool(8);
  for (int i = 0; i < 2000; ++i) {
    Log log(8);
    pool.parallel_for(8, Log::task, &log, 8);
    ASSERT_TRUE(log.all_ran_once());
    for (std::int32_t slot = 0; slot < 8; ++slot)
      ASSERT_EQ(log.slot_of[static_cast<std::size_t>(slot)], slot);
  }
}

TEST(ThreadPool, NestedRegionsRunInline) {
  ThreadPool pool(2);
  struct Outer {
    ThreadPool &pool;
    std::vector<Log> inner;
  } outer{pool, {Log(5), Log(5), Log(5), Log(5)}};
  pool.parallel_for(
      4,
      [](void *arg, std::int64_t task, std::int32_t) {
        auto &outer = *static_cast<Outer *>(arg);
        outer.pool.parallel_for(5, Log::task, &outer.inner[static_cast<std::size_t>(task)], 2);
      },
      &outer, 2);
  for (const Log &log : outer.inner) {
    EXPECT_TRUE(log.all_ran_once());
    EXPECT_EQ(log.slot_of, std::vector<std::int32_t>(5, 0));
    EXPECT_EQ(std::count(log.thread_of.begin(), log.thread_of.end(), log.thread_of[0]), 5);
  }
}

TEST(ThreadPool, ServesManyCallersAtOnce) {
  ThreadPool pool(3);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 8; ++t)
    callers.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        Log log(17);
        pool.parallel_for(17, Log::task, &log, 3);
        wrong += !log.all_ran_once();
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval &t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST(ThreadPool, AnIdlePoolSleeps) {
  ThreadPool pool(4);
  Log log(64);
  pool.parallel_for(64, Log::task, &log, 4);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const double before = cpu_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  // Three spinning workers would use 0.6 s, or all of what the machine has; sleeping ones use nothing.
  EXPECT_LT(cpu_seconds() - before, 0.1);
}

TEST(ThreadPool, WakesAfterSleeping) {
  ThreadPool pool(2);
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Log log(2);
    pool.parallel_for(2, Log::task, &log, 2);
    EXPECT_TRUE(log.all_ran_once());
  }
}

TEST(ThreadPool, StartsAndStopsManyTimes) {
  for (int i = 0; i < 50; ++i) {
    ThreadPool pool(3);
    if (i % 2) {
      Log log(3);
      pool.parallel_for(3, Log::task, &log, 3);
      ASSERT_TRUE(log.all_ran_once());
    }
  }
}

TEST(ThreadPool, OddSizesAreOneThread) {
  EXPECT_EQ(ThreadPool(0).threads(), 1);
  EXPECT_EQ(ThreadPool(-3).threads(), 1);
  ThreadPool pool(1);
  Log log(5);
  pool.parallel_for(5, Log::task, &log, 0);
  EXPECT_TRUE(log.all_ran_once());
}

TEST(ThreadPool, AForkedChildRunsInline) {
  ThreadPool pool(2);
  Log warm(4);
  pool.parallel_for(4, Log::task, &warm, 2);
  const pid_t child = fork();
  if (child == 0) {
    Log log(4);
    pool.parallel_for(4, Log::task, &log, 2);
    pool.~ThreadPool(); // must not wait for threads that are not here
    _exit(log.all_ran_once() && log.slot_of == std::vector<std::int32_t>(4, 0) ? 0 : 1);
  }
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  Log log(4);
  pool.parallel_for(4, Log::task, &log, 2);
  EXPECT_TRUE(log.all_ran_once()) << "the parent's pool still works";
}

TEST(ThreadPool, TheSharedPoolHasTheAvailableProcessors) {
  EXPECT_GE(ThreadPool::available_cpus(), 1);
  EXPECT_EQ(ThreadPool::shared().threads(), ThreadPool::available_cpus());
  EXPECT_EQ(&ThreadPool::shared(), &ThreadPool::shared());
}

TEST(Context, OfOneSlotHasNoParallelFor) {
  const ingot_context context = make_context(1);
  EXPECT_EQ(context.size, sizeof(ingot_context));
  EXPECT_EQ(context.slots, 1);
  EXPECT_EQ(context.parallel_for, nullptr);
  EXPECT_EQ(context.rng_key, nullptr);
  EXPECT_EQ(context.error, nullptr);
}

TEST(Context, OfManySlotsStaysWithinThem) {
  const ingot_context context = make_context(2);
  EXPECT_EQ(context.slots, 2);
  Log log(9);
  context.parallel_for(context.state, 9, Log::task, &log);
  EXPECT_TRUE(log.all_ran_once());
  EXPECT_LT(log.slot_of.back(), 2);
}

} // namespace
} // namespace ingot
