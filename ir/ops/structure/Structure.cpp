// Text and checks of ops that hold regions.
#include "ingot/ir/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/structure/Structure.cpp.inc"

namespace ingot {

using namespace mlir;

LogicalResult GradOp::vjp(OpBuilder &, ValueRange, llvm::SmallVectorImpl<Value> &) {
  return emitOpError("is differentiated after it is expanded, from the inside out");
}

namespace {

/// `(%a = %x, %b = %y) : types attr-dict { body }`: block arguments beside the operands they stand for.
void printRegionOp(OpAsmPrinter &printer, Operation *op, Region &body, ArrayRef<StringRef> elided) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(body.getArguments(), op->getOperands()), printer, [&](auto pair) {
    printer.printOperand(std::get<0>(pair));
    printer << " = ";
    printer.printOperand(std::get<1>(pair));
  });
  printer << ") : (";
  llvm::interleaveComma(op->getOperandTypes(), printer);
  printer << ") -> (";
  llvm::interleaveComma(op->getResultTypes(), printer);
  printer << ')';
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), elided);
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult parseRegionOp(OpAsmParser &parser, OperationState &result) {
  llvm::SmallVector<OpAsmParser::Argument> arguments;
  llvm::SmallVector<OpAsmParser::UnresolvedOperand> operands;
  llvm::SmallVector<Type> operandTypes, resultTypes;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parsePair) || parser.parseColon() ||
      parser.parseLParen() ||
      (failed(parser.parseOptionalRParen()) && (parser.parseTypeList(operandTypes) || parser.parseRParen())) ||
      parser.parseArrow() || parser.parseLParen() ||
      (failed(parser.parseOptionalRParen()) && (parser.parseTypeList(resultTypes) || parser.parseRParen())) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.resolveOperands(operands, operandTypes, at, result.operands))
    return failure();
  for (auto [argument, type] : llvm::zip(arguments, operandTypes))
    argument.type = type;
  result.addTypes(resultTypes);
  return parser.parseRegion(*result.addRegion(), arguments);
}

} // namespace

void GradOp::print(OpAsmPrinter &printer) {
  printRegionOp(printer, *this, getBody(),
                getCheckpointing() == "None" ? ArrayRef<StringRef>("checkpointing") : ArrayRef<StringRef>());
}
ParseResult GradOp::parse(OpAsmParser &parser, OperationState &result) {
  if (failed(parseRegionOp(parser, result)))
    return failure();
  if (!result.attributes.get("checkpointing"))
    result.addAttribute("checkpointing", parser.getBuilder().getStringAttr("None"));
  return success();
}

void FusionOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getKind() << ' ';
  printRegionOp(printer, *this, getBody(), {"kind"});
}
ParseResult FusionOp::parse(OpAsmParser &parser, OperationState &result) {
  StringRef kind;
  if (parser.parseKeyword(&kind))
    return failure();
  result.addAttribute("kind", parser.getBuilder().getStringAttr(kind));
  return parseRegionOp(parser, result);
}

LogicalResult FusionOp::verify() {
  Block &body = getBody().front();
  if (body.getArgumentTypes() != getOperandTypes())
    return emitOpError("needs block arguments of its operands' types");
  auto yield = llvm::dyn_cast<YieldOp>(body.back());
  if (!yield || yield.getOperandTypes() != getResultTypes())
    return emitOpError("needs a yield of its results' types");
  if (getBuffers() && getBuffers()->size() != getNumResults())
    return emitOpError("has ") << getBuffers()->size() << " buffers for " << getNumResults() << " results";
  return success();
}

} // namespace ingot
