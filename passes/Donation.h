// Which outputs may live in the memory of which donated inputs, and who may still read the old value.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace ingot {

/// Donated inputs (argument attribute `ingot.donated`) are paired with outputs of equal type in order, as the ABI
/// says. The caller decides whether a pair really shares memory, so the code must be right both ways.
class Donation {
public:
  struct Pair {
    unsigned input, output;
    mlir::Operation *writer; // the kernel that makes the output; null when the output is the input itself
    unsigned result;         // which of its results
  };

  explicit Donation(mlir::func::FuncOp function);

  const std::vector<Pair> &pairs() const { return all; }
  /// The output paired with each argument, or -1.
  llvm::SmallVector<int64_t> outputOfInput() const;
  /// The first donated argument that no output can use; -1 when all can.
  int64_t firstUnusable() const { return unusable; }

  /// Kernels that read the pair's input at places other than where the writer writes; the writer itself is among
  /// them when it does so.
  llvm::SmallVector<mlir::Operation *> readersOf(const Pair &pair) const;

  /// What has to run before any donated input is overwritten: every check that can fail. A pair whose writer is among
  /// them, or among the pair's readers, cannot write in place.
  llvm::ArrayRef<mlir::Operation *> barriers() const { return checks; }

  /// Makes pairs go through memory of their own, with a copying kernel at the end of the program.
  void copyLast(mlir::func::FuncOp function, llvm::ArrayRef<const Pair *> pairs) const;
  /// Whether the pair does so already.
  static bool isCopied(const Pair &pair);

private:
  std::vector<Pair> all;
  std::vector<mlir::Operation *> checks;
  mlir::func::FuncOp function;
  int64_t unusable = -1;
};

} // namespace ingot
