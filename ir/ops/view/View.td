// Movement: the result's elements are the operands' elements at other coordinates. Inside a kernel they cost
// nothing but address arithmetic.
#ifndef INGOT_VIEW_TD
#define INGOT_VIEW_TD

include "ingot/ir/Dialect.td"

class Ingot_ViewOp<string mnemonic, list<Trait> traits = []> : Ingot_MovementOp<mnemonic, traits> {
  let results = (outs Ingot_Tensor:$y);
}

def Ingot_BroadcastOp : Ingot_ViewOp<"broadcast"> {
  let summary = "repeats x along new dimensions and dimensions of size 1";
  let description = [{Dimension i of x becomes dimension dims[i] of the result; dims ascend.}];
  let arguments = (ins Ingot_Tensor:$x, DenseI64ArrayAttr:$shape, DenseI64ArrayAttr:$dims);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  let hasCanonicalizer = 1;
}
def Ingot_ReshapeOp : Ingot_ViewOp<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let arguments = (ins Ingot_Tensor:$x, DenseI64ArrayAttr:$shape);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  let hasCanonicalizer = 1;
}
def Ingot_TransposeOp : Ingot_ViewOp<"transpose"> {
  let summary = "dimension i of the result is dimension permutation[i] of x";
  let arguments = (ins Ingot_Tensor:$x, DenseI64ArrayAttr:$permutation);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  let hasCanonicalizer = 1;
}
def Ingot_SliceOp : Ingot_ViewOp<"slice"> {
  let summary = "every steps[d]-th element of [starts[d], stops[d])";
  let arguments = (ins Ingot_Tensor:$x, DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$stops, DenseI64ArrayAttr:$steps);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}
def Ingot_ReverseOp : Ingot_ViewOp<"reverse"> {
  let summary = "elements in opposite order along the axes";
  let arguments = (ins Ingot_Tensor:$x, DenseI64ArrayAttr:$axes);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}
def Ingot_PadOp : Ingot_ViewOp<"pad"> {
  let summary = "x with low[d] and high[d] copies of a scalar around it";
  let arguments = (ins Ingot_Tensor:$x, Ingot_Tensor:$value, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high);
  let assemblyFormat = "$x `,` $value attr-dict `:` `(` type($x) `,` type($value) `)` `->` type($y)";
}
def Ingot_ConcatOp : Ingot_ViewOp<"concat"> {
  let summary = "operands one after the other along an axis";
  let tableMemoryBound = 0;
  let arguments = (ins Variadic<Ingot_Tensor>:$xs, I64Attr:$axis);
  let assemblyFormat = "$xs attr-dict `:` type($xs) `->` type($y)";
}
#endif
