// The pattern groups of ingot-simplify.
#pragma once

#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace ingot {

/// The number that every element of a constant is; nothing for another value or an integer that no double holds.
std::optional<double> splatNumber(mlir::Value v);

/// Identities that hold for every bit, NaN, infinity and signed zero included; with `fastMath` also such that do not.
void populateAlgebraPatterns(mlir::RewritePatternSet &patterns, bool fastMath);
/// Comparisons and choices.
void populateSelectionPatterns(mlir::RewritePatternSet &patterns);
/// Constants of at most `limit` elements, by the reference kernels.
void populateFoldPatterns(mlir::RewritePatternSet &patterns, int64_t limit);
/// Movement next to movement as one op.
void populateViewPatterns(mlir::RewritePatternSet &patterns);
/// Changes of shape behind the ops that could do without them.
void populateReshapePatterns(mlir::RewritePatternSet &patterns);
/// Products with at most one batch, row, column and summed dimension; transposes absorbed.
void populateDotPatterns(mlir::RewritePatternSet &patterns);
/// Scatters of one index per line as comparisons.
void populateIndexingPatterns(mlir::RewritePatternSet &patterns);

} // namespace ingot
