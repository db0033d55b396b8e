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
  explicit Entry(const Trace &trace)
      : pattern(std::make_shared<const Pattern>(std::make_shared<const Trace>(trace.without_kernels()))) {}
  const std::shared_ptr<const Pattern> pattern; // compared, because hashes may collide
  std::mutex mutex;
  Program program;
  std::shared_ptr<const Pattern> next; // what a thread ran after it the last time
};

thread_local std::weak_ptr<Entry> lastEntry; // of the last program this thread ran that was there; null for others

/// Programs that differ in their numbers alone: those of the first, and which of them were others later.
struct Family {
  std::vector<std::uint64_t> first;
  std::vector<bool> varying;
};

class ProgramCache {
public:
  /// The entry of a program, made empty when there is none and `make` is set. Null for none, or another program's.
  std::shared_ptr<Entry> find(const Trace &trace, bool make) {
    const Hash128 key = trace.hash();
    std::vector<std::shared_ptr<Entry>> unloaded; // after the lock
    std::lock_guard lock(mutex);
    if (const std::shared_ptr<Entry> *found = entries.find(key))
      return (*found)->pattern->trace->is_same(trace) ? *found : nullptr;
    if (!make)
      return nullptr;
    auto entry = std::make_shared<Entry>(trace);
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

/// The inputs whose memory results can take: each is paired with the first result of its type that is left, as the
/// compiler does.
std::vector<int> donated(const Trace &trace, const std::vector<InputValue> &inputs) {
  std::vector<int> list;
  std::vector<bool> taken(trace.outputs().size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t o = 0; inputs[i].last && o < taken.size(); ++o)
      if (!taken[o] && trace.values()[trace.outputs()[o]] == trace.values()[trace.inputs()[i].value]) {
        taken[o] = true;
        list.push_back(static_cast<int>(i));
        break;
      }
  return list;
}

/// A program for every later run, too: whether a pair shares its memory is decided run by run.
Program compile_lazy(const Trace &trace, const std::vector<InputValue> &inputs, Location at) {
  ++misses;
  const auto start = std::chrono::steady_clock::now();
  CompileOptions options;
  options.donate = donated(trace, inputs);
  Program program = load_program(trace, options, at);
  compileNanoseconds += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
  return program;
}

/// Notes that a thread runs a program after the one it ran before.
void note_order(const std::shared_ptr<Entry> &entry, const ProgramState &program) {
  const std::shared_ptr<Entry> before = std::exchange(lastEntry, entry).lock();
  if (!before || !program.info.native_ops.empty()) // whose kernels a remembered trace does not have
    return;
  std::lock_guard lock(before->mutex);
  before->next = entry->pattern;
}

/// Null when there is none yet.
Program find_program(const Trace &trace) {
  const std::shared_ptr<Entry> entry = program_cache().find(trace, false);
  Program program;
  if (entry) {
    std::lock_guard lock(entry->mutex);
    program = entry->program;
  }
  if (!program) {
    lastEntry.reset();
    return nullptr;
  }
  ++hits;
  note_order(entry, *program);
  return program;
}

Program find_or_compile(const Trace &trace, const std::vector<InputValue> &inputs, Location at) {
  const std::shared_ptr<Entry> entry = program_cache().find(trace, true);
  if (!entry)
    return compile_lazy(trace, inputs, at);
  std::lock_guard lock(entry->mutex);
  if (entry->program)
    ++hits;
  else
    entry->program = compile_lazy(trace, inputs, at);
  return entry->program;
}

/// The kernels of native ops are those of the trace, which may not be those of the trace that the program was made for.
std::vector<std::shared_ptr<const Buffer>> run(const Trace &trace, const ProgramState &program,
                                               const std::vector<InputValue> &inputs, Location at) {
  lastWorkspace = program.info.memory.workspace_bytes;
  for (std::uint64_t most = peakWorkspace;
       most < lastWorkspace && !peakWorkspace.compare_exchange_weak(most, lastWorkspace);) {
  }
  lastProgram = program.weak_from_this();
  std::vector<const void *> pointers;
  std::vector<std::shared_ptr<Buffer>> outputs(program.info.outputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    pointers.push_back(inputs[i].data->data());
    if (const std::int64_t output = program.info.donated[i]; output >= 0 && inputs[i].last)
      outputs[static_cast<std::size_t>(output)] = std::const_pointer_cast<Buffer>(inputs[i].data);
  }
  if (program.info.native_ops.empty())
    return run_program(program, pointers, at, std::move(outputs), nullptr, &trace);
  const NativeCalls natives(trace, program.info.native_ops);
  return run_program(program, pointers, at, std::move(outputs), &natives, &trace);
}

} // namespace

Program last_lazy_program() { return lastProgram.lock(); }

std::shared_ptr<const Pattern> expected_pattern() {
  const std::shared_ptr<Entry> last = lastEntry.lock();
  if (!last)
    return nullptr;
  std::lock_guard lock(last->mutex);
  return last->next;
}

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

std::vector<std::shared_ptr<const Buffer>> run_trace(const Trace &trace, std::vector<InputValue> inputs, Location at) {
  if (Program program = find_program(trace))
    return run(trace, *program, inputs, at);
  const std::vector<std::uint64_t> bits = scalar_bits(trace);
  std::vector<bool> varying;
  if (!bits.empty())
    varying =
        program_cache().varying(with_scalar_inputs(trace, std::vector<bool>(bits.size(), true)).trace.hash(), bits);
  if (std::find(varying.begin(), varying.end(), true) == varying.end())
    return run(trace, *find_or_compile(trace, inputs, at), inputs, at);
  GeneralTrace general = with_scalar_inputs(trace, varying);
  for (const std::shared_ptr<const Buffer> &scalar : general.scalars)
    inputs.push_back({scalar});
  return run(general.trace, *find_or_compile(general.trace, inputs, at), inputs, at);
}

} // namespace ingot
