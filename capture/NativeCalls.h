// The native ops of one program with their kernels: what ingot_context::native_ops points to.
#pragma once

#include "ingot/capture/Trace.h"
#include "ingot/runtime/Abi.h"

#include <exception>
#include <memory>
#include <vector>

namespace ingot {

/// Keeps the kernels alive. Any number of threads may run the program at once; each calls the kernels itself.
class NativeCalls {
public:
  NativeCalls();
  /// For the calls of these ordinals of the trace. Throws DispatchError for an op that is not registered, ShapeError
  /// for one whose shape rule says other results than it did when the call was recorded.
  NativeCalls(const Trace &trace, const std::vector<std::uint32_t> &ordinals);
  NativeCalls(NativeCalls &&) noexcept;
  NativeCalls &operator=(NativeCalls &&) noexcept;
  ~NativeCalls();

  /// Null for none.
  const ingot_native_op *table() const { return entries.empty() ? nullptr : entries.data(); }

private:
  struct Call;
  std::vector<std::unique_ptr<Call>> calls;
  std::vector<ingot_native_op> entries;
};

/// What a kernel threw in the calling thread's last run, which is forgotten; null for nothing.
std::exception_ptr take_native_failure();

} // namespace ingot
