// Rows as the C and C++ libraries of the system do them. Each function gives nothing when its library is not there.
#pragma once

#include "Contender.h"
#include "Row.h"

#include <cstdint>
#include <vector>

namespace bench {

/// What follows a product in the row.
enum class Epilogue { None, BiasGelu };

struct Product {
  std::int64_t m, k, n;
  bool transpose_a = false; // a is stored (k, m)
  bool transpose_b = false; // b is stored (n, k)
  Epilogue epilogue = Epilogue::None;
};

void add_onednn_product(std::vector<Contender> &list, const Product &product, const Options &options);
void add_openblas_product(std::vector<Contender> &list, const Product &product, const Options &options);
/// `kind` is softmax, layernorm or gelu, over the last axis of (rows, columns).
void add_onednn_rowwise(std::vector<Contender> &list, const std::string &kind, std::int64_t rows, std::int64_t columns,
                        const Options &options);

} // namespace bench
