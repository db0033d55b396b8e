// The header of an ahead-of-time program: valid C99 and C++17, the ABI in it, nothing to include but the standard's.
#pragma once

#include "ingot/runtime/Program.h"

#include <string>

namespace ingot::aot {

/// Whether a function or a member can have this name in C and C++.
bool is_identifier(const std::string &name);
std::string header_text(const std::string &name, const ProgramInfo &info);

} // namespace ingot::aot
