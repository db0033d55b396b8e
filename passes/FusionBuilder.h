// From a partition of a block's ops into clusters to ingot.fusion regions.
#pragma once

#include "ingot/passes/ClusterAnalysis.h"
#include "ingot/passes/FusionGraph.h"

#include <optional>
#include <vector>

namespace ingot {

/// Whether the op is a constant.
bool isConstant(mlir::Operation *op);
/// Whether the op is a user's kernel that reads and writes memory: nothing is computed with it.
bool isNative(mlir::Operation *op);
/// A constant whose elements are all one, which kernels hold as an immediate.
bool isImmediate(mlir::Value value);

/// Moves each cluster that has a domain into an ingot.fusion, in topological order; constants that are splats go along
/// as copies. Fails at an op that no kind of kernel computes.
llvm::LogicalResult moveIntoFusions(mlir::Block &block, const FusionGraph &graph,
                                    const std::vector<std::optional<Domain>> &domains);

} // namespace ingot
