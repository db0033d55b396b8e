// The op whose kernel is the user's.
#ifndef INGOT_CUSTOM_TD
#define INGOT_CUSTOM_TD

include "ingot/ir/Dialect.td"

def Ingot_CustomCallOp : Ingot_Op<"custom_call", [Pure, IsolatedFromAbove]> {
  let summary = "a call of a native custom op";
  let description = [{
    `ingot.custom_call "scale"(%x) scalars [2.0] : (tensor<5xf32>) -> tensor<5xf32>`: the kernel registered under the
    name gets the operands, the results and the scalars; it is a function of them. A region, when there is one, is the
    derivative: from operands, results and the cotangents of the float results to the cotangents of the float operands.
  }];
  let tableNative = 1;
  let arguments = (ins Variadic<Ingot_Tensor>:$inputs, Ingot_NativeOpAttr:$callee, DenseI64ArrayAttr:$scalars,
                       DenseI64ArrayAttr:$result_types);
  let results = (outs Variadic<Ingot_Tensor>:$outputs);
  let regions = (region VariadicRegion<SizedRegion<1>>:$gradient);
  let hasCustomAssemblyFormat = 1;
}
#endif
