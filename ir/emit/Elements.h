// Reading tensors element by element inside a kernel: coordinates, and the reader through which an op's
// emission asks for its operands. The kernel emitters implement the reader.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace ingot {

/// One coordinate of `lanes` neighbouring elements: lane l stands at base + l * laneStride (both of index type),
/// or, where it is irregular, at lanes[l] (vector of index; base and laneStride are then unused).
struct Coordinate {
  mlir::Value base;
  int64_t laneStride = 0;
  mlir::Value lanes; // null: regular
  bool operator==(const Coordinate &) const = default;
};
using Coordinates = llvm::SmallVector<Coordinate, 6>;

class ElementReader {
public:
  virtual ~ElementReader() = default;
  virtual mlir::OpBuilder &builder() = 0;
  virtual mlir::Location loc() = 0;
  /// Elements per read: 1 gives scalars, more give fixed vectors.
  virtual int64_t lanes() const = 0;
  /// The value of `operand` at the coordinates (one per dimension of its type). With `mask` (i1 or vector of i1)
  /// inactive lanes are not accessed and read as zero; without it every lane is in bounds.
  virtual mlir::Value read(mlir::Value operand, const Coordinates &at, mlir::Value mask = {}) = 0;

  /// The first lane's element, as a scalar; coordinates must be regular.
  virtual mlir::Value readFirstLane(mlir::Value operand, const Coordinates &at) = 0;

  // Helpers on coordinates, shared by all ops' emission (ir/emit/Elements.cpp).
  virtual mlir::Value constantIndex(int64_t v);
  /// All lanes as vector<lanes x index> (or the scalar index with one lane).
  mlir::Value lanesOf(const Coordinate &c);
  Coordinate shift(const Coordinate &c, int64_t offset);
  Coordinate scale(const Coordinate &c, int64_t factor);
  /// value < bound, per lane (unsigned compare: negative counts as out of range).
  mlir::Value inBounds(const Coordinate &c, int64_t bound);
  /// Broadcasts a scalar to the lanes where they are more than one.
  mlir::Value splat(mlir::Value scalar);
  /// The scalar or vector type of an element at the current lanes.
  mlir::Type valueType(mlir::Type elementType);
};

/// Whether all lanes read the same element of what `value` is made from, when the coordinates marked in `varying`
/// differ from lane to lane.
bool lanesAgree(mlir::Value value, llvm::ArrayRef<bool> varying);

} // namespace ingot
