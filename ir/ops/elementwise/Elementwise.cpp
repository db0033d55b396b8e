// Elementwise ops: everything comes from the records.
#include "ingot/ir/Dialect.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/elementwise/Elementwise.cpp.inc"
