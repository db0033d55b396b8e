// What a compiled program is for its runner: names, shapes, memory and kernels, as plain data that can be
// stored.
#pragma once

#include "ingot/runtime/Error.h"
#include "ingot/runtime/Shape.h"
#include "ingot/runtime/Wire.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ingot {

/// Name, dtype and shape of an input or output.
struct TensorSpec {
  std::string name;
  DType dtype = DType::F32;
  Shape shape;

  TensorType type() const { return {dtype, shape}; }
  friend bool operator==(const TensorSpec &, const TensorSpec &) = default;
};

inline TensorSpec spec(DType dtype, Shape shape, std::string name = "") {
  return {std::move(name), dtype, std::move(shape)};
}

/// What a program needs in memory, known before its first run.
struct MemoryReport {
  std::size_t argument_bytes = 0;
  std::size_t output_bytes = 0;
  std::size_t constant_bytes = 0;
  std::size_t workspace_bytes = 0; ///< shared part and the scratch of every slot
  std::size_t alignment = 64;      ///< of the workspace

  friend bool operator==(const MemoryReport &, const MemoryReport &) = default;
};

/// A kernel as its user sees it.
struct Kernel {
  std::string name;
  std::string kind; ///< `loop`, `row`, `contract`, ...
  double flops = 0;
  double bytes = 0;
  std::vector<SourceLocation> sources; ///< lines of the ops in it
  std::vector<std::string> scopes;     ///< name scopes of the ops in it
};

/// A kernel as the program stores it: ops by their ordinal in the trace.
struct KernelInfo {
  std::string name;
  std::string kind;
  double flops = 0;
  double bytes = 0;
  std::int64_t tasks = 1; ///< parallel tasks it is cut into
  std::vector<std::uint32_t> ordinals;

  friend bool operator==(const KernelInfo &, const KernelInfo &) = default;
};

/// What a non-zero return code means.
struct ErrorText {
  ErrorCode code = ErrorCode::Internal; ///< the class to throw
  std::string text;
  std::int32_t op = -1; ///< ordinal in the trace, or -1

  friend bool operator==(const ErrorText &, const ErrorText &) = default;
};

struct ProgramInfo {
  std::string entry; ///< symbol of the function
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> outputs;
  MemoryReport memory;
  std::size_t shared_workspace_bytes = 0;
  std::size_t slot_scratch_bytes = 0;
  std::int32_t max_slots = 1;
  std::int32_t num_dims = 0;             ///< words of the `dims` argument; 0: the function takes none
  bool uses_rng_key = false;             ///< needs ingot_context::rng_key
  std::vector<std::int32_t> donated;     ///< per input: the output that may take its memory, or -1
  std::vector<std::uint32_t> native_ops; ///< ordinals of native custom ops, in the order of ingot_context::native_ops
  std::vector<KernelInfo> kernels;
  std::vector<ErrorText> errors;              ///< by return code; entry 0 is success and stays empty
  std::vector<std::string> required_features; ///< LLVM names of what the host must have

  friend bool operator==(const ProgramInfo &, const ProgramInfo &) = default;

  void write(WireWriter &out) const;
  Bytes serialize() const;
  /// Nothing for anything that `serialize` of this version did not write.
  static std::optional<ProgramInfo> deserialize(std::span<const std::byte> bytes);
};

} // namespace ingot
