// Result types of custom calls: what the user's shape rule said when the call was recorded.
#include "ingot/ir/NativeOps.h"
#include "ingot/ir/ShapeRules.h"

namespace ingot {

using namespace rules;

namespace {

/// Operands, results and the cotangents of float results; the cotangents of float operands.
RegionType gradient_type(std::span<const TensorType> operands, const std::vector<TensorType> &results) {
  RegionType type;
  type.inputs.assign(operands.begin(), operands.end());
  type.inputs.insert(type.inputs.end(), results.begin(), results.end());
  for (const TensorType &result : results)
    if (is_float(result.dtype))
      type.inputs.push_back(result);
  for (const TensorType &operand : operands)
    if (is_float(operand.dtype))
      type.outputs.push_back(operand);
  return type;
}

} // namespace

Inference infer_custom_call(const OpCall &call) {
  if (call.operands.empty()) // custom_call_c1
    return value_error("takes at least one tensor");
  if (!unpack_scalars(call.integers(attr::CustomCall::scalars))) // custom_call_c2
    return value_error("has scalars that are no numbers");
  std::optional<std::vector<TensorType>> results = unpack_types(call.integers(attr::CustomCall::result_types));
  if (!results) // custom_call_c3
    return value_error("has result types that are none");
  if (results->empty()) // custom_call_c4
    return value_error("the shape rule gives no result; an op has at least one");
  for (size_t i = 0; i < results->size(); ++i) {
    const TensorType &type = (*results)[i];
    const std::string which = "the shape rule gives result " + std::to_string(i) + " ";
    if (!type.shape.is_static()) // custom_call_c5
      return shape_error(which + "the type " + type.str() + "; sizes have to be known");
    if (auto bad = check_shape(type.shape.vec(), type.dtype)) // custom_call_c6
      return shape_error(which + bad->message);
  }
  if (call.regions.size() > 1) // custom_call_c7
    return value_error("has more than one derivative");
  if (!call.regions.empty()) {
    const RegionType want = gradient_type(call.operands, *results);
    if (call.regions[0].inputs != want.inputs) // custom_call_c8
      return value_error("the derivative has to take the operands, the results and the cotangents of float results");
    if (call.regions[0].outputs != want.outputs) // custom_call_c9
      return value_error("the derivative has to give a cotangent of each float operand");
  }
  Inference inference;
  inference.results = {results->begin(), results->end()};
  return inference;
}

} // namespace ingot
