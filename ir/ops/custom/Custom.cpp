// Text and derivative of custom calls.
#include "ingot/ir/Dialect.h"
#include "ingot/ir/NativeOps.h"
#include "ingot/ir/TypeConversion.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OpImplementation.h"

#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/custom/Custom.cpp.inc"

namespace ingot {

using namespace mlir;

/// The user's derivative, where the op stands.
LogicalResult CustomCallOp::vjp(OpBuilder &builder, ValueRange cotangents, llvm::SmallVectorImpl<Value> &out) {
  if (getGradient().empty())
    return emitError("Autodiff not supported for custom op `") << getCallee().getName() << "`";
  Block &body = getGradient().front().front();
  llvm::SmallVector<Value> values(getInputs());
  llvm::append_range(values, getOutputs());
  for (auto [result, cotangent] : llvm::zip(getOutputs(), cotangents))
    if (isFloatTensor(result.getType()))
      values.push_back(cotangent ? cotangent : splatConstant(builder, getLoc(), 0.0, result.getType()));
  IRMapping mapping;
  mapping.map(body.getArguments(), values);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping); // each with the line on which the derivative states it
  auto next = body.getTerminator()->getOperands().begin();
  for (Value input : getInputs())
    out.push_back(isFloatTensor(input.getType()) ? mapping.lookupOrDefault(*next++) : Value());
  return success();
}

namespace {

Attribute toAttribute(const CustomScalar &scalar, Builder &b) {
  struct Visitor {
    Builder &b;
    Attribute operator()(double v) const { return b.getF64FloatAttr(v); }
    Attribute operator()(int64_t v) const { return b.getI64IntegerAttr(v); }
    Attribute operator()(uint64_t v) const {
      return b.getIntegerAttr(b.getIntegerType(64, /*isSigned=*/false), APInt(64, v));
    }
    Attribute operator()(bool v) const { return b.getBoolAttr(v); }
  };
  return std::visit(Visitor{b}, scalar);
}

std::optional<CustomScalar> toScalar(Attribute attribute) {
  if (auto v = llvm::dyn_cast<BoolAttr>(attribute))
    return v.getValue();
  if (auto v = llvm::dyn_cast<FloatAttr>(attribute); v && v.getType().isF64())
    return v.getValueAsDouble();
  auto v = llvm::dyn_cast<IntegerAttr>(attribute);
  if (v && v.getType().isUnsignedInteger(64))
    return v.getValue().getZExtValue();
  if (v && v.getType().isSignlessInteger(64))
    return v.getInt();
  return std::nullopt;
}

ParseResult parseScalars(OpAsmParser &parser, std::vector<CustomScalar> &scalars) {
  if (failed(parser.parseOptionalKeyword("scalars")))
    return success();
  SMLoc at = parser.getCurrentLocation();
  ArrayAttr list;
  if (parser.parseAttribute(list))
    return failure();
  for (Attribute attribute : list) {
    std::optional<CustomScalar> scalar = toScalar(attribute);
    if (!scalar)
      return parser.emitError(at, "a scalar is a number of f64, i64 or ui64, or a bool");
    scalars.push_back(*scalar);
  }
  return success();
}

} // namespace

void CustomCallOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printString(getCallee().getName());
  printer << '(' << getInputs() << ')';
  if (getCallee().getRegistration() > 0) // two registrations of one name are two ops
    printer << " registration " << getCallee().getRegistration();
  Builder b(getContext());
  if (auto scalars = unpack_scalars(getScalars().vec()); scalars && !scalars->empty()) {
    printer << " scalars [";
    llvm::interleaveComma(*scalars, printer, [&](const CustomScalar &scalar) { printer << toAttribute(scalar, b); });
    printer << ']';
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"callee", "scalars", "result_types"});
  printer << " : ";
  printer.printFunctionalType(getOperation());
  for (Region &region : getGradient()) {
    printer << " gradient ";
    printer.printRegion(region);
  }
}

ParseResult CustomCallOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  std::string name;
  int64_t registration = -1;
  llvm::SmallVector<OpAsmParser::UnresolvedOperand> operands;
  std::vector<CustomScalar> scalars;
  FunctionType type;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseString(&name) || parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      (succeeded(parser.parseOptionalKeyword("registration")) && parser.parseInteger(registration)) ||
      parseScalars(parser, scalars) || parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), at, result.operands))
    return failure();
  std::vector<TensorSpec> results;
  for (Type each : type.getResults()) {
    std::string reason;
    std::optional<TensorType> tensor = tryTensorType(each, &reason);
    if (!tensor)
      return parser.emitError(at, reason);
    results.push_back({"", tensor->dtype, tensor->shape});
  }
  result.addAttribute("callee", NativeOpAttr::get(b.getContext(), name, registration));
  result.addAttribute("scalars", b.getDenseI64ArrayAttr(pack_scalars(scalars)));
  result.addAttribute("result_types", b.getDenseI64ArrayAttr(pack_types(results)));
  result.addTypes(type.getResults());
  if (succeeded(parser.parseOptionalKeyword("gradient")))
    return parser.parseRegion(*result.addRegion());
  return success();
}

} // namespace ingot
