// Reductions along axes; the axes leave the shape.
#ifndef INGOT_REDUCTION_TD
#define INGOT_REDUCTION_TD

include "ingot/ir/Dialect.td"

class Ingot_ReductionOp<string mnemonic, list<Trait> traits = []>
    : Ingot_Op<mnemonic, traits # [Pure, DeclareOpInterfaceMethods<Ingot_ReductionOpInterface>]> {
  let results = (outs Ingot_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  /// C++ over `e` (ir/emit/ScalarOps.h) and two partial results.
  string combination = "";
  /// The value of nothing, as a C++ double; empty where there is none.
  string neutral = "";
}

class Ingot_Reduce<string mnemonic> : Ingot_ReductionOp<mnemonic> {
  let arguments = (ins Ingot_Tensor:$x, DenseI64ArrayAttr:$axes);
  let tableShapeRule = "infer_reduce";
  let extraClassDefinition = [{
::llvm::SmallVector<int64_t> $cppClass::reducedAxes() { return ::llvm::SmallVector<int64_t>(getAxes()); }
::mlir::Value $cppClass::combine(::ingot::emit::ScalarOps &e, ::mlir::Value a, ::mlir::Value b) { return }] # combination # [{; }
::mlir::Value $cppClass::neutralElement(::ingot::emit::ScalarOps &e, ::mlir::Type type) { return }] # neutral # [{; }
}] # kindDefinition;
}
def Ingot_ReduceSumOp : Ingot_Reduce<"reduce_sum"> {
  let summary = "sum along axes; 0 of nothing";
  let description = [{The order of additions is a function of shape, axes and target alone.}];
  let combination = "e.add(a, b)";
  let neutral = "e.constant(0.0, type)";
}
def Ingot_ReduceProdOp : Ingot_Reduce<"reduce_prod"> {
  let summary = "product along axes; 1 of nothing";
  let combination = "e.mul(a, b)";
  let neutral = "e.constant(1.0, type)";
}
def Ingot_ReduceMaxOp : Ingot_Reduce<"reduce_max"> {
  let summary = "largest element along axes, which must not be empty; NaN wins";
  let combination = "e.max(a, b)";
  let neutral = "e.lowest(type)";
}
def Ingot_ReduceMinOp : Ingot_Reduce<"reduce_min"> {
  let summary = "smallest element along axes, which must not be empty; NaN wins";
  let combination = "e.min(a, b)";
  let neutral = "e.highest(type)";
}

class Ingot_ArgReduce<string mnemonic> : Ingot_ReductionOp<mnemonic> {
  let arguments = (ins Ingot_Tensor:$x, I64Attr:$axis);
  let tableShapeRule = "infer_arg_reduce";
  let extraClassDefinition = [{
::llvm::SmallVector<int64_t> $cppClass::reducedAxes() { return {int64_t(getAxis())}; }
::mlir::Value $cppClass::combine(::ingot::emit::ScalarOps &, ::mlir::Value, ::mlir::Value) { return {}; }
::mlir::Value $cppClass::neutralElement(::ingot::emit::ScalarOps &, ::mlir::Type) { return {}; }
}] # kindDefinition;
}
def Ingot_ArgMaxOp : Ingot_ArgReduce<"arg_max"> {
  let summary = "position (i64) of the first largest element along an axis; NaN wins";
}
def Ingot_ArgMinOp : Ingot_ArgReduce<"arg_min"> {
  let summary = "position (i64) of the first smallest element along an axis; NaN wins";
}
#endif
