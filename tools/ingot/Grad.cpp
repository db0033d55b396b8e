// ingot grad: the program of a program's gradients.
#include "ingot/tools/ingot/Common.h"

namespace ingot::cli {

void grad_command(const std::vector<std::string> &words) {
  const Arguments arguments("grad", words, {"wrt", "o"});
  const std::string model = arguments.model(), names = arguments.need("wrt"), out = arguments.need("o");
  if (suffix_of(out) != ".mlir" && suffix_of(out) != ".mlirbc")
    throw UsageError(out + ": gradients are written as .mlir or .mlirbc");
  const Graph graph = load_model(model);
  std::vector<int> wrt;
  for (const std::string &name : split(names, ',')) {
    std::size_t i = 0;
    while (i < graph.inputs().size() && input_name(graph, i) != name)
      ++i;
    if (i == graph.inputs().size())
      throw UsageError(model + " has no input " + name + " to differentiate; its inputs: " + list_inputs(graph));
    wrt.push_back(int(i));
  }
  grad(graph, wrt, Location()).save(out, Location());
}

} // namespace ingot::cli
