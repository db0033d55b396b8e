// What the subcommands share: arguments, models, names of inputs and outputs, progress on a terminal.
#pragma once

#include <ingot/ingot.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::cli {

/// The command was used wrongly: exit code 1.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The program computes something else than it says: exit code 70.
struct WrongResult : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Arguments of one subcommand: `--name value`, `--name=value`, `-o value`, flags, and what stands alone.
class Arguments {
public:
  /// `valued` and `flags` are the options the subcommand knows, without dashes. Throws UsageError for any other.
  Arguments(const std::string &command, const std::vector<std::string> &words, const std::vector<std::string> &valued,
            const std::vector<std::string> &flags = {});

  bool has(std::string_view flag) const { return get(flag).has_value(); }
  /// The last value given.
  std::optional<std::string> get(std::string_view option) const;
  std::vector<std::string> all(std::string_view option) const;
  /// Throws UsageError when it was not given.
  std::string need(std::string_view option) const;
  /// Throws UsageError for what is no whole number of at least `least`.
  int integer(std::string_view option, int otherwise, int least) const;
  /// Throws UsageError for what is no positive number.
  double positive(std::string_view option, double otherwise) const;
  /// The one thing that stands alone: the model's path.
  std::string model() const;
  /// Throws UsageError when something stands alone.
  void no_model() const;

private:
  std::string command;
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<std::string> alone;
};

/// Errors name the file.
Graph load_model(const std::string &path);
/// `.o` of `dir/net.o`.
std::string suffix_of(const std::string &path);
/// The name of input `i` for a user: its own, or in0, in1, ...
std::string input_name(const Graph &graph, std::size_t i);
std::string output_name(const Graph &graph, std::size_t i);
std::vector<std::string> split(const std::string &text, char by);
/// `x, w` or `none`.
std::string list_inputs(const Graph &graph);
/// Options of --threads and --target. Throws CompileError for an unknown target.
CompileOptions compile_options(const Arguments &arguments);
/// `2x3xf32`.
std::string type_text(const TensorSpec &spec);
/// Replaces the file's contents. Throws IoError, which names it.
void write_text(const std::string &path, const std::string &text);

/// One line on a terminal while something long goes on; gone when it ends. Nothing elsewhere.
class Progress {
public:
  explicit Progress(const std::string &what);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

private:
  bool shown;
};

// Each takes the words after the subcommand.
void compile_command(const std::vector<std::string> &words);
void run_command(const std::vector<std::string> &words);
void inspect_command(const std::vector<std::string> &words);
void bench_command(const std::vector<std::string> &words);
/// The rows of the project's own benchmark whose names contain `suite`, or `all`. Throws UsageError where it is not
/// built.
void bench_suite(const Arguments &arguments, const std::string &suite);
void check_command(const std::vector<std::string> &words);
void grad_command(const std::vector<std::string> &words);

} // namespace ingot::cli
