// The machine that a module is compiled for, as an attribute of it: a target travels whole and by value.
#pragma once

#include "ingot/ir/Dialect.h"
#include "ingot/runtime/Target.h"

#include "mlir/IR/BuiltinOps.h"

namespace ingot {

TargetAttr toAttribute(const Target &target, mlir::MLIRContext *context);
Target toTarget(TargetAttr attribute);

/// Sets `ingot.target`, the one place where passes look.
void setTarget(mlir::ModuleOp module, const Target &target);
bool hasTarget(mlir::ModuleOp module);
/// The module's target; an error at the module when it has none.
mlir::FailureOr<Target> targetOf(mlir::ModuleOp module);

} // namespace ingot
