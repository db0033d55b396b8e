// What drivers ask of an op. Base records declare these, so an op without a rule does not link.
#ifndef INGOT_INTERFACES_TD
#define INGOT_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Ingot_TableOpInterface : OpInterface<"TableOpInterface"> {
  let cppNamespace = "::ingot";
  let description = [{Ties an op to its row in the MLIR-free op table.}];
  let methods = [
    StaticInterfaceMethod<"The op's kind in the table.", "::ingot::OpKind", "kind">,
  ];
  let verify = [{ return ::ingot::verifyShapeRule($_op); }];
}

def Ingot_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::ingot";
  let description = [{
    The derivative, stated once. Elementwise ops state partials as formulas, linear ops their transpose,
    other ops a rule; reverse mode asks all of them through `vjp`.
  }];
  let methods = [
    InterfaceMethod<[{
      Appends for each operand its cotangent, or a null value where none flows. `cotangents` has one value per
      result, null where nothing flows in. The builder stands after every op the rule may read; ops it makes
      get this op's location. Fails after a diagnostic at this op when no derivative exists.
    }], "::llvm::LogicalResult", "vjp",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$cotangents,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$operandCotangents)>,
  ];
}

def Ingot_PointwiseOpInterface : OpInterface<"PointwiseOpInterface"> {
  let cppNamespace = "::ingot";
  let description = [{
    Ops whose result at given coordinates is computed from operand elements at coordinates that are a function
    of them: elementwise ops, movement, constants, iota, random bits, gather. A cluster emits them at any
    coordinates; nothing is copied.
  }];
  let methods = [
    InterfaceMethod<[{
      Emits the op's result at `at` (a scalar, or a vector of `reader.lanes()` elements) and returns it. Operands
      are read through `reader`, which memoises and loads.
    }], "::mlir::Value", "emitAt",
    (ins "::ingot::ElementReader &":$reader, "const ::ingot::Coordinates &":$at)>,
    InterfaceMethod<[{
      Where operand number `operand` is read when the result is evaluated at `at`: per dimension of the operand an
      affine function of the same coordinates, or nothing where it depends on data or is guarded. What emitAt
      does, as a fact that fusion and memory planning can use; movement ops override it.
    }], "::ingot::AccessMap", "accessOf",
    (ins "unsigned":$operand, "const ::ingot::AccessMap &":$at), "", [{
      auto type = ::llvm::cast<::mlir::ShapedType>($_op->getOperand(operand).getType());
      auto result = ::llvm::cast<::mlir::ShapedType>($_op->getResult(0).getType());
      if (type.getShape() == result.getShape())
        return at;
      return ::ingot::AccessMap(type.getRank(), std::nullopt);
    }]>,
  ];
}

def Ingot_ReductionOpInterface : OpInterface<"ReductionOpInterface"> {
  let cppNamespace = "::ingot";
  let description = [{Ops that combine the elements of operand 0 along axes: reduce_*, arg_*.}];
  let methods = [
    InterfaceMethod<"The axes that are combined, ascending.", "::llvm::SmallVector<int64_t>", "reducedAxes">,
    InterfaceMethod<"Combines two partial results; a null value for an op that tracks positions.", "::mlir::Value", "combine",
      (ins "::ingot::emit::ScalarOps &":$e, "::mlir::Value":$a, "::mlir::Value":$b)>,
    InterfaceMethod<"The result of nothing, of a scalar or vector type; null likewise.", "::mlir::Value", "neutralElement",
      (ins "::ingot::emit::ScalarOps &":$e, "::mlir::Type":$type)>,
  ];
}
#endif
