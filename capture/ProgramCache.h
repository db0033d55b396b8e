// The programs of the lazy device: equal traces share one, and the least recently used go when there are too many.
#pragma once

#include "ingot/capture/Device.h"
#include "ingot/capture/Trace.h"
#include "ingot/runtime/Buffer.h"

#include <memory>
#include <vector>

namespace ingot {

/// Runs a trace on host memory. One that was run before with other numbers runs with those as inputs.
std::vector<std::shared_ptr<const Buffer>> run_trace(const Trace &trace, std::vector<const void *> inputs,
                                                     std::source_location at);

LazyStats lazy_stats();
/// Returns the limit before.
std::size_t set_program_limit(std::size_t most);
void count_copy();

} // namespace ingot
