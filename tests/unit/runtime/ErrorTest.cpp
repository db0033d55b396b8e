#include "ingot/runtime/Error.h"

#include <gtest/gtest.h>

#include <sstream>

namespace ingot {
namespace {

TEST(Error, SaysMessageAndSite) {
  const ShapeError error("[matmul] shapes do not match.", SourceLocation("model.cpp", 12));
  EXPECT_EQ(error.message(), "[matmul] shapes do not match.");
  EXPECT_STREQ(error.what(), "[matmul] shapes do not match. (model.cpp:12)");
  EXPECT_EQ(error.where(), SourceLocation("model.cpp", 12));
  EXPECT_EQ(error.code(), ErrorCode::Shape);
}

TEST(Error, SaysTheMessageAloneWithoutASite) {
  const IoError error("no such file");
  EXPECT_STREQ(error.what(), "no such file");
  EXPECT_FALSE(error.where().known());
}

TEST(Error, IsAStandardException) {
  EXPECT_THROW(throw IndexError("text"), std::runtime_error);
  EXPECT_THROW(throw GradientError("text"), Error);
}

TEST(Error, LocateKeepsASiteThatIsKnown) {
  DTypeError error("text");
  error.locate({});
  EXPECT_STREQ(error.what(), "text");
  error.locate({"a.cpp", 1});
  error.locate({"b.cpp", 2});
  EXPECT_STREQ(error.what(), "text (a.cpp:1)");
}

TEST(Error, WithSiteKeepsTheClassAndAddsTheSite) {
  const CallSite here = std::source_location::current();
  try {
    with_site(here, [] { throw CompileError("text"); });
    FAIL() << "nothing was thrown";
  } catch (const CompileError &error) {
    EXPECT_EQ(error.where(), SourceLocation(here));
    EXPECT_NE(std::string(error.what()).find("ErrorTest.cpp:" + std::to_string(here.line)), std::string::npos);
  }
  EXPECT_EQ(with_site(here, [] { return 3; }), 3);
  EXPECT_THROW(with_site(here, [] { throw 7; }), int) << "other exceptions pass through";
}

template <class E> void expect_thrown(ErrorCode code) {
  EXPECT_THROW(throw_error(code, "text"), E);
  try {
    throw_error(code, "text", {"a.cpp", 3});
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_STREQ(error.what(), "text (a.cpp:3)");
  }
}

TEST(Error, EveryCodeHasItsClass) {
  expect_thrown<InternalError>(ErrorCode::Internal);
  expect_thrown<ShapeError>(ErrorCode::Shape);
  expect_thrown<DTypeError>(ErrorCode::DType);
  expect_thrown<DispatchError>(ErrorCode::Dispatch);
  expect_thrown<CaptureError>(ErrorCode::Capture);
  expect_thrown<GradientError>(ErrorCode::Gradient);
  expect_thrown<CompileError>(ErrorCode::Compile);
  expect_thrown<IoError>(ErrorCode::Io);
  expect_thrown<IndexError>(ErrorCode::Index);
}

TEST(Error, CheckNamesTheConditionAndOurLine) {
  EXPECT_NO_THROW(INGOT_CHECK(true, "text"));
  const int line = __LINE__ + 2;
  try {
    INGOT_CHECK(1 + 1 == 3, "sums are off");
    FAIL() << "nothing was thrown";
  } catch (const InternalError &error) {
    for (const std::string &part : {std::string("bug in ingot"), std::string("1 + 1 == 3"), std::string("sums are off"),
                                    "ErrorTest.cpp:" + std::to_string(line)})
      EXPECT_NE(error.message().find(part), std::string::npos) << part << " in " << error.message();
    EXPECT_FALSE(error.where().known());
  }
}

TEST(SourceLocation, PrintsFileAndLine) {
  std::ostringstream out;
  out << SourceLocation("a.cpp", 7) << '|' << SourceLocation();
  EXPECT_EQ(out.str(), "a.cpp:7|");
  EXPECT_EQ(SourceLocation(CallSite()), SourceLocation());
}

} // namespace
} // namespace ingot
