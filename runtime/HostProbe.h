// What the processor says about itself, in terms a Target needs.
#pragma once

#include "ingot/runtime/Target.h"

namespace ingot {

/// Fills in everything but the name. Features are reported only where the operating system saves their
/// registers.
Target probe_host();

} // namespace ingot
