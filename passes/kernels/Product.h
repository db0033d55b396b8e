// Emits one product with its prologues and epilogue. Every element is one chain of fused multiply-adds in ascending
// order of the summed dimension, starting from +0, whatever the tiling, the blocking and the split into tasks.
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

class ProductEmitter {
public:
  ProductEmitter(ClusterEmitter &e, DotOp dot);
  void run();

private:
  using Fn = llvm::function_ref<void()>;
  /// A part of the summed dimension: where it begins, its static size, whether sums begin or end with it.
  struct Depth {
    mlir::Value from;
    int64_t size;
    bool first, last;
  };

  ClusterEmitter &e;
  mlir::OpBuilder &b;
  DotOp dot;
  ProductShape shape;
  mlir::Type element;
  int64_t lanes = 1;

  // Contract.cpp: what a tile, a block and a task are
  int64_t tileRows = 1, tileVectors = 1; // register tile
  int64_t partM = 1, partN = 1;          // of a unit of parallel work; whole tiles
  int64_t depth = 1;                     // summed elements between two visits of the sums in memory
  bool packNarrow = false;
  bool packInTile = false;                       // wide is packed by the first tile that reads it
  mlir::Value batch, unitM, unitN, lastM, lastN; // the current unit: where it begins, whether it is the last (i1)

  int64_t width() const { return tileVectors * lanes; }
  int64_t elementsPerLine() const {
    return std::max<int64_t>(1, e.target().line * 8 / element.getIntOrFloatBitWidth());
  }
  /// Elements between packed panels: not a power of two, so that their rows do not share a set of the cache.
  int64_t panelStride() const { return width() * (depth + 1); }
  void chooseTile();
  void chooseParts();
  void blocked();
  void block(Depth d);
  int64_t epilogueLength();
  void rowsOfPanel(Depth d, mlir::Value panel, int64_t columns);
  /// Runs `then` where the unit is the last of several, without a test where there is one.
  void whenLast(mlir::Value isLast, Fn then);
  mlir::Value zero();
  mlir::Value multiplyAdd(mlir::Value x, mlir::Value y, mlir::Value z);
  Coordinates coordinates(int64_t rank, std::initializer_list<std::pair<int64_t, Coordinate>> dims);
  Coordinates wideAt(Coordinate k, Coordinate n);
  Coordinates narrowAt(Coordinate m, Coordinate k);
  mlir::Value plus(mlir::Value x, int64_t y) { return y ? e.add(x, e.constantIndex(y)) : x; }

  // ProductPack.cpp: blocks of the operands copied to where the tile reads them in order
  mlir::Value packedWide, packedNarrow, partial;
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
  void skinnyUnit(mlir::Value n, int64_t columns);
  void skinnyStep(mlir::Value n, mlir::Value k, int64_t steps, mlir::Value wholeColumns);
  mlir::Value sums;
};

} // namespace ingot
