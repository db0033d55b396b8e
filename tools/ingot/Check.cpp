// ingot check: every phase of a program, and its compiled form, against the reference evaluator.
#include "ingot/capture/Compiler.h"
#include "ingot/tools/ingot/Common.h"

#include <cstdio>

namespace ingot::cli {

void check_command(const std::vector<std::string> &words) {
  const Arguments arguments("check", words, {"threads"});
  const std::string model = arguments.model();
  const Graph graph = load_model(model);
  std::string report;
  {
    Progress progress("checking " + model);
    report = compiler().check(graph.trace(), compile_options(arguments));
  }
  if (!report.empty())
    throw WrongResult(model + ": " + report);
  std::printf("%s: every phase and the compiled program agree with the reference evaluator\n", model.c_str());
}

} // namespace ingot::cli
