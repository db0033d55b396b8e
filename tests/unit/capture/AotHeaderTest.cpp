#include "ingot/capture/AotHeader.h"

#include "Values.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace ingot::aot {
namespace {

ProgramInfo sample() {
  ProgramInfo info;
  info.inputs = {spec(DType::F32, {2, 3}, "x"), spec(DType::I64, {}, "class"), spec(DType::Bool, {4}),
                 spec(DType::F64, {1}, "in2"), spec(DType::F32, {1}, "a \"b\"")};
  info.outputs = {spec(DType::F32, {2}, "x"), spec(DType::F32, {2}, "x")};
  info.donated = {-1, -1, -1, -1, -1};
  info.memory.workspace_bytes = 128;
  info.errors = {{}, {ErrorCode::Index, "[take] \"i\" \\ outside\nthe axis", 0}};
  return info;
}

TEST(AotHeader, IsValidCAndCppWhateverTheNames) {
  const std::filesystem::path dir =
      std::filesystem::temp_directory_path() / ("ingot_header_" + std::to_string(getpid()));
  std::filesystem::create_directories(dir);
  std::ofstream(dir / "net.h") << header_text("net", sample());
  std::ofstream(dir / "a.c") << "#include \"net.h\"\n#include \"net.h\"\nint main(void) { return net_NUM_INPUTS - 5 + "
                                "net_donated_output(0); }\n";
  std::ofstream(dir / "b.cpp") << "#include \"net.h\"\nstatic_assert(ingot::aot::net::num_outputs == 2, \"\");\n"
                                  "int main() { ingot::aot::net::Inputs in{}; return in.x == nullptr; }\n";
  auto run = [&](const std::string &command) { return std::system(("cd " + dir.string() + " && " + command).c_str()); };
  EXPECT_EQ(run("cc -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only a.c"), 0);
  EXPECT_EQ(run("c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only b.cpp"), 0);
  std::filesystem::remove_all(dir);
}

TEST(AotHeader, NamesThatAreNoneAreRefused) {
  Graph g = capture([](Tensor x) { return x; }, {spec(DType::F32, {1})});
  for (const char *name : {"", "not a name", "1st", "int", "class", "a-b"})
    EXPECT_NE(message_of<CompileError>([&] { compile(g, {.name = name}); }).find("'" + std::string(name) + "'"),
              std::string::npos);
}

} // namespace
} // namespace ingot::aot
