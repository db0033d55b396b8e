// The command `ingot`: picks the subcommand and turns what goes wrong into a message and an exit code.
#include "ingot/tools/ingot/Common.h"

#include <cstdio>
#include <exception>
#include <map>

namespace {

constexpr char kHelp[] = R"(usage: ingot COMMAND MODEL [OPTIONS]

  compile MODEL -o OUT          write the program; OUT ends in .o .so .s .ll .h .mlir or .mlirbc
          [--target T] [--threads N] [--name SYMBOL]
  run     MODEL --input x=x.npy ... --output-dir D
          [--threads N]         run it; every output becomes D/NAME.npy
  inspect MODEL [--phase P]     print the program in phase P: captured differentiated simplified
          [--html F] [--json]   partitioned fused planned kernels native; else its kernels and memory
          [--target T] [--threads N]
  bench   MODEL [--json F]      time it; fraction of the machine's limit
          [--threads N] [--seconds S]
  bench   --suite NAME ...      Ingot's own benchmark against its peers: `all`, or the rows with NAME in their name
  check   MODEL [--threads N]   compare every phase with the reference evaluator
  grad    MODEL --wrt a,b -o OUT
                                write the program of the gradients of output 0
  --help, --version

MODEL is a .mlir or .mlirbc file whose function `main` is the program.
Exit codes: 0 done, 1 the input or the command is wrong, 70 Ingot is wrong.
)";

using namespace ingot::cli;

int run(const std::vector<std::string> &words) {
  static const std::map<std::string, void (*)(const std::vector<std::string> &)> commands = {
      {"compile", compile_command}, {"run", run_command},     {"inspect", inspect_command},
      {"bench", bench_command},     {"check", check_command}, {"grad", grad_command}};
  if (words.empty())
    throw UsageError("no command; `ingot --help` lists them");
  for (const std::string &word : words)
    if (word == "--help" || word == "-h")
      return std::fputs(kHelp, stdout) < 0;
  if (words[0] == "help")
    return std::fputs(kHelp, stdout) < 0;
  if (words[0] == "--version")
    return std::puts("ingot " INGOT_VERSION) < 0;
  auto command = commands.find(words[0]);
  if (command == commands.end())
    throw UsageError("there is no command " + words[0] + "; `ingot --help` lists them");
  command->second({words.begin() + 1, words.end()});
  return std::fflush(stdout) ? 1 : 0;
}

int fail(const char *kind, const char *text, int code) {
  std::fflush(stdout);
  std::fprintf(stderr, "ingot: %s: %s\n", kind, text);
  return code;
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const UsageError &error) {
    return fail("error", error.what(), 1);
  } catch (const WrongResult &error) {
    return fail("wrong result, please report it", error.what(), 70);
  } catch (const ingot::InternalError &error) {
    return fail("internal error, please report it", error.what(), 70);
  } catch (const ingot::Error &error) {
    return fail("error", error.what(), 1);
  } catch (const std::exception &error) {
    return fail("internal error, please report it", error.what(), 70);
  }
}
