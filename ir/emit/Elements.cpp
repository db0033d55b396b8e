#include "ingot/ir/emit/Elements.h"

#include "ingot/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
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
  using Question = std::pair<Value, llvm::SmallVector<bool>>;
  llvm::SmallVector<Question> work{{value, llvm::SmallVector<bool>(varying)}};
  llvm::DenseMap<Value, llvm::SmallVector<llvm::SmallVector<bool>, 1>> asked; // a value may be read in several ways
  while (!work.empty()) {
    const auto [current, varies] = work.pop_back_val();
    auto &before = asked[current];
    if (llvm::is_contained(before, varies) || llvm::none_of(varies, [](bool v) { return v; }))
      continue;
    before.push_back(varies);
    auto pointwise = current.getDefiningOp<PointwiseOpInterface>();
    if (!pointwise || pointwise->getNumOperands() == 0)
      return false;
    AccessMap identity;
    for (unsigned d = 0; d < varies.size(); ++d)
      identity.push_back(getAffineDimExpr(d, value.getContext()));
    for (unsigned i = 0; i < pointwise->getNumOperands(); ++i) {
      llvm::SmallVector<bool> inner;
      for (const std::optional<AffineExpr> &coordinate : pointwise.accessOf(i, identity)) {
        bool moves = !coordinate;
        for (unsigned d = 0; !moves && d < varies.size(); ++d)
          moves = varies[d] && coordinate->isFunctionOfDim(d);
        inner.push_back(moves);
      }
      work.emplace_back(pointwise->getOperand(i), std::move(inner));
    }
  }
  return true;
}

} // namespace ingot
