// A loop records the same program in every round: what is recorded again is compared and not stored again.
#pragma once

#include "ingot/capture/Trace.h"

#include <optional>

namespace ingot {

/// Follows a trace that was recorded before as long as the same comes again. Nothing in return means that something
/// else came: what was repeated until then has to be copied, and recording goes on as ever.
class Repetition {
public:
  explicit Repetition(std::shared_ptr<const Trace> expected) : expected(std::move(expected)) {}

  std::optional<ValueId> add_input(const TensorType &type);
  std::optional<ValueId> append(OpKind kind, std::span<const ValueId> operands, std::span<const AttrValue> attributes,
                                std::span<const std::shared_ptr<const Trace>> regions,
                                std::span<const TensorType> results);

  std::size_t num_records() const { return records; }
  /// The function of the next record that has one; null for none.
  std::shared_ptr<const Trace> next_region() const;
  /// The whole trace, when all of it came again and these are its outputs; else null.
  std::shared_ptr<const Trace> whole(const std::vector<ValueId> &outputs) const;
  /// Appends what came again to an empty trace.
  void copy_to(Trace &trace) const;

private:
  std::shared_ptr<const Trace> expected;
  std::size_t records = 0, inputs = 0;
  ValueId next = 0; // of the values
};

} // namespace ingot
