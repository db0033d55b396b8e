#include "ingot/capture/AotHeader.h"

#include "ingot-gen/AbiText.h"

#include <cctype>
#include <iterator>
#include <set>
#include <sstream>

namespace ingot::aot {
namespace {

/// The C type of an element, and what C++ calls it; bools are one byte.
const char *c_type(DType dtype) {
  switch (dtype) {
  case DType::F64:
    return "double";
  case DType::F32:
    return "float";
  case DType::I64:
    return "int64_t";
  case DType::I32:
    return "int32_t";
  case DType::I16:
    return "int16_t";
  case DType::I8:
    return "int8_t";
  case DType::U64:
    return "uint64_t";
  case DType::U32:
    return "uint32_t";
  case DType::U16:
  case DType::F16:
  case DType::BF16:
    return "uint16_t";
  case DType::U8:
  case DType::Bool:
    return "uint8_t";
  }
  return "void";
}

/// Words of C and C++ that cannot be names.
const std::set<std::string> &keywords() {
  static const std::set<std::string> words = [] {
    std::istringstream text(
        "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
        "char32_t char8_t class co_await co_return co_yield compl concept const const_cast consteval "
        "constexpr constinit continue decltype default delete do double dynamic_cast else enum "
        "explicit export extern false float for friend goto if inline int long mutable namespace new "
        "noexcept not not_eq nullptr operator or or_eq private protected public register "
        "reinterpret_cast requires restrict return short signed sizeof static static_assert "
        "static_cast struct switch template this thread_local throw true try typedef typeid typename "
        "union unsigned using virtual void volatile wchar_t while xor xor_eq");
    return std::set<std::string>(std::istream_iterator<std::string>(text), {});
  }();
  return words;
}

/// The graph's names where they are free identifiers, else prefix and number; all different.
std::vector<std::string> member_names(const std::vector<TensorSpec> &specs, const char *prefix) {
  std::set<std::string> used{"Inputs", "Outputs"};
  std::vector<std::string> names(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (is_identifier(specs[i].name) && used.insert(specs[i].name).second)
      names[i] = specs[i].name;
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (names[i].empty()) {
      names[i] = prefix + std::to_string(i);
      while (!used.insert(names[i]).second)
        names[i] += '_';
    }
  return names;
}

/// The text as a string literal of C.
std::string quoted(const std::string &text) {
  std::ostringstream out;
  out << '"';
  for (unsigned char c : text)
    if (c == '"' || c == '\\')
      out << '\\' << c;
    else if (c < 32 || c == '?' || c > 126) // octal: also ends what could be a trigraph
      out << '\\' << char('0' + c / 64) << char('0' + c / 8 % 8) << char('0' + c % 8);
    else
      out << c;
  out << '"';
  return out.str();
}

void describe(std::ostringstream &out, const std::string &name, const char *kind,
              const std::vector<TensorSpec> &specs) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string stem = name + "_" + kind + std::to_string(i);
    out << "#define " << stem << "_NAME " << quoted(specs[i].name) << "\n#define " << stem << "_DTYPE \""
        << dtype_name(specs[i].dtype) << "\"\n#define " << stem << "_RANK " << specs[i].shape.rank() << "\n#define "
        << stem << "_SHAPE \"" << (specs[i].shape.rank() ? specs[i].shape.str() : "") << "\"\n#define " << stem
        << "_BYTES " << specs[i].type().bytes() << "\n";
  }
}

void struct_of(std::ostringstream &out, const char *name, const char *prefix, const char *qualifier,
               const std::vector<TensorSpec> &specs) {
  out << "  struct " << name << " {\n";
  const std::vector<std::string> members = member_names(specs, prefix);
  for (std::size_t i = 0; i < specs.size(); ++i)
    out << "    " << qualifier << c_type(specs[i].dtype) << " *" << members[i] << "; // " << specs[i].type().str()
        << "\n";
  out << "  };\n";
}

void pointers(std::ostringstream &out, const char *what, const char *type, const char *from, const char *prefix,
              const std::vector<TensorSpec> &specs) {
  const std::vector<std::string> members = member_names(specs, prefix);
  out << "    " << type << what << "[] = {";
  for (std::size_t i = 0; i < specs.size(); ++i)
    out << (i ? ", " : "") << from << "." << members[i];
  out << (specs.empty() ? "nullptr};\n" : "};\n");
}

} // namespace

bool is_identifier(const std::string &name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || keywords().count(name))
    return false;
  for (char c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_')
      return false;
  return true;
}

std::string header_text(const std::string &name, const ProgramInfo &info) {
  std::ostringstream out;
  out << "/* " << name << ": a compiled tensor program. Link the object of the same name; nothing else is needed. */\n"
      << "#ifndef INGOT_AOT_" << name << "_H\n#define INGOT_AOT_" << name << "_H\n\n"
      << kAbiText << "\n"
      << "#define " << name << "_NUM_INPUTS " << info.inputs.size() << "\n#define " << name << "_NUM_OUTPUTS "
      << info.outputs.size() << "\n#define " << name << "_MAX_SLOTS " << info.max_slots << "\n#define " << name
      << "_WORKSPACE_BYTES " << info.memory.workspace_bytes << "\n#define " << name << "_WORKSPACE_ALIGNMENT "
      << info.memory.alignment << "\n";
  describe(out, name, "INPUT", info.inputs);
  describe(out, name, "OUTPUT", info.outputs);
  out << "\n/* For each input the output that may use its memory, or -1. */\nstatic const int32_t " << name
      << "_DONATED[] = {";
  for (std::int32_t output : info.donated)
    out << output << ", ";
  out << "-1};\n/* What a non-zero return means. */\nstatic const char *const " << name << "_ERRORS[] = {";
  for (std::size_t i = 0; i < info.errors.size(); ++i)
    out << (i ? ", " : "") << quoted(info.errors[i].text);
  out << (info.errors.empty() ? "\"\"" : "") << "};\n\n#ifdef __cplusplus\nextern \"C\"\n#endif\nint32_t " << name
      << "(const ingot_context *context, const void *const *inputs, void *const *outputs, void *workspace);\n\n"
      << "static inline int32_t " << name << "_donated_output(int32_t input) { return " << name
      << "_DONATED[input]; }\nstatic inline const char *" << name << "_error_text(int32_t code) { return " << name
      << "_ERRORS[code]; }\n\n#ifdef __cplusplus\n#include <cstddef>\nnamespace ingot {\nnamespace aot {\nstruct "
      << name << " {\n  static constexpr std::size_t num_inputs = " << info.inputs.size()
      << ", num_outputs = " << info.outputs.size()
      << ";\n  static constexpr std::size_t workspace_bytes = " << info.memory.workspace_bytes
      << ", workspace_alignment = " << info.memory.alignment << ";\n";
  struct_of(out, "Inputs", "in", "const ", info.inputs);
  struct_of(out, "Outputs", "out", "", info.outputs);
  out << "  static int32_t run(const Inputs &in, const Outputs &out, void *workspace, const ingot_context *context = "
         "nullptr) noexcept {\n"
      << "    (void)in, (void)out;\n";
  pointers(out, "inputs", "const void *const ", "in", "in", info.inputs);
  pointers(out, "outputs", "void *const ", "out", "out", info.outputs);
  out << "    return ::" << name
      << "(context, inputs, outputs, workspace);\n  }\n};\n} // namespace aot\n} // namespace "
         "ingot\n#endif\n\n#endif\n";
  return out.str();
}

} // namespace ingot::aot
