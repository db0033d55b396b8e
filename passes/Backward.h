// The marks that differentiation leaves on ops of the backward, and what they say.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace ingot {

/// On ops that differentiation made: a unit, or the checkpointing strategy where it is not None.
constexpr llvm::StringLiteral kBackward = "ingot.backward";
/// On copies of ops of the forward that the backward computes again.
constexpr llvm::StringLiteral kRecompute = "ingot.recompute";

using OpSet = llvm::DenseSet<mlir::Operation *>;

inline bool isBalanced(mlir::Operation *op) {
  auto strategy = op->getAttrOfType<mlir::StringAttr>(kBackward);
  return strategy && strategy == "Balanced";
}

/// The ops of a block that `seed` holds for and all that depends on them.
template <class Seed> OpSet dependents(mlir::Block &block, Seed seed) {
  OpSet found;
  for (mlir::Operation &op : block.without_terminator())
    if (seed(&op) || llvm::any_of(op.getOperands(), [&](mlir::Value v) { return found.contains(v.getDefiningOp()); }))
      found.insert(&op);
  return found;
}

} // namespace ingot
