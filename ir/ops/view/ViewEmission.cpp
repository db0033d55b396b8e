// Where movement ops read: coordinates of the result to coordinates of the operand, as affine facts for fusion and
// as values for kernels.
#include "ingot/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/STLExtras.h"

namespace ingot {

using namespace mlir;

namespace {

ArrayRef<int64_t> shapeOf(Value v) { return llvm::cast<ShapedType>(v.getType()).getShape(); }

/// For each dimension of `from` the dimension of `to` it is, or -1 for one of size 1, where both have the same
/// dimensions but for those of size 1; nothing when they do not.
std::optional<llvm::SmallVector<int64_t>> matchUnitDimensions(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  llvm::SmallVector<int64_t> source;
  size_t next = 0;
  for (int64_t size : from) {
    if (size == 1) {
      source.push_back(-1);
      continue;
    }
    while (next < to.size() && to[next] == 1)
      ++next;
    if (next == to.size() || to[next] != size)
      return std::nullopt;
    source.push_back(int64_t(next++));
  }
  while (next < to.size() && to[next] == 1)
    ++next;
  if (next != to.size())
    return std::nullopt;
  return source;
}

} // namespace

// Access ---------------------------------------------------------------------------------------------------------

AccessMap BroadcastOp::accessOf(unsigned, const AccessMap &at) {
  AccessMap access;
  for (auto [size, d] : llvm::zip(shapeOf(getX()), getDims()))
    access.push_back(size == 1 ? std::optional(getAffineConstantExpr(0, getContext())) : at[size_t(d)]);
  return access;
}

AccessMap ReshapeOp::accessOf(unsigned, const AccessMap &at) {
  auto source = matchUnitDimensions(shapeOf(getX()), shapeOf(getResult()));
  if (!source)
    return AccessMap(shapeOf(getX()).size(), std::nullopt);
  AccessMap access;
  for (int64_t d : *source)
    access.push_back(d < 0 ? std::optional(getAffineConstantExpr(0, getContext())) : at[size_t(d)]);
  return access;
}

AccessMap TransposeOp::accessOf(unsigned, const AccessMap &at) {
  AccessMap access(at.size());
  for (auto [i, d] : llvm::enumerate(getPermutation()))
    access[size_t(d)] = at[i];
  return access;
}

AccessMap SliceOp::accessOf(unsigned, const AccessMap &at) {
  AccessMap access;
  for (size_t d = 0; d < at.size(); ++d)
    access.push_back(at[d] ? std::optional(*at[d] * getSteps()[d] + getStarts()[d]) : std::nullopt);
  return access;
}

AccessMap ReverseOp::accessOf(unsigned, const AccessMap &at) {
  AccessMap access = at;
  for (int64_t d : getAxes())
    if (at[size_t(d)])
      access[size_t(d)] = getAffineConstantExpr(shapeOf(getX())[size_t(d)] - 1, getContext()) - *at[size_t(d)];
  return access;
}

AccessMap PadOp::accessOf(unsigned operand, const AccessMap &at) {
  if (operand == 1)
    return {};
  AccessMap access;
  for (size_t d = 0; d < at.size(); ++d)
    access.push_back(getLow()[d] == 0 && getHigh()[d] == 0 ? at[d] : std::nullopt);
  return access;
}

AccessMap ConcatOp::accessOf(unsigned, const AccessMap &at) {
  AccessMap access = at;
  access[size_t(getAxis())] = std::nullopt;
  return access;
}

// Emission -------------------------------------------------------------------------------------------------------

Value BroadcastOp::emitAt(ElementReader &reader, const Coordinates &at) {
  Coordinates from;
  for (auto [size, d] : llvm::zip(shapeOf(getX()), getDims()))
    from.push_back(size == 1 ? Coordinate{reader.constantIndex(0), 0, {}} : at[size_t(d)]);
  return reader.read(getX(), from);
}

Value TransposeOp::emitAt(ElementReader &reader, const Coordinates &at) {
  Coordinates from(at.size());
  for (auto [i, d] : llvm::enumerate(getPermutation()))
    from[size_t(d)] = at[i];
  return reader.read(getX(), from);
}

Value SliceOp::emitAt(ElementReader &reader, const Coordinates &at) {
  Coordinates from;
  for (size_t d = 0; d < at.size(); ++d)
    from.push_back(reader.shift(reader.scale(at[d], getSteps()[d]), getStarts()[d]));
  return reader.read(getX(), from);
}

Value ReverseOp::emitAt(ElementReader &reader, const Coordinates &at) {
  Coordinates from = at;
  OpBuilder &b = reader.builder();
  for (int64_t d : getAxes()) {
    Value last = reader.constantIndex(shapeOf(getX())[size_t(d)] - 1);
    const Coordinate &c = at[size_t(d)];
    if (c.lanes)
      from[size_t(d)] = {{}, 0, b.create<arith::SubIOp>(reader.loc(), reader.splat(last), c.lanes)};
    else
      from[size_t(d)] = {b.create<arith::SubIOp>(reader.loc(), last, c.base), -c.laneStride, {}};
  }
  return reader.read(getX(), from);
}

Value PadOp::emitAt(ElementReader &reader, const Coordinates &at) {
  OpBuilder &b = reader.builder();
  Coordinates from;
  Value mask;
  for (size_t d = 0; d < at.size(); ++d) {
    from.push_back(reader.shift(at[d], -getLow()[d]));
    if (getLow()[d] == 0 && getHigh()[d] == 0)
      continue;
    Value inside = reader.inBounds(from[d], shapeOf(getX())[d]);
    mask = mask ? Value(b.create<arith::AndIOp>(reader.loc(), mask, inside)) : inside;
  }
  if (!mask)
    return reader.read(getX(), from);
  Value around = reader.read(getValue(), {});
  if (llvm::is_contained(shapeOf(getX()), 0))
    return around;
  return b.create<arith::SelectOp>(reader.loc(), mask, reader.read(getX(), from, mask), around);
}

Value ConcatOp::emitAt(ElementReader &reader, const Coordinates &at) {
  OpBuilder &b = reader.builder();
  Value result;
  int64_t offset = 0;
  for (Value piece : getXs()) {
    int64_t size = shapeOf(piece)[size_t(getAxis())];
    if (size == 0)
      continue;
    Coordinates from = at;
    from[size_t(getAxis())] = reader.shift(at[size_t(getAxis())], -offset);
    offset += size;
    if (getXs().size() == 1)
      return reader.read(piece, from);
    Value mask = reader.inBounds(from[size_t(getAxis())], size);
    Value value = reader.read(piece, from, mask);
    result = result ? Value(b.create<arith::SelectOp>(reader.loc(), mask, value, result)) : value;
  }
  return result;
}

namespace {

/// The row-major position of coordinates in a shape.
Coordinate flatten(ElementReader &reader, ArrayRef<int64_t> shape, const Coordinates &at) {
  OpBuilder &b = reader.builder();
  bool irregular = llvm::any_of(at, [](const Coordinate &c) { return bool(c.lanes); });
  Coordinate flat{reader.constantIndex(0), 0, {}};
  if (irregular)
    flat = {{}, 0, reader.splat(flat.base)};
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0; stride *= std::max<int64_t>(shape[d], 1)) {
    if (shape[d] == 1)
      continue;
    Coordinate term = reader.scale(at[d], stride);
    if (irregular) {
      flat.lanes = b.create<arith::AddIOp>(reader.loc(), flat.lanes, reader.lanesOf(term));
    } else {
      flat.base = b.create<arith::AddIOp>(reader.loc(), flat.base, term.base);
      flat.laneStride += term.laneStride;
    }
  }
  return flat;
}

} // namespace

Value ReshapeOp::emitAt(ElementReader &reader, const Coordinates &at) {
  ArrayRef<int64_t> from = shapeOf(getX()), to = shapeOf(getResult());
  Coordinates source;
  if (auto match = matchUnitDimensions(from, to)) {
    for (int64_t d : *match)
      source.push_back(d < 0 ? Coordinate{reader.constantIndex(0), 0, {}} : at[size_t(d)]);
    return reader.read(getX(), source);
  }
  Coordinate flat = flatten(reader, to, at);
  OpBuilder &b = reader.builder();
  // A run of lanes along the last dimension stays within one row of x when x's rows are whole multiples of ours.
  bool alongLast = !flat.lanes && !to.empty() && flat.laneStride == at.back().laneStride;
  bool rowsAlign = alongLast && !from.empty() && to.back() != 0 && from.back() % to.back() == 0;
  bool uniform = !flat.lanes && flat.laneStride == 0;
  if (!uniform && !rowsAlign && from.size() != 1 && !flat.lanes && reader.lanes() > 1)
    flat = {{}, 0, reader.lanesOf(flat)};
  source.resize(from.size());
  auto divide = [&](auto tag, Value x, int64_t by) -> Value {
    using Op = decltype(tag);
    Value divisor = reader.constantIndex(by);
    return b.create<Op>(reader.loc(), x, flat.lanes ? reader.splat(divisor) : divisor);
  };
  Value rest = flat.lanes ? flat.lanes : flat.base;
  for (size_t d = from.size(); d-- > 0;) {
    Value position = d == 0 ? rest : divide(arith::RemUIOp(), rest, from[d]);
    bool last = d + 1 == from.size();
    source[d] = flat.lanes ? Coordinate{{}, 0, position} : Coordinate{position, last ? flat.laneStride : 0, {}};
    if (d)
      rest = divide(arith::DivUIOp(), rest, from[d]);
  }
  return reader.read(getX(), source);
}

} // namespace ingot
