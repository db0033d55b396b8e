// Ahead-of-time compilation: an object file and a header, a shared object, assembly or LLVM IR.
#pragma once

#include "ingot/capture/Graph.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::aot {

struct Options {
  std::string name{};             ///< symbol of the function; a C identifier
  std::optional<Target> target{}; ///< unset: the host
  int threads = 1;                ///< the most slots a caller may give
  std::vector<int> donate{};
  std::size_t memory_limit = 0;
  bool fast_math = false;
};

/// A program compiled for files. Writing throws IoError, which names the path.
class Library {
public:
  /// Nothing compiled; every use but assignment and destruction throws CompileError.
  Library() = default;
  explicit operator bool() const { return state != nullptr; }

  void write_object(const std::string &path, Location at = Location::current()) const;
  /// Valid C99 and C++17, self-contained.
  void write_header(const std::string &path, Location at = Location::current()) const;
  /// A shared object to link or dlopen, for x86-64; programs that link it look for it by the file name of `path`.
  void write_shared(const std::string &path, Location at = Location::current()) const;
  void write_assembly(const std::string &path, Location at = Location::current()) const;
  void write_llvm_ir(const std::string &path, Location at = Location::current()) const;
  const MemoryReport &memory(Location at = Location::current()) const;
  std::string header(Location at = Location::current()) const;

  // Used inside the library.
  struct State;
  explicit Library(std::shared_ptr<const State> state) : state(std::move(state)) {}

private:
  std::shared_ptr<const State> state;

  const State &program(Location at) const;
};

/// Compiles the graph for files. Throws CompileError for a name that is no C identifier or a donation without use.
Library compile(const Graph &graph, const Options &options, Location at = Location::current());

} // namespace ingot::aot
