#include "ingot/ir/Dialect.h"

#include "ingot/ir/TypeConversion.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ingot-gen/ir/Dialect.cpp.inc"
#include "ingot-gen/ir/Enums.cpp.inc"
#include "ingot-gen/ir/Interfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ingot-gen/ir/Attributes.cpp.inc"

namespace ingot {
namespace {

/// A target is a long line: text names it once, in front of the module.
struct AliasInterface : mlir::OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(mlir::Attribute attribute, llvm::raw_ostream &out) const override {
    if (!llvm::isa<TargetAttr>(attribute))
      return AliasResult::NoAlias;
    out << "target";
    return AliasResult::FinalAlias;
  }
};

} // namespace

void IngotDialect::initialize() {
  addInterfaces<AliasInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ingot-gen/ir/Attributes.cpp.inc"
      >();
#define GET_OP_LIST
  addOperations<
#include "ingot-gen/ir/ops/constant/Constant.cpp.inc"
      >();
#define GET_OP_LIST
  addOperations<
#include "ingot-gen/ir/ops/elementwise/Elementwise.cpp.inc"
      >();
#define GET_OP_LIST
  addOperations<
#include "ingot-gen/ir/ops/view/View.cpp.inc"
      >();
#define GET_OP_LIST
  addOperations<
#include "ingot-gen/ir/ops/reduction/Reduction.cpp.inc"
      >();
#define GET_OP_LIST
  addOperations<
#include "ingot-gen/ir/ops/contraction/Contraction.cpp.inc"
      >();
#define GET_OP_LIST
  addOperations<
#include "ingot-gen/ir/ops/indexing/Indexing.cpp.inc"
      >();
#define GET_OP_LIST
  addOperations<
#include "ingot-gen/ir/ops/random/Random.cpp.inc"
      >();
#define GET_OP_LIST
  addOperations<
#include "ingot-gen/ir/ops/custom/Custom.cpp.inc"
      >();
#define GET_OP_LIST
  addOperations<
#include "ingot-gen/ir/ops/structure/Structure.cpp.inc"
      >();
}

mlir::Operation *IngotDialect::materializeConstant(mlir::OpBuilder &builder, mlir::Attribute value, mlir::Type type,
                                                   mlir::Location loc) {
  auto elements = llvm::dyn_cast<mlir::ElementsAttr>(value);
  return elements && elements.getType() == type ? builder.create<ConstantOp>(loc, elements) : nullptr;
}

} // namespace ingot
