#include "ingot/runtime/CacheFile.h"

#include "SampleProgram.h"
#include "TestImage.h"
#include "ingot/tests/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <thread>

namespace ingot {
namespace {

#if defined(__x86_64__)

class CacheFile : public testing::Test {
protected:
  TemporaryDirectory files;
  std::filesystem::path path = files.path() / "ab" / "entry.ingot";
  Bytes trace = Bytes(777, std::byte(3));
  CacheIdentity identity{"build 1", {0x1234, 0x5678}, trace};
  std::vector<std::byte> image = TestImage(17).build();

  void write_sample() { ASSERT_TRUE(write_cache_file(path, identity, sample_program(), image)); }
  std::string contents() { return files.read("ab/entry.ingot"); }
  void replace(const std::string &bytes) { files.write("ab/entry.ingot", bytes); }
};

TEST_F(CacheFile, GivesBackWhatWasWritten) {
  write_sample();
  const std::optional<CacheEntry> entry = read_cache_file(path, identity);
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(entry->info, sample_program());
  EXPECT_EQ(reinterpret_cast<int (*)()>(entry->image.symbol("answer"))(), 17);
}

TEST_F(CacheFile, HoldsALargeImage) {
  // Past the size from which segments are mapped from the file.
  image.resize(20 << 20);
  TestImage large(23);
  const std::vector<std::byte> front = large.build();
  std::copy(front.begin(), front.end(), image.begin());
  write_sample();
  const std::optional<CacheEntry> entry = read_cache_file(path, identity);
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(reinterpret_cast<int (*)()>(entry->image.symbol("answer"))(), 23);
}

TEST_F(CacheFile, IsOnlyForItsIdentity) {
  write_sample();
  CacheIdentity other = identity;
  other.build = "build 2";
  EXPECT_FALSE(read_cache_file(path, other));
  other = identity;
  other.key.hi ^= 1;
  EXPECT_FALSE(read_cache_file(path, other));
  other = identity;
  Bytes changed = trace;
  changed.back() = std::byte(4);
  other.trace = changed;
  EXPECT_FALSE(read_cache_file(path, other)) << "an equal hash is not enough";
  other.trace = std::span(trace).first(776);
  EXPECT_FALSE(read_cache_file(path, other));
  EXPECT_TRUE(read_cache_file(path, identity));
}

TEST_F(CacheFile, AbsentOrOddFilesAreNothing) {
  EXPECT_FALSE(read_cache_file(path, identity));
  std::filesystem::create_directories(path);
  EXPECT_FALSE(read_cache_file(path, identity)) << "a directory";
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(read_cache_file(path, identity)) << "a pipe, without waiting for its writer";
  std::filesystem::remove(path);
  replace("");
  EXPECT_FALSE(read_cache_file(path, identity));
}

TEST_F(CacheFile, DamageToAnyByteIsNoticed) {
  write_sample();
  std::string bytes = contents();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    replace(bytes);
    ASSERT_FALSE(read_cache_file(path, identity)) << at;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
  }
  replace(bytes);
  EXPECT_TRUE(read_cache_file(path, identity));
}

TEST_F(CacheFile, EveryTruncationIsNoticed) {
  write_sample();
  const std::string bytes = contents();
  for (std::size_t size = 0; size < bytes.size(); size += size < 2000 ? 1 : 97) {
    replace(bytes.substr(0, size));
    ASSERT_FALSE(read_cache_file(path, identity)) << size;
  }
  replace(bytes + '\0');
  EXPECT_FALSE(read_cache_file(path, identity));
}

TEST_F(CacheFile, AnImageThatCannotBeLoadedIsNothing) {
  TestImage bad;
  bad.add_symbol("malloc", STT_NOTYPE, 0, 0, SHN_UNDEF);
  image = bad.build();
  write_sample();
  EXPECT_FALSE(read_cache_file(path, identity));
}

TEST_F(CacheFile, AnEntryWithoutItsFunctionIsNothing) {
  ProgramInfo info = sample_program();
  info.entry = "missing";
  ASSERT_TRUE(write_cache_file(path, identity, info, image));
  EXPECT_FALSE(read_cache_file(path, identity));
}

TEST_F(CacheFile, AMachineWithoutTheFeaturesGetsNothing) {
  ProgramInfo info = sample_program();
  info.required_features = {"a feature of the future"};
  ASSERT_TRUE(write_cache_file(path, identity, info, image));
  EXPECT_FALSE(read_cache_file(path, identity));
}

TEST_F(CacheFile, WritingWhereThatIsImpossibleIsFalse) {
  files.write("file", "in the way");
  EXPECT_FALSE(write_cache_file(files.path() / "file" / "entry", identity, sample_program(), image));
  EXPECT_FALSE(write_cache_file("/proc/ingot/entry", identity, sample_program(), image));
  EXPECT_FALSE(write_cache_file("", identity, sample_program(), image));
}

TEST_F(CacheFile, AFullDiskLeavesNothingBehind) {
  // A limit on the size of files stands in for a full disk.
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 5000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const bool written = write_cache_file(path, identity, sample_program(), image);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_FALSE(written);
  EXPECT_TRUE(std::filesystem::is_empty(path.parent_path()));
}

TEST_F(CacheFile, WritersAndReadersMayRace) {
  write_sample();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i)
        wrong += t % 2 ? !write_cache_file(path, identity, sample_program(), image)
                       : !read_cache_file(path, identity).has_value();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong.load(), 0) << "a reader sees all of an entry";
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), 1);
}

TEST(CacheFilePath, SpreadsOverDirectories) {
  EXPECT_EQ(cache_file_path("/c", {0x1, 0xabcdef0000000000}), "/c/ab/cdef00000000000000000000000001.ingot");
}

#endif

} // namespace
} // namespace ingot
