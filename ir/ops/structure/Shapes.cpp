// Result types of transformations.
#include "ingot/ir/ShapeRules.h"

namespace ingot {

using namespace rules;

Inference infer_grad(const OpCall &call) {
  if (call.regions.size() != 1) // grad_c1
    return value_error("needs the function to differentiate");
  const RegionType &body = call.regions[0];
  if (body.inputs.size() != call.operands.size()) // grad_c2
    return value_error("the function takes " + std::to_string(body.inputs.size()) + " inputs, not " +
                       std::to_string(call.operands.size()));
  for (size_t i = 0; i < body.inputs.size(); ++i)
    if (!(body.inputs[i] == call.operands[i])) // grad_c3
      return shape_error("input " + std::to_string(i) + " of the function is " + body.inputs[i].str() + ", not " +
                         call.operands[i].str());
  if (body.outputs.empty()) // grad_c4
    return value_error("the function has no output to differentiate");
  const TensorType &loss = body.outputs[0];
  if (loss.shape.rank() != 0) // grad_c5
    return shape_error("output 0 has shape " + loss.shape.str() + "; only a scalar has a gradient");
  if (!is_float(loss.dtype)) // grad_c6
    return dtype_error("output 0 is " + std::string(dtype_name(loss.dtype)) + "; only a float has a gradient");
  if (const std::string &strategy = call.string(attr::Grad::checkpointing);
      strategy != "None" && strategy != "Balanced") // grad_c9
    return value_error("there is no checkpointing strategy \"" + strategy + "\"; there are None and Balanced");
  Inference result;
  if (call.integer(attr::Grad::with_value))
    result.results = {body.outputs.begin(), body.outputs.end()};
  for (int64_t w : call.integers(attr::Grad::wrt)) {
    if (w < 0 || w >= int64_t(body.inputs.size())) // grad_c7
      return value_error("there is no input " + std::to_string(w) + " to differentiate by; the function has " +
                         std::to_string(body.inputs.size()) + (body.inputs.size() == 1 ? " input" : " inputs"));
    if (!is_float(body.inputs[size_t(w)].dtype)) // grad_c8
      return dtype_error("input " + std::to_string(w) + " is " + std::string(dtype_name(body.inputs[size_t(w)].dtype)) +
                         "; only a float has a gradient");
    result.results.push_back(body.inputs[size_t(w)]);
  }
  return result;
}

} // namespace ingot
