#include "ingot/passes/ClusterAnalysis.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace ingot {
namespace {

using namespace mlir;

// A single row of more elements than kWholeRow is reduced by many tasks, and so are rows of more than kWholeRows that
// are fewer than kManyRows.
constexpr int64_t kWholeRow = 8192, kWholeRows = 128 << 10, kManyRows = 16;

ShapedType shapedType(Value value) { return llvm::cast<ShapedType>(value.getType()); }

/// The access of a value of shape `shape` that has the domain's dimensions `dims`, with any number of extra
/// dimensions of size 1 between them. Nothing when the shape is another.
std::optional<AccessMap> matchDimensions(ArrayRef<int64_t> shape, ArrayRef<int64_t> domain, ArrayRef<int64_t> dims,
                                         MLIRContext *context) {
  AccessMap access;
  size_t next = 0;
  for (int64_t size : shape) {
    // A dimension of size 1 is the domain's own when the domain expects one here, else an extra one; the domain may
    // have some that the value has not.
    while (size != 1 && next < dims.size() && domain[dims[next]] == 1)
      ++next;
    if (next < dims.size() && size == domain[dims[next]])
      access.push_back(getAffineDimExpr(unsigned(dims[next++]), context));
    else if (size == 1)
      access.push_back(getAffineConstantExpr(0, context));
    else
      return std::nullopt;
  }
  while (next < dims.size() && domain[dims[next]] == 1)
    ++next;
  if (next != dims.size())
    return std::nullopt;
  return access;
}

} // namespace

AccessMap identityAccess(MLIRContext *context, int64_t rank) {
  AccessMap access;
  for (int64_t d = 0; d < rank; ++d)
    access.push_back(getAffineDimExpr(unsigned(d), context));
  return access;
}

AccessMap operandAccess(Operation *op, unsigned operand, const AccessMap &at) {
  if (auto pointwise = llvm::dyn_cast<PointwiseOpInterface>(op))
    return pointwise.accessOf(operand, at);
  return AccessMap(shapedType(op->getOperand(operand)).getRank(), std::nullopt);
}

bool sameAccess(const AccessMap &a, const AccessMap &b, ArrayRef<int64_t> shape) {
  for (auto [x, y, size] : llvm::zip_equal(a, b, shape))
    if (size != 1 && (!x || !y || *x != *y))
      return false;
  return true;
}

bool isAnchor(Operation *op) { return !llvm::isa<PointwiseOpInterface>(op); }

std::optional<AccessMap> Domain::homeOf(Value value) const {
  MLIRContext *context = value.getContext();
  ArrayRef<int64_t> type = shapedType(value).getShape();
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, int64_t(shape.size())));
  if (auto access = matchDimensions(type, shape, all, context))
    return access;
  if (kind == Kind::Row || kind == Kind::Column)
    return matchDimensions(type, shape, kept, context);
  return std::nullopt;
}

int64_t Domain::rows() const {
  int64_t rows = 1;
  for (int64_t d : kept)
    rows *= shape[size_t(d)];
  return rows;
}

int64_t Domain::inner() const {
  for (int64_t d = int64_t(shape.size()); d-- > 0;)
    if (shape[size_t(d)] != 1 && (kind != Kind::Row || !llvm::is_contained(kept, d)))
      return d;
  for (int64_t d = int64_t(shape.size()); d-- > 0;)
    if (kind != Kind::Row || !llvm::is_contained(kept, d))
      return d;
  return -1;
}

bool Domain::isSplit() const {
  const int64_t results = rows();
  if (kind != Kind::Row || results == 0)
    return false;
  const int64_t length = ShapedType::getNumElements(shape) / results;
  return results == 1 ? length > kWholeRow : results < kManyRows && length > kWholeRows;
}

bool Domain::isFull(Value value) const {
  int64_t points = ShapedType::getNumElements(shape), rows = this->rows();
  return points != rows && shapedType(value).getNumElements() == points && homeOf(value);
}

Domain loopDomain(Value value) {
  Domain domain{Domain::Kind::Loop, {}, {}};
  domain.shape.assign(shapedType(value).getShape().begin(), shapedType(value).getShape().end());
  llvm::append_range(domain.kept, llvm::seq<int64_t>(0, int64_t(domain.shape.size())));
  return domain;
}

Domain anchorDomain(Operation *anchor) {
  auto reduction = llvm::dyn_cast<ReductionOpInterface>(anchor);
  if (!reduction) {
    Domain domain = loopDomain(anchor->getNumResults() ? anchor->getResult(0) : anchor->getOperand(0));
    if (llvm::isa<DotOp>(anchor))
      domain.kind = Domain::Kind::Contract;
    return domain;
  }
  Domain domain = loopDomain(anchor->getOperand(0));
  llvm::SmallVector<int64_t> axes = reduction.reducedAxes();
  domain.kept.clear();
  for (int64_t d = 0, rank = domain.shape.size(); d < rank; ++d)
    if (!llvm::is_contained(axes, d))
      domain.kept.push_back(d);
  // Leading axes are summed down columns; anything that reaches the last axis of more than one element runs along rows.
  int64_t last = int64_t(domain.shape.size()) - 1;
  const bool alongUnits = llvm::all_of(axes, [&](int64_t d) { return domain.shape[size_t(d)] == 1; });
  while (!alongUnits && domain.shape[size_t(last)] == 1)
    --last;
  domain.kind = last < 0 || llvm::is_contained(axes, last) ? Domain::Kind::Row : Domain::Kind::Column;
  return domain;
}

bool forEachRead(Value value, const AccessMap &at, llvm::function_ref<bool(Operation *)> inside,
                 llvm::function_ref<bool(Value, const AccessMap &)> leaf) {
  llvm::DenseMap<Value, llvm::SmallVector<AccessMap, 1>> seen;
  llvm::SmallVector<std::pair<Value, AccessMap>> work{{value, at}};
  while (!work.empty()) {
    auto [current, access] = work.pop_back_val();
    auto &known = seen[current];
    if (llvm::is_contained(known, access))
      continue;
    known.push_back(access);
    Operation *op = current.getDefiningOp();
    if (!op || isAnchor(op) || !inside(op)) {
      if (!leaf(current, access))
        return false;
      continue;
    }
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      work.emplace_back(op->getOperand(i), operandAccess(op, i, access));
  }
  return true;
}

bool readsOnlyAtResult(FusionOp fusion, unsigned operand, unsigned result) {
  Block &body = fusion.getBody().front();
  BlockArgument argument = body.getArgument(operand);
  Operation *yield = body.getTerminator();
  Value written = yield->getOperand(result);
  if (shapedType(argument) != shapedType(written))
    return false;
  auto inBody = [&](Operation *op) { return op->getBlock() == &body; };
  AccessMap identity = identityAccess(argument.getContext(), shapedType(argument).getRank());
  auto ok = [&](Value leaf, const AccessMap &access) {
    return leaf != argument || sameAccess(access, identity, shapedType(argument).getShape());
  };
  // Outputs: in terms of the written result's coordinates. A kernel writes all outputs at one point of its domain
  // after reading everything there, so another output of the same shape is at the same coordinates.
  for (Value output : yield->getOperands()) {
    bool sameShape = shapedType(output).getShape() == shapedType(written).getShape();
    AccessMap at = sameShape ? identity : AccessMap(shapedType(output).getRank(), std::nullopt);
    if (!forEachRead(output, at, inBody, ok))
      return false;
  }
  // What anchors read, they read before or at other coordinates than the write.
  for (Operation &op : body)
    if (&op != yield && isAnchor(&op))
      for (Value input : op.getOperands())
        if (!forEachRead(input, AccessMap(shapedType(input).getRank(), std::nullopt), inBody,
                         [&](Value leaf, const AccessMap &) { return leaf != argument; }))
          return false;
  return true;
}

} // namespace ingot
