#include "ingot/passes/CodeSize.h"

#include "ingot/ir/Dialect.h"

#include "mlir/IR/Block.h"

namespace ingot {

using namespace mlir;

namespace {

constexpr int64_t kLoopsOfItsOwn = 16;

/// Gives fresh values for everything that is read.
class Placeholders final : public ElementReader {
public:
  explicit Placeholders(Operation *op) : b(op->getContext()), location(op->getLoc()) {
    b.setInsertionPointToStart(&block);
  }

  OpBuilder &builder() override { return b; }
  Location loc() override { return location; }
  int64_t lanes() const override { return currentLanes; }
  Value read(Value operand, const Coordinates &, Value) override { return fresh(operand); }
  Value readFirstLane(Value operand, const Coordinates &) override {
    const int64_t before = std::exchange(currentLanes, 1);
    Value scalar = fresh(operand);
    currentLanes = before;
    return scalar;
  }

  /// Coordinates of a vector along the last dimension.
  Coordinates coordinates(size_t rank) {
    Coordinates at;
    for (size_t d = 0; d < rank; ++d)
      at.push_back({block.addArgument(b.getIndexType(), location), d + 1 == rank, {}});
    return at;
  }
  int64_t numOps() {
    int64_t count = 0;
    block.walk([&](Operation *) { ++count; });
    return count;
  }

private:
  Block block;
  OpBuilder b;
  Location location;
  int64_t currentLanes = 8; // how many does not change the code

  Value fresh(Value operand) {
    return block.addArgument(valueType(llvm::cast<ShapedType>(operand.getType()).getElementType()), location);
  }
};

int64_t emittedSize(PointwiseOpInterface op) {
  Placeholders reader(op);
  op.emitAt(reader, reader.coordinates(size_t(llvm::cast<ShapedType>(op->getResult(0).getType()).getRank())));
  return reader.numOps();
}

} // namespace

int64_t CodeSize::of(Operation *op) {
  auto pointwise = llvm::dyn_cast<PointwiseOpInterface>(op);
  if (!pointwise)
    return kLoopsOfItsOwn;
  auto table = llvm::dyn_cast<TableOpInterface>(op);
  if (!table || !op_info(table.kind()).has(kElementwise) || op->getNumOperands() == 0)
    return emittedSize(pointwise);
  auto elementOf = [](Value v) { return llvm::cast<ShapedType>(v.getType()).getElementType(); };
  const Types types(elementOf(op->getOperand(0)), elementOf(op->getResult(0)));
  auto [entry, first] = elementwise.try_emplace({op->getName(), types}, 0);
  if (first)
    entry->second = emittedSize(pointwise);
  return entry->second;
}

} // namespace ingot
