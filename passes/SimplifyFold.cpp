// Ops of constants as constants, computed by the reference kernels.
#include "ingot/passes/SimplifyPatterns.h"

#include "ingot/ir/Dialect.h"
#include "ingot/ir/TypeConversion.h"

#include "mlir/IR/Matchers.h"

#include <cmath>
#include <cstring>

namespace ingot {
namespace {

using namespace mlir;

/// Every element written out.
Literal expanded(const Literal &literal) {
  std::shared_ptr<Buffer> data = Buffer::allocate(literal.type.bytes());
  const size_t size = dtype_size(literal.type.dtype);
  for (int64_t i = 0; i < literal.type.shape.num_elements(); ++i)
    std::memcpy(data->as<char>() + size_t(i) * size, literal.data->data(), size);
  return {literal.type, data, false};
}

/// Runs the op's reference kernel; `scalar`: on one element that stands for all. Nothing on a run-time failure.
std::optional<Literal> evaluate(const OpInfo &info, OwnedCall &call, llvm::ArrayRef<Literal> literals,
                                const TensorType &type, bool scalar) {
  std::vector<ConstView> inputs;
  for (const Literal &literal : literals) {
    TensorType t = literal.type;
    if (scalar)
      t.shape = Shape{};
    inputs.push_back({literal.data->data(), t});
  }
  TensorType resultType = type;
  if (scalar) {
    resultType.shape = Shape{};
    for (TensorType &operand : call.operands)
      operand.shape = Shape{};
  }
  std::shared_ptr<Buffer> data = Buffer::allocate(resultType.bytes());
  MutableView output{data->data(), resultType};
  if (info.reference(call.view(), inputs, {&output, 1}).code)
    return std::nullopt; // an index out of range stays a run-time error
  return Literal{type, data, scalar};
}

/// An op of constants is a constant: a splat where splats move or meet element by element, else of at most `limit`
/// elements.
struct FoldConstants : RewritePattern {
  FoldConstants(MLIRContext *context, int64_t limit) : RewritePattern(MatchAnyOpTypeTag(), 1, context), limit(limit) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    auto table = llvm::dyn_cast<TableOpInterface>(op);
    if (!table || op->getNumResults() != 1 || op->getNumOperands() == 0)
      return failure();
    const OpInfo &info = op_info(table.kind());
    if (!info.reference || info.has(kRandom) || info.has(kNative)) // the user's code runs when the program does
      return failure();
    llvm::SmallVector<DenseElementsAttr> constants(op->getNumOperands());
    for (auto [v, constant] : llvm::zip(op->getOperands(), constants))
      if (!matchPattern(v, m_Constant(&constant)))
        return failure();
    const bool scalar =
        info.has(kElementwise) && llvm::all_of(constants, [](DenseElementsAttr c) { return c.isSplat(); });
    auto type = llvm::cast<RankedTensorType>(op->getResult(0).getType());
    if (info.has(kMovement) && constants.size() == 1 && constants[0].isSplat()) {
      rewriter.replaceOpWithNewOp<ConstantOp>(op,
                                              DenseElementsAttr::get(type, constants[0].getSplatValue<Attribute>()));
      return success();
    }
    auto tooLarge = [&](ShapedType t) { return t.getNumElements() > limit; };
    if (!scalar &&
        (tooLarge(type) || llvm::any_of(constants, [&](DenseElementsAttr c) { return tooLarge(c.getType()); })))
      return rewriter.notifyMatchFailure(op, "too large to fold");
    FailureOr<OwnedCall> call = callOf(op);
    if (failed(call))
      return failure();
    llvm::SmallVector<Literal> literals;
    for (DenseElementsAttr constant : constants) {
      Literal literal = toLiteral(constant);
      literals.push_back(literal.splat && !scalar ? expanded(literal) : literal);
    }
    std::optional<Literal> folded = evaluate(info, *call, literals, toTensorType(type), scalar);
    if (!folded)
      return rewriter.notifyMatchFailure(op, "fails at run time");
    rewriter.replaceOpWithNewOp<ConstantOp>(op, toElements(*folded, op->getContext()));
    return success();
  }

  int64_t limit;
};

/// The sum of n equal numbers is their product where no order of additions rounds.
LogicalResult foldSumOfSplat(ReduceSumOp op, PatternRewriter &rewriter) {
  std::optional<double> number = splatNumber(op.getX());
  const int64_t results = llvm::cast<ShapedType>(op.getType()).getNumElements();
  const int64_t all = llvm::cast<ShapedType>(op.getX().getType()).getNumElements();
  if (!number || results == 0 || all == 0 || !std::isfinite(*number))
    return rewriter.notifyMatchFailure(op, "operand is no finite splat");
  Type element = llvm::cast<ShapedType>(op.getType()).getElementType();
  const double digits = element.isF32() ? 24 : element.isF64() ? 53 : 31, count = double(all / results);
  int exponent;
  double mantissa = std::frexp(std::abs(*number), &exponent);
  while (mantissa != std::floor(mantissa) && mantissa < 0x1p53)
    mantissa *= 2;
  if (mantissa * count >= std::exp2(digits) || std::abs(exponent) > 60)
    return rewriter.notifyMatchFailure(op, "a partial sum may round");
  rewriter.replaceOp(op, splatConstant(rewriter, op.getLoc(), *number * count + 0.0, op.getType()));
  return success();
}

} // namespace

void populateFoldPatterns(RewritePatternSet &patterns, int64_t limit) {
  patterns.add<FoldConstants>(patterns.getContext(), limit);
  patterns.add(foldSumOfSplat);
}

} // namespace ingot
