// Shape rule of dot.
#include "ingot/ir/ShapeRules.h"

#include <algorithm>

namespace ingot {

using namespace rules;

namespace {

bool contains(const std::vector<int64_t> &list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// Distinct dimensions of the tensor.
std::optional<Inference> check_dims(const std::vector<int64_t> &batch, const std::vector<int64_t> &contract,
                                    const TensorType &x) {
  std::vector<int64_t> all = batch;
  all.insert(all.end(), contract.begin(), contract.end());
  for (size_t i = 0; i < all.size(); ++i) {
    if (auto bad = check_axis(all[i], x))
      return bad;
    if (std::find(all.begin(), all.begin() + int64_t(i), all[i]) != all.begin() + int64_t(i))
      return shape_error("dimension " + std::to_string(all[i]) + " of " + x.shape.str() + " is named twice");
  }
  return std::nullopt;
}

} // namespace

Inference infer_dot(const OpCall &call) {
  const TensorType &a = call.operands[0], &b = call.operands[1];
  const auto &lhsBatch = call.integers(attr::Dot::lhs_batch), &rhsBatch = call.integers(attr::Dot::rhs_batch);
  const auto &lhsContract = call.integers(attr::Dot::lhs_contract),
             &rhsContract = call.integers(attr::Dot::rhs_contract);
  if (a.dtype != b.dtype) // dot_c1
    return dtype_error("operands are " + std::string(dtype_name(a.dtype)) + " and " + std::string(dtype_name(b.dtype)) +
                       "; convert one of them, there is no implicit promotion");
  if (!computes(a.dtype) || a.dtype == DType::Bool) // dot_c2
    return dtype_error("does not take " + std::string(dtype_name(a.dtype)) + ", but f64, f32, i64 and i32");
  if (auto bad = check_dims(lhsBatch, lhsContract, a)) // dot_c3
    return std::move(*bad);
  if (auto bad = check_dims(rhsBatch, rhsContract, b)) // dot_c4
    return std::move(*bad);
  if (lhsBatch.size() != rhsBatch.size() || lhsContract.size() != rhsContract.size()) // dot_c5
    return shape_error("batch " + list_text(lhsBatch) + " and " + list_text(rhsBatch) + " or contracting " +
                       list_text(lhsContract) + " and " + list_text(rhsContract) + " dimensions do not pair up");
  for (size_t i = 0; i < lhsBatch.size(); ++i)
    if (!sizes_agree(a.shape[int(lhsBatch[i])], b.shape[int(rhsBatch[i])])) // dot_c6
      return shape_error("batch sizes differ: a is " + a.shape.str() + ", b is " + b.shape.str() + "; dimension " +
                         std::to_string(lhsBatch[i]) + " of a pairs with " + std::to_string(rhsBatch[i]) + " of b");
  for (size_t i = 0; i < lhsContract.size(); ++i)
    if (!sizes_agree(a.shape[int(lhsContract[i])], b.shape[int(rhsContract[i])])) // dot_c7
      return shape_error("inner sizes differ: a is " + a.shape.str() + ", b is " + b.shape.str() + "; dimension " +
                         std::to_string(lhsContract[i]) + " of a (size " +
                         std::to_string(a.shape[int(lhsContract[i])]) + ") is summed with dimension " +
                         std::to_string(rhsContract[i]) + " of b (size " +
                         std::to_string(b.shape[int(rhsContract[i])]) + ")");
  std::vector<int64_t> shape;
  for (int64_t d : lhsBatch)
    shape.push_back(a.shape[int(d)]);
  for (int d = 0; d < a.shape.rank(); ++d)
    if (!contains(lhsBatch, d) && !contains(lhsContract, d))
      shape.push_back(a.shape[d]);
  for (int d = 0; d < b.shape.rank(); ++d)
    if (!contains(rhsBatch, d) && !contains(rhsContract, d))
      shape.push_back(b.shape[d]);
  if (auto bad = check_shape(shape, a.dtype)) // dot_c8
    return std::move(*bad);
  return Inference::of({a.dtype, Shape(shape)});
}

} // namespace ingot
