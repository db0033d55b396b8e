// The op table: what each op is, free of MLIR. Kinds and rows are generated from the dialect's records
// (ir/ops/*/*.td); shape rules and reference kernels are plain functions declared by the same records, so
// an op without one does not link.
#pragma once

#include "ingot/runtime/Buffer.h"
#include "ingot/runtime/DType.h"
#include "ingot/runtime/Shape.h"
#include "ingot/runtime/SmallVector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ingot {

enum class OpKind : uint16_t {
#define INGOT_OP_KIND(NAME) NAME,
#include "ingot-gen/ir/OpKinds.h.inc"
#undef INGOT_OP_KIND
};

/// A constant's elements, row major. A splat holds one element that stands for all of them; in a trace every literal of
/// equal elements (but of none) is one.
struct Literal {
  TensorType type;
  std::shared_ptr<const Buffer> data;
  bool splat = false;
};

struct NativeOp;
/// Which registration of a native custom op a call means: a number among those of the name, which it keeps alive, or
/// the last one of the name at the time of the run (negative).
struct NativeOpRef {
  std::string name;
  int64_t registration = -1;
  std::shared_ptr<const NativeOp> op;
};

enum class AttrKind : uint8_t { Int, Float, Ints, Type, String, Literal, Native };
using AttrValue = std::variant<int64_t, double, std::vector<int64_t>, DType, std::string, Literal, NativeOpRef>;

struct AttrInfo {
  std::string_view name; // as in the dialect
  AttrKind kind;
};

/// Inputs and outputs of a region an op holds.
struct RegionType {
  std::vector<TensorType> inputs, outputs;
};

/// One use of an op, as its rules see it. `attributes` is in the order of the op's record.
struct OpCall {
  OpKind kind;
  std::span<const TensorType> operands;
  std::span<const AttrValue> attributes;
  std::span<const RegionType> regions = {};

  int64_t integer(size_t i) const { return std::get<int64_t>(attributes[i]); }
  double number(size_t i) const { return std::get<double>(attributes[i]); }
  const std::vector<int64_t> &integers(size_t i) const { return std::get<std::vector<int64_t>>(attributes[i]); }
  DType dtype(size_t i) const { return std::get<DType>(attributes[i]); }
  const std::string &string(size_t i) const { return std::get<std::string>(attributes[i]); }
  const Literal &literal(size_t i) const { return std::get<Literal>(attributes[i]); }
  const NativeOpRef &native(size_t i) const { return std::get<NativeOpRef>(attributes[i]); }
};

/// What a shape rule says: the result types, or why there are none. The message names shapes and dtypes but
/// not the op; whoever reports it prepends the op's (or the composite's) name and the call site.
struct Inference {
  enum class Fault : uint8_t { None, Shape, DType, Value };
  SmallVector<TensorType, 1> results;
  Fault fault = Fault::None;
  std::string message;

  static Inference of(TensorType t) {
    Inference inference;
    inference.results.push_back(std::move(t));
    return inference;
  }
  static Inference error(Fault f, std::string m) { return {{}, f, std::move(m)}; }
  explicit operator bool() const { return fault == Fault::None; }
};
using ShapeRule = Inference (*)(const OpCall &);

/// A dense row-major tensor in memory.
struct ConstView {
  const void *data;
  TensorType type;
  template <class T> const T *as() const { return static_cast<const T *>(data); }
};
struct MutableView {
  void *data;
  TensorType type;
  template <class T> T *as() const { return static_cast<T *>(data); }
};

/// A run-time failure of a reference kernel: the same facts as ingot_error_record.
struct KernelFault {
  int32_t code = 0; // 0: none; 1: index out of range
  int64_t index = 0, bound = 0, result = 0;
};
using ReferenceKernel = KernelFault (*)(const OpCall &, std::span<const ConstView> inputs,
                                        std::span<const MutableView> outputs);

enum OpFlags : uint32_t {
  kElementwise = 1, // result element i depends on operand elements i alone; operands share the result's shape
  kCommutative = 2,
  kMovement = 4,       // moves elements without arithmetic (broadcast, transpose, slice, ...)
  kDifferentiable = 8, // has a derivative (possibly zero); unset: grad through it is refused by name
  kVariadic = 16,      // takes numOperands or more operands
  kHasRegion = 32,
  kRandom = 64,
  kExpensive = 256,    // many instructions per element: worth keeping rather than computing twice
  kBoolResult = 512,   // an elementwise op that gives bools
  kInternal = 128,     // made by passes only; never recorded by capture
  kNative = 1024,      // its kernel is the user's; differentiable exactly when its region says how
  kMemoryBound = 2048, // balanced checkpointing computes it again for the backward; others keep their results
  kMayFail = 4096,     // some values of its operands end the program with an error
};

struct OpInfo {
  std::string_view name; // "add": the mnemonic
  uint8_t numOperands, numResults;
  uint32_t flags;
  std::span<const AttrInfo> attributes;
  ShapeRule shape;
  ReferenceKernel reference; // null exactly for ops that are expanded before they run
  uint32_t dtypes;           // elementwise ops: which dtypes the operands may have, by dtype_bit

  bool has(OpFlags flag) const { return flags & flag; }
};

constexpr uint32_t dtype_bit(DType dtype) { return uint32_t(1) << uint32_t(dtype); }

const OpInfo &op_info(OpKind kind);
std::span<const OpInfo> op_table();
std::optional<OpKind> find_op(std::string_view mnemonic);

/// Whether the op's results have the type of its operands, which is one, but for the dtype of a kBoolResult.
bool keeps_type(const OpInfo &info);
/// Runs the op's shape rule after checking the number of operands and attributes.
Inference infer(const OpCall &call);

} // namespace ingot
