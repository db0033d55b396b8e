// Products: matmul by NumPy's rules, and Einstein summation.
#include "ingot/capture/OpHelpers.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace ingot {
namespace {

using Dims = std::vector<std::int64_t>;

Tensor dot(Tensor a, Tensor b, Dims lhsBatch, Dims rhsBatch, Dims lhsContract, Dims rhsContract, Location at,
           const char *op) {
  std::vector<Tensor> operands;
  operands.push_back(std::move(a));
  operands.push_back(std::move(b));
  return apply_one(OpKind::Dot, std::move(operands),
                   {std::move(lhsBatch), std::move(rhsBatch), std::move(lhsContract), std::move(rhsContract)}, at, op);
}

} // namespace

Tensor matmul(Tensor a, Tensor b, Location at) {
  const Shape x = a.shape(), y = b.shape();
  if (x.rank() == 0 || y.rank() == 0)
    shape_error("matmul", "operands are " + x.str() + " and " + y.str() + "; a scalar has no rows or columns, use mul",
                at);
  const int k = x.rank() - 1, l = std::max(y.rank() - 2, 0);
  if (x[k] != y[l])
    shape_error("matmul",
                "inner sizes differ: a is " + x.str() + ", b is " + y.str() + "; the last dimension of a (" +
                    std::to_string(x[k]) + ") has to equal " + (y.rank() == 1 ? "the length" : "the rows") + " of b (" +
                    std::to_string(y[l]) + ")",
                at);
  if (y.rank() <= 2)
    return dot(std::move(a), std::move(b), {}, {}, {k}, {l}, at, "matmul");
  if (x.rank() == 1)
    return dot(std::move(a), std::move(b), {}, {}, {0}, {l}, at, "matmul");
  // Batch dimensions broadcast.
  Shape batchA, batchB;
  for (int d = 0; d + 2 < x.rank(); ++d)
    batchA.push_back(x[d]);
  for (int d = 0; d + 2 < y.rank(); ++d)
    batchB.push_back(y[d]);
  const Shape batch = broadcast_shapes(batchA, batchB, at, "matmul");
  Shape fullA = batch, fullB = batch;
  fullA.push_back(x[x.rank() - 2]), fullA.push_back(x[k]);
  fullB.push_back(y[l]), fullB.push_back(y[y.rank() - 1]);
  Dims batchDims(static_cast<std::size_t>(batch.rank()));
  std::iota(batchDims.begin(), batchDims.end(), 0);
  return dot(broadcast_to_shape(std::move(a), fullA, at, "matmul"),
             broadcast_to_shape(std::move(b), fullB, at, "matmul"), batchDims, batchDims, {batch.rank() + 1},
             {batch.rank()}, at, "matmul");
}

namespace {

struct Term {
  std::string labels;
  Tensor tensor;
};

/// Sums over labels that neither the other term nor the result has.
Term sum_private(Term term, const std::string &others, Location at) {
  Dims axes;
  std::string kept;
  for (std::size_t i = 0; i < term.labels.size(); ++i)
    if (others.find(term.labels[i]) == std::string::npos)
      axes.push_back(std::int64_t(i));
    else
      kept += term.labels[i];
  if (axes.empty())
    return term;
  return {kept, apply_one(OpKind::ReduceSum, operand_list(std::move(term.tensor)), {axes}, at, "einsum")};
}

Tensor arrange(Term term, const std::string &result, Location at) {
  Dims permutation;
  for (char label : result)
    permutation.push_back(std::int64_t(term.labels.find(label)));
  return raw_transpose(std::move(term.tensor), std::move(permutation), at, "einsum");
}

} // namespace

Tensor einsum(const std::string &equation, std::vector<Tensor> list, Location at) {
  Composite scope("einsum");
  std::string text;
  for (char c : equation)
    if (c != ' ')
      text += c;
  const std::size_t arrow = text.find("->");
  if (arrow == std::string::npos)
    shape_error("einsum", "'" + equation + "' needs an explicit result after '->'", at);
  const std::string result = text.substr(arrow + 2);
  std::vector<Term> terms;
  std::map<char, std::int64_t> sizes;
  std::size_t begin = 0;
  for (Tensor &tensor : list) {
    const std::size_t end = std::min(text.find(',', begin), arrow);
    Term term{begin <= arrow ? text.substr(begin, end - begin) : std::string(), std::move(tensor)};
    begin = end + 1;
    const Shape &shape = term.tensor.shape();
    if (term.labels.size() != static_cast<std::size_t>(shape.rank()))
      shape_error("einsum",
                  "'" + term.labels + "' names " + std::to_string(term.labels.size()) + " dimensions of " + shape.str(),
                  at);
    for (std::size_t i = 0; i < term.labels.size(); ++i) {
      if (term.labels.find(term.labels[i], i + 1) != std::string::npos)
        shape_error("einsum", "'" + term.labels + "' names a dimension twice; take the diagonal first", at);
      auto [entry, fresh] = sizes.try_emplace(term.labels[i], shape[static_cast<int>(i)]);
      if (!fresh && entry->second != shape[static_cast<int>(i)])
        shape_error("einsum",
                    std::string("'") + term.labels[i] + "' is " + std::to_string(entry->second) + " and " +
                        std::to_string(shape[static_cast<int>(i)]) + " in '" + equation + "'",
                    at);
    }
    terms.push_back(std::move(term));
  }
  if (begin != arrow + 1 || terms.empty() || terms.size() > 2)
    shape_error("einsum",
                "'" + equation + "' does not fit " + std::to_string(list.size()) + " tensors; one or two are possible",
                at);
  for (char label : result)
    if (!sizes.count(label) || std::count(result.begin(), result.end(), label) > 1)
      shape_error("einsum",
                  std::string("'") + label + "' of the result of '" + equation +
                      "' has to be named once, and by an operand",
                  at);
  if (terms.size() == 1)
    return arrange(sum_private(std::move(terms[0]), result, at), result, at);
  Term a = sum_private(std::move(terms[0]), terms[1].labels + result, at),
       b = sum_private(std::move(terms[1]), a.labels + result, at);
  Dims lhsBatch, rhsBatch, lhsContract, rhsContract;
  std::string made, aFree, bFree;
  for (std::size_t i = 0; i < a.labels.size(); ++i) {
    const std::size_t j = b.labels.find(a.labels[i]);
    if (j == std::string::npos) {
      aFree += a.labels[i];
    } else if (result.find(a.labels[i]) != std::string::npos) {
      made += a.labels[i];
      lhsBatch.push_back(std::int64_t(i)), rhsBatch.push_back(std::int64_t(j));
    } else {
      lhsContract.push_back(std::int64_t(i)), rhsContract.push_back(std::int64_t(j));
    }
  }
  for (char label : b.labels)
    if (a.labels.find(label) == std::string::npos)
      bFree += label;
  Tensor product =
      dot(std::move(a.tensor), std::move(b.tensor), lhsBatch, rhsBatch, lhsContract, rhsContract, at, "einsum");
  return arrange({made + aFree + bFree, std::move(product)}, result, at);
}

} // namespace ingot
