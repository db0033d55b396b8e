#include "ingot/ir/Location.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

namespace ingot {

using namespace mlir;

Location makeLocation(MLIRContext *context, int64_t ordinal, llvm::StringRef scope, llvm::StringRef file, unsigned line,
                      unsigned column) {
  Builder b(context);
  Location location =
      file.empty() ? Location(UnknownLoc::get(context)) : Location(FileLineColLoc::get(context, file, line, column));
  if (!scope.empty())
    location = NameLoc::get(b.getStringAttr(scope), location);
  return FusedLoc::get({location}, b.getI64IntegerAttr(ordinal), context);
}

Location fuseLocations(MLIRContext *context, llvm::ArrayRef<Location> locations) {
  return FusedLoc::get(context, locations);
}

llvm::SmallVector<int64_t> ordinalsOf(Location location) {
  llvm::SmallVector<int64_t> ordinals;
  location->walk([&](Location inner) {
    if (auto fused = llvm::dyn_cast<FusedLoc>(inner))
      if (auto ordinal = llvm::dyn_cast_or_null<IntegerAttr>(fused.getMetadata()))
        ordinals.push_back(ordinal.getInt());
    return WalkResult::advance();
  });
  llvm::sort(ordinals);
  ordinals.erase(std::unique(ordinals.begin(), ordinals.end()), ordinals.end());
  return ordinals;
}

LocationFacts factsOf(Location location) {
  LocationFacts facts;
  location->walk([&](Location inner) {
    if (auto name = llvm::dyn_cast<NameLoc>(inner); name && facts.scope.empty())
      facts.scope = name.getName().str();
    if (auto file = llvm::dyn_cast<FileLineColLoc>(inner)) {
      facts.file = file.getFilename().str();
      facts.line = file.getLine();
      facts.column = file.getColumn();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return facts;
}

} // namespace ingot
