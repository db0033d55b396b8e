// scatter_add: the result starts as a copy of x; then each slice off the axis takes its updates in ascending order.
#include "ingot/passes/kernels/KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace ingot {

using namespace mlir;

LogicalResult emitScatter(ClusterEmitter &e) {
  ScatterAddOp scatter;
  for (Operation &op : e.body())
    if (auto found = llvm::dyn_cast<ScatterAddOp>(op))
      scatter = found;
  if (e.outputs().size() != 1 || e.outputs()[0] != scatter.getResult())
    return scatter.emitOpError("has to be the only output of its kernel");
  auto type = llvm::cast<ShapedType>(scatter.getType());
  auto updates = llvm::cast<ShapedType>(scatter.getUpdates().getType());
  if (type.getNumElements() == 0)
    return success();
  const size_t axis = size_t(scatter.getAxis()), rank = size_t(type.getRank());
  OpBuilder &b = e.builder();
  Location loc = e.loc();
  e.hoistScalars();
  e.setLanes(1);
  // Slices are independent: a task owns whole slices, so no two tasks meet.
  llvm::SmallVector<int64_t> others;
  int64_t slices = 1;
  for (size_t d = 0; d < rank; ++d)
    if (d != axis) {
      others.push_back(int64_t(d));
      slices *= type.getShape()[d];
    }
  const int64_t length = type.getShape()[axis], count = updates.getShape()[axis];
  e.needs.tasks = taskCount(slices, length + count);
  forEachUnit(e, slices, [&](Value slice) {
    Coordinates at(rank, Coordinate{e.constantIndex(0), 0, {}});
    e.delinearize(slice, type.getShape(), others, at);
    e.loop(e.constantIndex(0), e.constantIndex(length), 1, {}, [&](Value i, ValueRange) {
      at[axis] = {i, 0, {}};
      e.store(0, at, e.read(scatter.getX(), at));
      return llvm::SmallVector<Value>();
    });
    e.loop(e.constantIndex(0), e.constantIndex(count), 1, {}, [&](Value i, ValueRange) {
      at[axis] = {i, 0, {}};
      emit::ScalarOps s(b, loc);
      Value index = s.convert(e.read(scatter.getIndices(), at), b.getI64Type());
      Value wrapped = s.select(s.lt(index, s.constantInt(0, b.getI64Type())),
                               s.add(index, s.constantInt(length, b.getI64Type())), index);
      Value update = e.read(scatter.getUpdates(), at);
      Coordinates to = at;
      to[axis] = {b.create<arith::IndexCastOp>(loc, b.getIndexType(), wrapped), 0, {}};
      e.store(0, to, s.add(e.load(0, to), update));
      return llvm::SmallVector<Value>();
    });
  });
  return success();
}

} // namespace ingot
