// ingot inspect: a program's text in any phase, its kernels and its memory.
#include "ingot/capture/Program.h"
#include "ingot/tools/ingot/Common.h"
#include "ingot/tools/ingot/Json.h"

#include <cstdio>
#include <filesystem>

namespace ingot::cli {
namespace {

std::vector<std::string> lines_of(const Kernel &kernel) {
  std::vector<std::string> lines;
  for (const SourceLocation &source : kernel.sources)
    lines.push_back(source.str());
  return lines;
}

std::string specs_json(const Graph &graph, bool inputs) {
  const auto &specs = inputs ? graph.inputs() : graph.outputs();
  std::string text = "[";
  for (std::size_t i = 0; i < specs.size(); ++i) {
    text += std::string(i ? ", " : "") +
            "{\"name\": " + json_string(inputs ? input_name(graph, i) : output_name(graph, i)) +
            ", \"dtype\": " + json_string(dtype_name(specs[i].dtype)) + ", \"shape\": [";
    for (int d = 0; d < specs[i].shape.rank(); ++d)
      text += (d ? ", " : "") + (specs[i].shape[d] == kDynamic ? "null" : std::to_string(specs[i].shape[d]));
    text += "]}";
  }
  return text + "]";
}

std::string json(const std::string &model, const Graph &graph, const Executable &program) {
  const MemoryReport &m = program.memory();
  std::string text = "{\"model\": " + json_string(model) + ",\n \"inputs\": " + specs_json(graph, true) +
                     ",\n \"outputs\": " + specs_json(graph, false) +
                     ",\n \"memory\": {\"argument_bytes\": " + std::to_string(m.argument_bytes) +
                     ", \"output_bytes\": " + std::to_string(m.output_bytes) +
                     ", \"constant_bytes\": " + std::to_string(m.constant_bytes) +
                     ", \"workspace_bytes\": " + std::to_string(m.workspace_bytes) +
                     ", \"alignment\": " + std::to_string(m.alignment) + "},\n \"kernels\": [";
  for (std::size_t i = 0; i < program.kernels().size(); ++i) {
    const Kernel &k = program.kernels()[i];
    text += std::string(i ? ",\n  " : "\n  ") + "{\"name\": " + json_string(k.name) +
            ", \"kind\": " + json_string(k.kind) + ", \"flops\": " + json_number(k.flops) +
            ", \"bytes\": " + json_number(k.bytes) + ", \"sources\": " + json_strings(lines_of(k)) +
            ", \"scopes\": " + json_strings(k.scopes) + "}";
  }
  return text + "]}\n";
}

void print(const std::string &model, const Graph &graph, const Executable &program) {
  std::printf("%s\n", model.c_str());
  for (std::size_t i = 0; i < graph.inputs().size(); ++i)
    std::printf("  input   %-20s %s\n", input_name(graph, i).c_str(), type_text(graph.inputs()[i]).c_str());
  for (std::size_t i = 0; i < graph.outputs().size(); ++i)
    std::printf("  output  %-20s %s\n", output_name(graph, i).c_str(), type_text(graph.outputs()[i]).c_str());
  const MemoryReport &m = program.memory();
  std::printf("memory: arguments %zu, outputs %zu, constants %zu, workspace %zu bytes\n", m.argument_bytes,
              m.output_bytes, m.constant_bytes, m.workspace_bytes);
  std::printf("%zu kernels\n", program.kernels().size());
  for (const Kernel &k : program.kernels()) {
    std::printf("  %-24s %-10s %12.0f flops %12.0f bytes", k.name.c_str(), k.kind.c_str(), k.flops, k.bytes);
    for (const std::string &line : lines_of(k))
      std::printf("  %s", line.c_str());
    std::printf("\n");
  }
}

std::string html(const std::string &model, const Graph &graph, const Executable &program,
                 const CompileOptions &options) {
  const std::string title = html_text(std::filesystem::path(model).filename().string());
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>" + title +
      "</title>\n<style>body{font:15px sans-serif;margin:2em}table{border-collapse:collapse}"
      "td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ccc}pre{overflow:auto}</style>\n<h1>" +
      title + "</h1>\n<table><tr><th>value<th>name<th>type</tr>\n";
  for (std::size_t i = 0; i < graph.inputs().size(); ++i)
    page += "<tr><td>input<td>" + html_text(input_name(graph, i)) + "<td>" + type_text(graph.inputs()[i]) + "</tr>\n";
  for (std::size_t i = 0; i < graph.outputs().size(); ++i)
    page +=
        "<tr><td>output<td>" + html_text(output_name(graph, i)) + "<td>" + type_text(graph.outputs()[i]) + "</tr>\n";
  const MemoryReport &m = program.memory();
  page += "</table>\n<p>Memory in bytes: arguments " + std::to_string(m.argument_bytes) + ", outputs " +
          std::to_string(m.output_bytes) + ", constants " + std::to_string(m.constant_bytes) + ", workspace " +
          std::to_string(m.workspace_bytes) +
          "</p>\n<table><tr><th>kernel<th>kind<th>flops<th>bytes<th>lines<th>scopes</tr>\n";
  for (const Kernel &k : program.kernels()) {
    page += "<tr><td>" + html_text(k.name) + "<td>" + html_text(k.kind) + "<td>" + json_number(k.flops) + "<td>" +
            json_number(k.bytes) + "<td>";
    for (const std::string &line : lines_of(k))
      page += html_text(line) + "<br>";
    page += "<td>";
    for (const std::string &scope : k.scopes)
      page += html_text(scope) + "<br>";
    page += "</tr>\n";
  }
  page += "</table>\n";
  for (Phase phase : kPhases)
    page += std::string("<details><summary>") + phase_name(phase) + "</summary><pre>" +
            html_text(graph.str(phase, options)) + "</pre></details>\n";
  return page + "</html>\n";
}

} // namespace

void inspect_command(const std::vector<std::string> &words) {
  const Arguments arguments("inspect", words, {"phase", "html", "target", "threads"}, {"json"});
  const std::string model = arguments.model();
  const CompileOptions options = compile_options(arguments);
  std::optional<Phase> phase;
  if (auto name = arguments.get("phase")) {
    std::string known;
    for (Phase p : kPhases)
      known += std::string(" ") + phase_name(p);
    phase = parse_phase(*name);
    if (!phase)
      throw UsageError("there is no phase " + *name + "; the phases:" + known);
  }
  const Graph graph = load_model(model);
  if (phase) {
    std::string text = graph.str(*phase, options);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  const Executable program = [&] {
    Progress progress("compiling " + model);
    // Not compile: native ops that nobody here has registered can be looked at.
    check_options(graph, options.donate, options.threads, Location());
    return Executable(load_program(graph.trace(), options, Location()));
  }();
  if (auto path = arguments.get("html"))
    write_text(*path, html(model, graph, program, options));
  if (arguments.has("json"))
    std::fputs(json(model, graph, program).c_str(), stdout);
  else
    print(model, graph, program);
}

} // namespace ingot::cli
