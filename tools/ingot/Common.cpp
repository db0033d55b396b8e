#include "ingot/tools/ingot/Common.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace ingot::cli {

Arguments::Arguments(const std::string &command, const std::vector<std::string> &words,
                     const std::vector<std::string> &valued, const std::vector<std::string> &flags)
    : command(command) {
  auto known = [](const std::vector<std::string> &list, const std::string &name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (word.size() < 2 || word[0] != '-') {
      alone.push_back(word);
      continue;
    }
    const bool two_dashes = word.starts_with("--");
    const std::size_t equals = two_dashes ? word.find('=') : std::string::npos;
    const std::size_t begin = two_dashes ? 2 : 1;
    const std::string name = word.substr(begin, equals == std::string::npos ? equals : equals - begin);
    if (known(valued, name)) {
      if (equals == std::string::npos && i + 1 == words.size())
        throw UsageError(word + " needs a value");
      options.emplace_back(name, equals == std::string::npos ? words[++i] : word.substr(equals + 1));
    } else if (known(flags, name) && equals == std::string::npos) {
      options.emplace_back(name, "");
    } else {
      throw UsageError("`ingot " + command + "` has no option " + word);
    }
  }
}

std::optional<std::string> Arguments::get(std::string_view option) const {
  std::vector<std::string> values = all(option);
  return values.empty() ? std::nullopt : std::optional(values.back());
}

std::vector<std::string> Arguments::all(std::string_view option) const {
  std::vector<std::string> values;
  for (const auto &[name, value] : options)
    if (name == option)
      values.push_back(value);
  return values;
}

std::string Arguments::need(std::string_view option) const {
  if (auto value = get(option))
    return *value;
  throw UsageError("`ingot " + command + "` needs " + (option.size() == 1 ? "-" : "--") + std::string(option));
}

int Arguments::integer(std::string_view option, int otherwise, int least) const {
  const auto text = get(option);
  if (!text)
    return otherwise;
  int value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || value < least)
    throw UsageError("--" + std::string(option) + " takes a whole number of at least " + std::to_string(least) +
                     ", not " + *text);
  return value;
}

double Arguments::positive(std::string_view option, double otherwise) const {
  const auto text = get(option);
  if (!text)
    return otherwise;
  double value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || !(value > 0) || value > 1e9)
    throw UsageError("--" + std::string(option) + " takes a positive number, not " + *text);
  return value;
}

std::string Arguments::model() const {
  if (alone.empty())
    throw UsageError("`ingot " + command + "` needs a model: a .mlir or .mlirbc file");
  if (alone.size() > 1)
    throw UsageError("`ingot " + command + "` takes one model; " + alone[1] + " is one too many");
  return alone[0];
}

void Arguments::no_model() const {
  if (!alone.empty())
    throw UsageError("`ingot " + command + "` with these options takes no model; " + alone[0] + " is one too many");
}

Graph load_model(const std::string &path) {
  try {
    return Graph::load(path, Location());
  } catch (const InternalError &) {
    throw;
  } catch (const Error &error) {
    if (std::string(error.what()).find(path) != std::string::npos)
      throw;
    throw_error(error.code(), path + ": " + error.message(), error.where());
  }
}

std::string suffix_of(const std::string &path) { return std::filesystem::path(path).extension().string(); }

std::string input_name(const Graph &graph, std::size_t i) {
  const std::string &name = graph.inputs()[i].name;
  return name.empty() ? "in" + std::to_string(i) : name;
}

std::string output_name(const Graph &graph, std::size_t i) {
  const std::string &name = graph.outputs()[i].name;
  return name.empty() ? "out" + std::to_string(i) : name;
}

std::vector<std::string> split(const std::string &text, char by) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(by, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string list_inputs(const Graph &graph) {
  std::string text;
  for (std::size_t i = 0; i < graph.inputs().size(); ++i)
    text += (i ? ", " : "") + input_name(graph, i);
  return text.empty() ? "none" : text;
}

CompileOptions compile_options(const Arguments &arguments) {
  CompileOptions options;
  options.threads = arguments.integer("threads", 0, 0);
  if (auto target = arguments.get("target"))
    options.target = Target::named(*target);
  return options;
}

std::string type_text(const TensorSpec &spec) { return spec.type().str(); }

void write_text(const std::string &path, const std::string &text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw IoError("cannot write " + path + ": " + std::strerror(errno));
}

Progress::Progress(const std::string &what) : shown(isatty(2)) {
  if (shown)
    std::fprintf(stderr, "%s ...", what.c_str()), std::fflush(stderr);
}

Progress::~Progress() {
  if (shown)
    std::fputs("\r\033[K", stderr), std::fflush(stderr);
}

} // namespace ingot::cli
