// Literals and counters.
#include "ingot/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/constant/Constant.cpp.inc"

namespace ingot {

using namespace mlir;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstantOp::vjp(OpBuilder &, ValueRange, llvm::SmallVectorImpl<Value> &) { return success(); }
AccessMap ConstantOp::accessOf(unsigned, const AccessMap &) { return {}; }

Value ConstantOp::emitAt(ElementReader &reader, const Coordinates &) {
  auto elements = llvm::cast<DenseElementsAttr>(getValue());
  assert(elements.isSplat() && "other literals are read from memory");
  Value scalar = reader.builder().create<arith::ConstantOp>(reader.loc(),
                                                            llvm::cast<TypedAttr>(elements.getSplatValue<Attribute>()));
  return reader.splat(scalar);
}

LogicalResult IotaOp::vjp(OpBuilder &, ValueRange, llvm::SmallVectorImpl<Value> &) { return success(); }
AccessMap IotaOp::accessOf(unsigned, const AccessMap &) { return {}; }

Value IotaOp::emitAt(ElementReader &reader, const Coordinates &at) {
  Type element = llvm::cast<ShapedType>(getType()).getElementType();
  OpBuilder &b = reader.builder();
  Value position = reader.lanesOf(at[size_t(getAxis())]);
  Type integer = llvm::isa<FloatType>(element) ? Type(b.getI64Type()) : element;
  Value counted = b.create<arith::IndexCastOp>(reader.loc(), reader.valueType(integer), position);
  return emit::ScalarOps(b, reader.loc()).convert(counted, element);
}

} // namespace ingot
