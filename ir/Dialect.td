// The dialect and the base classes of its op records.
#ifndef INGOT_DIALECT_TD
#define INGOT_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "ingot/ir/Interfaces.td"

def Ingot_Dialect : Dialect {
  let name = "ingot";
  let summary = "Tensor programs: what capture records and passes transform.";
  let description = [{
    Values are ranked tensors of f32, f64, i32, i64 and i1. Every op carries the user's call site as its
    location. Semantics are those of IEEE 754 and NumPy; the reference kernel of an op is its definition.
  }];
  let cppNamespace = "::ingot";
  let usePropertiesForAttributes = 0;
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
}

def Ingot_Tensor : AnyRankedTensor;

/// An op of the table. The record's name without `Ingot_` and `Op` is the OpKind; fields the MLIR-free side
/// reads from the JSON dump of the records are `table*`, `reference`, and the attribute and operand dags.
class Ingot_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ingot_Dialect, mnemonic, traits # [
        DeclareOpInterfaceMethods<Ingot_TableOpInterface>,
        DeclareOpInterfaceMethods<Ingot_DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  string tableKind = !subst("Op", "", !subst("Ingot_", "", NAME));
  bit tableElementwise = 0;
  bit tableMovement = 0;
  bit tableDifferentiable = 1;
  bit tableRandom = 0;
  bit tableInternal = 0;
  bit tableExpensive = 0;
  /// Reference formula of an elementwise op (C++ over T x / a b c); empty: a function `reference_<mnemonic>`.
  string reference = "";
  /// Shape rule: a function `infer_<mnemonic>` unless a family shares one.
  string tableShapeRule = "infer_" # mnemonic;
}
#endif
