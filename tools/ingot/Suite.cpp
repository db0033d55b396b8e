// ingot bench --suite: runs the project's benchmark, ingot-bench, which races Ingot with its peers.
#include "ingot/tools/ingot/Common.h"

#include <cstdlib>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ingot::cli {
namespace {

namespace fs = std::filesystem;

/// Beside this program, or where the build makes it.
fs::path find_benchmark() {
  std::error_code failed;
  const fs::path here = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const fs::path &path : {here / "ingot-bench", here.parent_path() / "bench/ingot-bench"})
    if (!failed && access(path.c_str(), X_OK) == 0)
      return path;
  throw UsageError("there is no ingot-bench beside " + here.string() +
                   "; build it in Ingot's build directory: ninja ingot-bench");
}

/// A file that is gone when this is.
struct TemporaryFile {
  TemporaryFile() {
    const int file = mkstemp(path.data());
    if (file < 0)
      throw IoError("cannot make a file in " + fs::temp_directory_path().string());
    close(file);
  }
  ~TemporaryFile() { unlink(path.c_str()); }
  std::string path = (fs::temp_directory_path() / "ingot-bench-XXXXXX").string();
};

int run(const std::vector<std::string> &words) {
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  if (posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0 ||
      waitpid(child, &status, 0) != child)
    throw IoError("cannot run " + words[0]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

void bench_suite(const Arguments &arguments, const std::string &suite) {
  arguments.no_model();
  const std::string benchmark = find_benchmark().string();
  const TemporaryFile scratch;
  const std::string json = arguments.get("json").value_or(scratch.path);
  write_text(json, "");
  std::vector<std::string> words{benchmark, "--json", json};
  if (suite != "all")
    words.insert(words.end(), {"--only", suite});
  if (arguments.has("threads"))
    words.insert(words.end(), {"--threads", std::to_string(arguments.integer("threads", 0, 1))});
  if (arguments.has("seconds"))
    words.insert(words.end(), {"--seconds", std::to_string(arguments.positive("seconds", 1))});
  if (const int code = run(words))
    throw UsageError(words[0] + " ended with code " + std::to_string(code));
  if (fs::file_size(json) == 0)
    throw UsageError("no row of the benchmark has " + suite + " in its name; `--suite all` shows every row");
}

} // namespace ingot::cli
