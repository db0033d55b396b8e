// The lazy device's programs: which share one, how many are kept, and what is left of one that was dropped.
#include "ingot/capture/LruMap.h"
#include "ingot/tests/support/ProcessState.h"
#include "ingot/tests/support/TemporaryDirectory.h"

#include "Values.h"

#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

namespace ingot {
namespace {

LazyStats stats() { return Device::cpu().stats(); }

/// Keeps at most `most` programs, none of those from before, while it lives.
class Limit {
public:
  explicit Limit(std::size_t most) : before(Device::cpu().set_program_limit(0)) {
    Device::cpu().set_program_limit(most);
  }
  ~Limit() { Device::cpu().set_program_limit(before); }

private:
  std::size_t before;
};

/// A program of its own for each `n`: 0, 1, 4, 9, ...
void run_squares(std::int64_t n) {
  Tensor x = Tensor::arange(n, DType::F32);
  const std::vector<float> squares = (x * x).to_vector<float>();
  ASSERT_EQ(squares.size(), std::size_t(n));
  for (std::int64_t i = 0; i < n; ++i)
    EXPECT_EQ(squares[std::size_t(i)], float(i * i));
}

/// Where the disk cache is while it lives; empty for none.
class CacheDirectory {
public:
  explicit CacheDirectory(const std::string &path) {
    if (const char *old = std::getenv("INGOT_CACHE_DIR"))
      before = old;
    setenv("INGOT_CACHE_DIR", path.c_str(), 1);
  }
  ~CacheDirectory() {
    if (before)
      setenv("INGOT_CACHE_DIR", before->c_str(), 1);
    else
      unsetenv("INGOT_CACHE_DIR");
  }

private:
  std::optional<std::string> before;
};

TEST(LruMap, DropsTheLeastRecentlyUsed) {
  LruMap<int, std::string> map;
  map.insert(1, "one");
  map.insert(2, "two");
  map.insert(3, "three");
  ASSERT_TRUE(map.find(1));
  EXPECT_EQ(map.shrink(2), std::vector<std::string>{"two"});
  EXPECT_FALSE(map.find(2));
  EXPECT_EQ(*map.find(3), "three");
  EXPECT_EQ(map.shrink(0), (std::vector<std::string>{"one", "three"}));
  EXPECT_EQ(map.size(), 0u);
}

TEST(ProgramCache, CountsWhatItDoes) {
  const Limit limit(8);
  const LazyStats before = stats();
  EXPECT_EQ(before.entries, 0u);
  EXPECT_EQ(before.limit, 8u);
  Tensor x = Tensor::from<float>({1, 2, 3}, {3});
  for (int i = 0; i < 5; ++i)
    tanh(x).eval();
  const LazyStats after = stats();
  EXPECT_EQ(after.misses, before.misses + 1);
  EXPECT_EQ(after.compiles, before.compiles + 1);
  EXPECT_EQ(after.hits, before.hits + 4);
  EXPECT_EQ(after.entries, 1u);
  EXPECT_EQ(after.evictions, before.evictions);
  EXPECT_GT(after.compile_seconds, before.compile_seconds);
}

TEST(ProgramCache, EqualProgramsOnOtherTensorsHit) {
  const Limit limit(8);
  auto step = [](Tensor a, Tensor b, Tensor c) { return (a * b + c * a).to_vector<float>(); };
  auto tensor = [](float first, Device device = Device::cpu()) {
    return Tensor::from<float>({first, 2, 3}, {3}, device);
  };
  EXPECT_EQ(step(tensor(1), tensor(2), tensor(3)), (std::vector<float>{5, 8, 18}));
  const LazyStats before = stats();
  Tensor a = tensor(4);
  EXPECT_EQ(step(a, tensor(5), tensor(6)), (std::vector<float>{44, 8, 18}));
  EXPECT_EQ(step(tensor(5), a, tensor(1, Device::reference()).to(Device::cpu())), (std::vector<float>{25, 8, 18}));
  { // results of another segment, and handles of any number and name, are tensors like others
    Tensor made = (tensor(1) + a).eval(), copy = made;
    EXPECT_EQ(stats().compiles, before.compiles + 1);
    EXPECT_EQ(step(made, a, tensor(2)), (std::vector<float>{30, 16, 36}));
  }
  EXPECT_EQ(stats().compiles, before.compiles + 1);
  EXPECT_EQ(stats().hits, before.hits + 3);
}

TEST(ProgramCache, WhatTellsProgramsApart) {
  const Limit limit(16);
  Tensor a = Tensor::from<float>({1, 2}, {2}), b = Tensor::from<float>({3, 4}, {2});
  auto compiles = [](const std::function<void()> &f) {
    const std::uint64_t before = stats().compiles;
    f();
    return stats().compiles - before;
  };
  EXPECT_EQ(compiles([&] { (a + b).eval(); }), 1u);
  EXPECT_EQ(compiles([&] { (b + a).eval(); }), 0u);
  EXPECT_EQ(compiles([&] { (a + a).eval(); }), 1u); // one tensor twice is another pattern
  EXPECT_EQ(compiles([&] { (b + b).eval(); }), 0u);
  EXPECT_EQ(compiles([&] { (a.to(DType::F64) + b.to(DType::F64)).eval(); }), 1u);
  EXPECT_EQ(compiles([&] { (reshape(a, {2, 1}) + reshape(b, {2, 1})).eval(); }), 1u);
  EXPECT_EQ(compiles([&] { // what is read later too is an output
              Tensor sum = a + b, twice = sum + sum;
              twice.eval();
            }),
            1u);
  EXPECT_EQ(compiles([&] {
              Tensor sum = a + b;
              sum = sum + sum;
              sum.eval();
            }),
            1u);
}

TEST(ProgramCache, NumbersThatVaryAreForgottenWithTheLimit) {
  const Limit limit(2);
  auto scale = [](double factor) { return (Tensor::from<float>({1, 2, 3}, {3}) * factor).to_vector<float>()[2]; };
  EXPECT_EQ(scale(2), 6);
  EXPECT_EQ(scale(3), 9);
  const LazyStats before = stats();
  for (int i = 4; i < 10; ++i)
    EXPECT_EQ(scale(i), 3 * float(i));
  EXPECT_EQ(stats().compiles, before.compiles);
  for (int n = 1; n <= 4; ++n) { // two families take the room
    (Tensor::from<float>({1, 2, 3}, {3}) + double(n)).eval();
    (Tensor::from<float>({1, 2, 3}, {3}) - double(n)).eval();
  }
  for (int i = 10; i < 13; ++i)
    EXPECT_EQ(scale(i), 3 * float(i));
  EXPECT_EQ(stats().compiles, before.compiles + 6); // each family as constants, then with inputs
  EXPECT_LE(stats().entries, 2u);
}

TEST(ProgramCache, TheLeastRecentlyUsedIsDroppedAndComesBack) {
  for (const bool disk : {false, true}) {
    const TemporaryDirectory directory;
    const CacheDirectory cache(disk ? directory.path().string() : "");
    const Limit limit(4);
    for (std::int64_t n = 1; n <= 4; ++n)
      run_squares(n);
    LazyStats before = stats();
    run_squares(1); // used again: 2 is the oldest now
    run_squares(5);
    EXPECT_EQ(stats().evictions, before.evictions + 1);
    EXPECT_EQ(stats().entries, 4u);
    before = stats();
    run_squares(1);
    run_squares(3);
    EXPECT_EQ(stats().compiles, before.compiles);
    run_squares(2); // right again, compiled or read anew
    EXPECT_EQ(stats().compiles, before.compiles + 1);
    EXPECT_EQ(stats().evictions, before.evictions + 1);
  }
}

TEST(ProgramCache, DroppedCodeIsUnmapped) {
  const TemporaryDirectory directory;
  for (const bool disk : {false, true}) {
    const CacheDirectory cache(disk ? directory.path().string() : "");
    for (const bool warm : {false, true}) { // what is read from the disk is mapped in another way
      const Limit limit(64);
      const ProcessState empty = ProcessState::now();
      for (std::int64_t n = 1; n <= 40; ++n)
        run_squares(n);
      const ProcessState full = ProcessState::now();
      EXPECT_GE(full.anonymous_code, empty.anonymous_code + 40 * 4096) << disk << warm;
      Device::cpu().set_program_limit(10);
      const ProcessState some = ProcessState::now();
      EXPECT_LE(some.anonymous_code - empty.anonymous_code, (full.anonymous_code - empty.anonymous_code) / 3);
      Device::cpu().set_program_limit(0);
      const ProcessState none = ProcessState::now();
      EXPECT_EQ(none.anonymous_code, empty.anonymous_code) << disk << warm;
      EXPECT_LE(none.mappings, empty.mappings + 8) << disk << warm;
    }
  }
}

TEST(ProgramCache, NothingIsKeptWithoutRoom) {
  const Limit limit(0);
  const LazyStats before = stats();
  for (int i = 0; i < 3; ++i)
    run_squares(7);
  EXPECT_EQ(stats().compiles, before.compiles + 3);
  EXPECT_EQ(stats().entries, 0u);
}

TEST(ProgramCache, ResultsOutliveTheirProgram) {
  const Limit limit(4);
  Tensor x = Tensor::arange(6, DType::F32), squares = (x * x).eval();
  Device::cpu().set_program_limit(0);
  EXPECT_EQ(squares.to_vector<float>(), (std::vector<float>{0, 1, 4, 9, 16, 25}));
}

} // namespace
} // namespace ingot
