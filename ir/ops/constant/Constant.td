// Values that come from nowhere: literals and counters.
#ifndef INGOT_CONSTANT_TD
#define INGOT_CONSTANT_TD

include "ingot/ir/Dialect.td"

def Ingot_ConstantOp : Ingot_PointwiseOp<"constant", [ConstantLike]> {
  let summary = "a literal";
  let description = [{A splat is an immediate in kernels; any other literal lies in the program's memory.}];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Ingot_Tensor:$y);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Ingot_IotaOp : Ingot_PointwiseOp<"iota"> {
  let summary = "the coordinate along an axis";
  let description = [{`ingot.iota {shape = array<i64: 2, 3>, axis = 1 : i64, dtype = i64}` is [[0, 1, 2], [0, 1, 2]].}];
  let arguments = (ins DenseI64ArrayAttr:$shape, I64Attr:$axis, TypeAttr:$dtype);
  let results = (outs Ingot_Tensor:$y);
  let assemblyFormat = "attr-dict `:` type($y)";
}
#endif
