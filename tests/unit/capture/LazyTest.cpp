// The lazy device: what it computes, when it compiles, and threads that share tensors.
#include "ingot/runtime/Buffer.h"

#include "Values.h"

#include "ingot/capture/Program.h"
#include "ingot/capture/ProgramCache.h"

#include <atomic>
#include <cmath>
#include <thread>

namespace ingot {
namespace {

LazyStats stats() { return Device::cpu().stats(); }

TEST(Lazy, EqualProgramsCompileOnce) {
  auto run = [](float a) { return tanh(Tensor::from<float>({a, 2, 3}, {3}) * 2.0).to_vector<float>(); };
  run(1);
  const LazyStats before = stats();
  for (int i = 0; i < 5; ++i)
    EXPECT_FLOAT_EQ(run(float(i))[0], std::tanh(2.0f * float(i)));
  EXPECT_EQ(stats().compiles, before.compiles);
  EXPECT_EQ(stats().hits, before.hits + 5);
}

TEST(Lazy, NumbersThatVaryBecomeInputs) {
  auto run = [](double a, double b) {
    return (Tensor::from<float>({1, 2, 3, 4, 5}, {5}) * a + b).to_vector<float>()[1];
  };
  EXPECT_EQ(run(2, 1), 5);
  EXPECT_EQ(run(3, 1), 7); // compiled once more, with the factor as an input
  const LazyStats before = stats();
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(run(i, 1), 2.0f * float(i) + 1);
  EXPECT_EQ(stats().compiles, before.compiles);
}

TEST(Lazy, ReadsInAnyOrderSeeTheirOwnValues) {
  Tensor a = Tensor::full({4}, 2.0), b = a * 3.0, c = b + a;
  a = a - 1.0;
  EXPECT_EQ(c.to_vector<float>(), std::vector<float>(4, 8));
  EXPECT_EQ(a.to_vector<float>(), std::vector<float>(4, 1));
  EXPECT_EQ(b.to_vector<float>(), std::vector<float>(4, 6));
}

TEST(Lazy, AWrongIndexSpoilsWhatDependsOnItAlone) {
  Tensor x = Tensor::from<float>({1, 2, 3}, {3}), index = Tensor::from<std::int64_t>({9}, {1});
  Tensor good = x * 2.0, bad = take(x, index, 0);
  const int line = __LINE__ - 1;
  for (int i = 0; i < 2; ++i)
    try {
      bad.to_vector<float>();
      FAIL() << "an index outside";
    } catch (const IndexError &error) {
      EXPECT_NE(error.message().find("9"), std::string::npos) << error.message();
      EXPECT_EQ(error.where().line, line);
    }
  EXPECT_EQ(good.to_vector<float>(), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ((x + 1.0).to_vector<float>(), (std::vector<float>{2, 3, 4}));
}

TEST(Lazy, ThreadsShareRecordAndRead) {
  Tensor shared = Tensor::from<float>({1, 2, 3, 4}, {4});
  Tensor pending = shared * 2.0; // recorded here, read elsewhere while this thread goes on recording
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        wrong += sum(pending + shared).item<float>() != 30;
    });
  Tensor mine = shared;
  for (int i = 0; i < 20; ++i)
    mine = mine + shared;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(sum(mine).item<float>(), 210);
}

TEST(Executable, DonationTakesTheLastHandle) {
  Graph g = capture([](Tensor x, Tensor d) { return x + d; }, {spec(DType::F32, {4}), spec(DType::F32, {4})});
  Executable f = compile(g, {.donate = {0}});
  Tensor d = Tensor::from<float>({1, 1, 1, 1}, {4}), x = Tensor::from<float>({1, 2, 3, 4}, {4});
  const std::uint64_t copies = stats().copies;
  std::vector<Tensor> first = f(x, d);
  EXPECT_EQ(stats().copies, copies + 1); // x is still held here
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 3, 4}));
  const float *memory = first[0].data<float>().data();
  std::vector<Tensor> args;
  args.push_back(std::move(first[0]));
  args.push_back(d);
  std::vector<Tensor> second = f(std::move(args));
  EXPECT_EQ(stats().copies, copies + 1);
  EXPECT_EQ(second[0].data<float>().data(), memory);
  EXPECT_EQ(second[0].to_vector<float>(), (std::vector<float>{3, 4, 5, 6}));
}

TEST(Executable, TheRawCallGivesTheSameBits) {
  Executable f = compile(capture([](Tensor x) { return exp(x); }, {spec(DType::F32, {5})}));
  const std::vector<float> x{0, 1, 2, 3, 4};
  std::vector<float> y(5);
  const void *in[] = {x.data()};
  void *out[] = {y.data()};
  std::shared_ptr<Buffer> workspace = Buffer::allocate(f.memory().workspace_bytes);
  EXPECT_EQ(f.run(in, out, workspace->data()), 0);
  EXPECT_EQ(y, f(Tensor::from<float>(x, {5}))[0].to_vector<float>());
}

/// A loop that reads nothing is run now and then; of what it computed, only what has a handle is an output.
TEST(Lazy, ALongLoopIsRunWithoutARead) {
  Tensor x = Tensor::from<float>({1, 2}, {2}), y = x;
  const LazyStats before = Device::cpu().stats();
  for (int i = 0; i < 5000; ++i)
    y = std::move(y) + x;
  EXPECT_EQ(Device::cpu().stats().misses, before.misses + 1);
  EXPECT_EQ(last_lazy_program()->info.outputs.size(), 1u);
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{5001, 10002}));
}

} // namespace
} // namespace ingot
