#include "ingot/passes/Work.h"

#include "mlir/IR/Builders.h"

namespace ingot {

using namespace mlir;

void noteVisits(func::FuncOp function, llvm::StringRef pass, size_t visits) {
  auto counts = function->getAttrOfType<DictionaryAttr>(kWork);
  if (!counts)
    return;
  Builder builder(function.getContext());
  NamedAttrList next(counts);
  auto before = counts.getAs<IntegerAttr>(pass);
  next.set(pass, builder.getI64IntegerAttr((before ? before.getInt() : 0) + int64_t(visits)));
  function->setAttr(kWork, next.getDictionary(function.getContext()));
}

} // namespace ingot
