// Division of a vector by one number: the bits of the hardware's division, whatever the operands are.
#include "ingot/ir/emit/VectorMath.h"
#include "ingot/tests/support/ExpressionJit.h"
#include "ingot/tests/unit/ir/Ulp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <gtest/gtest.h>

using namespace ingot::testing;
using namespace mlir;

namespace {

/// Which of four dividends is made of x is read from its last two bits: as many divisions share the reciprocal.
template <class T> T dividend(T x, unsigned which) {
  switch (which) {
  case 0:
    return x;
  case 1:
    return -x;
  case 2:
    return x * T(0.25);
  default:
    return x * T(3);
  }
}

/// dividend(x) / s, where s is the first lane of the second operand.
Value quotients(OpBuilder &b, Location loc, ValueRange v) {
  auto type = cast<VectorType>(v[0].getType());
  const unsigned width = type.getElementTypeBitWidth();
  auto bitsType = cast<VectorType>(type.clone(b.getIntegerType(width)));
  auto splat = [&](TypedAttr value, VectorType of) {
    return Value(b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(of, Attribute(value))));
  };
  auto number = [&](double value) { return splat(FloatAttr::get(type.getElementType(), value), type); };
  auto integer = [&](int value) { return splat(IntegerAttr::get(bitsType.getElementType(), value), bitsType); };
  Value scalar = b.create<vector::ExtractOp>(loc, v[1], llvm::ArrayRef<int64_t>{0});
  Value s = b.create<vector::SplatOp>(loc, type, scalar);
  Value which = b.create<arith::AndIOp>(loc, b.create<arith::BitcastOp>(loc, bitsType, v[0]), integer(3));
  Value result = b.create<arith::DivFOp>(loc, v[0], s);
  Value others[] = {b.create<arith::NegFOp>(loc, v[0]), b.create<arith::MulFOp>(loc, v[0], number(0.25)),
                    b.create<arith::MulFOp>(loc, v[0], number(3))};
  for (int i = 0; i < 3; ++i) {
    Value chosen = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, which, integer(i + 1));
    result = b.create<arith::SelectOp>(loc, chosen, b.create<arith::DivFOp>(loc, others[i], s), result);
  }
  return result;
}

template <class T> void check(const char *type, std::int64_t lanes) {
  const ExpressionJit jit({type, type}, lanes, quotients);
  if (ingot::Target::host().has("fma"))
    EXPECT_NE(jit.assembly().find("vfnmadd"), std::string::npos) << "the divisions are done one by one";
  constexpr std::int64_t kCount = 4096;
  std::vector<T> x(kCount), s(kCount), result(kCount);
  Random random(std::uint64_t(lanes) * sizeof(T));
  std::vector<T> divisors = specialValues<T>();
  for (int i = 0; i < 400; ++i)
    divisors.push_back(sample<T>(random, -100, 100));
  for (const T divisor : divisors) {
    const std::vector<T> special = specialValues<T>();
    for (std::int64_t i = 0; i < kCount; ++i) {
      // Blocks of one kind each, so that lanes take both ways: all bits, few magnitudes, quotients near the bounds.
      const T any = sample<T>(random, -1, 1);
      const std::int64_t kind = i / 64 % 4;
      x[std::size_t(i)] = kind == 0   ? special[std::size_t(i) % special.size()]
                          : kind == 1 ? T(random.uniform(-2, 2))
                          : kind == 2 ? std::numeric_limits<T>::min() * divisor * T(random.uniform(-2, 2))
                                      : any;
      s[std::size_t(i)] = divisor;
    }
    jit.run({x.data(), s.data()}, result.data(), kCount);
    for (std::int64_t i = 0; i < kCount; ++i) {
      const T in = x[std::size_t(i)], got = result[std::size_t(i)];
      const T want = dividend(in, unsigned(std::bit_cast<BitsOf<T>>(in) & 3)) / divisor;
      const bool same =
          std::isnan(want) ? std::isnan(got) : std::bit_cast<BitsOf<T>>(got) == std::bit_cast<BitsOf<T>>(want);
      ASSERT_TRUE(same) << in << " by " << divisor << ": " << got << ", not " << want;
    }
  }
}

TEST(UniformDivision, BitsOfTheDivisionF32) {
  for (std::int64_t lanes : {4, 8, 16})
    check<float>("f32", lanes);
}
TEST(UniformDivision, BitsOfTheDivisionF64) {
  for (std::int64_t lanes : {2, 4, 8})
    check<double>("f64", lanes);
}

} // namespace
