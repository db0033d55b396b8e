// The pattern groups of ingot-simplify.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace ingot {

/// Identities that hold for every bit, NaN, infinity and signed zero included.
void populateAlgebraPatterns(mlir::RewritePatternSet &patterns);
/// Constants of at most `limit` elements, by the reference kernels.
void populateFoldPatterns(mlir::RewritePatternSet &patterns, int64_t limit);
/// Products with at most one batch, row, column and summed dimension; transposes absorbed.
void populateDotPatterns(mlir::RewritePatternSet &patterns);
/// Scatters of one index per line as comparisons.
void populateIndexingPatterns(mlir::RewritePatternSet &patterns);

} // namespace ingot
