#include "ingot/capture/Recording.h"

namespace ingot {

std::uint32_t Recording::scope_number(const std::shared_ptr<const std::string> &scope) {
  if (!scope)
    return 0;
  if (lastScope != scope) {
    lastScope = scope;
    lastScopeNumber = trace.intern_scope(*scope);
  }
  return lastScopeNumber;
}

void Recording::clear() {
  inputs.clear();
  constants.clear();
  known.clear();
  repetition.reset();
  trace.clear();
  lastScope.reset();
}

void Recording::stop_repeating() {
  repetition->copy_to(trace);
  repetition.reset();
}

ValueId Recording::add_input(const TensorType &type) {
  if (repetition) {
    if (const std::optional<ValueId> value = repetition->add_input(type))
      return *value;
    stop_repeating();
  }
  return trace.add_input(type);
}

ValueId Recording::append(OpKind kind, std::span<const ValueId> operands, std::span<const AttrValue> attributes,
                          const CallSite &site, std::span<const std::shared_ptr<const Trace>> regions,
                          std::span<const TensorType> results, const std::shared_ptr<const std::string> &scope) {
  if (repetition) {
    if (const std::optional<ValueId> value = repetition->append(kind, operands, attributes, regions, results))
      return *value;
    stop_repeating();
  }
  return trace.append_span(kind, operands, {attributes.begin(), attributes.end()}, site, scope_number(scope),
                           {regions.begin(), regions.end()}, results);
}

ValueId Recording::append_constant(Literal value, const CallSite &site,
                                   const std::shared_ptr<const std::string> &scope) {
  if (repetition) {
    const TensorType type = value.type;
    const AttrValue attribute(value);
    if (const std::optional<ValueId> known = repetition->append(OpKind::Constant, {}, {&attribute, 1}, {}, {&type, 1}))
      return *known;
    stop_repeating();
  }
  return trace.append_constant(std::move(value), site, scope_number(scope));
}

ValueId Recording::append_number(const TensorType &type, const std::shared_ptr<const Buffer> &element,
                                 const CallSite &site) {
  if (repetition)
    if (const std::optional<ValueId> known = repetition->append_splat(type, *element))
      return *known;
  return append_constant({type, element, true}, site, nullptr);
}

std::shared_ptr<const Trace> Recording::finish(std::vector<ValueId> outputs) {
  if (repetition) {
    if (std::shared_ptr<const Trace> whole = repetition->whole(outputs))
      return whole;
    stop_repeating();
  }
  trace.set_outputs(std::move(outputs));
  return {std::shared_ptr<void>(), &trace};
}

} // namespace ingot
