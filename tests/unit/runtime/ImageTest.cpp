#include "ingot/runtime/Image.h"

#include "ingot/runtime/Error.h"

#include "TestImage.h"
#include "ingot/tests/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

namespace ingot {
namespace {

#if defined(__x86_64__)

using Function = int (*)();
using Pointer = std::int64_t *(*)();

void expect_works(const Image &image, int value) {
  const auto answer = reinterpret_cast<Function>(image.symbol("answer"));
  const auto address = reinterpret_cast<Pointer>(image.symbol("address"));
  ASSERT_NE(answer, nullptr);
  ASSERT_NE(address, nullptr);
  EXPECT_EQ(answer(), value);
  std::int64_t *counter = address();
  EXPECT_EQ(counter, image.symbol("counter"));
  EXPECT_EQ(counter[0], 1000);
  for (std::size_t i = 1; i < 3 * TestImage::kPage / 8; ++i)
    ASSERT_EQ(counter[i], 0) << "the tail is zero";
  counter[0] = 7;
  counter[3 * TestImage::kPage / 8 - 1] = 8; // writable to its end
  EXPECT_EQ(counter[0], 7);
}

/// The file of an image that starts at `offset`, surrounded by other bytes.
std::string with_surroundings(const std::vector<std::byte> &bytes, std::size_t offset) {
  std::string file(offset, '\xee');
  file.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  return file + std::string(100, '\xdd');
}

TEST(Image, RunsFromMemory) {
  std::vector<std::byte> bytes = TestImage(42).build();
  const Image image = Image::load(bytes);
  std::fill(bytes.begin(), bytes.end(), std::byte(0xcc));
  expect_works(image, 42);
  EXPECT_EQ(image.symbol("nothing"), nullptr);
  EXPECT_EQ(image.symbol(""), nullptr);
}

TEST(Image, RunsFromAFileAtAnyOffset) {
  const TemporaryDirectory files;
  const std::vector<std::byte> bytes = TestImage(-5).build();
  for (std::size_t offset : {std::size_t(0), std::size_t(4096), std::size_t(8192), std::size_t(100)}) {
    const auto path = files.write("image", with_surroundings(bytes, offset));
    const int fd = open(path.c_str(), O_RDONLY);
    const Image image = Image::load(fd, offset, bytes.size());
    close(fd);
    expect_works(image, -5);
    const Image again = Image::load(bytes);
    expect_works(again, -5);
  }
}

TEST(Image, TwoLoadsAreIndependent) {
  const std::vector<std::byte> bytes = TestImage().build();
  const Image a = Image::load(bytes), b = Image::load(bytes);
  *static_cast<std::int64_t *>(a.symbol("counter")) = 5;
  EXPECT_EQ(*static_cast<std::int64_t *>(b.symbol("counter")), 1000);
}

TEST(Image, MovesWithItsCode) {
  Image a = Image::load(TestImage(1).build());
  Image b = std::move(a);
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(a.symbol("answer"), nullptr);
  Image c = Image::load(TestImage(2).build());
  c = std::move(b);
  expect_works(c, 1);
}

TEST(Image, AFileThatEndsTooSoonIsRefused) {
  const TemporaryDirectory files;
  const std::vector<std::byte> bytes = TestImage().build();
  const auto path = files.write("image", with_surroundings(bytes, 0));
  const int fd = open(path.c_str(), O_RDONLY);
  EXPECT_THROW(Image::load(fd, 0, bytes.size() + 101), IoError);
  EXPECT_THROW(Image::load(fd, 4096, ~std::uint64_t(0)), IoError);
  EXPECT_THROW(Image::load(fd, ~std::uint64_t(0), 10), IoError);
  EXPECT_THROW(Image::load(fd, 0, 0), IoError);
  EXPECT_THROW(Image::load(-1, 0, 10), IoError);
  close(fd);
}

/// Loads; the result, if any, is thrown away. Anything but an IoError fails the test.
bool loads(std::span<const std::byte> bytes) {
  try {
    return !Image::load(bytes).empty();
  } catch (const IoError &) {
    return false;
  }
}

TEST(Image, EveryTruncationIsRefused) {
  const std::vector<std::byte> bytes = TestImage().build();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_FALSE(loads(std::span(bytes).first(size))) << size;
  EXPECT_TRUE(loads(bytes));
}

TEST(Image, AnyByteOfTheTablesMayBeWrong) {
  // A changed byte may leave a good image or a bad one; it must never do harm.
  std::vector<std::byte> bytes = TestImage().build();
  int refused = 0;
  for (std::size_t at = 0; at < 1200; ++at)
    for (int change : {0x01, 0x80, 0xff, 0x10}) {
      bytes[at] ^= std::byte(change);
      refused += !loads(bytes);
      bytes[at] ^= std::byte(change);
    }
  EXPECT_GT(refused, 500);
}

TEST(Image, NoiseIsRefused) {
  std::uint64_t state = 1;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::byte> noise(static_cast<std::size_t>(round) * 40);
    for (std::byte &b : noise)
      b = std::byte((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
    if (round % 2 && noise.size() > 64) {
      const std::vector<std::byte> good = TestImage().build();
      std::copy_n(good.begin(), 24, noise.begin());
    }
    ASSERT_FALSE(loads(noise));
  }
}

std::string refusal(const TestImage &image) {
  try {
    Image::load(image.build());
  } catch (const IoError &error) {
    return error.message();
  }
  return "accepted";
}

TEST(ImageRefuses, RelocationsAndLibraries) {
  for (Elf64_Sxword tag : {DT_RELA, DT_REL, DT_JMPREL, DT_NEEDED, DT_INIT, DT_INIT_ARRAY, DT_TEXTREL}) {
    TestImage image;
    image.extra_tags.push_back({tag, 8});
    EXPECT_NE(refusal(image).find("unsupported type " + std::to_string(tag)), std::string::npos);
  }
  TestImage image;
  image.extra_tags.push_back({DT_FLAGS, DF_TEXTREL});
  EXPECT_NE(refusal(image).find("relocations"), std::string::npos);
}

TEST(ImageRefuses, ExternalSymbols) {
  TestImage image;
  image.add_symbol("malloc", STT_NOTYPE, 0, 0, SHN_UNDEF);
  EXPECT_NE(refusal(image).find("`malloc`"), std::string::npos);
}

TEST(ImageRefuses, SymbolsOutsideTheSegments) {
  TestImage far, data_as_code, long_one, indirect, twice;
  far.add_symbol("far", STT_FUNC, std::uint64_t(1) << 50, 0);
  data_as_code.add_symbol("data", STT_FUNC, TestImage::kData, 8);
  long_one.add_symbol("long", STT_OBJECT, TestImage::kData, 1 << 20);
  indirect.add_symbol("resolver", STT_GNU_IFUNC, TestImage::kCode, 4);
  twice.add_symbol("answer", STT_FUNC, TestImage::kCode, 4);
  EXPECT_NE(refusal(far).find("`far` outside"), std::string::npos);
  EXPECT_NE(refusal(data_as_code).find("`data` outside"), std::string::npos);
  EXPECT_NE(refusal(long_one).find("`long` outside"), std::string::npos);
  EXPECT_NE(refusal(indirect).find("unsupported type"), std::string::npos);
  EXPECT_NE(refusal(twice).find("twice"), std::string::npos);
}

TEST(ImageRefuses, WritableCode) {
  TestImage segment, stack;
  segment.headers[1].p_flags |= PF_W;
  stack.headers[3].p_flags |= PF_X;
  EXPECT_NE(refusal(segment).find("writable and executable"), std::string::npos);
  EXPECT_NE(refusal(stack).find("executable stack"), std::string::npos);
}

TEST(ImageRefuses, OddSegments) {
  TestImage overlap, order, large, shrinking, thread_local_data, misaligned;
  overlap.headers[1].p_vaddr = 2048;
  overlap.headers[1].p_align = 1;
  std::swap(order.headers[0], order.headers[1]);
  large.headers[2].p_memsz = std::uint64_t(1) << 60;
  shrinking.headers[2].p_memsz = 4;
  thread_local_data.headers.push_back(TestImage::header(PT_TLS, PF_R, TestImage::kData, 8, 8));
  misaligned.headers[1].p_vaddr += 16;
  EXPECT_NE(refusal(overlap).find("one page"), std::string::npos);
  EXPECT_NE(refusal(order).find("out of order"), std::string::npos);
  EXPECT_NE(refusal(large).find("segment size"), std::string::npos);
  EXPECT_NE(refusal(shrinking).find("segment size"), std::string::npos);
  EXPECT_NE(refusal(thread_local_data).find("program header"), std::string::npos);
  EXPECT_NE(refusal(misaligned).find("alignment"), std::string::npos);
}

TEST(ImageRefuses, MissingTables) {
  TestImage image;
  image.with_hash = false;
  EXPECT_NE(refusal(image).find("no symbol table"), std::string::npos);
}

#endif

} // namespace
} // namespace ingot
