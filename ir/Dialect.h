// The ingot dialect: ops generated from the records, interfaces, attributes.
#pragma once

#include "ingot/ir/GradientBuilder.h"
#include "ingot/ir/OpTable.h"
#include "ingot/ir/emit/Access.h"
#include "ingot/ir/emit/Elements.h"
#include "ingot/ir/emit/ScalarOps.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ingot {
/// The op's result types are those its shape rule gives; else an error at the op.
llvm::LogicalResult verifyShapeRule(mlir::Operation *op);
} // namespace ingot

#include "ingot-gen/ir/Dialect.h.inc"
#include "ingot-gen/ir/Enums.h.inc"
#include "ingot-gen/ir/Interfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ingot-gen/ir/Attributes.h.inc"

namespace ingot {

/// Result types from the op's shape rule; an error at `location` when there is one.
llvm::LogicalResult inferResultTypes(OpKind kind, mlir::MLIRContext *context, std::optional<mlir::Location> location,
                                     mlir::ValueRange operands, mlir::DictionaryAttr attributes,
                                     mlir::RegionRange regions, llvm::SmallVectorImpl<mlir::Type> &inferred);

} // namespace ingot

#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/constant/Constant.h.inc"
#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/elementwise/Elementwise.h.inc"
#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/view/View.h.inc"
#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/reduction/Reduction.h.inc"
#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/contraction/Contraction.h.inc"
#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/indexing/Indexing.h.inc"
#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/random/Random.h.inc"
#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/custom/Custom.h.inc"
#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/structure/Structure.h.inc"
