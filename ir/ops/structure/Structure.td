// Ops that hold programs: transformations still to be expanded, and clusters that become kernels.
#ifndef INGOT_STRUCTURE_TD
#define INGOT_STRUCTURE_TD

include "ingot/ir/Dialect.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Ingot_GradOp : Ingot_Op<"grad", [IsolatedFromAbove, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "the gradient of the region's first output with respect to some of its inputs";
  let description = [{
    A mark that the phase Differentiated expands. The region's first output must be a float scalar. Results: all
    outputs if `with_value` is 1, then one gradient for each input that `wrt` names, of that input's type.
    `checkpointing` says what the backward keeps: as is fastest (None, which the text may leave out), or memory-bound
    values only where that takes less memory than what they are made from (Balanced).
  }];
  let arguments = (ins Variadic<Ingot_Tensor>:$inputs, DenseI64ArrayAttr:$wrt, I64Attr:$with_value,
                   StrAttr:$checkpointing);
  let results = (outs Variadic<Ingot_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}
def Ingot_FusionOp : Op<Ingot_Dialect, "fusion", [IsolatedFromAbove, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "a cluster of ops that becomes one kernel";
  let description = [{`kind` is loop, row, column, contract, scatter, check or custom; `buffers`, set by the memory plan, is one
    #ingot.buffer per result.}];
  let arguments = (ins Variadic<Ingot_Tensor>:$inputs, StrAttr:$kind, OptionalAttr<ArrayAttr>:$buffers);
  let results = (outs Variadic<Ingot_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::ValueRange":$inputs, "::llvm::StringRef":$kind), [{
    build($_builder, $_state, types, inputs, $_builder.getStringAttr(kind), ::mlir::ArrayAttr());
  }]>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Ingot_YieldOp : Op<Ingot_Dialect, "yield", [Pure, ReturnLike, Terminator, ParentOneOf<["GradOp", "FusionOp", "CustomCallOp"]>]> {
  let summary = "the outputs of a region";
  let arguments = (ins Variadic<Ingot_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}
#endif
