// What other threads do to a thread's segment, and what they cannot do to it. How segments are cut shows in the
// programs that are compiled: an equal cut is an equal program.
#include "Values.h"

#include "ingot/capture/Stream.h"

#include <functional>
#include <thread>

namespace ingot {
namespace {

LazyStats stats() { return Device::cpu().stats(); }

void on_another_thread(const std::function<void()> &f) { std::thread(f).join(); }

Tensor numbers() { return Tensor::from<float>({1, 2, 3}, {3}); }

/// Four ops and one read; `between(i)` runs before the i-th op.
std::vector<float> four_ops(const Tensor &x, const std::function<void(int)> &between) {
  Tensor y = x;
  for (int i = 0; i < 4; ++i) {
    between(i);
    y = y * y - x;
  }
  return y.to_vector<float>();
}

TEST(LazyThreads, ReadingWhatExistsCutsNothing) {
  const Tensor x = numbers();
  const std::vector<float> want = four_ops(x, [](int) {});
  const LazyStats before = stats();
  for (int at = 0; at < 4; ++at)
    EXPECT_EQ(four_ops(x,
                       [&](int i) {
                         if (i == at)
                           on_another_thread([&] {
                             EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 3}));
                             EXPECT_EQ(x.to(Device::reference()).to_vector<float>(), (std::vector<float>{1, 2, 3}));
                           });
                       }),
              want);
  EXPECT_EQ(stats().compiles, before.compiles);
  EXPECT_EQ(stats().hits, before.hits + 4);
}

TEST(LazyThreads, DroppingWhatExistsCutsNothing) {
  const std::vector<float> want = four_ops(numbers(), [](int) {});
  const LazyStats before = stats();
  for (int at = 0; at < 4; ++at) {
    const Tensor x = numbers();
    Tensor other = x, unused = numbers();
    EXPECT_EQ(four_ops(x,
                       [&](int i) {
                         if (i == at)
                           on_another_thread([&] { other = unused = Tensor(); });
                       }),
              want);
  }
  EXPECT_EQ(stats().compiles, before.compiles);
  EXPECT_EQ(stats().hits, before.hits + 4);
}

TEST(LazyThreads, RecordingElsewhereCutsNothing) {
  const Tensor x = numbers();
  const std::vector<float> want = four_ops(x, [](int) {});
  on_another_thread([&] { EXPECT_EQ((x + x).to_vector<float>(), (std::vector<float>{2, 4, 6})); });
  const LazyStats before = stats();
  for (int at = 0; at < 4; ++at)
    EXPECT_EQ(four_ops(x,
                       [&](int i) {
                         if (i == at)
                           on_another_thread([&] { (x + x).eval(); });
                       }),
              want);
  EXPECT_EQ(stats().compiles, before.compiles);
  EXPECT_EQ(stats().hits, before.hits + 8);
}

TEST(LazyThreads, ReadingWhatIsPendingRunsItsSegmentOnce) {
  Tensor x = numbers(), doubled = x * 2.0, square = x * x;
  const LazyStats before = stats();
  on_another_thread([&] { EXPECT_EQ(doubled.to_vector<float>(), (std::vector<float>{2, 4, 6})); });
  EXPECT_EQ(stats().hits + stats().misses, before.hits + before.misses + 1);
  EXPECT_EQ(square.to_vector<float>(), (std::vector<float>{1, 4, 9})); // was in the same segment
  EXPECT_EQ(stats().hits + stats().misses, before.hits + before.misses + 1);
  EXPECT_EQ((square + doubled).to_vector<float>(), (std::vector<float>{3, 8, 15}));
}

TEST(LazyThreads, WhatAThreadLeavesPendingIsStillThere) {
  Tensor x = numbers(), left, also;
  on_another_thread([&] {
    left = x * x;
    also = left - x;
  });
  EXPECT_EQ((also + 1.0).to_vector<float>(), (std::vector<float>{1, 3, 7}));
  EXPECT_EQ(left.to_vector<float>(), (std::vector<float>{1, 4, 9}));
  on_another_thread([&] { left = also * x; }); // of values that exist
  on_another_thread([&] { left = Tensor(); }); // recorded there, dropped here, never run
}

TEST(LazyThreads, DroppingWhatIsPendingLeavesTheRest) {
  for (int dropped = 0; dropped < 3; ++dropped) {
    Tensor x = numbers();
    std::vector<Tensor> chain{x * 2.0};
    for (int i = 0; i < 2; ++i)
      chain.push_back(chain.back() - x);
    on_another_thread([&] { chain[std::size_t(dropped)] = Tensor(); });
    const std::vector<std::vector<float>> want{{2, 4, 6}, {1, 2, 3}, {0, 0, 0}};
    for (int i = 0; i < 3; ++i)
      if (i != dropped)
        EXPECT_EQ(chain[std::size_t(i)].to_vector<float>(), want[std::size_t(i)]) << dropped << i;
  }
}

TEST(LazyThreads, AnErrorStaysWithItsTensors) {
  Tensor x = numbers(), outside = Tensor::from<std::int64_t>({7}, {1}), bad, good;
  on_another_thread([&] {
    bad = take(x, outside, 0);
    good = x * 2.0;
    EXPECT_THROW(x + Tensor::zeros({4}), ShapeError); // records nothing
  });
  auto read_bad = [&] { EXPECT_THROW(bad.to_vector<float>(), IndexError); };
  on_another_thread(read_bad);
  read_bad();
  EXPECT_THROW((bad + 1.0f).eval(), IndexError);
  EXPECT_EQ(good.to_vector<float>(), (std::vector<float>{2, 4, 6}));
  on_another_thread([&] { EXPECT_EQ((good + x).to_vector<float>(), (std::vector<float>{3, 6, 9})); });
}

TEST(LazyThreads, AnExceptionOfTheUserLeavesTheSegmentUsable) {
  Tensor x = numbers(), kept;
  on_another_thread([&] {
    try {
      kept = x * x;
      Tensor unwound = kept + x;
      throw std::runtime_error("the user's");
    } catch (const std::runtime_error &) {
    }
    EXPECT_EQ((kept + x).to_vector<float>(), (std::vector<float>{2, 6, 12}));
  });
  EXPECT_EQ(kept.to_vector<float>(), (std::vector<float>{1, 4, 9}));
}

TEST(LazyThreads, AStreamIsReusedOnceNothingOfItIsPending) {
  auto stream_of_a_thread = [](const std::function<void()> &records) {
    Stream *stream = nullptr;
    on_another_thread([&] {
      stream = &Stream::current();
      records();
    });
    return stream;
  };
  Tensor x = numbers(), left, also;
  Stream *first = stream_of_a_thread([&] {
    left = x * x;
    also = x + x;
  });
  EXPECT_NE(first, stream_of_a_thread([] {})) << "two of its results are held";
  left = Tensor();
  EXPECT_NE(first, stream_of_a_thread([] {}));
  also = Tensor();
  EXPECT_EQ(first, stream_of_a_thread([&] { left = x - x; }));
  EXPECT_NE(first, stream_of_a_thread([] {}));
  EXPECT_EQ(left.to_vector<float>(), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(first, stream_of_a_thread([] {}));
}

TEST(LazyThreads, WhatAThreadsEndRecordsIsStillThere) {
  struct Late {
    Tensor *into = nullptr;
    Tensor x;
    ~Late() { *into = x * x; } // after the stream of the thread was given up, or before
  };
  Tensor left;
  on_another_thread([&] {
    static thread_local Late late;
    late.into = &left;
    late.x = numbers();
    (late.x + 1.0).eval();
  });
  EXPECT_EQ(left.to_vector<float>(), (std::vector<float>{1, 4, 9}));
}

} // namespace
} // namespace ingot
