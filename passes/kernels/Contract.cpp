// Products: register tiles over packed columns of b, the epilogue applied to the tile before it is stored. Every
// element is one chain of fused multiply-adds in ascending order of the summed dimension, whatever the tiling.
#include "ingot/passes/kernels/KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace ingot {

using namespace mlir;

namespace {

ShapedType typeOf(Value v) { return llvm::cast<ShapedType>(v.getType()); }

/// Sizes and dimensions of a canonical product; a missing dimension is -1 and has size 1.
struct ProductShape {
  int64_t batch = 1, m = 1, n = 1, k = 1;
  int64_t aBatch = -1, aM = -1, aK = -1, bBatch = -1, bN = -1, bK = -1;

  explicit ProductShape(DotOp dot) {
    auto only = [](ArrayRef<int64_t> dims) { return dims.empty() ? int64_t(-1) : dims.front(); };
    aBatch = only(dot.getLhsBatch()), bBatch = only(dot.getRhsBatch());
    aK = only(dot.getLhsContract()), bK = only(dot.getRhsContract());
    for (int64_t d = 0; d < typeOf(dot.getA()).getRank(); ++d)
      if (d != aBatch && d != aK)
        aM = d;
    for (int64_t d = 0; d < typeOf(dot.getB()).getRank(); ++d)
      if (d != bBatch && d != bK)
        bN = d;
    auto size = [](Value v, int64_t d) { return d < 0 ? int64_t(1) : typeOf(v).getShape()[size_t(d)]; };
    batch = size(dot.getA(), aBatch), m = size(dot.getA(), aM), n = size(dot.getB(), bN), k = size(dot.getA(), aK);
  }
};

class ContractEmitter {
public:
  ContractEmitter(ClusterEmitter &e, DotOp dot)
      : e(e), b(e.builder()), dot(dot), shape(dot), element(typeOf(dot.getResult()).getElementType()) {}

  LogicalResult run();

private:
  ClusterEmitter &e;
  OpBuilder &b;
  DotOp dot;
  ProductShape shape;
  Type element;
  int64_t lanes = 1, tileRows = 1, tileVectors = 1;
  Value packed; // (k, tileVectors * lanes): the columns of b that the tile multiplies with

  Coordinates coordinates(int64_t rank, std::initializer_list<std::pair<int64_t, Coordinate>> dims) {
    Coordinates at(size_t(rank), Coordinate{e.constantIndex(0), 0, {}});
    for (auto &[d, c] : dims)
      if (d >= 0)
        at[size_t(d)] = c;
    return at;
  }
  Value readA(Value batch, Value m, Value k) {
    return e.readFirstLane(
        dot.getA(), coordinates(typeOf(dot.getA()).getRank(),
                                {{shape.aBatch, {batch, 0, {}}}, {shape.aM, {m, 0, {}}}, {shape.aK, {k, 0, {}}}}));
  }
  Value readB(Value batch, Value k, Value n) {
    return e.read(dot.getB(),
                  coordinates(typeOf(dot.getB()).getRank(),
                              {{shape.bBatch, {batch, 0, {}}}, {shape.bN, {n, 1, {}}}, {shape.bK, {k, 0, {}}}}));
  }
  void chooseTile();
  void packPanel(Value batch, Value n, int64_t width);
  void tile(Value batch, Value m, int64_t rows, Value n, int64_t width);
  void panel(Value batch, Value n, int64_t width);
  void finish(Value batch, Value m, int64_t rows, Value n, int64_t width, ValueRange sums);
  Value multiplyAdd(Value x, Value y, Value z);
};

/// As many independent chains as keep the multiply-add units busy, within the registers: rows x vectors of sums, the
/// vectors of b, one broadcast of a.
void ContractEmitter::chooseTile() {
  lanes = std::min(e.vectorLanes(), int64_t(llvm::PowerOf2Ceil(uint64_t(std::max<int64_t>(shape.n, 1)))));
  tileVectors = shape.n > lanes ? 2 : 1;
  const int64_t registers = e.target().vector_registers;
  tileRows = std::clamp<int64_t>((registers - tileVectors - 1) / tileVectors, 1, tileVectors == 1 ? 8 : 12);
  if (tileVectors == 2)
    tileRows = registers >= 32 ? 12 : 6;
  tileRows = std::max<int64_t>(1, std::min(tileRows, shape.m));
}

Value ContractEmitter::multiplyAdd(Value x, Value y, Value z) {
  emit::ScalarOps s(b, e.loc());
  return llvm::isa<FloatType>(element) ? s.fma(x, y, z) : s.add(s.mul(x, y), z);
}

/// Copies `width` columns from n on, padded with zeros to whole vectors.
void ContractEmitter::packPanel(Value batch, Value n, int64_t width) {
  e.loop(e.constantIndex(0), e.constantIndex(shape.k), 1, {}, [&](Value k, ValueRange) {
    e.setLanes(lanes);
    for (int64_t v = 0; v < tileVectors; ++v) {
      const int64_t left = std::clamp<int64_t>(width - v * lanes, 0, lanes);
      Value to = e.add(e.mul(k, tileVectors * lanes), e.constantIndex(v * lanes));
      emit::ScalarOps s(b, e.loc());
      Value column = s.constant(0, e.valueType(element));
      if (left) {
        e.setTail(left < lanes ? e.laneMask(left) : Value());
        column = readB(batch, k, e.add(n, e.constantIndex(v * lanes)));
        e.setTail({});
      }
      e.storeTo(packed, {to, 1, {}}, column, {});
    }
    return llvm::SmallVector<Value>();
  });
}

void ContractEmitter::tile(Value batch, Value m, int64_t rows, Value n, int64_t width) {
  e.setLanes(lanes);
  emit::ScalarOps s(b, e.loc());
  llvm::SmallVector<Value> sums(size_t(rows * tileVectors), s.constant(0, e.valueType(element)));
  const int64_t unroll = shape.k >= 4 ? 4 : 1;
  auto steps = [&](Value k, int64_t count, ValueRange carried) {
    llvm::SmallVector<Value> next(carried);
    for (int64_t u = 0; u < count; ++u) {
      Value at = u ? e.add(k, e.constantIndex(u)) : k;
      llvm::SmallVector<Value> columns;
      for (int64_t v = 0; v < tileVectors; ++v) {
        Value from = e.add(e.mul(at, tileVectors * lanes), e.constantIndex(v * lanes));
        columns.push_back(e.loadFrom(packed, {from, 1, {}}, element, {}));
      }
      for (int64_t r = 0; r < rows; ++r) {
        Value x = e.splat(readA(batch, r ? e.add(m, e.constantIndex(r)) : m, at));
        for (int64_t v = 0; v < tileVectors; ++v) {
          Value &sum = next[size_t(r * tileVectors + v)];
          sum = multiplyAdd(x, columns[size_t(v)], sum);
        }
      }
    }
    return next;
  };
  const int64_t whole = shape.k / unroll * unroll;
  if (whole)
    sums = e.loop(e.constantIndex(0), e.constantIndex(whole), unroll, sums,
                  [&](Value k, ValueRange carried) { return steps(k, unroll, carried); });
  for (int64_t k = whole; k < shape.k; ++k)
    sums = steps(e.constantIndex(k), 1, sums);
  finish(batch, m, rows, n, width, sums);
}

/// The epilogue on the tile's vectors; all of them are evaluated at one place of the output at a time.
void ContractEmitter::finish(Value batch, Value m, int64_t rows, Value n, int64_t width, ValueRange sums) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t v = 0; v < tileVectors; ++v) {
      const int64_t left = std::min(width - v * lanes, lanes);
      if (left <= 0)
        continue;
      e.scoped([&] {
        e.setTail(left < lanes ? e.laneMask(left) : Value());
        Coordinates at;
        if (shape.aBatch >= 0)
          at.push_back({batch, 0, {}});
        if (shape.aM >= 0)
          at.push_back({r ? e.add(m, e.constantIndex(r)) : m, 0, {}});
        if (shape.bN >= 0)
          at.push_back({v ? e.add(n, e.constantIndex(v * lanes)) : n, 1, {}});
        Value sum = sums[size_t(r * tileVectors + v)];
        if (shape.bN < 0) { // one column: a scalar stands for it
          e.setTail({});
          sum = lanes == 1 ? sum : Value(b.create<vector::ExtractOp>(e.loc(), sum, llvm::ArrayRef<int64_t>{0}));
          e.setLanes(1);
        }
        e.bind(dot.getResult(), at, sum);
        e.writeOutputs([&](Value output) -> std::optional<Coordinates> {
          // Outputs have the product's shape, up to dimensions of size 1.
          Domain domain = anchorDomain(dot);
          std::optional<AccessMap> access = domain.homeOf(output);
          Coordinates home;
          for (const std::optional<AffineExpr> &expr : *access) {
            auto dim = llvm::dyn_cast<AffineDimExpr>(*expr);
            home.push_back(dim ? at[dim.getPosition()] : Coordinate{e.constantIndex(0), 0, {}});
          }
          return home;
        });
        e.setTail({});
        e.setLanes(lanes);
      });
    }
}

void ContractEmitter::panel(Value batch, Value n, int64_t width) {
  packPanel(batch, n, width);
  const int64_t whole = shape.m / tileRows * tileRows;
  if (whole)
    e.loop(e.constantIndex(0), e.constantIndex(whole), tileRows, {}, [&](Value m, ValueRange) {
      tile(batch, m, tileRows, n, width);
      return llvm::SmallVector<Value>();
    });
  if (whole < shape.m)
    e.scoped([&] { tile(batch, e.constantIndex(whole), shape.m - whole, n, width); });
}

LogicalResult ContractEmitter::run() {
  if (typeOf(dot.getResult()).getNumElements() == 0)
    return success();
  e.hoistScalars();
  chooseTile();
  const int64_t width = tileVectors * lanes, whole = shape.n / width, rest = shape.n % width,
                panels = whole + (rest ? 1 : 0);
  packed = e.slotScratch(std::max<int64_t>(shape.k, 1) * width, element);
  e.needs.tasks = taskCount(shape.batch * panels, std::max<int64_t>(1, shape.m * shape.k * width / 16));
  forEachUnit(e, shape.batch * panels, [&](Value unit) {
    Value batch = panels == 1 ? unit : Value(b.create<arith::DivUIOp>(e.loc(), unit, e.constantIndex(panels)));
    Value piece =
        panels == 1 ? e.constantIndex(0) : Value(b.create<arith::RemUIOp>(e.loc(), unit, e.constantIndex(panels)));
    if (!rest) {
      panel(batch, e.mul(piece, width), width);
    } else if (!whole) {
      panel(batch, e.constantIndex(0), rest);
    } else {
      Value full = b.create<arith::CmpIOp>(e.loc(), arith::CmpIPredicate::ult, piece, e.constantIndex(whole));
      auto branch = b.create<scf::IfOp>(e.loc(), full, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(branch.thenBlock()->getTerminator());
      e.scoped([&] { panel(batch, e.mul(piece, width), width); });
      b.setInsertionPoint(branch.elseBlock()->getTerminator());
      e.scoped([&] { panel(batch, e.constantIndex(whole * width), rest); });
    }
  });
  e.setLanes(1);
  return success();
}

} // namespace

LogicalResult emitContract(ClusterEmitter &e) {
  for (Operation &op : e.body())
    if (auto dot = llvm::dyn_cast<DotOp>(op))
      return ContractEmitter(e, dot).run();
  return e.cluster().emitOpError("holds no product");
}

} // namespace ingot
