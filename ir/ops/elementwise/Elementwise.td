// Elementwise ops: one record is the whole op. Operands and result share one shape.
#ifndef INGOT_ELEMENTWISE_TD
#define INGOT_ELEMENTWISE_TD

include "ingot/ir/Dialect.td"

/// `reference`: C++ over `x` (or `a`, `b`, `c`) of the element type T, giving the result element.
/// `emission`: C++ over OpBuilder &b, Location loc and mlir::Value x (or a, b, c): scalars or vectors.
/// `partials`: for each operand the partial derivative as C++ over gradient expressions of x (a, b, c) and of
/// the result y; "none" where no gradient flows. `dtypes`: which element types the op takes.
class Ingot_Elementwise<string mnemonic, string operandDtypes, list<string> names, list<Trait> traits = []>
    : Ingot_Op<mnemonic, traits # [Pure, Elementwise, DeclareOpInterfaceMethods<Ingot_PointwiseOpInterface>]> {
  let tableElementwise = 1;
  let tableShapeRule = "infer_elementwise";
  string dtypes = operandDtypes; // float | number | integer | bool | any
  string resultDtype = "same";   // same | bool
  list<string> operandNames = names;
  string emission = "";
  list<string> partials = [];
}

class Ingot_Unary<string mnemonic, string dtypes, list<Trait> traits = []>
    : Ingot_Elementwise<mnemonic, dtypes, ["x"], traits> {
  let arguments = (ins Ingot_Tensor:$x);
  let results = (outs Ingot_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}
