// One emitter per kind of cluster. Each fills the kernel's body and says what the kernel needs.
#pragma once

#include "ingot/passes/kernels/ClusterEmitter.h"

namespace ingot {

/// Pointwise code over one shape.
llvm::LogicalResult emitLoop(ClusterEmitter &e);
/// Reductions that reach the last axis, with what goes before and after them on the same rows.
llvm::LogicalResult emitRow(ClusterEmitter &e);
/// Reductions over axes before the last one, down the columns.
llvm::LogicalResult emitColumn(ClusterEmitter &e);
/// A product with its prologue and epilogue.
llvm::LogicalResult emitContract(ClusterEmitter &e);
/// Additions at positions that are data.
llvm::LogicalResult emitScatter(ClusterEmitter &e);
/// The check of indices; reports through the status words that follow the operands.
llvm::LogicalResult emitCheck(ClusterEmitter &e);

/// Elements of work below which a kernel is one task, and about as much as each task gets above it.
inline constexpr int64_t kTaskWork = 16384;
inline constexpr int64_t kMaxTasks = 16;
/// The number of tasks for `units` indivisible pieces of `work` elements each.
int64_t taskCount(int64_t units, int64_t work);
/// Runs `emit` for the units of the kernel's task: a loop over [first, last) of `units` cut into needs.tasks parts.
void forEachUnit(ClusterEmitter &e, int64_t units, llvm::function_ref<void(mlir::Value unit)> emit);

/// The coordinates of a value that has an element there, at full coordinates of the domain; nothing for another shape.
std::optional<Coordinates> homeAt(ClusterEmitter &e, const Domain &domain, mlir::Value value, const Coordinates &full);

/// Vectors over [0, size) with a masked end: `emit(base, tail)` with lanes set; tail is null for full vectors.
void forEachVector(ClusterEmitter &e, int64_t size, llvm::function_ref<void(mlir::Value base)> emit);

} // namespace ingot
