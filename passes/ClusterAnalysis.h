// How the values of a cluster are read: from coordinates of one value to coordinates of another, as affine maps
// through movement ops. Fusion asks it what is legal, the memory plan what may be in place, the kernel emitters
// what the domain is.
#pragma once

#include "ingot/ir/emit/Access.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace ingot {

class FusionOp;

AccessMap identityAccess(mlir::MLIRContext *context, int64_t rank);

/// The access of `op`'s operand number `operand` when its result is evaluated at `at`. For ops that are not
/// pointwise every coordinate is unknown.
AccessMap operandAccess(mlir::Operation *op, unsigned operand, const AccessMap &at);

/// Whether two accesses of a value of this shape are known to be the same; dimensions of size 1 do not count.
bool sameAccess(const AccessMap &a, const AccessMap &b, llvm::ArrayRef<int64_t> shape);

/// An op that a kernel computes with loops of its own: everything in a cluster that is not pointwise.
bool isAnchor(mlir::Operation *op);

/// The iteration space of a cluster around its anchors. Full coordinates index `shape`; the result of an anchor
/// is a function of the kept dimensions.
struct Domain {
  enum class Kind { Loop, Row, Column, Contract } kind;
  llvm::SmallVector<int64_t, 6> shape;
  llvm::SmallVector<int64_t, 6> kept; // dimensions of `shape` that a reduced value still has, ascending

  /// The number of results of an anchor.
  int64_t rows() const;
  /// The dimension that vectors lie along: the last of more than one element, or the last one that a row reduces; -1
  /// where there is none.
  int64_t inner() const;
  /// Where a value lives at full coordinates: a full value at the identity, a reduced one at the kept
  /// dimensions, either with more or fewer dimensions of size 1. Nothing for any other shape.
  std::optional<AccessMap> homeOf(mlir::Value value) const;
  /// Whether the value has an element for each point of a domain with something to reduce.
  bool isFull(mlir::Value value) const;
  /// Whether rows are long and too few for the machine, so that tasks reduce segments of them. Nothing of the full
  /// shape can follow such a reduction in its kernel.
  bool isSplit() const;
  bool operator==(const Domain &) const = default;
};

/// The domain that an anchor spans: of a reduction its operand's shape, of a dot its result's. Nothing but its
/// producers joins any other anchor (scatter, index check): its domain is a loop's.
Domain anchorDomain(mlir::Operation *anchor);
/// The domain of pointwise code that makes `value`.
Domain loopDomain(mlir::Value value);

/// Walks from `value`, evaluated at `at`, through the pointwise ops that `inside` admits, and calls `leaf` for
/// every value it stops at: results of other ops, with their access. A value that is read in several ways is
/// reported once for each. Returns false when `leaf` does.
bool forEachRead(mlir::Value value, const AccessMap &at, llvm::function_ref<bool(mlir::Operation *)> inside,
                 llvm::function_ref<bool(mlir::Value, const AccessMap &)> leaf);

/// Whether every read of operand number `operand` happens at the coordinates where result number `result` is
/// written, so that both may share memory.
bool readsOnlyAtResult(FusionOp fusion, unsigned operand, unsigned result);

} // namespace ingot
