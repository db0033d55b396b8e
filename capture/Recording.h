// What was recorded and not finished yet: a trace that grows, and the tensors from outside that it reads.
#pragma once

#include "ingot/capture/Pool.h"
#include "ingot/capture/Repetition.h"
#include "ingot/capture/TensorState.h"
#include "ingot/capture/Trace.h"

namespace ingot {

struct Recording {
  Trace trace; // empty while it repeats another
  std::optional<Repetition> repetition;
  // Tensors from outside that the trace reads, by their state.
  PooledMap<const TensorState *, ValueId> known;
  std::vector<StateRef> inputs;    // one per trace input that was lifted
  std::vector<StateRef> constants; // keeps the keys of `known` alive

  // As Trace has them.
  ValueId add_input(const TensorType &type);
  ValueId append(OpKind kind, std::span<const ValueId> operands, std::span<const AttrValue> attributes,
                 const CallSite &site, std::span<const std::shared_ptr<const Trace>> regions,
                 std::span<const TensorType> results, const std::shared_ptr<const std::string> &scope);
  ValueId append_constant(Literal value, const CallSite &site, const std::shared_ptr<const std::string> &scope);
  /// A constant whose elements are all the same.
  ValueId append_number(const TensorType &type, const std::shared_ptr<const Buffer> &element, const CallSite &site);
  std::size_t num_records() const { return repetition ? repetition->num_records() : trace.records().size(); }
  /// The trace with its outputs: the recording's own one, or the one that it repeats from its beginning to its end.
  std::shared_ptr<const Trace> finish(std::vector<ValueId> outputs);

  /// Empty again, with the memory it has.
  void clear();

  /// What came again until now is recorded like everything after it.
  void stop_repeating();

private:
  /// The number of a name scope in the trace; a null one is none.
  std::uint32_t scope_number(const std::shared_ptr<const std::string> &scope);

  std::shared_ptr<const std::string> lastScope; // of scope_number
  std::uint32_t lastScopeNumber = 0;
};

} // namespace ingot
