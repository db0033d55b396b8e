#include "ingot/passes/Donation.h"

#include "ingot/ir/Dialect.h"
#include "ingot/passes/ClusterAnalysis.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

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
  for (Operation *user : value.getUsers()) {
    if (llvm::isa<ReshapeOp>(user))
      collectReaders(user->getResult(0), readers);
    else if (llvm::isa<FusionOp>(user))
      readers.insert(user);
  }
}

/// Whether `to` is `from` or depends on it.
bool reaches(Operation *from, Operation *to) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  llvm::SmallVector<Operation *> work{from};
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (op == to)
      return true;
    for (Operation *user : op->getUsers())
      if (seen.insert(user).second)
        work.push_back(user);
  }
  return false;
}

} // namespace

Donation::Donation(func::FuncOp function) : function(function) {
  Operation *ret = function.front().getTerminator();
  llvm::SmallDenseSet<unsigned> taken;
  for (unsigned input = 0; input < function.getNumArguments(); ++input) {
    if (!function.getArgAttr(input, "ingot.donated"))
      continue;
    Type type = function.getArgument(input).getType();
    bool paired = false;
    for (unsigned output = 0; output < ret->getNumOperands() && !paired; ++output) {
      if (taken.contains(output) || ret->getOperand(output).getType() != type)
        continue;
      taken.insert(output);
      paired = true;
      Value made = throughAliases(ret->getOperand(output));
      auto result = llvm::dyn_cast<OpResult>(made);
      all.push_back({input, output, result ? result.getOwner() : nullptr, result ? result.getResultNumber() : 0});
    }
    if (!paired && unusable < 0)
      unusable = input;
  }
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

llvm::SmallVector<Operation *> Donation::mustPrecede(const Pair &pair) const {
  llvm::SmallVector<Operation *> before = readersOf(pair);
  for (Operation &op : func::FuncOp(function).front().without_terminator())
    if (auto fusion = llvm::dyn_cast<FusionOp>(op); op.getNumResults() == 0 || (fusion && fusion.getKind() == "custom"))
      before.push_back(&op);
  return before;
}

bool Donation::breakOneCycle(func::FuncOp target) {
  Operation *ret = target.front().getTerminator();
  OpBuilder builder(ret);
  for (const Pair &pair : all) {
    if (!pair.writer || pair.writer->hasAttr(kCopied) ||
        llvm::none_of(mustPrecede(pair), [&](Operation *op) { return reaches(pair.writer, op); }))
      continue;
    Value from = ret->getOperand(pair.output);
    auto copy = builder.create<FusionOp>(from.getLoc(), TypeRange(from.getType()), ValueRange(from), "loop");
    copy->setAttr(kCopied, builder.getUnitAttr());
    Block *body = builder.createBlock(&copy.getBody());
    Value argument = body->addArgument(from.getType(), from.getLoc());
    builder.create<YieldOp>(from.getLoc(), ValueRange(argument));
    ret->setOperand(pair.output, copy.getResult(0));
    return true;
  }
  return false;
}

} // namespace ingot
