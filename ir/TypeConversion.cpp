#include "ingot/ir/TypeConversion.h"

#include "ingot/ir/Dialect.h"
#include "ingot/ir/NativeOps.h"
#include "ingot/ir/ShapeRules.h"

namespace ingot {

using namespace mlir;

Type toMlirType(DType dtype, MLIRContext *context) {
  Builder b(context);
  switch (dtype) {
  case DType::F64:
    return b.getF64Type();
  case DType::F32:
    return b.getF32Type();
  case DType::F16:
    return b.getF16Type();
  case DType::BF16:
    return b.getBF16Type();
  case DType::Bool:
    return b.getI1Type();
  case DType::I64:
  case DType::I32:
  case DType::I16:
  case DType::I8:
    return b.getIntegerType(unsigned(dtype_size(dtype)) * 8);
  default:
    return b.getIntegerType(unsigned(dtype_size(dtype)) * 8, /*isSigned=*/false);
  }
}

std::optional<DType> toDType(Type element) {
  for (int d = 0; d < kNumDTypes; ++d)
    if (toMlirType(DType(d), element.getContext()) == element)
      return DType(d);
  return std::nullopt;
}

RankedTensorType toMlirType(const TensorType &type, MLIRContext *context) {
  llvm::SmallVector<int64_t> shape;
  for (int64_t size : type.shape)
    shape.push_back(size == kDynamic ? ShapedType::kDynamic : size);
  return RankedTensorType::get(shape, toMlirType(type.dtype, context));
}

std::optional<TensorType> tryTensorType(Type type, std::string *reason) {
  auto fail = [&](const std::string &why) -> std::optional<TensorType> {
    if (reason)
      llvm::raw_string_ostream(*reason) << type << why;
    return std::nullopt;
  };
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  std::optional<DType> dtype = tensor ? toDType(tensor.getElementType()) : std::nullopt;
  if (!dtype)
    return fail(" is no tensor of a dtype");
  if (tensor.getEncoding())
    return fail(" has an encoding; there is none but row major");
  TensorType result{*dtype, {}};
  for (int64_t size : tensor.getShape())
    result.shape.push_back(ShapedType::isDynamic(size) ? kDynamic : size);
  if (std::optional<Inference> bad = rules::check_shape(result.shape.vec(), *dtype))
    return fail(": " + bad->message);
  return result;
}

TensorType toTensorType(RankedTensorType type) {
  std::optional<TensorType> result = tryTensorType(type);
  assert(result && "a tensor of a dtype");
  return *result;
}

DenseElementsAttr toElements(const Literal &literal, MLIRContext *context) {
  RankedTensorType type = toMlirType(literal.type, context);
  const size_t elements = size_t(literal.type.shape.num_elements());
  const size_t count = literal.splat ? std::min<size_t>(elements, 1) : elements;
  if (literal.type.dtype == DType::Bool)
    return DenseElementsAttr::get(type, ArrayRef<bool>(literal.data->as<bool>(), count));
  ArrayRef<char> raw(literal.data->as<char>(), count * dtype_size(literal.type.dtype));
  return DenseElementsAttr::getFromRawBuffer(type, raw);
}

Literal toLiteral(DenseElementsAttr elements) {
  Literal literal;
  literal.type = toTensorType(llvm::cast<RankedTensorType>(elements.getType()));
  const size_t total = size_t(elements.getNumElements());
  literal.splat = total && elements.isSplat();
  const size_t count = literal.splat ? 1 : total;
  std::shared_ptr<Buffer> data = Buffer::allocate(count * dtype_size(literal.type.dtype));
  if (literal.type.dtype == DType::Bool) { // packed into bits, other than in memory
    auto values = elements.getValues<bool>();
    std::copy_n(values.begin(), count, data->as<bool>());
  } else if (count) {
    std::memcpy(data->data(), elements.getRawData().data(), data->size());
  }
  literal.data = std::move(data);
  return literal;
}

Attribute toMlirAttr(const AttrValue &value, MLIRContext *context) {
  Builder b(context);
  struct Visitor {
    Builder &b;
    Attribute operator()(int64_t v) const { return b.getI64IntegerAttr(v); }
    Attribute operator()(double v) const { return b.getF64FloatAttr(v); }
    Attribute operator()(const std::vector<int64_t> &v) const { return b.getDenseI64ArrayAttr(v); }
    Attribute operator()(DType v) const { return TypeAttr::get(toMlirType(v, b.getContext())); }
    Attribute operator()(const std::string &v) const { return b.getStringAttr(v); }
    Attribute operator()(const Literal &v) const { return toElements(v, b.getContext()); }
    Attribute operator()(const NativeOpRef &v) const {
      return NativeOpAttr::get(b.getContext(), v.name, v.registration);
    }
  };
  return std::visit(Visitor{b}, value);
}

std::optional<AttrValue> fromMlirAttr(Attribute attribute, AttrKind kind) {
  switch (kind) {
  case AttrKind::Int:
    if (auto v = llvm::dyn_cast<IntegerAttr>(attribute); v && v.getType().isInteger(64))
      return v.getInt();
    return std::nullopt;
  case AttrKind::Float:
    if (auto v = llvm::dyn_cast<FloatAttr>(attribute))
      return v.getValueAsDouble();
    return std::nullopt;
  case AttrKind::Ints:
    if (auto v = llvm::dyn_cast<DenseI64ArrayAttr>(attribute)) {
      std::vector<int64_t> list(v.asArrayRef().begin(), v.asArrayRef().end());
      for (int64_t &x : list)
        if (ShapedType::isDynamic(x))
          x = kDynamic;
      return list;
    }
    return std::nullopt;
  case AttrKind::Type:
    if (auto v = llvm::dyn_cast<TypeAttr>(attribute))
      if (std::optional<DType> dtype = toDType(v.getValue()))
        return *dtype;
    return std::nullopt;
  case AttrKind::String:
    if (auto v = llvm::dyn_cast<StringAttr>(attribute))
      return v.str();
    return std::nullopt;
  case AttrKind::Literal:
    if (auto v = llvm::dyn_cast<DenseElementsAttr>(attribute))
      if (tryTensorType(v.getType()))
        return toLiteral(v);
    return std::nullopt;
  case AttrKind::Native:
    if (auto v = llvm::dyn_cast<NativeOpAttr>(attribute))
      return find_native_op(v.getName().str(), v.getRegistration());
    return std::nullopt;
  }
  return std::nullopt;
}

namespace {

bool toTensorTypes(TypeRange range, std::vector<TensorType> &types, std::string &message) {
  for (Type type : range) {
    std::optional<TensorType> tensor = tryTensorType(type, &message);
    if (!tensor)
      return false;
    types.push_back(std::move(*tensor));
  }
  return true;
}

/// The inputs and outputs of a region that may not have been verified yet.
std::optional<RegionType> toRegionType(Region &region, std::string &message) {
  RegionType types;
  if (region.empty() || region.front().empty() || !llvm::isa<YieldOp>(region.front().back())) {
    message = "the region does not end with ingot.yield";
    return std::nullopt;
  }
  if (!toTensorTypes(region.front().getArgumentTypes(), types.inputs, message) ||
      !toTensorTypes(region.front().back().getOperandTypes(), types.outputs, message))
    return std::nullopt;
  return types;
}

} // namespace

std::optional<OwnedCall> callOf(OpKind kind, ValueRange operands, DictionaryAttr attributes, RegionRange regions,
                                LiteralContents contents, std::string &message) {
  OwnedCall call{kind, {}, {}, {}};
  if (!toTensorTypes(operands.getTypes(), call.operands, message))
    return std::nullopt;
  for (const AttrInfo &info : op_info(kind).attributes) {
    Attribute attribute = attributes ? attributes.get(StringRef(info.name.data(), info.name.size())) : Attribute();
    std::optional<AttrValue> value;
    if (auto elements = llvm::dyn_cast_or_null<DenseElementsAttr>(attribute);
        elements && info.kind == AttrKind::Literal) {
      std::optional<TensorType> type = tryTensorType(elements.getType(), &message);
      if (!type)
        return std::nullopt;
      value = contents == LiteralContents::Copied ? toLiteral(elements) : Literal{std::move(*type), nullptr, false};
    } else if (attribute) {
      value = fromMlirAttr(attribute, info.kind);
    }
    if (!value) {
      message = "attribute `" + std::string(info.name) + "` is missing or of the wrong kind";
      return std::nullopt;
    }
    call.attributes.push_back(std::move(*value));
  }
  for (Region *region : regions) {
    std::optional<RegionType> types = toRegionType(*region, message);
    if (!types)
      return std::nullopt;
    call.regions.push_back(std::move(*types));
  }
  return call;
}

FailureOr<OwnedCall> callOf(Operation *op) {
  auto table = llvm::dyn_cast<TableOpInterface>(op);
  std::string message;
  if (table)
    if (auto call = callOf(table.kind(), op->getOperands(), op->getAttrDictionary(), RegionRange(op->getRegions()),
                           LiteralContents::Copied, message))
      return std::move(*call);
  return failure();
}

namespace {

/// The rule's results, or the text of the error.
Inference inferAsMlir(OpKind kind, ValueRange operands, DictionaryAttr attributes, RegionRange regions) {
  std::string message;
  std::optional<OwnedCall> call = callOf(kind, operands, attributes, regions, LiteralContents::Omitted, message);
  Inference inference = call ? infer(call->view()) : Inference::error(Inference::Fault::Value, message);
  if (!inference)
    inference.message = "[" + std::string(op_info(kind).name) + "] " + inference.message;
  return inference;
}

} // namespace

LogicalResult inferResultTypes(OpKind kind, MLIRContext *context, std::optional<Location> location, ValueRange operands,
                               DictionaryAttr attributes, RegionRange regions, llvm::SmallVectorImpl<Type> &inferred) {
  Inference inference = inferAsMlir(kind, operands, attributes, regions);
  if (!inference)
    return emitOptionalError(location, inference.message);
  for (const TensorType &type : inference.results)
    inferred.push_back(toMlirType(type, context));
  return success();
}

LogicalResult verifyShapeRule(Operation *op) {
  OpKind kind = llvm::cast<TableOpInterface>(op).kind();
  Inference inference = inferAsMlir(kind, op->getOperands(), op->getAttrDictionary(), RegionRange(op->getRegions()));
  if (!inference)
    return op->emitError(inference.message);
  if (inference.results.size() != op->getNumResults())
    return op->emitOpError() << "has " << op->getNumResults() << " results; its rule infers "
                             << inference.results.size();
  for (auto [i, inferred] : llvm::enumerate(inference.results))
    if (Type type = toMlirType(inferred, op->getContext()); type != op->getResult(i).getType())
      return op->emitOpError() << "has result " << i << " of type " << op->getResult(i).getType()
                               << "; the inferred type is " << type;
  return success();
}

} // namespace ingot
