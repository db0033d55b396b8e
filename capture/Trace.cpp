#include "ingot/capture/Trace.h"

#include "ingot/runtime/Wire.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ingot {
namespace {

void hash_type(Hasher &hasher, const TensorType &type) {
  hasher.add(type.dtype).add(type.shape.rank());
  for (std::int64_t size : type.shape)
    hasher.add(size);
}

void hash_attribute(Hasher &hasher, const AttrValue &value) {
  hasher.add(value.index());
  struct Visitor {
    Hasher &hasher;
    void operator()(std::int64_t v) const { hasher.add(v); }
    void operator()(double v) const { hasher.add(v); }
    void operator()(DType v) const { hasher.add(v); }
    void operator()(const std::string &v) const { hasher.add(std::string_view(v)); }
    void operator()(const std::vector<std::int64_t> &v) const {
      hasher.add(v.size());
      for (std::int64_t x : v)
        hasher.add(x);
    }
    void operator()(const Literal &v) const {
      hash_type(hasher, v.type);
      hasher.add(v.splat).add(v.data->size()).add_bytes(v.data->data(), v.data->size());
    }
    void operator()(const NativeOpRef &v) const { hasher.add(std::string_view(v.name)).add(v.registration); }
  };
  std::visit(Visitor{hasher}, value);
}

/// Equal elements are a splat and nothing is none, so that equal programs are equal records.
void normalize(Literal &literal) {
  const std::size_t count = std::size_t(literal.type.shape.num_elements()), bytes = dtype_size(literal.type.dtype);
  if (count == 0) {
    literal.splat = false;
    literal.data = Buffer::allocate(0);
  } else if (!literal.splat) {
    const char *data = literal.data->as<char>();
    if (std::memcmp(data, data + bytes, (count - 1) * bytes) != 0)
      return;
    std::shared_ptr<Buffer> element = Buffer::allocate(bytes);
    std::memcpy(element->data(), data, bytes);
    literal.data = std::move(element);
    literal.splat = true;
  }
}

void write_type(WireWriter &out, const TensorType &type) { out.put(type.dtype).put(type.shape); }

void write_attribute(WireWriter &out, const AttrValue &value) {
  out.put(std::uint8_t(value.index()));
  struct Visitor {
    WireWriter &out;
    void operator()(std::int64_t v) const { out.put(v); }
    void operator()(double v) const { out.put(v); }
    void operator()(DType v) const { out.put(v); }
    void operator()(const std::string &v) const { out.put(v); }
    void operator()(const std::vector<std::int64_t> &v) const { out.put(v); }
    void operator()(const Literal &v) const {
      write_type(out, v.type);
      out.put(v.splat).put(std::uint64_t(v.data->size())).put_raw(v.data->data(), v.data->size());
    }
    void operator()(const NativeOpRef &v) const { out.put(v.name).put(v.registration); }
  };
  std::visit(Visitor{out}, value);
}

void write_trace(WireWriter &out, const Trace &trace) {
  out.put(std::uint64_t(trace.inputs().size()));
  for (const TraceInput &input : trace.inputs())
    out.put(input.value), write_type(out, trace.values()[input.value]);
  out.put(std::uint64_t(trace.records().size()));
  for (const Record &record : trace.records()) {
    out.put(record.kind).put(trace.operands(record)).put(record.firstResult).put(record.numResults);
    for (const AttrValue &value : record.attributes)
      write_attribute(out, value);
    out.put(std::uint64_t(record.regions.size()));
    for (const auto &region : record.regions)
      write_trace(out, *region);
  }
  out.put(trace.outputs());
}

} // namespace

ValueId Trace::add_input(TensorType type, std::string name) {
  const ValueId id = static_cast<ValueId>(values_.size());
  running_.add("input").add(id);
  hash_type(running_, type);
  values_.push_back(std::move(type));
  inputs_.push_back({id, std::move(name)});
  return id;
}

ValueId Trace::record(OpKind kind, std::vector<ValueId> operands, std::vector<AttrValue> attributes, CallSite site,
                      std::uint32_t scope, std::vector<std::shared_ptr<const Trace>> regions) {
  std::vector<TensorType> types;
  for (ValueId operand : operands)
    types.push_back(values_[operand]);
  Inference inference = infer_call(kind, types, attributes, regions, op_info(kind).name, site);
  return append_span(kind, operands, std::move(attributes), site, scope, std::move(regions), inference.results);
}

ValueId Trace::append_span(OpKind kind, std::span<const ValueId> operands, std::vector<AttrValue> attributes,
                           CallSite site, std::uint32_t scope, std::vector<std::shared_ptr<const Trace>> regions,
                           std::span<const TensorType> results) {
  for (AttrValue &value : attributes)
    if (Literal *literal = std::get_if<Literal>(&value))
      normalize(*literal);
  running_.add(kind);
  for (ValueId operand : operands)
    running_.add(operand);
  for (const AttrValue &value : attributes)
    hash_attribute(running_, value);
  for (const auto &region : regions)
    running_.add(region->hash());
  const ValueId first = static_cast<ValueId>(values_.size());
  const std::uint32_t count = static_cast<std::uint32_t>(results.size());
  values_.insert(values_.end(), results.begin(), results.end());
  const std::uint32_t firstOperand = static_cast<std::uint32_t>(operands_.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  records_.push_back({kind, firstOperand, static_cast<std::uint32_t>(operands.size()), std::move(attributes),
                      std::move(regions), first, count, site, scope});
  return first;
}

void Trace::clear() {
  records_.clear();
  operands_.clear();
  inputs_.clear();
  outputs_.clear();
  outputNames_.clear();
  scopes_.resize(1);
  values_.clear();
  files_.clear();
  running_ = {};
}

ValueId Trace::append_constant(Literal value, CallSite site, std::uint32_t scope) {
  const TensorType type = value.type;
  std::vector<AttrValue> attributes;
  attributes.emplace_back(std::move(value));
  return append_span(OpKind::Constant, {}, std::move(attributes), site, scope, {}, {&type, 1});
}

void Trace::set_outputs(std::vector<ValueId> values, std::vector<std::string> names) {
  outputs_ = std::move(values);
  outputNames_ = std::move(names);
  outputNames_.resize(outputs_.size());
}

std::uint32_t Trace::intern_scope(const std::string &path) {
  auto found = std::find(scopes_.begin(), scopes_.end(), path);
  if (found == scopes_.end())
    found = scopes_.insert(scopes_.end(), path);
  return static_cast<std::uint32_t>(found - scopes_.begin());
}

const char *Trace::intern_file(const std::string &name) {
  auto found = std::find_if(files_.begin(), files_.end(), [&](const auto &file) { return *file == name; });
  if (found == files_.end())
    found = files_.insert(files_.end(), std::make_shared<const std::string>(name));
  return (*found)->c_str();
}

Hash128 Trace::hash() const {
  Hasher hasher = running_;
  hasher.add("outputs");
  for (ValueId output : outputs_)
    hasher.add(output);
  return hasher.finish();
}

std::vector<std::byte> Trace::serialize() const {
  WireWriter out;
  write_trace(out, *this);
  return out.take();
}

bool is_same_attribute(const AttrValue &a, const AttrValue &b) {
  if (a.index() != b.index())
    return false;
  return std::visit(
      [&b]<class T>(const T &x) {
        const T &y = std::get<T>(b);
        if constexpr (std::is_same_v<T, Literal>)
          return x.type == y.type && x.splat == y.splat &&
                 (x.data == y.data || (x.data->size() == y.data->size() &&
                                       std::memcmp(x.data->data(), y.data->data(), x.data->size()) == 0));
        else if constexpr (std::is_same_v<T, NativeOpRef>)
          return x.name == y.name && x.registration == y.registration;
        else if constexpr (std::is_same_v<T, double>)
          return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
        else
          return x == y;
      },
      a);
}

namespace {

bool is_same_record(const Record &a, const Record &b) {
  return a.kind == b.kind && a.numOperands == b.numOperands && a.firstResult == b.firstResult &&
         a.numResults == b.numResults && std::ranges::equal(a.attributes, b.attributes, is_same_attribute) &&
         std::ranges::equal(a.regions, b.regions, [](const auto &x, const auto &y) { return x->is_same(*y); });
}

} // namespace

bool Trace::is_same(const Trace &other) const {
  if (this == &other)
    return true;
  auto same_input = [&](const TraceInput &a, const TraceInput &b) {
    return a.value == b.value && values_[a.value] == other.values_[b.value];
  };
  return outputs_ == other.outputs_ && operands_ == other.operands_ &&
         std::ranges::equal(inputs_, other.inputs_, same_input) &&
         std::ranges::equal(records_, other.records_, is_same_record);
}

Trace Trace::without_kernels() const {
  Trace copy = *this;
  for (Record &record : copy.records_) {
    for (AttrValue &attribute : record.attributes)
      if (NativeOpRef *native = std::get_if<NativeOpRef>(&attribute))
        native->op = nullptr;
    for (std::shared_ptr<const Trace> &region : record.regions)
      region = std::make_shared<const Trace>(region->without_kernels());
  }
  return copy;
}

std::uint32_t Trace::num_ordinals() const {
  std::uint32_t count = 0;
  for (const Record &record : records_) {
    ++count;
    for (const auto &region : record.regions)
      count += region->num_ordinals();
  }
  return count;
}

std::pair<const Trace *, const Record *> Trace::at_ordinal(std::uint32_t ordinal) const {
  for (const Record &record : records_) {
    if (ordinal == 0)
      return {this, &record};
    --ordinal;
    for (const auto &region : record.regions) {
      if (const std::uint32_t inside = region->num_ordinals(); ordinal >= inside)
        ordinal -= inside;
      else
        return region->at_ordinal(ordinal);
    }
  }
  return {nullptr, nullptr};
}

Inference infer_call(OpKind kind, std::span<const TensorType> operands, std::span<const AttrValue> attributes,
                     std::span<const std::shared_ptr<const Trace>> regions, std::string_view name,
                     const CallSite &site) {
  std::vector<RegionType> regionTypes;
  for (const auto &region : regions) {
    RegionType type;
    for (const TraceInput &input : region->inputs())
      type.inputs.push_back(region->values()[input.value]);
    for (ValueId output : region->outputs())
      type.outputs.push_back(region->values()[output]);
    regionTypes.push_back(std::move(type));
  }
  Inference inference = infer({kind, operands, attributes, regionTypes});
  if (inference)
    return inference;
  const std::string text = "[" + std::string(name) + "] " + inference.message;
  if (op_info(kind).has(kHasRegion))
    throw GradientError(text, site);
  if (inference.fault == Inference::Fault::DType)
    throw DTypeError(text, site);
  throw ShapeError(text, site);
}

} // namespace ingot
