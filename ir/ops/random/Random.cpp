// Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011), one block per element.
#include "ingot/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include <array>

#define GET_OP_CLASSES
#include "ingot-gen/ir/ops/random/Random.cpp.inc"

namespace ingot {

using namespace mlir;

LogicalResult RngBitsOp::vjp(OpBuilder &, ValueRange, llvm::SmallVectorImpl<Value> &out) {
  out.push_back({});
  return success();
}

AccessMap RngBitsOp::accessOf(unsigned, const AccessMap &) { return {std::nullopt}; }

namespace {

/// Philox on values of i64 or vectors of it whose upper halves are zero.
class Philox {
public:
  Philox(OpBuilder &b, Location loc, Type type)
      : b(b), loc(loc), e(b, loc), type(type), mask(e.constantInt(0xFFFFFFFF, type)) {}

  Value low(Value x) { return e.bitAnd(x, mask); }
  Value high(Value x) { return b.create<arith::ShRUIOp>(loc, x, e.constantInt(32, type)); }

  std::array<Value, 4> operator()(std::array<Value, 4> counter, std::array<Value, 2> key) {
    Value m0 = e.constantInt(0xD2511F53, type), m1 = e.constantInt(0xCD9E8D57, type);
    Value w0 = e.constantInt(0x9E3779B9, type), w1 = e.constantInt(0xBB67AE85, type);
    for (int round = 0; round < 10; ++round) {
      Value p = e.mul(m0, counter[0]), q = e.mul(m1, counter[2]);
      counter = {e.bitXor(e.bitXor(high(q), counter[1]), key[0]), low(q),
                 e.bitXor(e.bitXor(high(p), counter[3]), key[1]), low(p)};
      key = {low(e.add(key[0], w0)), low(e.add(key[1], w1))};
    }
    return counter;
  }

private:
  OpBuilder &b;
  Location loc;
  emit::ScalarOps e;
  Type type;
  Value mask;
};

} // namespace

Value RngBitsOp::emitAt(ElementReader &reader, const Coordinates &at) {
  OpBuilder &b = reader.builder();
  Location loc = reader.loc();
  emit::ScalarOps e(b, loc);
  Type type = reader.valueType(b.getI64Type());
  Value element = e.constantInt(0, type);
  ArrayRef<int64_t> shape = getShape();
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0; stride *= std::max<int64_t>(shape[d], 1)) {
    Value position = b.create<arith::IndexCastOp>(loc, type, reader.lanesOf(at[d]));
    element = e.add(element, e.mul(position, e.constantInt(stride, type)));
  }
  Philox philox(b, loc, type);
  auto word = [&](int64_t i) { return reader.read(getKey(), {{reader.constantIndex(i), 0, {}}}); };
  const bool narrow = getDtype().isInteger(32);
  Value block = b.create<arith::ShRUIOp>(loc, element, e.constantInt(narrow ? 2 : 1, type));
  Value stream = word(1), key = word(0);
  std::array<Value, 4> words = philox({philox.low(block), philox.high(block), philox.low(stream), philox.high(stream)},
                                      {philox.low(key), philox.high(key)});
  Value bit0 = e.ne(e.bitAnd(element, e.constantInt(1, type)), e.constantInt(0, type));
  if (!narrow) {
    auto pair = [&](int i) {
      return e.bitOr(words[size_t(i)], b.create<arith::ShLIOp>(loc, words[size_t(i) + 1], e.constantInt(32, type)));
    };
    return e.select(bit0, pair(2), pair(0));
  }
  Value bit1 = e.ne(e.bitAnd(element, e.constantInt(2, type)), e.constantInt(0, type));
  Value chosen = e.select(bit1, e.select(bit0, words[3], words[2]), e.select(bit0, words[1], words[0]));
  return e.convert(chosen, b.getI32Type());
}

} // namespace ingot
