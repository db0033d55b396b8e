// What an op's location says: its ordinal in the program, the user's scopes, and the user's line. Rules and passes
// that make ops for others give them the same location.
#pragma once

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ingot {

/// FusedLoc<ordinal>[NameLoc(scope)[FileLineCol]]; an empty scope has no NameLoc, an empty file no position.
mlir::Location makeLocation(mlir::MLIRContext *context, int64_t ordinal, llvm::StringRef scope, llvm::StringRef file,
                            unsigned line, unsigned column);

/// One location that stands for several.
mlir::Location fuseLocations(mlir::MLIRContext *context, llvm::ArrayRef<mlir::Location> locations);

/// The ordinals in it, ascending and distinct.
llvm::SmallVector<int64_t> ordinalsOf(mlir::Location location);

struct LocationFacts {
  std::string scope, file;
  unsigned line = 0, column = 0;
};
/// Scope and position of a single op's location.
LocationFacts factsOf(mlir::Location location);

} // namespace ingot
