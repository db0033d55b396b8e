#include "ingot/ir/emit/Elements.h"

#include "ingot/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

namespace ingot {

using namespace mlir;

Value ElementReader::constantIndex(int64_t v) { return builder().create<arith::ConstantIndexOp>(loc(), v); }

Type ElementReader::valueType(Type elementType) {
  return lanes() == 1 ? elementType : VectorType::get({lanes()}, elementType);
}

Value ElementReader::splat(Value scalar) {
  return lanes() == 1 ? scalar : Value(builder().create<vector::SplatOp>(loc(), valueType(scalar.getType()), scalar));
}

Value ElementReader::lanesOf(const Coordinate &c) {
  if (c.lanes)
    return c.lanes;
  if (lanes() == 1)
    return c.base;
  Value base = splat(c.base);
  if (c.laneStride == 0)
    return base;
  auto steps =
      llvm::to_vector(llvm::map_range(llvm::seq<int64_t>(0, lanes()), [&](int64_t l) { return l * c.laneStride; }));
  auto type = VectorType::get({lanes()}, builder().getIndexType());
  Value offsets = builder().create<arith::ConstantOp>(loc(), DenseIntElementsAttr::get(type, steps));
  return builder().create<arith::AddIOp>(loc(), base, offsets);
}

Coordinate ElementReader::shift(const Coordinate &c, int64_t offset) {
  if (offset == 0)
    return c;
  Value by = constantIndex(offset);
  if (c.lanes)
    return {{}, 0, builder().create<arith::AddIOp>(loc(), c.lanes, splat(by))};
  return {builder().create<arith::AddIOp>(loc(), c.base, by), c.laneStride, {}};
}

Coordinate ElementReader::scale(const Coordinate &c, int64_t factor) {
  if (factor == 1)
    return c;
  Value by = constantIndex(factor);
  if (c.lanes)
    return {{}, 0, builder().create<arith::MulIOp>(loc(), c.lanes, splat(by))};
  return {builder().create<arith::MulIOp>(loc(), c.base, by), c.laneStride * factor, {}};
}

Value ElementReader::inBounds(const Coordinate &c, int64_t bound) {
  bool uniform = !c.lanes && c.laneStride == 0;
  Value position = uniform ? c.base : lanesOf(c);
  Value limit = uniform || lanes() == 1 ? constantIndex(bound) : splat(constantIndex(bound));
  Value inside = builder().create<arith::CmpIOp>(loc(), arith::CmpIPredicate::ult, position, limit);
  return uniform ? splat(inside) : inside;
}

bool lanesAgree(Value value, llvm::ArrayRef<bool> varying) {
  if (llvm::none_of(varying, [](bool v) { return v; }))
    return true;
  auto pointwise = value.getDefiningOp<PointwiseOpInterface>();
  if (!pointwise)
    return false;
  AccessMap identity;
  for (unsigned d = 0; d < varying.size(); ++d)
    identity.push_back(getAffineDimExpr(d, value.getContext()));
  for (unsigned i = 0; i < pointwise->getNumOperands(); ++i) {
    llvm::SmallVector<bool> inner;
    for (const std::optional<AffineExpr> &coordinate : pointwise.accessOf(i, identity)) {
      bool varies = !coordinate;
      for (unsigned d = 0; !varies && d < varying.size(); ++d)
        varies = varying[d] && coordinate->isFunctionOfDim(d);
      inner.push_back(varies);
    }
    if (!lanesAgree(pointwise->getOperand(i), inner))
      return false;
  }
  return pointwise->getNumOperands() > 0;
}

} // namespace ingot
