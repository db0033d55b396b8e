// Tensors in NumPy's .npy files.
#pragma once

#include <ingot/ingot.h>

#include <string>

namespace ingot::cli {

/// Reads a file of version 1, 2 or 3 in C order with a little-endian dtype that tensors have. Throws IoError, which
/// names the file, for anything else and for a file that is too short or too long.
Tensor read_npy(const std::string &path);

/// Writes a concrete tensor. Throws IoError, which names the file; bf16 has no form in .npy.
void write_npy(const std::string &path, const Tensor &tensor);

} // namespace ingot::cli
