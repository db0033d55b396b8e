#include "ingot/capture/ProgramCache.h"

#include "ingot/capture/Program.h"
#include "ingot/capture/ScalarInputs.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>
#include <unordered_map>

namespace ingot {
namespace {

std::atomic<std::uint64_t> hits{0}, misses{0}, compiles{0}, copies{0};

/// Programs by the hash of their trace, the least recently used dropped beyond a bound.
class ProgramCache {
public:
  /// One program; whoever needs it while it is being made waits.
  struct Entry {
    std::mutex mutex;
    std::vector<std::byte> bytes; // of the trace, compared because hashes may collide
    std::shared_ptr<const ProgramState> program;
  };

  /// The entry of a program, made empty when there is none and `make` is set. Null for none, or another program's.
  std::shared_ptr<Entry> find(const Hash128 &key, const std::vector<std::byte> &bytes, bool make) {
    std::lock_guard lock(mutex);
    if (auto found = entries.find(key); found != entries.end()) {
      order.splice(order.begin(), order, found->second);
      return found->second->second->bytes == bytes ? found->second->second : nullptr;
    }
    if (!make)
      return nullptr;
    auto entry = std::make_shared<Entry>();
    entry->bytes = bytes;
    order.emplace_front(key, entry);
    entries[key] = order.begin();
    if (order.size() > kMost) {
      entries.erase(order.back().first);
      order.pop_back();
    }
    return entry;
  }

  /// Which numbers of a program vary, by the hash of the program without them: notes `bits` and compares them with
  /// those of the first program of the kind. Empty for the first.
  std::vector<bool> varying(const Hash128 &skeleton, const std::vector<std::uint64_t> &bits) {
    std::lock_guard lock(mutex);
    if (kinds.size() > 4 * kMost)
      kinds.clear();
    auto [found, fresh] = kinds.try_emplace(skeleton, bits, std::vector<bool>(bits.size(), false));
    if (fresh)
      return {};
    auto &[first, differ] = found->second;
    for (std::size_t i = 0; i < bits.size(); ++i)
      differ[i] = differ[i] || first[i] != bits[i];
    return differ;
  }

private:
  static constexpr std::size_t kMost = 512;
  using Order = std::list<std::pair<Hash128, std::shared_ptr<Entry>>>;
  std::mutex mutex;
  Order order;
  std::unordered_map<Hash128, Order::iterator> entries;
  std::unordered_map<Hash128, std::pair<std::vector<std::uint64_t>, std::vector<bool>>> kinds;
};

ProgramCache &program_cache() {
  static auto *cache = new ProgramCache; // outlives threads that end late
  return *cache;
}

std::shared_ptr<const ProgramState> compile_lazy(const Trace &trace, Location at) {
  ++misses;
  ++compiles;
  return load_program(trace, {}, at);
}

std::shared_ptr<const ProgramState> find_or_compile(const Trace &trace, Location at) {
  std::shared_ptr<ProgramCache::Entry> entry = program_cache().find(trace.hash(), trace.serialize(), true);
  if (!entry)
    return compile_lazy(trace, at);
  std::lock_guard lock(entry->mutex);
  if (entry->program)
    ++hits;
  else
    entry->program = compile_lazy(trace, at);
  return entry->program;
}

} // namespace

LazyStats lazy_stats() { return {hits, misses, compiles, copies}; }
void count_copy() { ++copies; }

std::vector<std::shared_ptr<const Buffer>> run_trace(const Trace &trace, std::vector<const void *> inputs,
                                                     Location at) {
  if (std::shared_ptr<ProgramCache::Entry> entry = program_cache().find(trace.hash(), trace.serialize(), false)) {
    std::lock_guard lock(entry->mutex);
    if (entry->program) {
      ++hits;
      return run_program(*entry->program, inputs, at);
    }
  }
  const std::vector<std::uint64_t> bits = scalar_bits(trace);
  std::vector<bool> varying;
  if (!bits.empty())
    varying =
        program_cache().varying(with_scalar_inputs(trace, std::vector<bool>(bits.size(), true)).trace.hash(), bits);
  if (std::find(varying.begin(), varying.end(), true) == varying.end())
    return run_program(*find_or_compile(trace, at), inputs, at);
  GeneralTrace general = with_scalar_inputs(trace, varying);
  for (const std::shared_ptr<const Buffer> &scalar : general.scalars)
    inputs.push_back(scalar->data());
  return run_program(*find_or_compile(general.trace, at), inputs, at);
}

} // namespace ingot
