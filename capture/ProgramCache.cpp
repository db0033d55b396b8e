#include "ingot/capture/ProgramCache.h"

#include "ingot/capture/LruMap.h"
#include "ingot/capture/Program.h"
#include "ingot/capture/ScalarInputs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

namespace ingot {
namespace {

using Program = std::shared_ptr<const ProgramState>;

/// Rounds of a training loop need a handful of programs; this many are for what feeds it data of many shapes.
constexpr std::size_t kDefaultLimit = 512;

std::atomic<std::uint64_t> hits{0}, misses{0}, evictions{0}, copies{0};
std::atomic<std::int64_t> compileNanoseconds{0};
std::atomic<std::uint64_t> peakWorkspace{0};
thread_local std::uint64_t lastWorkspace = 0;
thread_local std::weak_ptr<const ProgramState> lastProgram;

/// One program. Whoever needs it while it is being made waits for the mutex.
struct Entry {
  explicit Entry(std::vector<std::byte> bytes) : bytes(std::move(bytes)) {}
  const std::vector<std::byte> bytes; // of the trace, compared because hashes may collide
  std::mutex mutex;
  Program program;
};

/// Programs that differ in their numbers alone: those of the first, and which of them were others later.
struct Family {
  std::vector<std::uint64_t> first;
  std::vector<bool> varying;
};

class ProgramCache {
public:
  /// The entry of a program, made empty when there is none and `make` is set. Null for none, or another program's.
  std::shared_ptr<Entry> find(const Hash128 &key, const std::vector<std::byte> &bytes, bool make) {
    std::vector<std::shared_ptr<Entry>> unloaded; // after the lock
    std::lock_guard lock(mutex);
    if (const std::shared_ptr<Entry> *found = entries.find(key))
      return (*found)->bytes == bytes ? *found : nullptr;
    if (!make)
      return nullptr;
    auto entry = std::make_shared<Entry>(bytes);
    entries.insert(key, entry);
    unloaded = shrink();
    return entry;
  }

  /// Which numbers of a program vary, by the hash of the program without them: notes `bits` and compares them with
  /// those of the first program of the family. Empty for the first.
  std::vector<bool> varying(const Hash128 &skeleton, const std::vector<std::uint64_t> &bits) {
    std::lock_guard lock(mutex);
    Family *family = families.find(skeleton);
    if (!family) {
      families.insert(skeleton, {bits, std::vector<bool>(bits.size(), false)});
      families.shrink(limit);
      return {};
    }
    for (std::size_t i = 0; i < bits.size(); ++i)
      family->varying[i] = family->varying[i] || family->first[i] != bits[i];
    return family->varying;
  }

  std::size_t set_limit(std::size_t most) {
    std::vector<std::shared_ptr<Entry>> unloaded;
    std::lock_guard lock(mutex);
    const std::size_t before = limit;
    limit = most;
    unloaded = shrink();
    families.shrink(limit);
    return before;
  }

  std::pair<std::size_t, std::size_t> size_and_limit() {
    std::lock_guard lock(mutex);
    return {entries.size(), limit};
  }

private:
  /// What is dropped to keep the limit. A program that is running, or being made, lives until that ends.
  std::vector<std::shared_ptr<Entry>> shrink() {
    std::vector<std::shared_ptr<Entry>> dropped = entries.shrink(limit);
    evictions += dropped.size();
    return dropped;
  }

  std::mutex mutex;
  std::size_t limit = kDefaultLimit;
  LruMap<Hash128, std::shared_ptr<Entry>> entries;
  LruMap<Hash128, Family> families;
};

ProgramCache &program_cache() {
  static auto *cache = new ProgramCache; // outlives threads that end late
  return *cache;
}

Program compile_lazy(const Trace &trace, Location at) {
  ++misses;
  const auto start = std::chrono::steady_clock::now();
  Program program = load_program(trace, {}, at);
  compileNanoseconds += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
  return program;
}

/// Null when there is none yet.
Program find_program(const Trace &trace, const std::vector<std::byte> &bytes) {
  const std::shared_ptr<Entry> entry = program_cache().find(trace.hash(), bytes, false);
  if (!entry)
    return nullptr;
  std::lock_guard lock(entry->mutex);
  if (entry->program)
    ++hits;
  return entry->program;
}

Program find_or_compile(const Trace &trace, const std::vector<std::byte> &bytes, Location at) {
  const std::shared_ptr<Entry> entry = program_cache().find(trace.hash(), bytes, true);
  if (!entry)
    return compile_lazy(trace, at);
  std::lock_guard lock(entry->mutex);
  if (entry->program)
    ++hits;
  else
    entry->program = compile_lazy(trace, at);
  return entry->program;
}

/// The kernels of native ops are those of the trace, which may not be those of the trace that the program was made for.
std::vector<std::shared_ptr<const Buffer>> run_for(const Trace &trace, const ProgramState &program,
                                                   const std::vector<const void *> &inputs, Location at) {
  lastWorkspace = program.info.memory.workspace_bytes;
  for (std::uint64_t most = peakWorkspace;
       most < lastWorkspace && !peakWorkspace.compare_exchange_weak(most, lastWorkspace);) {
  }
  lastProgram = program.weak_from_this();
  if (program.info.native_ops.empty())
    return run_program(program, inputs, at);
  const NativeCalls natives(trace, program.info.native_ops);
  return run_program(program, inputs, at, {}, &natives);
}

} // namespace

Program last_lazy_program() { return lastProgram.lock(); }

LazyStats lazy_stats() {
  const auto [entries, limit] = program_cache().size_and_limit();
  LazyStats stats;
  stats.hits = hits;
  stats.misses = stats.compiles = misses;
  stats.copies = copies;
  stats.compile_seconds = double(compileNanoseconds) * 1e-9;
  stats.evictions = evictions;
  stats.entries = entries;
  stats.limit = limit;
  stats.workspace_bytes = lastWorkspace;
  stats.peak_workspace_bytes = peakWorkspace;
  return stats;
}

std::size_t set_program_limit(std::size_t most) { return program_cache().set_limit(most); }
void count_copy() { ++copies; }

std::vector<std::shared_ptr<const Buffer>> run_trace(const Trace &trace, std::vector<const void *> inputs,
                                                     Location at) {
  const std::vector<std::byte> bytes = trace.serialize();
  if (Program program = find_program(trace, bytes))
    return run_for(trace, *program, inputs, at);
  const std::vector<std::uint64_t> bits = scalar_bits(trace);
  std::vector<bool> varying;
  if (!bits.empty())
    varying =
        program_cache().varying(with_scalar_inputs(trace, std::vector<bool>(bits.size(), true)).trace.hash(), bits);
  if (std::find(varying.begin(), varying.end(), true) == varying.end())
    return run_for(trace, *find_or_compile(trace, bytes, at), inputs, at);
  GeneralTrace general = with_scalar_inputs(trace, varying);
  for (const std::shared_ptr<const Buffer> &scalar : general.scalars)
    inputs.push_back(scalar->data());
  return run_for(general.trace, *find_or_compile(general.trace, general.trace.serialize(), at), inputs, at);
}

} // namespace ingot
