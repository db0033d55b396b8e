// A recorded program: compact records of the dialect's op kinds, with call sites, scopes and a running
// structural hash. A Trace is append-only while recorded and immutable once a Graph holds it.
#pragma once

#include "ingot/ir/OpTable.h"
#include "ingot/runtime/Error.h"
#include "ingot/runtime/Hash.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ingot {

class Trace;
using ValueId = uint32_t;

struct Record {
  OpKind kind;
  uint32_t firstOperand, numOperands;                // of Trace::operands
  std::vector<AttrValue> attributes;                 // in the order of the op's row
  std::vector<std::shared_ptr<const Trace>> regions; // of grad, checkpoint, ...; closed: they read their inputs only
  ValueId firstResult;
  uint32_t numResults;
  CallSite site;
  uint32_t scope; // index into Trace::scopes; 0 is no scope
};

struct TraceInput {
  ValueId value;
  std::string name; // may be empty
};

class Trace {
public:
  ValueId add_input(TensorType type, std::string name = {});
  /// Infers the result types (throws ShapeError or DTypeError "[op] ..." with the site) and appends the record.
  ValueId record(OpKind kind, std::vector<ValueId> operands, std::vector<AttrValue> attributes, CallSite site,
                 uint32_t scope = 0, std::vector<std::shared_ptr<const Trace>> regions = {});
  /// Appends a record whose result types are known already.
  ValueId append(OpKind kind, const std::vector<ValueId> &operands, std::vector<AttrValue> attributes, CallSite site,
                 uint32_t scope, std::vector<std::shared_ptr<const Trace>> regions,
                 const std::vector<TensorType> &results) {
    return append_span(kind, operands, std::move(attributes), site, scope, std::move(regions), results);
  }
  ValueId append_span(OpKind kind, std::span<const ValueId> operands, std::vector<AttrValue> attributes, CallSite site,
                      uint32_t scope, std::vector<std::shared_ptr<const Trace>> regions,
                      std::span<const TensorType> results);
  ValueId append_constant(Literal value, CallSite site, uint32_t scope);
  void set_outputs(std::vector<ValueId> values, std::vector<std::string> names = {});
  uint32_t intern_scope(const std::string &path);
  /// A file name that lives as long as the trace, for call sites that do not come from this process's sources.
  const char *intern_file(const std::string &name);

  /// Empty again, with the memory it has.
  void clear();

  const std::vector<Record> &records() const { return records_; }
  std::span<const ValueId> operands(const Record &record) const {
    return {operands_.data() + record.firstOperand, record.numOperands};
  }
  const std::vector<TraceInput> &inputs() const { return inputs_; }
  const std::vector<ValueId> &outputs() const { return outputs_; }
  const std::vector<std::string> &output_names() const { return outputNames_; }
  const std::vector<TensorType> &values() const { return values_; } // type of each value
  const std::vector<std::string> &scopes() const { return scopes_; }

  /// Structure, types, attributes and literal contents; not call sites, names or scopes. Covers regions.
  Hash128 hash() const;
  /// Canonical bytes of what hash() covers: equal exactly for equal programs.
  std::vector<std::byte> serialize() const;
  /// Whether both are the same program in all that hash() covers.
  bool is_same(const Trace &other) const;
  /// A copy to compare with, which keeps no native kernel alive.
  Trace without_kernels() const;
  /// Records in pre-order, regions included: an op's ordinal is its position in this order.
  uint32_t num_ordinals() const;
  /// The record of an ordinal and the trace that holds it; null for none.
  std::pair<const Trace *, const Record *> at_ordinal(uint32_t ordinal) const;

private:
  std::vector<Record> records_;
  std::vector<ValueId> operands_; // of all records
  std::vector<TraceInput> inputs_;
  std::vector<ValueId> outputs_;
  std::vector<std::string> outputNames_, scopes_{""};
  std::vector<TensorType> values_;
  std::vector<std::shared_ptr<const std::string>> files_; // shared with copies, whose sites name them too
  Hasher running_;                                        // structure so far; outputs are added by hash()
};

bool is_same_attribute(const AttrValue &a, const AttrValue &b);

/// The result types of an op; throws ShapeError, DTypeError or GradientError "[name] reason" at the site.
Inference infer_call(OpKind kind, std::span<const TensorType> operands, std::span<const AttrValue> attributes,
                     std::span<const std::shared_ptr<const Trace>> regions, std::string_view name,
                     const CallSite &site);

} // namespace ingot
