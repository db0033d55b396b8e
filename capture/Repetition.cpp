#include "ingot/capture/Repetition.h"

#include <algorithm>
#include <cstring>

namespace ingot {

namespace {

std::uint64_t bits_of(const Buffer &element) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element.data(), std::min(element.size(), sizeof bits));
  return bits;
}

/// Gives attributes of whole numbers and dtypes to `sink` word by word; false when there are others.
template <class Sink> bool flatten(std::span<const AttrValue> attributes, Sink &&sink) {
  for (const AttrValue &value : attributes) {
    sink(static_cast<std::int64_t>(value.index()));
    if (const auto *list = std::get_if<std::vector<std::int64_t>>(&value)) {
      sink(static_cast<std::int64_t>(list->size()));
      for (const std::int64_t number : *list)
        sink(number);
    } else if (const auto *number = std::get_if<std::int64_t>(&value)) {
      sink(*number);
    } else if (const auto *dtype = std::get_if<DType>(&value)) {
      sink(static_cast<std::int64_t>(*dtype));
    } else {
      return false;
    }
  }
  return true;
}

} // namespace

Pattern::Pattern(std::shared_ptr<const Trace> of) : trace(std::move(of)) {
  for (const TraceInput &input : trace->inputs())
    inputs.push_back(input.value);
  for (const TensorType &type : trace->values()) {
    const auto found = std::find(known.begin(), known.end(), type);
    types.push_back(static_cast<std::uint32_t>(found - known.begin()));
    if (found == known.end())
      known.push_back(type);
  }
  for (std::size_t r = 0; r < trace->records().size(); ++r) {
    const Record &record = trace->records()[r];
    const std::span<const ValueId> read = trace->operands(record);
    operands.insert(operands.end(), read.begin(), read.end());
    Step step{.kind = record.kind, .numOperands = record.numOperands, .numResults = record.numResults};
    const std::size_t before = words.size();
    if (!record.regions.empty() || !flatten(record.attributes, [this](std::int64_t word) { words.push_back(word); })) {
      words.resize(before);
      step.hasMore = true;
    }
    step.numWords = static_cast<std::uint32_t>(words.size() - before);
    if (record.kind == OpKind::Constant) {
      const Literal &literal = std::get<Literal>(record.attributes[0]);
      step.isSplat = literal.splat;
      step.element = literal.splat ? bits_of(*literal.data) : 0;
    }
    steps.push_back(step);
    if (!record.regions.empty()) {
      regions.push_back(std::make_shared<const Pattern>(record.regions[0]));
      regionRecords.push_back(static_cast<std::uint32_t>(r));
    }
  }
}

ValueId Repetition::advance(const Pattern::Step &step) {
  ++records;
  operandsRead += step.numOperands;
  wordsRead += step.numWords;
  return std::exchange(next, next + step.numResults);
}

std::optional<ValueId> Repetition::add_input(const TensorType &type) {
  if (inputs == expected->inputs.size() || expected->inputs[inputs] != next || !(expected->type(next) == type))
    return std::nullopt;
  ++inputs;
  return next++;
}

std::optional<ValueId> Repetition::append_splat(const TensorType &type, const Buffer &element) {
  if (records == expected->steps.size())
    return std::nullopt;
  const Pattern::Step &step = expected->steps[records];
  if (!step.isSplat || step.element != bits_of(element) || is_input_next() || !(expected->type(next) == type))
    return std::nullopt;
  return advance(step);
}

const Pattern::Step *Repetition::match(OpKind kind, std::span<const ValueId> operands,
                                       std::span<const AttrValue> attributes,
                                       std::span<const std::shared_ptr<const Trace>> regions) const {
  if (records == expected->steps.size())
    return nullptr;
  const Pattern::Step &step = expected->steps[records];
  if (step.kind != kind || step.numOperands != operands.size() || is_input_next())
    return nullptr;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i] != expected->operands[operandsRead + i])
      return nullptr;
  if (!step.hasMore) {
    const std::int64_t *word = expected->words.data() + wordsRead, *const end = word + step.numWords;
    bool same = regions.empty();
    const bool plain = flatten(attributes, [&](std::int64_t given) { same = same && word != end && *word++ == given; });
    return plain && same && word == end ? &step : nullptr;
  }
  const Record &record = expected->trace->records()[records];
  const auto sameRegion = [](const auto &a, const auto &b) { return a == b || a->is_same(*b); };
  return std::ranges::equal(record.attributes, attributes, is_same_attribute) &&
                 std::ranges::equal(record.regions, regions, sameRegion)
             ? &step
             : nullptr;
}

std::optional<ValueId> Repetition::append(OpKind kind, std::span<const ValueId> operands,
                                          std::span<const AttrValue> attributes,
                                          std::span<const std::shared_ptr<const Trace>> regions) {
  const Pattern::Step *step = match(kind, operands, attributes, regions);
  return step ? std::optional(advance(*step)) : std::nullopt;
}

std::optional<ValueId> Repetition::append(OpKind kind, std::span<const ValueId> operands,
                                          std::span<const AttrValue> attributes,
                                          std::span<const std::shared_ptr<const Trace>> regions,
                                          std::span<const TensorType> results) {
  const Pattern::Step *step = match(kind, operands, attributes, regions);
  if (!step || step->numResults != results.size())
    return std::nullopt;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!(results[i] == expected->type(next + static_cast<ValueId>(i))))
      return std::nullopt;
  return advance(*step);
}

bool Repetition::is_at(const CallSite &site) const {
  if (records == expected->steps.size())
    return false;
  const CallSite &before = expected->trace->records()[records].site;
  return before.file == site.file && before.line == site.line && before.column == site.column;
}

std::shared_ptr<const Pattern> Repetition::next_region() const {
  const auto found = std::lower_bound(expected->regionRecords.begin(), expected->regionRecords.end(), records);
  return found == expected->regionRecords.end()
             ? nullptr
             : expected->regions[std::size_t(found - expected->regionRecords.begin())];
}

std::shared_ptr<const Trace> Repetition::whole(const std::vector<ValueId> &outputs) const {
  const bool all = next == expected->types.size() && records == expected->steps.size();
  return all && outputs == expected->trace->outputs() ? expected->trace : nullptr;
}

void Repetition::copy_to(Trace &trace) const {
  const Trace &from = *expected->trace;
  std::size_t input = 0;
  auto copy_inputs = [&](ValueId until) {
    for (; input < inputs && from.inputs()[input].value < until; ++input)
      trace.add_input(from.values()[from.inputs()[input].value]);
  };
  for (std::size_t r = 0; r < records; ++r) {
    const Record &record = from.records()[r];
    copy_inputs(record.firstResult);
    trace.append_span(record.kind, from.operands(record), record.attributes, record.site,
                      trace.intern_scope(from.scopes()[record.scope]), record.regions,
                      std::span(from.values()).subspan(record.firstResult, record.numResults));
  }
  copy_inputs(next);
}

} // namespace ingot
