// Pointwise clusters: one parallel nest, the last dimension in vectors.
#include "ingot/passes/kernels/KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ingot {

using namespace mlir;

int64_t taskCount(int64_t units, int64_t work) {
  int64_t tasks = std::min(kMaxTasks, units * work / kTaskWork);
  return std::clamp<int64_t>(tasks, 1, std::max<int64_t>(units, 1));
}

void forEachUnit(ClusterEmitter &e, int64_t units, llvm::function_ref<void(Value)> emit) {
  auto body = [&](Value unit, ValueRange) {
    emit(unit);
    return llvm::SmallVector<Value>();
  };
  if (e.needs.tasks == 1) {
    if (units == 1)
      e.scoped([&] { emit(e.constantIndex(0)); });
    else
      e.loop(e.constantIndex(0), e.constantIndex(units), 1, {}, body);
    return;
  }
  const int64_t tasks = e.needs.tasks; // of a known number of units each, where they divide
  if (units % tasks == 0) {
    Value first = e.mul(e.task(), units / tasks);
    e.loop(first, e.add(first, e.constantIndex(units / tasks)), 1, {}, body);
    return;
  }
  // Parts that differ by one unit at most: workers get the same number of tasks each.
  auto begin = [&](Value task) {
    return Value(e.builder().create<arith::DivUIOp>(e.loc(), e.mul(task, units), e.constantIndex(tasks)));
  };
  e.loop(begin(e.task()), begin(e.add(e.task(), e.constantIndex(1))), 1, {}, body);
}

std::optional<Coordinates> homeAt(ClusterEmitter &e, const Domain &domain, Value value, const Coordinates &full) {
  std::optional<AccessMap> access = domain.homeOf(value);
  if (!access)
    return std::nullopt;
  Coordinates home;
  for (const std::optional<AffineExpr> &expr : *access) {
    auto dim = llvm::dyn_cast<AffineDimExpr>(*expr);
    home.push_back(dim ? full[dim.getPosition()] : Coordinate{e.constantIndex(0), 0, {}});
  }
  return home;
}

void forEachVector(ClusterEmitter &e, int64_t size, llvm::function_ref<void(Value)> emit) {
  const int64_t lanes = std::min(e.vectorLanes(), int64_t(llvm::PowerOf2Ceil(uint64_t(std::max<int64_t>(size, 1)))));
  const int64_t whole = size / lanes * lanes;
  e.setLanes(lanes);
  if (whole == lanes)
    e.scoped([&] { emit(e.constantIndex(0)); });
  else if (whole)
    e.loop(e.constantIndex(0), e.constantIndex(whole), lanes, {}, [&](Value base, ValueRange) {
      emit(base);
      return llvm::SmallVector<Value>();
    });
  if (whole < size)
    e.scoped([&] {
      e.setTail(e.laneMask(size - whole));
      emit(e.constantIndex(whole));
      e.setTail({});
    });
  e.setLanes(1);
}

namespace {

ShapedType typeOf(Value v) { return llvm::cast<ShapedType>(v.getType()); }

/// Whether elements can be visited in memory order without knowing their coordinates: every value has the domain's
/// shape and is computed elementwise, or is one element.
bool isFlat(ClusterEmitter &e, ArrayRef<int64_t> shape) {
  auto plain = [&](Value v) { return typeOf(v).getShape() == shape || typeOf(v).getNumElements() == 1; };
  for (BlockArgument argument : e.body().getArguments())
    if (!plain(argument))
      return false;
  for (Operation &op : e.body().without_terminator()) {
    auto table = llvm::dyn_cast<TableOpInterface>(op);
    bool elementwise = table && op_info(table.kind()).has(kElementwise);
    bool spreads =
        op.getNumOperands() <= 1 && (op.getNumOperands() == 0 || typeOf(op.getOperand(0)).getNumElements() == 1);
    if (!plain(op.getResult(0)) || (!elementwise && !(spreads && !llvm::isa<IotaOp>(op))))
      return false;
  }
  return true;
}

} // namespace

LogicalResult emitLoop(ClusterEmitter &e) {
  Value first = e.outputs()[0];
  llvm::SmallVector<int64_t> shape(typeOf(first).getShape());
  const int64_t elements = typeOf(first).getNumElements();
  if (elements == 0)
    return success();
  const size_t rank = shape.size();
  e.hoistScalars();
  auto zeros = [&] { return Coordinates(rank, Coordinate{e.constantIndex(0), 0, {}}); };
  // Outputs have the domain's shape, up to dimensions of size 1.
  const Domain domain = loopDomain(first);
  auto write = [&](const Coordinates &full) {
    e.writeOutputs([&](Value v) -> std::optional<Coordinates> {
      if (typeOf(v).getShape() == ArrayRef<int64_t>(shape))
        return full;
      return homeAt(e, domain, v, full);
    });
  };
  if (rank == 0) {
    e.setLanes(1);
    write(zeros());
    return success();
  }
  if (isFlat(e, shape)) {
    // The flat position as the last coordinate of a dimension that counts: strides make it the right address.
    size_t last = rank - 1;
    while (last > 0 && shape[last] == 1)
      --last;
    const int64_t block = std::max<int64_t>(kTaskWork, 1);
    e.needs.tasks = taskCount((elements + block - 1) / block, block);
    auto at = [&](Value position) {
      Coordinates c = zeros();
      c[last] = {position, 1, {}};
      write(c);
    };
    if (e.needs.tasks == 1) {
      forEachVector(e, elements, at);
      return success();
    }
    const int64_t lanes = e.vectorLanes();
    int64_t part = ((elements + e.needs.tasks - 1) / e.needs.tasks + 1023) / 1024 * 1024;
    const int64_t whole = elements / lanes * lanes;
    Value from = e.mul(e.task(), part);
    Value to = e.minimum(e.add(from, e.constantIndex(part)), e.constantIndex(whole));
    e.setLanes(lanes);
    e.loop(from, to, lanes, {}, [&](Value base, ValueRange) {
      at(base);
      return llvm::SmallVector<Value>();
    });
    if (whole < elements) {
      // The end belongs to the last task; a loop of one round stands for the condition.
      Value lastTask = e.constantIndex(e.needs.tasks - 1);
      Value beyond = e.builder().create<arith::CmpIOp>(e.loc(), arith::CmpIPredicate::eq, e.task(), lastTask);
      auto when = e.builder().create<scf::IfOp>(e.loc(), beyond, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(e.builder());
      e.builder().setInsertionPointToStart(when.thenBlock());
      e.scoped([&] {
        e.setTail(e.laneMask(elements - whole));
        at(e.constantIndex(whole));
        e.setTail({});
      });
    }
    e.setLanes(1);
    return success();
  }
  llvm::SmallVector<int64_t> outer;
  for (size_t d = 0; d + 1 < rank; ++d)
    outer.push_back(int64_t(d));
  const int64_t rows = elements / shape.back();
  e.needs.tasks = taskCount(rows, shape.back());
  forEachUnit(e, rows, [&](Value row) {
    Coordinates at = zeros();
    e.delinearize(row, shape, outer, at);
    forEachVector(e, shape.back(), [&](Value base) {
      at.back() = {base, 1, {}};
      write(at);
    });
  });
  return success();
}

} // namespace ingot
