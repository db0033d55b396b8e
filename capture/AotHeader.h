// The header of an ahead-of-time program: valid C99 and C++17, the ABI in it, nothing to include but the standard's.
#pragma once

#include "ingot/runtime/Program.h"

#include <string>

namespace ingot::aot {

std::string header_text(const std::string &name, const ProgramInfo &info);

} // namespace ingot::aot
