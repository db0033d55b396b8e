#include "ingot/passes/Passes.h"
#include "ingot/passes/SimplifyPatterns.h"

#include "ingot/ir/Dialect.h"
#include "ingot/ir/TypeConversion.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

namespace ingot {

#define GEN_PASS_DEF_SIMPLIFYPASS
#include "ingot-gen/passes/Passes.h.inc"

namespace {

using namespace mlir;

/// The number of a splat constant.
std::optional<double> splatNumber(Value v) {
  DenseElementsAttr literal;
  if (!matchPattern(v, m_Constant(&literal)) || !literal.isSplat())
    return std::nullopt;
  if (auto real = llvm::dyn_cast<FloatType>(literal.getElementType()))
    return literal.getSplatValue<APFloat>().convertToDouble();
  if (literal.getElementType().isInteger(1))
    return literal.getSplatValue<bool>();
  return double(literal.getSplatValue<APInt>().getSExtValue());
}

bool isNumber(Value v, double wanted) {
  std::optional<double> number = splatNumber(v);
  return number && *number == wanted && std::signbit(*number) == std::signbit(wanted);
}

LogicalResult dropUnitFactor(MulOp op, PatternRewriter &rewriter) {
  for (auto [factor, other] : {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())}) {
    if (isNumber(factor, 1)) {
      rewriter.replaceOp(op, other);
      return success();
    }
    if (isNumber(factor, -1)) {
      rewriter.replaceOpWithNewOp<NegOp>(op, other);
      return success();
    }
  }
  return rewriter.notifyMatchFailure(op, "no factor is 1 or -1");
}

/// x / 2^k is x * 2^-k, exactly.
LogicalResult divideByPowerOfTwo(DivOp op, PatternRewriter &rewriter) {
  std::optional<double> divisor = splatNumber(op.getB());
  if (!divisor || !isFloatTensor(op.getType()))
    return rewriter.notifyMatchFailure(op, "divisor is no float constant");
  int exponent;
  if (std::abs(std::frexp(*divisor, &exponent)) != 0.5 || std::abs(exponent) > 100)
    return rewriter.notifyMatchFailure(op, "divisor is no power of two");
  Value factor = splatConstant(rewriter, op.getLoc(), 1 / *divisor, op.getType());
  rewriter.replaceOpWithNewOp<MulOp>(op, op.getA(), factor);
  return success();
}

/// x - (+0) is x, for x = -0 too; x + (-0) likewise.
LogicalResult dropZeroDifference(SubOp op, PatternRewriter &rewriter) {
  if (!isNumber(op.getB(), 0.0))
    return rewriter.notifyMatchFailure(op, "subtrahend is not +0");
  rewriter.replaceOp(op, op.getA());
  return success();
}
LogicalResult dropNegativeZeroTerm(AddOp op, PatternRewriter &rewriter) {
  for (auto [term, other] : {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())})
    if (isNumber(term, isFloatTensor(op.getType()) ? -0.0 : 0.0)) {
      rewriter.replaceOp(op, other);
      return success();
    }
  return rewriter.notifyMatchFailure(op, "no term is -0");
}

LogicalResult dropDoubleNegation(NegOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<NegOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "operand is no negation");
  rewriter.replaceOp(op, inner.getX());
  return success();
}

LogicalResult dropStopGradient(StopGradientOp op, PatternRewriter &rewriter) {
  rewriter.replaceOp(op, op.getX());
  return success();
}

LogicalResult dropSameConversion(ConvertOp op, PatternRewriter &rewriter) {
  if (op.getX().getType() != op.getType())
    return rewriter.notifyMatchFailure(op, "changes the dtype");
  rewriter.replaceOp(op, op.getX());
  return success();
}

LogicalResult chooseConstant(SelectOp op, PatternRewriter &rewriter) {
  if (op.getA() == op.getB()) {
    rewriter.replaceOp(op, op.getA());
    return success();
  }
  std::optional<double> condition = splatNumber(op.getC());
  if (!condition)
    return rewriter.notifyMatchFailure(op, "condition is not constant");
  rewriter.replaceOp(op, *condition ? op.getA() : op.getB());
  return success();
}

/// A sum, product or extremum over nothing but dimensions of size 1 is a reshape.
template <class Op> LogicalResult dropUnitReduction(Op op, PatternRewriter &rewriter) {
  auto x = llvm::cast<ShapedType>(op.getX().getType());
  if (llvm::any_of(op.getAxes(), [&](int64_t d) { return x.getShape()[size_t(d)] != 1; }))
    return rewriter.notifyMatchFailure(op, "combines elements");
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getX(), llvm::cast<ShapedType>(op.getType()).getShape());
  return success();
}

LogicalResult dropWholeSlice(SliceOp op, PatternRewriter &rewriter) {
  if (op.getX().getType() != op.getType())
    return rewriter.notifyMatchFailure(op, "cuts something");
  rewriter.replaceOp(op, op.getX());
  return success();
}

LogicalResult dropSingleConcat(ConcatOp op, PatternRewriter &rewriter) {
  if (op.getXs().size() != 1)
    return rewriter.notifyMatchFailure(op, "joins several tensors");
  rewriter.replaceOp(op, op.getXs()[0]);
  return success();
}

/// An op of constants is a constant.
struct FoldConstants : RewritePattern {
  FoldConstants(MLIRContext *context, int64_t limit) : RewritePattern(MatchAnyOpTypeTag(), 1, context), limit(limit) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    auto table = llvm::dyn_cast<TableOpInterface>(op);
    if (!table || op->getNumResults() != 1 || op->getNumOperands() == 0)
      return failure();
    const OpInfo &info = op_info(table.kind());
    if (!info.reference || info.has(kRandom))
      return failure();
    llvm::SmallVector<Literal> literals;
    for (Value v : op->getOperands()) {
      DenseElementsAttr literal;
      if (!matchPattern(v, m_Constant(&literal)))
        return failure();
      literals.push_back(toLiteral(literal));
    }
    bool splats = info.has(kElementwise) && llvm::all_of(literals, [](const Literal &l) { return l.splat; });
    auto type = llvm::cast<RankedTensorType>(op->getResult(0).getType());
    if (!splats && type.getNumElements() > limit)
      return rewriter.notifyMatchFailure(op, "too large to fold");
    return evaluate(op, info, literals, splats, rewriter);
  }

  LogicalResult evaluate(Operation *op, const OpInfo &info, llvm::ArrayRef<Literal> literals, bool splats,
                         PatternRewriter &rewriter) const {
    FailureOr<OwnedCall> call = callOf(op);
    if (failed(call))
      return failure();
    auto type = llvm::cast<RankedTensorType>(op->getResult(0).getType());
    TensorType result = toTensorType(type);
    std::vector<ConstView> inputs;
    std::vector<std::shared_ptr<Buffer>> expanded;
    for (const Literal &literal : literals) {
      TensorType t = literal.type;
      if (splats) {
        t.shape = Shape{};
      } else if (literal.splat && t.shape.num_elements() != 1) {
        if (t.shape.num_elements() > limit)
          return failure();
        expanded.push_back(Buffer::allocate(t.bytes()));
        const size_t size = dtype_size(t.dtype);
        for (int64_t i = 0; i < t.shape.num_elements(); ++i)
          std::memcpy(expanded.back()->as<char>() + size_t(i) * size, literal.data->data(), size);
        inputs.push_back({expanded.back()->data(), t});
        continue;
      }
      inputs.push_back({literal.data->data(), t});
    }
    Literal folded{result, nullptr, splats};
    if (splats)
      result.shape = Shape{};
    std::shared_ptr<Buffer> data = Buffer::allocate(result.bytes());
    for (TensorType &operand : call->operands)
      if (splats)
        operand.shape = Shape{};
    MutableView output{data->data(), result};
    if (info.reference(call->view(), inputs, {&output, 1}).code)
      return failure(); // an index out of range stays a run-time error
    folded.data = data;
    rewriter.replaceOpWithNewOp<ConstantOp>(op, toElements(folded, op->getContext()));
    return success();
  }

  int64_t limit;
};

struct SimplifyPass : impl::SimplifyPassBase<SimplifyPass> {
  using SimplifyPassBase::SimplifyPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    BroadcastOp::getCanonicalizationPatterns(set, context);
    ReshapeOp::getCanonicalizationPatterns(set, context);
    TransposeOp::getCanonicalizationPatterns(set, context);
    populateAlgebraPatterns(set);
    populateFoldPatterns(set, foldLimit);
    populateDotPatterns(set);
    populateIndexingPatterns(set);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.enableRegionSimplification = GreedySimplifyRegionLevel::Disabled;
    if (failed(applyPatternsAndFoldGreedily(getOperation(), patterns, config)))
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};

} // namespace

void populateAlgebraPatterns(RewritePatternSet &patterns) {
  patterns.add(dropUnitFactor).add(divideByPowerOfTwo).add(dropZeroDifference).add(dropNegativeZeroTerm);
  patterns.add(dropDoubleNegation).add(dropStopGradient).add(dropSameConversion).add(chooseConstant);
  patterns.add(dropUnitReduction<ReduceSumOp>).add(dropUnitReduction<ReduceProdOp>);
  patterns.add(dropUnitReduction<ReduceMaxOp>).add(dropUnitReduction<ReduceMinOp>);
  patterns.add(dropWholeSlice).add(dropSingleConcat);
}

void populateFoldPatterns(RewritePatternSet &patterns, int64_t limit) {
  patterns.add<FoldConstants>(patterns.getContext(), limit);
}

} // namespace ingot
