#include "ingot/passes/KnownSizes.h"

#include "mlir/IR/BuiltinTypes.h"

namespace ingot {
namespace {

using namespace mlir;

bool isUnknown(Type type) {
  auto shaped = llvm::dyn_cast<ShapedType>(type);
  return shaped && !shaped.hasStaticShape();
}

} // namespace

bool hasUnknownSize(Operation *op) {
  auto inBlocks = [](Region &region) {
    return llvm::any_of(region, [](Block &block) { return llvm::any_of(block.getArgumentTypes(), isUnknown); });
  };
  return llvm::any_of(op->getResultTypes(), isUnknown) || llvm::any_of(op->getRegions(), inBlocks);
}

LogicalResult requireKnownSizes(Operation *root, Phase phase) {
  bool known = true;
  root->walk([&](Operation *op) {
    if (!hasUnknownSize(op))
      return;
    op->emitOpError("has a dynamic size, which the phase ") << phase_name(phase) << " does not know";
    known = false;
  });
  return success(known);
}

} // namespace ingot
