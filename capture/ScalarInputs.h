// Programs of the lazy device that differ in their C++ numbers alone: what varies becomes an input.
#pragma once

#include "ingot/capture/Trace.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ingot {

/// The bits of every constant that is one number, in the order of the records.
std::vector<std::uint64_t> scalar_bits(const Trace &trace);

struct GeneralTrace {
  Trace trace;
  std::vector<std::shared_ptr<const Buffer>> scalars; // for its last inputs
};

/// The program with the numbers marked in `varying` (by position in scalar_bits) as scalar inputs after its own.
GeneralTrace with_scalar_inputs(const Trace &trace, const std::vector<bool> &varying);

/// What output `i` alone needs, with all inputs.
Trace only_output(const Trace &trace, std::size_t i);

} // namespace ingot
