#include "ingot/passes/Donation.h"

#include "ingot/ir/Dialect.h"
#include "ingot/passes/ClusterAnalysis.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace ingot {

using namespace mlir;

namespace {

constexpr llvm::StringLiteral kCopied = "ingot.copy_last";

Value throughAliases(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

/// Every op that reads the memory of `value`, through aliases.
void collectReaders(Value value, llvm::SetVector<Operation *> &readers) {
  llvm::SmallVector<Value> aliases{value};
  while (!aliases.empty())
    for (Operation *user : aliases.pop_back_val().getUsers()) {
      if (llvm::isa<ReshapeOp>(user))
        aliases.push_back(user->getResult(0));
      else if (llvm::isa<FusionOp>(user))
        readers.insert(user);
    }
}

} // namespace

Donation::Donation(func::FuncOp function) : function(function) {
  Operation *ret = function.front().getTerminator();
  llvm::DenseMap<Type, llvm::SmallVector<unsigned>> outputs; // of each type, the last one first
  for (unsigned output = ret->getNumOperands(); output-- > 0;)
    outputs[ret->getOperand(output).getType()].push_back(output);
  for (unsigned input = 0; input < function.getNumArguments(); ++input) {
    if (!function.getArgAttr(input, "ingot.donated"))
      continue;
    llvm::SmallVector<unsigned> &free = outputs[function.getArgument(input).getType()];
    if (free.empty()) {
      unusable = unusable < 0 ? input : unusable;
      continue;
    }
    const unsigned output = free.pop_back_val();
    auto result = llvm::dyn_cast<OpResult>(throughAliases(ret->getOperand(output)));
    all.push_back({input, output, result ? result.getOwner() : nullptr, result ? result.getResultNumber() : 0});
  }
  if (!all.empty())
    for (Operation &op : function.front().without_terminator())
      if (auto fusion = llvm::dyn_cast<FusionOp>(op);
          op.getNumResults() == 0 || (fusion && fusion.getKind() == "custom"))
        checks.push_back(&op);
}

llvm::SmallVector<int64_t> Donation::outputOfInput() const {
  llvm::SmallVector<int64_t> outputs(func::FuncOp(function).getNumArguments(), -1);
  for (const Pair &pair : all)
    outputs[pair.input] = pair.output;
  return outputs;
}

llvm::SmallVector<Operation *> Donation::readersOf(const Pair &pair) const {
  llvm::SetVector<Operation *> readers;
  BlockArgument argument = func::FuncOp(function).getArgument(pair.input);
  collectReaders(argument, readers);
  llvm::SmallVector<Operation *> others;
  for (Operation *reader : readers) {
    if (reader == pair.writer) {
      auto fusion = llvm::cast<FusionOp>(reader);
      bool inPlace = true;
      for (auto [i, operand] : llvm::enumerate(fusion->getOperands()))
        if (throughAliases(operand) == argument)
          inPlace &= readsOnlyAtResult(fusion, i, pair.result);
      if (inPlace)
        continue;
    }
    others.push_back(reader);
  }
  return others;
}

bool Donation::isCopied(const Pair &pair) { return pair.writer->hasAttr(kCopied); }

void Donation::copyLast(func::FuncOp target, llvm::ArrayRef<const Pair *> pairs) const {
  Operation *ret = target.front().getTerminator();
  OpBuilder builder(ret);
  for (const Pair *pair : pairs) {
    Value from = ret->getOperand(pair->output);
    auto copy = builder.create<FusionOp>(from.getLoc(), TypeRange(from.getType()), ValueRange(from), "loop");
    copy->setAttr(kCopied, builder.getUnitAttr());
    Block *body = builder.createBlock(&copy.getBody());
    Value argument = body->addArgument(from.getType(), from.getLoc());
    builder.create<YieldOp>(from.getLoc(), ValueRange(argument));
    builder.setInsertionPoint(ret);
    ret->setOperand(pair->output, copy.getResult(0));
  }
}

} // namespace ingot
