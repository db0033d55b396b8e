// The derivative of dot: two dots.
#include "ingot/ir/Dialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/contraction/Contraction.cpp.inc"

namespace ingot {

using namespace mlir;

namespace {

using Dims = llvm::SmallVector<int64_t>;

int64_t rankOf(Value v) { return llvm::cast<ShapedType>(v.getType()).getRank(); }

Dims freeDims(int64_t rank, ArrayRef<int64_t> batch, ArrayRef<int64_t> contract) {
  Dims rest;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(batch, d) && !llvm::is_contained(contract, d))
      rest.push_back(d);
  return rest;
}

Dims range(int64_t from, int64_t count) { return llvm::to_vector(llvm::seq<int64_t>(from, from + count)); }

int64_t rankIn(ArrayRef<int64_t> list, int64_t value) {
  return llvm::count_if(list, [&](int64_t other) { return other < value; });
}

/// The product whose dimension `source[d]` is dimension d of the operand it is the cotangent of.
Value arrange(OpBuilder &b, Location loc, Value product, ArrayRef<int64_t> source) {
  if (source == ArrayRef<int64_t>(range(0, int64_t(source.size()))))
    return product;
  return b.create<TransposeOp>(loc, product, source);
}

} // namespace

LogicalResult DotOp::vjp(OpBuilder &b, ValueRange cotangents, llvm::SmallVectorImpl<Value> &out) {
  Value g = cotangents[0];
  if (!g || !isFloatTensor(getA().getType())) {
    out.append(2, Value());
    return success();
  }
  const int64_t batches = int64_t(getLhsBatch().size());
  Dims lhsFree = freeDims(rankOf(getA()), getLhsBatch(), getLhsContract());
  Dims rhsFree = freeDims(rankOf(getB()), getRhsBatch(), getRhsContract());
  const int64_t m = int64_t(lhsFree.size()), n = int64_t(rhsFree.size());

  // da[batch, m, k] = sum over n of g[batch, m, n] b[batch, n, k]
  Value da = b.create<DotOp>(getLoc(), g, getB(), range(0, batches), getRhsBatch(), range(batches + m, n), rhsFree);
  Dims source(size_t(rankOf(getA())));
  for (auto [i, d] : llvm::enumerate(getLhsBatch()))
    source[size_t(d)] = int64_t(i);
  for (auto [i, d] : llvm::enumerate(lhsFree))
    source[size_t(d)] = batches + int64_t(i);
  for (auto [d, pair] : llvm::zip(getLhsContract(), getRhsContract()))
    source[size_t(d)] = batches + m + rankIn(getRhsContract(), pair);
  out.push_back(arrange(b, getLoc(), da, source));

  // db[batch, k, n] = sum over m of a[batch, m, k] g[batch, m, n]
  Value db = b.create<DotOp>(getLoc(), getA(), g, getLhsBatch(), range(0, batches), lhsFree, range(batches, m));
  source.assign(size_t(rankOf(getB())), 0);
  const int64_t k = int64_t(getLhsContract().size());
  for (auto [i, d] : llvm::enumerate(getRhsBatch()))
    source[size_t(d)] = int64_t(i);
  for (auto [d, pair] : llvm::zip(getRhsContract(), getLhsContract()))
    source[size_t(d)] = batches + rankIn(getLhsContract(), pair);
  for (auto [i, d] : llvm::enumerate(rhsFree))
    source[size_t(d)] = batches + k + int64_t(i);
  out.push_back(arrange(b, getLoc(), db, source));
  return success();
}

} // namespace ingot
