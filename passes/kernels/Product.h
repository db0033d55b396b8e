// Emits one product with its prologues and epilogue. The order of an element's sum is ProductOrder's, whatever the
// tiling, the packing and the split into tasks.
#pragma once

#include "ingot/passes/kernels/KernelEmitter.h"

namespace ingot {

/// Sizes and dimensions of a canonical product seen as c[m, n] = sum over k of narrow[m, k] * wide[k, n], where lanes
/// run along n. A product with one column is seen transposed. A missing dimension is -1 and has size 1.
struct ProductShape {
  explicit ProductShape(DotOp dot);

  mlir::Value narrow, wide;
  int64_t batch = 1, m = 1, n = 1, k = 1;
  int64_t narrowBatch = -1, narrowM = -1, narrowK = -1, wideBatch = -1, wideN = -1, wideK = -1;
  bool transposed = false; // narrow is the right operand

  /// Whether the operand is memory (not a prologue) in which the dimension's elements are adjacent.
  bool adjacent(mlir::Value operand, int64_t dim) const;
};

/// The order of an element's sum, a function of the summed size and the target alone: a block is one chain of fused
/// multiply-adds from +0, in ascending order; the sums of a stretch's blocks are added in ascending order; the totals
/// of stretches are combined in pairs, then pairs of pairs.
struct ProductOrder {
  ProductOrder(int64_t k, const Target &target);

  int64_t block;     // elements of a block; the last one may have fewer
  int64_t blocks;    // of the whole sum
  int64_t stretch;   // blocks of a stretch; the last one may have fewer
  int64_t stretches; // of the whole sum
};

class ProductEmitter {
public:
  ProductEmitter(ClusterEmitter &e, DotOp dot);
  void run();

private:
  using Fn = llvm::function_ref<void()>;
  /// A block of the summed dimension: where it begins, its static size, whether the tile's sums are whole with it.
  struct Depth {
    mlir::Value from;
    int64_t size;
    bool last;
  };
  using Visit = llvm::function_ref<void(Depth)>;

  ClusterEmitter &e;
  mlir::OpBuilder &b;
  DotOp dot;
  ProductShape shape;
  ProductOrder order;
  mlir::Type element;
  int64_t lanes = 1;

  // Contract.cpp: what a tile, a block and a task are
  int64_t tileRows = 1, tileVectors = 1; // register tile
  int64_t partM = 1, partN = 1;          // of a unit of parallel work; whole tiles
  bool packNarrow = false;
  bool packInTile = false;                       // wide is packed by the first tile that reads it
  bool packInPanel = false;                      // a panel is packed, in the place of the one before, when it is read
  mlir::Value batch, unitM, unitN, lastM, lastN; // the current unit: where it begins, whether it is the last (i1)

  int64_t width() const { return tileVectors * lanes; }
  int64_t elementsPerLine() const {
    return std::max<int64_t>(1, e.target().line * 8 / element.getIntOrFloatBitWidth());
  }
  /// Elements between packed panels: not a power of two, so that their rows do not share a set of the cache.
  int64_t panelStride() const { return width() * (order.block + 1); }
  mlir::Value panelStart(mlir::Value panel) { return e.mul(packInPanel ? e.constantIndex(0) : panel, panelStride()); }
  int64_t partsM() const { return (shape.m + partM - 1) / partM; }
  int64_t partsN() const { return (shape.n + partN - 1) / partN; }
  void chooseTile();
  void chooseParts();
  void blocked();
  void block(Depth d);
  int64_t epilogueLength();
  void rowsOfPanel(Depth d, mlir::Value panel, int64_t columns);
  mlir::Value zero();
  mlir::Value multiplyAdd(mlir::Value x, mlir::Value y, mlir::Value z);
  Coordinates coordinates(int64_t rank, std::initializer_list<std::pair<int64_t, Coordinate>> dims);
  Coordinates wideAt(Coordinate k, Coordinate n);
  Coordinates narrowAt(Coordinate m, Coordinate k);
  mlir::Value plus(mlir::Value x, int64_t y) { return y ? e.add(x, e.constantIndex(y)) : x; }
  mlir::Value plus(mlir::Value x, mlir::Value y); // of elements

  // ProductSums.cpp: units of parallel work, and how the sums of blocks come together
  bool apart = false;          // a stretch is a unit of its own; the finish stage combines them
  bool finishesInTile = false; // the tile of the last block runs the epilogue
  mlir::Value totals;          // of a stretch, partM x partN from firstTotal on; null where a block is the whole sum
  mlir::Value firstTotal;
  mlir::Value waiting; // totals of 1, 2, 4, ... stretches that wait for as many more
  int64_t unitSums() const { return partM * partN; }
  int64_t outputUnits() const { return shape.batch * partsM() * partsN(); }
  /// Summed elements of a unit.
  int64_t unitDepth() const { return apart ? order.stretch * order.block : shape.k; }
  void placeTotals();
  mlir::Value enterUnit(mlir::Value unit);
  mlir::Value isLast(mlir::Value part, int64_t parts);
  /// Runs `then` where the unit is the last of several, without a test where there is one.
  void whenLast(mlir::Value isLast, Fn then);
  void forEachSum(int64_t count, llvm::function_ref<void(mlir::Value)> emit);
  /// Visits the blocks of every unit, then runs the epilogue where the visits do not.
  void forEachBlock(Visit visit);
  void beginStretch();
  void sumStretch(mlir::Value stretch, Visit visit);
  void addToTotal(mlir::Value at, mlir::Value sum);
  void keepTotals(mlir::Value stretch);
  void combineStretches();
  mlir::Value sumAt(mlir::Value at);
  void finishUnit();

  // ProductPack.cpp: blocks of the operands copied to where the tile reads them in order
  mlir::Value packedWide, packedNarrow;
  bool narrowByRows = true;
  int64_t narrowStride = 0;
  void packWide(Depth d);
  /// Whether panels are packed from rows of the summed dimension, turned in registers.
  bool turnsWide() const { return shape.adjacent(shape.wide, shape.wideK) && lanes > 1; }
  void prefetchWide(mlir::Value k, mlir::Value n, int64_t columns);
  void packPanel(Depth d, mlir::Value panel, mlir::Value k, int64_t columns);
  void packPanelTransposed(Depth d, mlir::Value panel, int64_t columns);
  void packNarrowBlock(Depth d);
  llvm::SmallVector<mlir::Value> transposeBlock(llvm::SmallVector<mlir::Value> rows);

  // ProductTile.cpp: the register tile and what follows it
  /// Where `packs` (i1) is given and true the tile reads wide itself and leaves the panel packed for later ones.
  void tile(Depth d, mlir::Value panel, int64_t columns, mlir::Value row, int64_t rows, mlir::Value packs = {});
  llvm::SmallVector<mlir::Value> accumulate(Depth d, mlir::Value panel, int64_t columns, mlir::Value row, int64_t rows,
                                            mlir::ValueRange sums, bool pack);
  llvm::SmallVector<mlir::Value> wideRow(Depth d, mlir::Value panel, mlir::Value k, int64_t u, bool pack);
  mlir::Value narrowElement(mlir::Value row, int64_t r, mlir::Value k, int64_t u, Depth d);
  llvm::SmallVector<mlir::BlockArgument> epilogueOperands();
  void prefetchRow(llvm::ArrayRef<mlir::BlockArgument> operands, mlir::Value m, mlir::Value n);
  void finishTile(mlir::Value panel, int64_t columns, mlir::Value row, int64_t rows, mlir::ValueRange tileSums);
  void finish(mlir::Value m, mlir::Value n, int64_t left, mlir::Value sum);
  mlir::Value finished; // a tile's sums in memory, for an epilogue that is a loop over the rows; else null

  // ProductSkinny.cpp: few rows, where wide is read once and packing it would cost more than the product
  void skinny();
  void skinnyBlock(Depth d);
  void skinnyStep(mlir::Value k, int64_t steps, mlir::Value wholeColumns, bool first);
  mlir::Value sums; // of a block, m x partN, for few rows; else null
};

} // namespace ingot
