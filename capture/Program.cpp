#include "ingot/capture/Program.h"

#include "ingot/capture/Recorder.h"
#include "ingot/runtime/CacheFile.h"
#include "ingot/runtime/ScopePath.h"
#include "ingot/runtime/ThreadPool.h"

#include "ingot-gen/BuildIdentity.h"

#include <cstdlib>

namespace ingot {
namespace {

/// Code from the disk cache.
class CachedCode final : public NativeCode {
public:
  CachedCode(Image image, const std::string &symbol) : image(std::move(image)), address(this->image.symbol(symbol)) {}
  void *entry() const override { return address; }

private:
  Image image;
  void *address;
};

/// Empty: no disk cache.
std::filesystem::path cache_directory(const CompileOptions &options) {
  if (options.cache_dir)
    return *options.cache_dir;
  if (const char *dir = std::getenv("INGOT_CACHE_DIR"))
    return dir;
  if (const char *dir = std::getenv("XDG_CACHE_HOME"); dir && *dir)
    return std::filesystem::path(dir) / "ingot";
  if (const char *home = std::getenv("HOME"); home && *home)
    return std::filesystem::path(home) / ".cache" / "ingot";
  return {};
}

Hash128 cache_key(const Trace &trace, const CompileOptions &options, const Target &target) {
  Hasher hasher;
  hasher.add(trace.hash()).add(std::string_view(target.codegen_key()));
  hasher.add(options.threads > 0 ? options.threads : ThreadPool::available_cpus());
  for (int input : options.donate)
    hasher.add(input);
  hasher.add(options.memory_limit).add(options.fast_math).add(std::string_view(kBuildIdentity));
  if (const char *skip = std::getenv("INGOT_SKIP"))
    hasher.add(std::string_view(skip));
  return hasher.finish();
}

OpOrigin origin_of(const Trace &trace, const Record &record) {
  return {record.kind, SourceLocation(record.site), trace.scopes()[record.scope]};
}

/// Origins by ordinal: records in pre-order, regions included.
void collect_origins(const Trace &trace, ProgramState &program) {
  for (const Record &record : trace.records()) {
    program.origins.push_back(origin_of(trace, record));
    for (const auto &region : record.regions)
      collect_origins(*region, program);
  }
}

void describe_kernels(ProgramState &program) {
  for (const KernelInfo &info : program.info.kernels) {
    Kernel kernel{info.name, info.kind, info.flops, info.bytes, {}, {}};
    for (std::uint32_t ordinal : info.ordinals) {
      if (ordinal >= program.origins.size())
        continue;
      const SourceLocation &site = program.origins[ordinal].site;
      if (site.known() && std::find(kernel.sources.begin(), kernel.sources.end(), site) == kernel.sources.end())
        kernel.sources.push_back(site);
      const std::string &scope = program.origins[ordinal].scope;
      if (!scope.empty() && std::find(kernel.scopes.begin(), kernel.scopes.end(), scope) == kernel.scopes.end())
        kernel.scopes.push_back(scope);
    }
    program.kernels.push_back(std::move(kernel));
  }
}

/// The origin of the op with the ordinal; nothing for none.
std::optional<OpOrigin> find_origin(const ProgramState &program, const Trace *asking, std::int32_t ordinal) {
  if (ordinal < 0)
    return std::nullopt;
  const auto number = static_cast<std::uint32_t>(ordinal);
  if (!asking)
    return number < program.origins.size() ? std::optional(program.origins[number]) : std::nullopt;
  const auto [holder, record] = asking->at_ordinal(number);
  return record ? std::optional(origin_of(*holder, *record)) : std::nullopt;
}

/// Throws what compiled code returned a code for.
[[noreturn]] void throw_failure(const ErrorText &text, const ingot_error_record &record,
                                const std::optional<OpOrigin> &origin, Location at) {
  std::string message = text.text;
  if (text.code == ErrorCode::Index && origin) {
    const std::string_view called = called_function(origin->scope);
    message = index_fault_text(called.empty() ? op_info(origin->kind).name : called, record.index, record.result,
                               record.bound);
  }
  throw_error(text.code, message, origin && origin->site.known() ? origin->site : SourceLocation{CallSite(at)});
}

} // namespace

std::shared_ptr<ProgramState> load_program(const Trace &trace, const CompileOptions &options, Location at) {
  return with_site(CallSite(at), [&]() -> std::shared_ptr<ProgramState> {
    auto program = std::make_shared<ProgramState>();
    const Target target = options.target.value_or(Target::host());
    if (!target.host_can_run())
      throw CompileError("the target " + target.name + " cannot run here; use aot::compile to write it to a file");
    const std::filesystem::path directory = cache_directory(options);
    const Hash128 key = cache_key(trace, options, target);
    const std::vector<std::byte> bytes = trace.serialize();
    const CacheIdentity identity{kBuildIdentity, key, bytes};
    if (!directory.empty())
      if (std::optional<CacheEntry> entry = read_cache_file(cache_file_path(directory, key), identity)) {
        program->code = std::make_shared<CachedCode>(std::move(entry->image), entry->info.entry);
        program->info = std::move(entry->info);
      }
    if (!program->code || !program->code->entry()) {
      CompiledProgram compiled = compiler().compile(trace, options);
      if (!directory.empty() && !compiled.image.empty())
        write_cache_file(cache_file_path(directory, key), identity, compiled.info, compiled.image);
      program->info = std::move(compiled.info);
      program->code = std::move(compiled.code);
      program->compiled = true;
    }
    // Names are the asking graph's; equal programs share code.
    for (std::size_t i = 0; i < trace.inputs().size(); ++i)
      program->info.inputs[i].name = trace.inputs()[i].name;
    for (std::size_t i = 0; i < trace.outputs().size(); ++i)
      program->info.outputs[i].name = trace.output_names()[i];
    program->context = make_context(program->info.max_slots);
    collect_origins(trace, *program);
    describe_kernels(*program);
    return program;
  });
}

std::vector<std::shared_ptr<const Buffer>> run_program(const ProgramState &program,
                                                       const std::vector<const void *> &inputs, Location at,
                                                       std::vector<std::shared_ptr<Buffer>> outputs,
                                                       const NativeCalls *natives, const Trace *asking) {
  outputs.resize(program.info.outputs.size());
  std::vector<void *> results;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i])
      outputs[i] = Buffer::allocate(program.info.outputs[i].type().bytes());
    results.push_back(outputs[i]->data());
  }
  std::shared_ptr<Buffer> workspace;
  if (program.info.memory.workspace_bytes)
    workspace = Buffer::allocate(program.info.memory.workspace_bytes);
  ingot_error_record record{};
  ingot_context context = program.context;
  context.error = &record;
  if (natives)
    context.native_ops = natives->table();
  if (context.native_ops)
    take_native_failure(); // of a raw run, which reported it by its code
  using Entry = std::int32_t (*)(const ingot_context *, const void *const *, void *const *, void *);
  const auto entry = reinterpret_cast<Entry>(program.code->entry());
  if (const std::int32_t code =
          entry(&context, inputs.data(), results.data(), workspace ? workspace->data() : nullptr)) {
    if (std::exception_ptr thrown = take_native_failure())
      std::rethrow_exception(thrown);
    const ErrorText text = static_cast<std::size_t>(code) < program.info.errors.size()
                               ? program.info.errors[static_cast<std::size_t>(code)]
                               : ErrorText{};
    throw_failure(text, record, find_origin(program, asking, text.op), at);
  }
  return {outputs.begin(), outputs.end()};
}

} // namespace ingot
