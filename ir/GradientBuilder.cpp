#include "ingot/ir/GradientBuilder.h"

#include "ingot/ir/Dialect.h"

namespace ingot {

using namespace mlir;

bool isFloatTensor(Type type) {
  auto shaped = llvm::dyn_cast<ShapedType>(type);
  return shaped && llvm::isa<FloatType>(shaped.getElementType());
}

Value splatConstant(OpBuilder &builder, Location loc, double value, Type type) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  DenseElementsAttr literal;
  if (auto real = llvm::dyn_cast<FloatType>(element))
    literal = DenseElementsAttr::get(tensor, Attribute(FloatAttr::get(real, value)));
  else
    literal = DenseElementsAttr::get(tensor, Attribute(IntegerAttr::get(element, int64_t(value))));
  return builder.create<ConstantOp>(loc, literal);
}

namespace {

/// `a` as a tensor like `like`.
Value materialize(const GradientValue &a, const GradientValue &like) {
  return a.isNumber() ? splatConstant(*like.builder, *like.loc, a.asNumber(), like.raw().getType()) : a.raw();
}

const GradientValue &carrier(const GradientValue &a, const GradientValue &b) { return a.isNumber() ? b : a; }

template <class Op> GradientValue binary(const GradientValue &a, const GradientValue &b) {
  const GradientValue &like = carrier(a, b);
  Value result = like.builder->create<Op>(*like.loc, materialize(a, like), materialize(b, like));
  return {*like.builder, *like.loc, result};
}
template <class Op> GradientValue unary(const GradientValue &x) {
  return {*x.builder, *x.loc, x.builder->create<Op>(*x.loc, x.raw())};
}

} // namespace

namespace gradient {

GradientValue operator+(const GradientValue &a, const GradientValue &b) {
  if (a.isNumber() && b.isNumber())
    return a.asNumber() + b.asNumber();
  if (a.is(0))
    return b;
  return b.is(0) ? a : binary<AddOp>(a, b);
}
GradientValue operator-(const GradientValue &a, const GradientValue &b) {
  if (a.isNumber() && b.isNumber())
    return a.asNumber() - b.asNumber();
  return b.is(0) ? a : binary<SubOp>(a, b);
}
GradientValue operator*(const GradientValue &a, const GradientValue &b) {
  if (a.isNumber() && b.isNumber())
    return a.asNumber() * b.asNumber();
  if (a.is(1))
    return b;
  if (b.is(1))
    return a;
  if (a.is(-1))
    return -b;
  return b.is(-1) ? -a : binary<MulOp>(a, b);
}
GradientValue operator/(const GradientValue &a, const GradientValue &b) {
  if (a.isNumber() && b.isNumber())
    return a.asNumber() / b.asNumber();
  return b.is(1) ? a : binary<DivOp>(a, b);
}
GradientValue operator-(const GradientValue &a) {
  return a.isNumber() ? GradientValue(-a.asNumber()) : unary<NegOp>(a);
}
#include "ingot-gen/ir/GradientFunctions.cpp.inc"

GradientValue select(const GradientValue &c, const GradientValue &a, const GradientValue &b) {
  OpBuilder &builder = *c.builder;
  Type type;
  if (!a.isNumber())
    type = a.raw().getType();
  else if (!b.isNumber())
    type = b.raw().getType();
  auto make = [&](const GradientValue &x, Type t) {
    return x.isNumber() ? splatConstant(builder, *c.loc, x.asNumber(), t) : x.raw();
  };
  // Two numbers: the condition says only the shape; the comparison's operands say the dtype.
  if (!type) {
    auto shape = llvm::cast<RankedTensorType>(c.raw().getType());
    Type element = builder.getF32Type();
    if (Operation *compare = c.raw().getDefiningOp(); compare && compare->getNumOperands())
      if (isFloatTensor(compare->getOperand(0).getType()))
        element = llvm::cast<ShapedType>(compare->getOperand(0).getType()).getElementType();
    type = shape.clone(element);
  }
  Value result = builder.create<SelectOp>(*c.loc, c.raw(), make(a, type), make(b, type));
  return {builder, *c.loc, result};
}

} // namespace gradient

void GradientBuilder::push(llvm::SmallVectorImpl<Value> &out, NoGradient) { out.push_back({}); }

void GradientBuilder::push(llvm::SmallVectorImpl<Value> &out, const WholeGradient &whole) {
  bool flows = cotangent && isFloatTensor(op->getOperand(out.size()).getType());
  out.push_back(flows ? whole.value.raw() : Value());
}

void GradientBuilder::push(llvm::SmallVectorImpl<Value> &out, const GradientValue &partial) {
  using namespace gradient;
  Type type = op->getOperand(out.size()).getType();
  if (!cotangent || !isFloatTensor(type) || partial.is(0)) {
    out.push_back({});
    return;
  }
  Type element = llvm::cast<ShapedType>(type).getElementType();
  Value g = cotangent;
  if (llvm::cast<ShapedType>(g.getType()).getElementType() != element)
    g = builder.create<ConvertOp>(loc, g, TypeAttr::get(element));
  GradientValue result = GradientValue(builder, loc, g) * partial;
  out.push_back(result.raw());
}

} // namespace ingot
