// Where diagnostics and llvm::Error become ingot::Error.
#pragma once

#include "ingot/runtime/Error.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Error.h"

#include <string>

namespace ingot {

/// Collects the error diagnostics of a context while it lives. Not thread safe: one per context and thread.
class Diagnostics {
public:
  explicit Diagnostics(mlir::MLIRContext &context);

  bool any() const { return !text.empty(); }
  /// The first error with its notes, and where in the user's program it is.
  const std::string &message() const { return text; }
  const SourceLocation &where() const { return site; }
  /// Throws a CompileError with the first error, or with `otherwise` when there is none.
  [[noreturn]] void raise(const std::string &otherwise) const;

private:
  std::string text;
  SourceLocation site;
  mlir::ScopedDiagnosticHandler handler;
};

/// The user's line behind a location: the innermost file position, through scopes and fusions.
SourceLocation sourceLocation(mlir::Location location);

/// The value, or a CompileError "`what`: reason".
template <class T> T valueOrThrow(llvm::Expected<T> value, const std::string &what) {
  if (value)
    return std::move(*value);
  throw CompileError(what + ": " + llvm::toString(value.takeError()));
}
void throwIfError(llvm::Error error, const std::string &what);

} // namespace ingot
