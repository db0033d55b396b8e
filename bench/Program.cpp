#include "Program.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace bench {

using namespace ingot;

namespace {

constexpr std::size_t kHugePage = std::size_t(2) << 20;

} // namespace

Memory::Memory(const TensorSpec &spec, unsigned seed) {
  const std::size_t count = std::size_t(spec.shape.num_elements()), bytesNeeded = count * dtype_size(spec.dtype);
  // Large buffers in huge pages, as those of tensors are: for all contenders.
  const std::size_t alignment = bytesNeeded >= kHugePage ? kHugePage : 64;
  void *memory = std::aligned_alloc(alignment, (bytesNeeded + alignment) / alignment * alignment);
  if (!memory)
    throw std::bad_alloc();
  if (alignment == kHugePage)
    madvise(memory, bytesNeeded, MADV_HUGEPAGE);
  bytes = std::shared_ptr<void>(memory, std::free);
  std::memset(memory, 0, bytesNeeded);
  if (spec.dtype == DType::F32)
    for (std::size_t i = 0; i < count; ++i)
      floats()[i] = (float((i * 2654435761u + seed * 40503u) >> 8 & 0xffff) / 65536.0f - 0.5f) * 0.3f;
}

CompileOptions compile_options(const Options &options) {
  return {.threads = options.threads, .target = Target::named(options.target), .cache_dir = ""};
}

Contender raw_calls(const Graph &graph, const Options &options) {
  const double start = now();
  Executable run = compile(graph, compile_options(options));
  const double seconds = now() - start;
  std::vector<Memory> memory;
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  for (const TensorSpec &spec : run.inputs()) {
    memory.emplace_back(spec, unsigned(memory.size()));
    inputs.push_back(memory.back().data());
  }
  for (const TensorSpec &spec : run.outputs()) {
    memory.emplace_back(spec);
    outputs.push_back(memory.back().data());
  }
  memory.emplace_back(spec(DType::I8, {std::int64_t(run.memory().workspace_bytes)}));
  void *workspace = memory.back().data();
  return {"ingot", loop([=, memory = std::move(memory)] { run.run(inputs.data(), outputs.data(), workspace); }),
          seconds};
}

} // namespace bench
