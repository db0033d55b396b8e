// What an op's record calls its operands; for messages.
#pragma once

#include "ingot/ir/OpTable.h"

namespace ingot {

/// The names of the operands that every use of the op has; a variadic op's others have none.
std::span<const std::string_view> operand_names(OpKind kind);

} // namespace ingot
