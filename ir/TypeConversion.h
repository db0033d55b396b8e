// Between the op table's view of types, attributes and ops and MLIR's.
#pragma once

#include "ingot/ir/OpTable.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace ingot {

mlir::Type toMlirType(DType dtype, mlir::MLIRContext *context);
mlir::RankedTensorType toMlirType(const TensorType &type, mlir::MLIRContext *context);
/// Nothing for an element type that is no dtype.
std::optional<DType> toDType(mlir::Type element);
/// The type must be a ranked tensor of a dtype; the dialect's verifier sees to that.
TensorType toTensorType(mlir::RankedTensorType type);
/// Nothing, and why, for a type that no value of a program can have.
std::optional<TensorType> tryTensorType(mlir::Type type, std::string *reason = nullptr);

mlir::Attribute toMlirAttr(const AttrValue &value, mlir::MLIRContext *context);
/// Nothing when the attribute is not of that kind.
std::optional<AttrValue> fromMlirAttr(mlir::Attribute attribute, AttrKind kind);
Literal toLiteral(mlir::DenseElementsAttr elements);
mlir::DenseElementsAttr toElements(const Literal &literal, mlir::MLIRContext *context);

/// An OpCall with what it refers to.
struct OwnedCall {
  OpKind kind;
  std::vector<TensorType> operands;
  std::vector<AttrValue> attributes;
  std::vector<RegionType> regions;
  OpCall view() const { return {kind, operands, attributes, regions}; }
};
/// The op as its rules see it; failure, without a diagnostic, when it is no op of the table or malformed.
mlir::FailureOr<OwnedCall> callOf(mlir::Operation *op);
/// Shape rules ask literals for their type alone.
enum class LiteralContents { Copied, Omitted };
/// The same from the parts of an op that does not exist yet. The message says what is malformed.
std::optional<OwnedCall> callOf(OpKind kind, mlir::ValueRange operands, mlir::DictionaryAttr attributes,
                                mlir::RegionRange regions, LiteralContents contents, std::string &message);

} // namespace ingot
