// Arithmetic identities. Each holds for every bit of every operand, or stands under fast math.
#include "ingot/passes/SimplifyPatterns.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

namespace ingot {

using namespace mlir;

std::optional<double> splatNumber(Value v) {
  DenseElementsAttr literal;
  if (!matchPattern(v, m_Constant(&literal)) || !literal.isSplat())
    return std::nullopt;
  if (llvm::isa<FloatType>(literal.getElementType()))
    return literal.getSplatValue<APFloat>().convertToDouble();
  if (literal.getElementType().isInteger(1))
    return literal.getSplatValue<bool>();
  const int64_t integer = literal.getSplatValue<APInt>().getSExtValue();
  if (std::abs(double(integer)) > 0x1p53)
    return std::nullopt;
  return double(integer);
}

namespace {

bool isNumber(Value v, double wanted) {
  std::optional<double> number = splatNumber(v);
  return number && *number == wanted && std::signbit(*number) == std::signbit(wanted);
}

/// The operand of a commutative op that is the number, and the other one.
std::optional<Value> besideNumber(Operation *op, double wanted) {
  if (isNumber(op->getOperand(1), wanted))
    return op->getOperand(0);
  if (isNumber(op->getOperand(0), wanted))
    return op->getOperand(1);
  return std::nullopt;
}

LogicalResult dropUnitFactor(MulOp op, PatternRewriter &rewriter) {
  if (std::optional<Value> other = besideNumber(op, 1)) {
    rewriter.replaceOp(op, *other);
    return success();
  }
  if (std::optional<Value> other = besideNumber(op, -1)) {
    rewriter.replaceOpWithNewOp<NegOp>(op, *other);
    return success();
  }
  return rewriter.notifyMatchFailure(op, "no factor is 1 or -1");
}

/// x / 2^k is x * 2^-k, exactly; other constants under fast math.
struct DivideByConstant : OpRewritePattern<DivOp> {
  DivideByConstant(MLIRContext *context, bool fastMath) : OpRewritePattern(context), fastMath(fastMath) {}

  LogicalResult matchAndRewrite(DivOp op, PatternRewriter &rewriter) const override {
    std::optional<double> divisor = splatNumber(op.getB());
    if (!divisor || !isFloatTensor(op.getType()))
      return rewriter.notifyMatchFailure(op, "divisor is no float constant");
    int exponent;
    const double mantissa = std::abs(std::frexp(*divisor, &exponent));
    const bool exact = mantissa == 0.5 || (fastMath && std::isfinite(*divisor) && *divisor != 0);
    if (!exact || std::abs(exponent) > 100)
      return rewriter.notifyMatchFailure(op, "divisor is no power of two");
    rewriter.replaceOpWithNewOp<MulOp>(op, op.getA(), splatConstant(rewriter, op.getLoc(), 1 / *divisor, op.getType()));
    return success();
  }
  bool fastMath;
};

/// x + (-0) is x, for x = -0 too; x + 0 is not, unless for integers or under fast math.
struct DropZeroTerm : OpRewritePattern<AddOp> {
  DropZeroTerm(MLIRContext *context, bool fastMath) : OpRewritePattern(context), fastMath(fastMath) {}

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    std::optional<Value> other = besideNumber(op, isFloatTensor(op.getType()) ? -0.0 : 0.0);
    if (!other && fastMath)
      other = besideNumber(op, 0.0);
    if (!other)
      return rewriter.notifyMatchFailure(op, "no term is -0");
    rewriter.replaceOp(op, *other);
    return success();
  }
  bool fastMath;
};

LogicalResult dropZeroDifference(SubOp op, PatternRewriter &rewriter) {
  if (!isNumber(op.getB(), 0.0))
    return rewriter.notifyMatchFailure(op, "subtrahend is not +0");
  rewriter.replaceOp(op, op.getA());
  return success();
}

/// a + (-b) is a - b.
LogicalResult subtractNegated(AddOp op, PatternRewriter &rewriter) {
  Value a = op.getA(), b = op.getB();
  if (a.getDefiningOp<NegOp>() && !b.getDefiningOp<NegOp>())
    std::swap(a, b);
  auto negation = b.getDefiningOp<NegOp>();
  if (!negation)
    return rewriter.notifyMatchFailure(op, "no term is a negation");
  rewriter.replaceOpWithNewOp<SubOp>(op, a, negation.getX());
  return success();
}

/// a - (-b) is a + b.
LogicalResult addNegated(SubOp op, PatternRewriter &rewriter) {
  auto negation = op.getB().getDefiningOp<NegOp>();
  if (!negation)
    return rewriter.notifyMatchFailure(op, "subtrahend is no negation");
  rewriter.replaceOpWithNewOp<AddOp>(op, op.getA(), negation.getX());
  return success();
}

/// (-a) * (-b) is a * b, and likewise for quotients.
template <class Op> LogicalResult dropBothNegations(Op op, PatternRewriter &rewriter) {
  auto a = op.getA().template getDefiningOp<NegOp>(), b = op.getB().template getDefiningOp<NegOp>();
  if (!a || !b || !isFloatTensor(op.getType()))
    return rewriter.notifyMatchFailure(op, "not both operands are float negations");
  rewriter.replaceOpWithNewOp<Op>(op, a.getX(), b.getX());
  return success();
}

LogicalResult dropDoubleNegation(NegOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<NegOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "operand is no negation");
  rewriter.replaceOp(op, inner.getX());
  return success();
}

/// Powers whose result is one correctly rounded operation.
LogicalResult expandPower(PowOp op, PatternRewriter &rewriter) {
  std::optional<double> exponent = splatNumber(op.getB());
  Value x = op.getA();
  if (exponent == 1)
    rewriter.replaceOp(op, x);
  else if (exponent == 2)
    rewriter.replaceOpWithNewOp<MulOp>(op, x, x);
  else if (exponent == -1)
    rewriter.replaceOpWithNewOp<DivOp>(op, splatConstant(rewriter, op.getLoc(), 1, op.getType()), x);
  else if (exponent == 0)
    rewriter.replaceOp(op, splatConstant(rewriter, op.getLoc(), 1, op.getType()));
  else
    return rewriter.notifyMatchFailure(op, "exponent is not -1, 0, 1 or 2");
  return success();
}

LogicalResult dropStopGradient(StopGradientOp op, PatternRewriter &rewriter) {
  rewriter.replaceOp(op, op.getX());
  return success();
}

LogicalResult dropSavedComputation(SavedOp op, PatternRewriter &rewriter) {
  rewriter.replaceOp(op, op.getB());
  return success();
}

LogicalResult dropSameConversion(ConvertOp op, PatternRewriter &rewriter) {
  if (op.getX().getType() != op.getType())
    return rewriter.notifyMatchFailure(op, "changes the dtype");
  rewriter.replaceOp(op, op.getX());
  return success();
}

/// Whether each value of `from` survives the way to `to` and back.
bool keepsAll(Type from, Type to) {
  if (from.isInteger(1))
    return true;
  if (from.isF32())
    return to.isF64();
  return from.isInteger(32) && (to.isInteger(64) || to.isF64());
}

LogicalResult dropRoundTrip(ConvertOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<ConvertOp>();
  if (!inner || inner.getX().getType() != op.getType() || !keepsAll(op.getDtype(), inner.getDtype()))
    return rewriter.notifyMatchFailure(op, "is not the way back of a conversion that keeps every value");
  rewriter.replaceOp(op, inner.getX());
  return success();
}

} // namespace

void populateAlgebraPatterns(RewritePatternSet &patterns, bool fastMath) {
  patterns.add<DivideByConstant, DropZeroTerm>(patterns.getContext(), fastMath);
  patterns.add(dropUnitFactor).add(dropZeroDifference).add(subtractNegated).add(addNegated);
  patterns.add(dropBothNegations<MulOp>).add(dropBothNegations<DivOp>).add(dropDoubleNegation).add(expandPower);
  patterns.add(dropStopGradient).add(dropSavedComputation).add(dropSameConversion).add(dropRoundTrip);
}

} // namespace ingot
