// A loop records the same program in every round: what is recorded again is compared and not stored again.
#pragma once

#include "ingot/capture/Trace.h"

#include <optional>

namespace ingot {

/// A trace in the form it is compared in: small, because between two rounds the caches hold other things.
class Pattern {
public:
  explicit Pattern(std::shared_ptr<const Trace> trace);

  struct Step {
    std::uint64_t element = 0; // of a constant: its bytes, filled up with zeros
    OpKind kind;
    bool isSplat = false; // a constant of one number
    bool hasMore = false; // regions, or attributes that are not in `words`
    std::uint32_t numOperands, numResults, numWords = 0;
  };
  const std::shared_ptr<const Trace> trace;
  std::vector<Step> steps;                             // one per record
  std::vector<ValueId> operands, inputs;               // of all records; of the trace
  std::vector<std::int64_t> words;                     // of all records: attributes that are numbers and dtypes
  std::vector<std::uint32_t> types;                    // of each value: which of `known`
  std::vector<TensorType> known;                       // each once
  std::vector<std::shared_ptr<const Pattern>> regions; // first ones of the records that have any
  std::vector<std::uint32_t> regionRecords;            // those records

  const TensorType &type(ValueId value) const { return known[types[value]]; }
};

/// Follows a trace that was recorded before as long as the same comes again. Nothing in return means that something
/// else came: what was repeated until then has to be copied, and recording goes on as ever.
class Repetition {
public:
  explicit Repetition(std::shared_ptr<const Pattern> expected) : expected(std::move(expected)) {}

  std::optional<ValueId> add_input(const TensorType &type);
  std::optional<ValueId> append(OpKind kind, std::span<const ValueId> operands, std::span<const AttrValue> attributes,
                                std::span<const std::shared_ptr<const Trace>> regions,
                                std::span<const TensorType> results);
  /// The same for an op whose results follow from the rest; their types are those of before.
  std::optional<ValueId> append(OpKind kind, std::span<const ValueId> operands, std::span<const AttrValue> attributes,
                                std::span<const std::shared_ptr<const Trace>> regions);
  /// A constant whose elements are all the one in `element`.
  std::optional<ValueId> append_splat(const TensorType &type, const Buffer &element);

  /// Whether the next record was recorded at this place of the source.
  bool is_at(const CallSite &site) const;

  std::size_t num_records() const { return records; }
  ValueId num_values() const { return next; }
  const TensorType &type(ValueId value) const { return expected->type(value); }
  /// The function of the next record that has one; null for none.
  std::shared_ptr<const Pattern> next_region() const;
  /// The whole trace, when all of it came again and these are its outputs; else null.
  std::shared_ptr<const Trace> whole(const std::vector<ValueId> &outputs) const;
  /// Appends what came again to an empty trace.
  void copy_to(Trace &trace) const;

private:
  std::shared_ptr<const Pattern> expected;
  std::size_t records = 0, inputs = 0, operandsRead = 0, wordsRead = 0;
  ValueId next = 0; // of the values

  bool is_input_next() const { return inputs < expected->inputs.size() && expected->inputs[inputs] == next; }
  ValueId advance(const Pattern::Step &step);
  /// The next step when it is this op; else null.
  const Pattern::Step *match(OpKind kind, std::span<const ValueId> operands, std::span<const AttrValue> attributes,
                             std::span<const std::shared_ptr<const Trace>> regions) const;
};

} // namespace ingot
