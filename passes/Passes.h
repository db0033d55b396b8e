// Declarations of the passes, generated from Passes.td.
#pragma once

#include "ingot/runtime/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir {
class DialectRegistry;
namespace arith {
class ArithDialect;
}
namespace math {
class MathDialect;
}
namespace scf {
class SCFDialect;
}
namespace vector {
class VectorDialect;
}
namespace memref {
class MemRefDialect;
}
namespace LLVM {
class LLVMDialect;
}
} // namespace mlir

namespace ingot {

class IngotDialect;

#define GEN_PASS_DECL
#include "ingot-gen/passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ingot-gen/passes/Passes.h.inc"

/// Every dialect that any phase uses, with what translation to LLVM IR needs.
void registerPipelineDialects(mlir::DialectRegistry &registry);

} // namespace ingot
