// Text and bytes that are no program: an error with the file and the line, never an end of the process.
#include "Expect.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace ingot {
namespace {

/// Parsing `text` must throw a CompileError of this very text at this line of it.
void expect_parse_error(const std::string &text, const std::string &message, int line) {
  try {
    Graph::parse(text);
    ADD_FAILURE() << "a program: " << text;
  } catch (const CompileError &error) {
    EXPECT_EQ(error.message(), "text: " + message);
    EXPECT_EQ(error.where(), SourceLocation("text", line));
  }
}

TEST(ProgramTextErrors, Syntax) {
  expect_parse_error("", "there is no function `main`", 1);
  expect_parse_error("module", "expected '{' to begin a region", 1);
  expect_parse_error("func.func @main(", "expected non-function type", 1);
  expect_parse_error("\x7f"
                     "ELF\x02\x01",
                     "unexpected character", 1);
}

TEST(ProgramTextErrors, Types) {
  expect_parse_error("func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {\n  return %x : tensor<2xf32>\n}",
                     "type of return operand 0 ('tensor<2xf32>') doesn't match function result type ('tensor<3xf32>') "
                     "in function @main",
                     2);
  expect_parse_error("func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {\n\n"
                     "  %0 = ingot.exp %x : tensor<2xi32>\n  return %0 : tensor<2xi32>\n}",
                     "[exp] does not take i32, but f64 and f32", 3);
}

TEST(ProgramTextErrors, Ops) {
  expect_parse_error("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                     "  %0 = \"ingot.nosuch\"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}",
                     "unregistered operation 'ingot.nosuch' found in dialect ('ingot') that does not allow unknown "
                     "operations",
                     2);
}

TEST(ProgramTextErrors, Nesting) {
  std::string text = "module {\n\n";
  expect_parse_error(text + "func.func @main() attributes {a = " + std::string(100000, '['),
                     "this nests deeper than any program does", 3);
}

TEST(ProgramTextErrors, Files) {
  const std::filesystem::path dir =
      std::filesystem::temp_directory_path() / ("ingot_text_errors_" + std::to_string(getpid()));
  std::filesystem::create_directories(dir);
  const std::string path = (dir / "net.mlirbc").string();
  const auto expect_load_error = [&](const std::string &bytes, const std::string &message) {
    std::ofstream(path, std::ios::binary) << bytes;
    try {
      Graph::load(path);
      ADD_FAILURE() << message;
    } catch (const CompileError &error) {
      EXPECT_EQ(error.message(), path + ": " + message);
      EXPECT_EQ(error.where(), SourceLocation(path, 1));
    }
  };
  capture([](Tensor x) { return sum(x); }, {spec(DType::F32, {2, 3}, "x")}).save(path);
  std::string bytes(std::filesystem::file_size(path), '\0');
  std::ifstream(path, std::ios::binary).read(bytes.data(), std::streamsize(bytes.size()));
  expect_load_error(bytes.substr(0, bytes.size() / 2), "this bytecode is damaged");
  expect_load_error(bytes.substr(0, 4), "this bytecode was not written by Ingot; hand over the program's text instead");
  bytes[bytes.size() - 1] = char(bytes[bytes.size() - 1] ^ 1);
  expect_load_error(bytes, "this bytecode is damaged");
  std::filesystem::remove_all(dir);
}

} // namespace
} // namespace ingot
