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

void IngotDialect::initialize() {
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
