// The check of indices: the first one out of range ends the program. Serial, so that it is the same one always.
#include "ingot/passes/kernels/KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ingot {

using namespace mlir;

LogicalResult emitCheck(ClusterEmitter &e) {
  CheckIndexOp check;
  for (Operation &op : e.body())
    if (auto found = llvm::dyn_cast<CheckIndexOp>(op))
      check = found;
  auto type = llvm::cast<ShapedType>(check.getIndices().getType());
  Value status = e.sharedScratch(4, e.builder().getI64Type()); // code, index, bound, position
  e.needs.sharedScratch = 0;                                   // main provides it
  const int64_t n = type.getNumElements();
  OpBuilder &b = e.builder();
  Location loc = e.loc();
  llvm::SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  e.hoistScalars();
  // From the last to the first, so that what stays is the first.
  forEachUnit(e, n, [&](Value step) {
    Value position = b.create<arith::SubIOp>(loc, e.constantIndex(n - 1), step);
    Coordinates at(size_t(type.getRank()));
    e.delinearize(position, type.getShape(), dims, at);
    emit::ScalarOps s(b, loc);
    Value index = s.convert(e.read(check.getIndices(), at), b.getI64Type());
    Value size = s.constantInt(check.getSize(), b.getI64Type());
    Value bad = s.bitOr(s.lt(index, s.neg(size)), s.ge(index, size));
    auto when = b.create<scf::IfOp>(loc, bad, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(when.thenBlock());
    Value where = b.create<arith::IndexCastOp>(loc, b.getI64Type(), position);
    Value words[] = {s.constantInt(1, b.getI64Type()), index, size, where};
    for (auto [i, word] : llvm::enumerate(words))
      b.create<memref::StoreOp>(loc, word, status,
                                ValueRange(Value(b.create<arith::ConstantIndexOp>(loc, int64_t(i)))));
  });
  return success();
}

} // namespace ingot
