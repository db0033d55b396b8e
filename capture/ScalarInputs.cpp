#include "ingot/capture/ScalarInputs.h"

#include <cstring>

namespace ingot {
namespace {

const Literal *scalar_of(const Record &record) {
  if (record.kind != OpKind::Constant)
    return nullptr;
  const Literal &literal = std::get<Literal>(record.attributes[0]);
  return literal.splat ? &literal : nullptr;
}

/// Copies a trace record by record under new numbers.
class Copy {
public:
  explicit Copy(const Trace &from) : from(from), values(from.values().size()) {
    for (const TraceInput &input : from.inputs())
      values[input.value] = to.add_input(from.values()[input.value], input.name);
  }
  void record(const Record &record) {
    std::vector<ValueId> operands;
    for (ValueId operand : from.operands(record))
      operands.push_back(values[operand]);
    std::vector<TensorType> types(from.values().begin() + record.firstResult,
                                  from.values().begin() + record.firstResult + record.numResults);
    const ValueId first = to.append(record.kind, std::move(operands), record.attributes, record.site,
                                    to.intern_scope(from.scopes()[record.scope]), record.regions, std::move(types));
    for (std::uint32_t i = 0; i < record.numResults; ++i)
      values[record.firstResult + i] = first + i;
  }

  const Trace &from;
  Trace to;
  std::vector<ValueId> values; // new numbers by old
};

} // namespace

std::vector<std::uint64_t> scalar_bits(const Trace &trace) {
  std::vector<std::uint64_t> bits;
  for (const Record &record : trace.records())
    if (const Literal *literal = scalar_of(record))
      std::memcpy(&bits.emplace_back(0), literal->data->data(), dtype_size(literal->type.dtype));
  return bits;
}

GeneralTrace with_scalar_inputs(const Trace &trace, const std::vector<bool> &varying) {
  Copy copy(trace);
  GeneralTrace result;
  std::vector<const Record *> spread; // what stands where the number stood
  std::size_t position = 0;
  for (const Record &record : trace.records())
    if (const Literal *literal = scalar_of(record); literal && varying[position++]) {
      copy.values[record.firstResult] = copy.to.add_input({literal->type.dtype, Shape{}});
      result.scalars.push_back(literal->data);
      spread.push_back(&record);
    }
  std::size_t next = 0;
  for (const Record &record : trace.records()) {
    if (next == spread.size() || &record != spread[next]) {
      copy.record(record);
      continue;
    }
    ++next;
    const TensorType &type = trace.values()[record.firstResult];
    if (type.shape.rank() != 0)
      copy.values[record.firstResult] =
          copy.to.append(OpKind::Broadcast, {copy.values[record.firstResult]},
                         {type.shape.vec(), std::vector<std::int64_t>{}}, record.site, 0, {}, {type});
  }
  std::vector<ValueId> outputs;
  for (ValueId output : trace.outputs())
    outputs.push_back(copy.values[output]);
  copy.to.set_outputs(std::move(outputs));
  result.trace = std::move(copy.to);
  return result;
}

Trace only_output(const Trace &trace, std::size_t i) {
  std::vector<bool> needed(trace.values().size(), false);
  needed[trace.outputs()[i]] = true;
  for (auto record = trace.records().rbegin(); record != trace.records().rend(); ++record)
    for (std::uint32_t r = 0; r < record->numResults; ++r)
      if (needed[record->firstResult + r])
        for (ValueId operand : trace.operands(*record))
          needed[operand] = true;
  Copy copy(trace);
  for (const Record &record : trace.records()) {
    bool used = false;
    for (std::uint32_t r = 0; r < record.numResults; ++r)
      used |= needed[record.firstResult + r];
    if (used)
      copy.record(record);
  }
  copy.to.set_outputs({copy.values[trace.outputs()[i]]});
  return std::move(copy.to);
}

} // namespace ingot
