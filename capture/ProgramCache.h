// The programs of the lazy device: equal traces share one, and the least recently used go when there are too many.
#pragma once

#include "ingot/capture/Device.h"
#include "ingot/capture/Repetition.h"
#include "ingot/runtime/Buffer.h"

#include <memory>
#include <vector>

namespace ingot {

struct ProgramState;

/// A value for an input of a trace. Where nobody else has it, a result may take its memory.
struct InputValue {
  std::shared_ptr<const Buffer> data;
  bool last = false;
};
/// Runs a trace on host memory. One that was run before with other numbers runs with those as inputs.
std::vector<std::shared_ptr<const Buffer>> run_trace(const Trace &trace, std::vector<InputValue> inputs,
                                                     std::source_location at);

/// The trace that came after the last one this thread ran with success when that was run before; null for none.
std::shared_ptr<const Pattern> expected_pattern();

/// The program that this thread ran last; null for none, or when it is unloaded already.
std::shared_ptr<const ProgramState> last_lazy_program();

LazyStats lazy_stats();
/// Returns the limit before.
std::size_t set_program_limit(std::size_t most);
void count_copy();

} // namespace ingot
