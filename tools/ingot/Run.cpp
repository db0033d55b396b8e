// ingot run: a program on tensors from files.
#include "ingot/tools/ingot/Common.h"
#include "ingot/tools/ingot/Npy.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace ingot::cli {
namespace {

/// Whether a tensor of `shape` can be given for `want`, whose dynamic dimensions take any size.
bool fits(const Shape &shape, const Shape &want) {
  return std::equal(shape.begin(), shape.end(), want.begin(), want.end(),
                    [](std::int64_t have, std::int64_t need) { return need == kDynamic || have == need; });
}

std::vector<Tensor> read_inputs(const Graph &graph, const std::string &model, const std::vector<std::string> &pairs) {
  std::map<std::string, std::string> files;
  for (const std::string &pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError("--input takes NAME=FILE, not " + pair);
    if (!files.emplace(pair.substr(0, equals), pair.substr(equals + 1)).second)
      throw UsageError("the input " + pair.substr(0, equals) + " is given twice");
  }
  std::vector<Tensor> inputs;
  std::string missing;
  for (std::size_t i = 0; i < graph.inputs().size(); ++i) {
    const TensorSpec &want = graph.inputs()[i];
    auto file = files.extract(input_name(graph, i));
    if (!file) {
      missing += (missing.empty() ? "" : ", ") + input_name(graph, i) + " (" + type_text(want) + ")";
      continue;
    }
    Tensor value = read_npy(file.mapped());
    if (value.dtype() != want.dtype || !fits(value.shape(), want.shape))
      throw ShapeError(file.mapped() + ": the input " + file.key() + " of " + model + " is " + type_text(want) +
                       ", the file holds " + value.type().str());
    inputs.push_back(std::move(value));
  }
  if (!files.empty())
    throw UsageError(model + " has no input " + files.begin()->first + "; its inputs: " + list_inputs(graph));
  if (!missing.empty())
    throw UsageError(model + " needs --input for " + missing);
  return inputs;
}

} // namespace

void run_command(const std::vector<std::string> &words) {
  const Arguments arguments("run", words, {"input", "output-dir", "threads"});
  const std::string model = arguments.model();
  const Graph graph = load_model(model);
  std::vector<Tensor> inputs = read_inputs(graph, model, arguments.all("input"));
  const std::filesystem::path dir = arguments.need("output-dir");
  std::vector<Tensor> outputs;
  {
    Progress progress("running " + model);
    outputs = compile(graph, compile_options(arguments), Location())(std::move(inputs), Location());
  }
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (error)
    throw IoError("cannot make " + dir.string() + ": " + error.message());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::string name = output_name(graph, i);
    std::replace(name.begin(), name.end(), '/', '.');
    write_npy((dir / (name + ".npy")).string(), outputs[i]);
  }
}

} // namespace ingot::cli
