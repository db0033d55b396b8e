// Products of tensors.
#ifndef INGOT_CONTRACTION_TD
#define INGOT_CONTRACTION_TD

include "ingot/ir/Dialect.td"

def Ingot_DotOp : Ingot_Op<"dot", [Pure]> {
  let summary = "sum of products over contracting dimensions, for each batch";
  let description = [{
    Dimensions of a and b pair up as batch (kept once) and contracting (summed over). The result has the batch
    dimensions, then a's other dimensions, then b's. Each element is one chain of fused multiply-adds in ascending
    order of the contracting dimensions.
  }];
  let arguments = (ins Ingot_Tensor:$a, Ingot_Tensor:$b, DenseI64ArrayAttr:$lhs_batch, DenseI64ArrayAttr:$rhs_batch,
                   DenseI64ArrayAttr:$lhs_contract, DenseI64ArrayAttr:$rhs_contract);
  let results = (outs Ingot_Tensor:$y);
  let assemblyFormat = "$a `,` $b attr-dict `:` `(` type($a) `,` type($b) `)` `->` type($y)";
}
#endif
