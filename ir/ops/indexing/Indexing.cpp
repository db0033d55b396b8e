// Gather and its transpose.
#include "ingot/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/indexing/Indexing.cpp.inc"

namespace ingot {

using namespace mlir;
using Values = llvm::SmallVectorImpl<Value>;

LogicalResult GatherOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  bool flows = cotangents[0] && isFloatTensor(getX().getType());
  out.push_back(flows ? Value(b.create<ScatterAddOp>(getLoc(), splatConstant(b, getLoc(), 0, getX().getType()),
                                                     getIndices(), cotangents[0], getAxis()))
                      : Value());
  out.push_back({});
  return success();
}

AccessMap GatherOp::accessOf(unsigned operand, const AccessMap &at) {
  AccessMap access = at;
  if (operand == 0)
    access[size_t(getAxis())] = std::nullopt;
  return access;
}

Value GatherOp::emitAt(ElementReader &reader, const Coordinates &at) {
  OpBuilder &b = reader.builder();
  llvm::SmallVector<bool> varying;
  for (const Coordinate &c : at)
    varying.push_back(c.lanes || c.laneStride != 0);
  // One index for all lanes keeps the read of x contiguous: whole rows of an embedding.
  const bool uniform = reader.lanes() > 1 && lanesAgree(getIndices(), varying) &&
                       llvm::none_of(at, [](const Coordinate &c) { return bool(c.lanes); });
  Value index = uniform ? reader.readFirstLane(getIndices(), at) : reader.read(getIndices(), at);
  const int64_t size = llvm::cast<ShapedType>(getX().getType()).getShape()[size_t(getAxis())];
  emit::ScalarOps e(b, reader.loc());
  Value wrapped = e.select(e.lt(index, e.constantInt(0, index.getType())),
                           e.add(index, e.constantInt(size, index.getType())), index);
  Value position =
      b.create<arith::IndexCastOp>(reader.loc(), emit::withElement(index.getType(), b.getIndexType()), wrapped);
  Coordinates from = at;
  from[size_t(getAxis())] = uniform || reader.lanes() == 1 ? Coordinate{position, 0, {}} : Coordinate{{}, 0, position};
  return reader.read(getX(), from);
}

LogicalResult ScatterAddOp::vjp(OpBuilder &b, ValueRange cotangents, Values &out) {
  bool flows = cotangents[0] && isFloatTensor(getX().getType());
  out.push_back(flows ? cotangents[0] : Value());
  out.push_back({});
  out.push_back(flows ? Value(b.create<GatherOp>(getLoc(), cotangents[0], getIndices(), getAxis())) : Value());
  return success();
}

LogicalResult CheckIndexOp::vjp(OpBuilder &, ValueRange, Values &out) {
  out.push_back({});
  return success();
}

} // namespace ingot
