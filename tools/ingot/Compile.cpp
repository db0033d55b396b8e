// ingot compile: a program as an object file, a header, a library, text or bytecode.
#include "ingot/tools/ingot/Common.h"

#include <filesystem>

namespace ingot::cli {

void compile_command(const std::vector<std::string> &words) {
  const Arguments arguments("compile", words, {"o", "target", "threads", "name"});
  const std::string model = arguments.model(), out = arguments.need("o"), suffix = suffix_of(out);
  if (suffix != ".o" && suffix != ".so" && suffix != ".s" && suffix != ".ll" && suffix != ".h" && suffix != ".mlir" &&
      suffix != ".mlirbc")
    throw UsageError(out + ": the suffix says what to write: .o .so .s .ll .h .mlir or .mlirbc");
  const CompileOptions options = compile_options(arguments);
  const Graph graph = load_model(model);
  if (suffix == ".mlir" || suffix == ".mlirbc")
    return graph.save(out, Location());

  Progress progress("compiling " + model);
  aot::Options how;
  how.name = arguments.get("name").value_or(std::filesystem::path(out).stem().string());
  how.target = options.target;
  how.threads = arguments.integer("threads", 1, 1);
  const aot::Library library = aot::compile(graph, how, Location());
  if (suffix == ".o")
    library.write_object(out, Location());
  else if (suffix == ".so")
    library.write_shared(out, Location());
  else if (suffix == ".s")
    library.write_assembly(out, Location());
  else if (suffix == ".ll")
    library.write_llvm_ir(out, Location());
  else
    library.write_header(out, Location());
}

} // namespace ingot::cli
