#include "ingot/capture/Aot.h"

#include "ingot/capture/AotHeader.h"
#include "ingot/capture/Program.h"

#include <filesystem>
#include <fstream>

namespace ingot::aot {

struct Library::State {
  Graph graph;
  CompileOptions options;
  std::string name;
  ProgramInfo info;
  std::vector<std::byte> object;
};

namespace {

void write_file(const std::string &path, const void *data, std::size_t size, Location at) {
  std::ofstream out(path, std::ios::binary);
  out.write(static_cast<const char *>(data), static_cast<std::streamsize>(size));
  out.flush();
  if (!out)
    throw IoError("cannot write " + path, CallSite(at));
}

} // namespace

Library compile(const Graph &graph, const Options &options, Location at) {
  if (!is_identifier(options.name))
    throw CompileError("'" + options.name + "' is no C identifier; the function needs one as its name", CallSite(at));
  check_options(graph, options.donate, options.threads, at);
  CompileOptions how;
  how.threads = options.threads;
  how.donate = options.donate;
  how.target = options.target;
  how.memory_limit = options.memory_limit;
  how.fast_math = options.fast_math;
  auto state = std::make_shared<Library::State>(Library::State{graph, how, options.name, {}, {}});
  with_site(CallSite(at), [&] {
    state->object = compiler().artifact(graph.trace(), how, {ArtifactKind::Object, options.name}, &state->info);
  });
  return Library(std::move(state));
}

const Library::State &Library::program(Location at) const {
  if (!state)
    throw CompileError("the aot::Library is empty; aot::compile makes one", CallSite(at));
  return *state;
}

const MemoryReport &Library::memory(Location at) const { return program(at).info.memory; }
std::string Library::header(Location at) const { return header_text(program(at).name, program(at).info); }

void Library::write_object(const std::string &path, Location at) const {
  write_file(path, program(at).object.data(), program(at).object.size(), at);
}

void Library::write_header(const std::string &path, Location at) const {
  const std::string text = header(at);
  write_file(path, text.data(), text.size(), at);
}

namespace {
void write_artifact(const Library::State &program, ArtifactKind kind, const std::string &path, Location at) {
  const ArtifactRequest request{kind, program.name, std::filesystem::path(path).filename().string()};
  const std::vector<std::byte> bytes = with_site(
      CallSite(at), [&] { return compiler().artifact(program.graph.trace(), program.options, request, nullptr); });
  write_file(path, bytes.data(), bytes.size(), at);
}
} // namespace

void Library::write_shared(const std::string &path, Location at) const {
  write_artifact(program(at), ArtifactKind::Shared, path, at);
}
void Library::write_assembly(const std::string &path, Location at) const {
  write_artifact(program(at), ArtifactKind::Assembly, path, at);
}
void Library::write_llvm_ir(const std::string &path, Location at) const {
  write_artifact(program(at), ArtifactKind::LlvmIr, path, at);
}

} // namespace ingot::aot
