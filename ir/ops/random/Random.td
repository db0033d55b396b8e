// Random bits as a pure function of a key.
#ifndef INGOT_RANDOM_TD
#define INGOT_RANDOM_TD

include "ingot/ir/Dialect.td"

def Ingot_RngBitsOp : Ingot_PointwiseOp<"rng_bits"> {
  let summary = "uniform random bits: Philox 4x32-10 of the key (i64[2]) and the element's number";
  let tableRandom = 1;
  let tableExpensive = 1;
  let arguments = (ins Ingot_Tensor:$key, DenseI64ArrayAttr:$shape, TypeAttr:$dtype);
  let results = (outs Ingot_Tensor:$y);
  let assemblyFormat = "$key attr-dict `:` type($key) `->` type($y)";
}
#endif
