// The dialect and the base classes of its op records.
#ifndef INGOT_DIALECT_TD
#define INGOT_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
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

def Ingot_Tensor : RankedTensorOf<[AnyType]>;

def Ingot_BufferSpace : I32EnumAttr<"BufferSpace", "where a value lives", [
    I32EnumAttrCase<"input", 0>, I32EnumAttrCase<"output", 1>, I32EnumAttrCase<"workspace", 2>,
    I32EnumAttrCase<"constant", 3>]> {
  let cppNamespace = "::ingot";
  let genSpecializedAttr = 0;
}
def Ingot_BufferAttr : AttrDef<Ingot_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "the memory of a value: argument or result number, or byte offset in the workspace";
  let parameters = (ins EnumParameter<Ingot_BufferSpace>:$space, "int64_t":$index);
  let assemblyFormat = "`<` $space `,` $index `>`";
}
def Ingot_NativeOpAttr : AttrDef<Ingot_Dialect, "NativeOp"> {
  let mnemonic = "native";
  let summary = "a native custom op: its name, and which registration of the name in this process (-1: the last one)";
  let parameters = (ins StringRefParameter<"name">:$name, DefaultValuedParameter<"int64_t", "-1">:$registration);
  let assemblyFormat = "`<` $name (`,` $registration^)? `>`";
}

/// Every field of runtime/Target.h, under its name; ir/TargetAttribute.h converts.
def Ingot_TargetAttr : AttrDef<Ingot_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "the machine that code is generated for: `ingot.target` of a module";
  let parameters = (ins StringRefParameter<"name">:$name, StringRefParameter<"triple">:$triple,
      StringRefParameter<"cpu">:$cpu, StringRefParameter<"features">:$features, "int64_t":$vector_bits,
      "int64_t":$vector_registers, "int64_t":$fma_ports, "int64_t":$fma_latency, "int64_t":$l1, "int64_t":$l2,
      "int64_t":$l3, "int64_t":$line, "::mlir::ArrayAttr":$required_features);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

/// An op of the table. The record's name without `Ingot_` and `Op` is the OpKind. The MLIR-free side reads the
/// fields `table*`, `reference` and `dtypes` and the dags of arguments and results from the records' JSON form.
class Ingot_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ingot_Dialect, mnemonic, traits # [
        DeclareOpInterfaceMethods<Ingot_TableOpInterface>,
        DeclareOpInterfaceMethods<Ingot_DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  string tableKind = !subst("Ingot_", "", !subst("Op", "", NAME));
  bit tableElementwise = 0;
  bit tableMovement = 0;      // moves elements without arithmetic
  bit tableDifferentiable = 1; // has a derivative, possibly zero
  bit tableRandom = 0;
  bit tableExpensive = 0;     // many instructions per element
  bit tableMemoryBound = 0;   // making it again costs little beside moving its result through memory
  bit tableMayFail = 0;       // some values of its operands end the program with an error
  bit tableInternal = 0;      // made by passes only
  bit tableNative = 0;        // its kernel is the user's
  /// Reference formula of an elementwise op; empty: a function `reference_<mnemonic>`.
  string reference = "";
  /// Shape rule: a function of the family.
  string tableShapeRule = "infer_" # mnemonic;
  string kindDefinition = [{
::ingot::OpKind $cppClass::kind() { return ::ingot::OpKind::}] # tableKind # [{; }
::llvm::LogicalResult $cppClass::inferReturnTypes(
    ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location, ::mlir::ValueRange operands,
    ::mlir::DictionaryAttr attributes, ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
    ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
  return ::ingot::inferResultTypes(kind(), context, location, operands, attributes, regions, inferred);
}
}];
  let extraClassDefinition = kindDefinition;
}

/// A pointwise op that is no arithmetic on equal shapes: movement, constants, gather.
class Ingot_PointwiseOp<string mnemonic, list<Trait> traits = []>
    : Ingot_Op<mnemonic, traits # [Pure, DeclareOpInterfaceMethods<Ingot_PointwiseOpInterface, ["accessOf"]>]>;

class Ingot_MovementOp<string mnemonic, list<Trait> traits = []> : Ingot_PointwiseOp<mnemonic, traits> {
  let tableMovement = 1;
  let tableMemoryBound = 1;
}
#endif
