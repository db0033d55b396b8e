// Reading and adding at positions that are data. Negative indices count from the end; an index outside the axis is a
// run-time error that names op, index and bound.
#ifndef INGOT_INDEXING_TD
#define INGOT_INDEXING_TD

include "ingot/ir/Dialect.td"

def Ingot_GatherOp : Ingot_PointwiseOp<"gather"> {
  let summary = "x at the indices along an axis, every other coordinate unchanged";
  let description = [{The indices have x's rank and x's sizes but along the axis; the result has their shape.}];
  let tableMayFail = 1;
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$indices, I64Attr:$axis);
  let results = (outs Ingot_Tensor:$y);
  let assemblyFormat = "$x `,` $indices attr-dict `:` type($x) `,` type($indices)";
}
def Ingot_ScatterAddOp : Ingot_Op<"scatter_add", [Pure]> {
  let summary = "x plus the updates at the indices along an axis";
  let description = [{The transpose of gather. Updates that meet are added in ascending order of position.}];
  let tableMayFail = 1;
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$indices, Ingot_Tensor:$updates, I64Attr:$axis);
  let results = (outs Ingot_Tensor:$y);
  let assemblyFormat = "$x `,` $indices `,` $updates attr-dict `:` type($x) `,` type($indices) `,` type($updates)";
}
def Ingot_CheckIndexOp : Ingot_Op<"check_index"> {
  let summary = "ends the program with an error unless every index is in [-size, size)";
  let tableMayFail = 1;
  let tableInternal = 1;
  let arguments = (ins Ingot_Tensor:$indices, I64Attr:$size, StrAttr:$op);
  let results = (outs);
  let assemblyFormat = "$indices attr-dict `:` type($indices)";
}
#endif
