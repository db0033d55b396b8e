// How much code an op becomes: what bounds the size of a kernel.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace ingot {

/// Counts the operations that one vector of an op's result takes, without what it reads, by emitting it once. Ops that
/// kernels compute with loops of their own count as a few.
class CodeSize {
public:
  int64_t of(mlir::Operation *op);

private:
  // An elementwise op's code follows from its name and the element types of its operands and result.
  using Types = std::pair<mlir::Type, mlir::Type>;
  llvm::DenseMap<std::pair<mlir::OperationName, Types>, int64_t> elementwise;
};

} // namespace ingot
