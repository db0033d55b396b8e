// Products: matmul by NumPy's rules, and Einstein summation.
#include "ingot/capture/OpHelpers.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <numeric>

namespace ingot {
namespace {

using Dims = std::vector<std::int64_t>;

Tensor dot(Tensor a, Tensor b, Dims lhsBatch, Dims rhsBatch, Dims lhsContract, Dims rhsContract, Location at,
           const char *op) {
  TensorList operands;
  operands.push_back(std::move(a));
  operands.push_back(std::move(b));
  return apply_one(OpKind::Dot, std::move(operands),
                   {std::move(lhsBatch), std::move(rhsBatch), std::move(lhsContract), std::move(rhsContract)}, at, op);
}

} // namespace

Tensor matmul(Tensor a, Tensor b, Location at) {
  require_tensor(a, at, "matmul");
  require_tensor(b, at, "matmul");
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

/// A label named twice: the diagonal of its two dimensions.
Term take_diagonals(Term term, Location at) {
  for (std::size_t i = 0; i < term.labels.size(); ++i)
    for (std::size_t j = term.labels.find(term.labels[i], i + 1); j != std::string::npos;
         j = term.labels.find(term.labels[i], i + 1)) {
      const Shape shape = term.tensor.shape();
      auto position = [&](std::size_t d) {
        Tensor count = Tensor::arange(shape[std::int64_t(d)], DType::I64, term.tensor.device().inner(), at);
        return raw_broadcast(std::move(count), shape, {std::int64_t(d)}, at, "einsum");
      };
      Tensor on = eq(position(i), position(j), at);
      term.tensor = apply_one(OpKind::ReduceSum, operand_list(where(std::move(on), std::move(term.tensor), 0, at)),
                              {Dims{std::int64_t(j)}}, at, "einsum");
      term.labels.erase(j, 1);
    }
  return term;
}

/// The product of two terms, summed over what only they have.
Term contract(Term a, Term b, const std::string &rest, Location at) {
  a = sum_private(std::move(a), b.labels + rest, at);
  b = sum_private(std::move(b), a.labels + rest, at);
  Dims lhsBatch, rhsBatch, lhsContract, rhsContract;
  std::string made, aFree, bFree;
  for (std::size_t i = 0; i < a.labels.size(); ++i) {
    const std::size_t j = b.labels.find(a.labels[i]);
    if (j == std::string::npos) {
      aFree += a.labels[i];
    } else if (rest.find(a.labels[i]) != std::string::npos) {
      made += a.labels[i];
      lhsBatch.push_back(std::int64_t(i)), rhsBatch.push_back(std::int64_t(j));
    } else {
      lhsContract.push_back(std::int64_t(i)), rhsContract.push_back(std::int64_t(j));
    }
  }
  for (char label : b.labels)
    if (a.labels.find(label) == std::string::npos)
      bFree += label;
  return {made + aFree + bFree,
          dot(std::move(a.tensor), std::move(b.tensor), lhsBatch, rhsBatch, lhsContract, rhsContract, at, "einsum")};
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
  for (char c : equation) {
    if (!std::isalpha(static_cast<unsigned char>(c)) && !std::strchr(" ,->", c))
      shape_error("einsum", std::string("'") + c + "' in '" + equation + "' is no label; labels are letters", at);
    if (c != ' ')
      text += c;
  }
  const std::size_t arrow = std::min(text.find("->"), text.size());
  std::vector<Term> terms;
  std::map<char, std::int64_t> sizes;
  std::map<char, int> uses;
  std::size_t begin = 0;
  for (Tensor &tensor : list) {
    require_tensor(tensor, at, "einsum");
    const std::size_t end = std::min(text.find(',', begin), arrow);
    Term term{begin <= arrow ? text.substr(begin, end - begin) : std::string(), std::move(tensor)};
    begin = end + 1;
    const Shape shape = term.tensor.shape();
    if (term.labels.size() != static_cast<std::size_t>(shape.rank()))
      shape_error("einsum",
                  "'" + term.labels + "' names " + std::to_string(term.labels.size()) + " dimensions of " + shape.str(),
                  at);
    for (std::size_t i = 0; i < term.labels.size(); ++i) {
      auto [entry, fresh] = sizes.try_emplace(term.labels[i], shape[static_cast<int>(i)]);
      ++uses[term.labels[i]];
      if (!fresh && entry->second != shape[static_cast<int>(i)])
        shape_error("einsum",
                    std::string("'") + term.labels[i] + "' is " + std::to_string(entry->second) + " and " +
                        std::to_string(shape[static_cast<int>(i)]) + " in '" + equation + "'",
                    at);
    }
    terms.push_back(take_diagonals(std::move(term), at));
  }
  if (begin != arrow + 1 || terms.empty())
    shape_error("einsum", "'" + equation + "' does not fit " + std::to_string(list.size()) + " tensors", at);
  std::string result;
  if (arrow < text.size())
    result = text.substr(arrow + 2);
  else // the labels named once, in the order of letters
    for (auto [label, count] : uses)
      if (count == 1)
        result += label;
  for (char label : result)
    if (!sizes.count(label) || std::count(result.begin(), result.end(), label) > 1)
      shape_error("einsum",
                  std::string("'") + label + "' of the result of '" + equation +
                      "' has to be named once, and by an operand",
                  at);
  // From left to right; what the later terms and the result name stays.
  Term product = std::move(terms[0]);
  for (std::size_t i = 1; i < terms.size(); ++i) {
    std::string rest = result;
    for (std::size_t later = i + 1; later < terms.size(); ++later)
      rest += terms[later].labels;
    product = contract(std::move(product), std::move(terms[i]), rest, at);
  }
  return arrange(sum_private(std::move(product), result, at), result, at);
}

} // namespace ingot
