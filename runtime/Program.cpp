#include "ingot/runtime/Program.h"

#include <algorithm>

namespace ingot {
namespace {

constexpr std::uint32_t kVersion = 1;

void write_spec(WireWriter &out, const TensorSpec &spec) { out.put(spec.name).put(spec.dtype).put(spec.shape); }

TensorSpec read_spec(WireReader &in) {
  TensorSpec spec;
  spec.name = in.get_string();
  spec.dtype = in.get_dtype();
  spec.shape = in.get_shape();
  for (std::int64_t dim : spec.shape)
    if (dim < 0 && dim != kDynamic)
      in.fail();
  return spec;
}

void write_specs(WireWriter &out, const std::vector<TensorSpec> &specs) {
  out.put(static_cast<std::uint64_t>(specs.size()));
  for (const TensorSpec &spec : specs)
    write_spec(out, spec);
}

std::size_t read_size(WireReader &in) { return static_cast<std::size_t>(in.get<std::uint64_t>()); }

KernelInfo read_kernel(WireReader &in) {
  KernelInfo kernel;
  kernel.name = in.get_string();
  kernel.kind = in.get_string();
  kernel.flops = in.get_double();
  kernel.bytes = in.get_double();
  kernel.tasks = in.get<std::int64_t>();
  kernel.ordinals = in.get_numbers<std::uint32_t>();
  return kernel;
}

ErrorText read_error(WireReader &in) {
  ErrorText error;
  error.code = in.get<ErrorCode>();
  if (error.code < ErrorCode::Internal || error.code > ErrorCode::Index)
    in.fail();
  error.text = in.get_string();
  error.op = in.get<std::int32_t>();
  return error;
}

/// Whether the parts of a program that was read agree with each other.
bool consistent(const ProgramInfo &info) {
  const auto outputs = static_cast<std::int64_t>(info.outputs.size());
  return info.max_slots >= 1 && info.num_dims >= 0 &&
         (info.donated.empty() || info.donated.size() == info.inputs.size()) &&
         std::all_of(info.donated.begin(), info.donated.end(),
                     [&](std::int32_t output) { return output >= -1 && output < outputs; });
}

} // namespace

void ProgramInfo::write(WireWriter &out) const {
  out.put(kVersion).put(entry);
  write_specs(out, inputs);
  write_specs(out, outputs);
  for (std::size_t bytes : {memory.argument_bytes, memory.output_bytes, memory.constant_bytes, memory.workspace_bytes,
                            memory.alignment, shared_workspace_bytes, slot_scratch_bytes})
    out.put(static_cast<std::uint64_t>(bytes));
  out.put(max_slots).put(num_dims).put(uses_rng_key).put(donated).put(native_ops);
  out.put(static_cast<std::uint64_t>(kernels.size()));
  for (const KernelInfo &kernel : kernels)
    out.put(kernel.name).put(kernel.kind).put(kernel.flops).put(kernel.bytes).put(kernel.tasks).put(kernel.ordinals);
  out.put(static_cast<std::uint64_t>(errors.size()));
  for (const ErrorText &error : errors)
    out.put(error.code).put(error.text).put(error.op);
  out.put(required_features);
}

Bytes ProgramInfo::serialize() const {
  WireWriter out;
  write(out);
  return out.take();
}

std::optional<ProgramInfo> ProgramInfo::deserialize(std::span<const std::byte> bytes) {
  WireReader in(bytes);
  if (in.get<std::uint32_t>() != kVersion)
    return std::nullopt;
  ProgramInfo info;
  info.entry = in.get_string();
  info.inputs = in.get_list<TensorSpec>(17, read_spec);
  info.outputs = in.get_list<TensorSpec>(17, read_spec);
  for (std::size_t *size :
       {&info.memory.argument_bytes, &info.memory.output_bytes, &info.memory.constant_bytes,
        &info.memory.workspace_bytes, &info.memory.alignment, &info.shared_workspace_bytes, &info.slot_scratch_bytes})
    *size = read_size(in);
  info.max_slots = in.get<std::int32_t>();
  info.num_dims = in.get<std::int32_t>();
  info.uses_rng_key = in.get<bool>();
  info.donated = in.get_numbers<std::int32_t>();
  info.native_ops = in.get_numbers<std::uint32_t>();
  info.kernels = in.get_list<KernelInfo>(48, read_kernel);
  info.errors = in.get_list<ErrorText>(16, read_error);
  info.required_features = in.get_strings();
  if (!in.done() || !consistent(info))
    return std::nullopt;
  return info;
}

} // namespace ingot
