#include "ingot/jit/Errors.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace ingot {

SourceLocation sourceLocation(mlir::Location location) {
  SourceLocation found;
  location->walk([&](mlir::Location inner) {
    if (auto file = llvm::dyn_cast<mlir::FileLineColLoc>(inner)) {
      found = SourceLocation(file.getFilename().str(), std::max(1, int(file.getLine()))); // 0 is a whole file
      return mlir::WalkResult::interrupt();
    }
    return mlir::WalkResult::advance();
  });
  return found;
}

Diagnostics::Diagnostics(mlir::MLIRContext &context)
    : handler(&context, [this](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error || !text.empty())
          return mlir::success();
        text = diagnostic.str();
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          text += "; " + note.str();
        site = sourceLocation(diagnostic.getLocation());
        return mlir::success();
      }) {}

void Diagnostics::raise(const std::string &otherwise) const { throw CompileError(any() ? text : otherwise, site); }

void throwIfError(llvm::Error error, const std::string &what) {
  if (error)
    throw CompileError(what + ": " + llvm::toString(std::move(error)));
}

} // namespace ingot
