#include "ingot/capture/Repetition.h"

#include <algorithm>

namespace ingot {

std::optional<ValueId> Repetition::add_input(const TensorType &type) {
  if (inputs == expected->inputs().size() || expected->inputs()[inputs].value != next ||
      !(expected->values()[next] == type))
    return std::nullopt;
  ++inputs;
  return next++;
}

std::optional<ValueId> Repetition::append(OpKind kind, std::span<const ValueId> operands,
                                          std::span<const AttrValue> attributes,
                                          std::span<const std::shared_ptr<const Trace>> regions,
                                          std::span<const TensorType> results) {
  if (records == expected->records().size())
    return std::nullopt;
  const Record &record = expected->records()[records];
  const auto sameRegion = [](const auto &a, const auto &b) { return a == b || a->is_same(*b); };
  if (record.kind != kind || record.firstResult != next || record.numResults != results.size() ||
      !std::ranges::equal(expected->operands(record), operands) ||
      !std::ranges::equal(record.attributes, attributes, is_same_attribute) ||
      !std::equal(results.begin(), results.end(), expected->values().begin() + next) ||
      !std::ranges::equal(record.regions, regions, sameRegion))
    return std::nullopt;
  ++records;
  next += record.numResults;
  return record.firstResult;
}

std::shared_ptr<const Trace> Repetition::next_region() const {
  for (std::size_t r = records; r < expected->records().size(); ++r)
    if (const Record &record = expected->records()[r]; !record.regions.empty())
      return record.regions[0];
  return nullptr;
}

std::shared_ptr<const Trace> Repetition::whole(const std::vector<ValueId> &outputs) const {
  const bool all = next == expected->values().size() && records == expected->records().size();
  return all && outputs == expected->outputs() ? expected : nullptr;
}

void Repetition::copy_to(Trace &trace) const {
  std::size_t input = 0;
  auto copy_inputs = [&](ValueId until) {
    for (; input < inputs && expected->inputs()[input].value < until; ++input)
      trace.add_input(expected->values()[expected->inputs()[input].value]);
  };
  for (std::size_t r = 0; r < records; ++r) {
    const Record &record = expected->records()[r];
    copy_inputs(record.firstResult);
    trace.append_span(record.kind, expected->operands(record), record.attributes, record.site,
                      trace.intern_scope(expected->scopes()[record.scope]), record.regions,
                      std::span(expected->values()).subspan(record.firstResult, record.numResults));
  }
  copy_inputs(next);
}

} // namespace ingot
