// The number rules of the ABI: nothing traps, nothing is undefined, every lane count gives the same.
#include "ingot/ir/emit/Arithmetic.h"
#include "ingot/tests/support/ExpressionJit.h"
#include "ingot/tests/unit/ir/Ulp.h"

#include "mlir/IR/BuiltinTypes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <ostream>
#include <type_traits>

using namespace ingot::testing;
namespace emit = ingot::emit;
using emit::Signedness;

namespace {

template <class T> constexpr const char *nameOf() {
  if constexpr (std::is_same_v<T, float>)
    return "f32";
  else if constexpr (std::is_same_v<T, double>)
    return "f64";
  else
    return sizeof(T) == 1 ? "i8" : sizeof(T) == 2 ? "i16" : sizeof(T) == 4 ? "i32" : "i64";
}

/// Ways to compile: scalars and vectors for this machine, and for one without the newer instructions.
struct Form {
  std::int64_t lanes;
  ingot::Target target;
};
std::vector<Form> forms() {
  const ingot::Target &host = ingot::Target::host();
  std::vector<Form> all = {{0, host}, {1, host}, {3, host}, {8, host}, {16, host}};
  if (ingot::Target baseline = ingot::Target::named("x86-64"); baseline.host_can_run()) {
    all.push_back({0, baseline});
    all.push_back({4, baseline});
  }
  return all;
}
std::ostream &operator<<(std::ostream &out, const Form &form) {
  return out << form.lanes << " lanes for " << form.target.cpu;
}

template <class T> constexpr Signedness signOf = std::is_signed_v<T> ? Signedness::Signed : Signedness::Unsigned;

/// Edges and random values of all magnitudes; a multiple of 48 of them.
template <class T> std::vector<T> integers() {
  using L = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           1,
                           2,
                           3,
                           7,
                           8,
                           10,
                           100,
                           T(-1),
                           T(-2),
                           T(-7),
                           T(-100),
                           L::min(),
                           T(L::min() + 1),
                           L::max(),
                           T(L::max() - 1),
                           T(sizeof(T) * 8),
                           T(sizeof(T) * 8 - 1),
                           T(sizeof(T) * 8 + 1)};
  Random random;
  while (values.size() < 48)
    values.push_back(T(random.next() >> (random.next() % 64)));
  return values;
}

template <class T> bool sameBits(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) && std::isnan(b))
      return true;
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// All pairs of `values`, in every lane count, against `expected`.
template <class T, class Emit, class Expected>
void checkPairs(const char *what, const std::vector<T> &values, Emit emitOp, Expected expected) {
  std::vector<T> x, y;
  for (T a : values)
    for (T b : values) {
      x.push_back(a);
      y.push_back(b);
    }
  std::vector<T> z(x.size());
  for (const Form &form : forms()) {
    ExpressionJit jit(
        {nameOf<T>(), nameOf<T>()}, form.lanes,
        [&](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange v) { return emitOp(b, loc, v[0], v[1]); },
        form.target);
    EXPECT_TRUE(jit.undefinedSymbols().empty());
    jit.run({x.data(), y.data()}, z.data(), std::int64_t(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_TRUE(sameBits(z[i], expected(x[i], y[i])))
          << what << " of " << +x[i] << " and " << +y[i] << " as " << nameOf<T>() << " in " << form << " gives "
          << +z[i] << " instead of " << +expected(x[i], y[i]);
  }
}

template <class T> bool overflows(T x, T y) {
  return std::is_signed_v<T> && x == std::numeric_limits<T>::min() && y == T(-1);
}

template <class T> struct Integers : ::testing::Test {};
using IntegerTypes = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                      std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(Integers, IntegerTypes);

TYPED_TEST(Integers, DivideByZeroGivesOnesAndTheSmallestByMinusOneItself) {
  using T = TypeParam;
  checkPairs(
      "quotient", integers<T>(),
      [](auto &b, auto loc, auto x, auto y) { return emit::divInteger(b, loc, x, y, signOf<T>); },
      [](T x, T y) { return y == 0            ? T(-1)
                            : overflows(x, y) ? x
                                              : T(x / y); });
}

TYPED_TEST(Integers, RemainderOfZeroIsTheDividend) {
  using T = TypeParam;
  checkPairs(
      "remainder", integers<T>(),
      [](auto &b, auto loc, auto x, auto y) { return emit::remInteger(b, loc, x, y, signOf<T>); },
      [](T x, T y) { return y == 0            ? x
                            : overflows(x, y) ? T(0)
                                              : T(x % y); });
}

TYPED_TEST(Integers, ShiftsPastTheWidthGiveZeroOrTheSign) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  constexpr unsigned width = sizeof(T) * 8;
  checkPairs(
      "shift to the left", integers<T>(),
      [](auto &b, auto loc, auto x, auto y) { return emit::shiftLeft(b, loc, x, y); },
      [](T x, T y) { return U(y) >= width ? T(0) : T(std::uint64_t(x) << U(y)); });
  checkPairs(
      "shift to the right", integers<T>(),
      [](auto &b, auto loc, auto x, auto y) { return emit::shiftRight(b, loc, x, y, signOf<T>); },
      [](T x, T y) { return U(y) < width ? T(x >> U(y))
                            : x < T(0)   ? T(-1)
                                         : T(0); });
}

TYPED_TEST(Integers, MaximumAndMinimumFollowTheSign) {
  using T = TypeParam;
  checkPairs(
      "maximum", integers<T>(),
      [](auto &b, auto loc, auto x, auto y) { return emit::maximum(b, loc, x, y, signOf<T>); },
      [](T x, T y) { return x > y ? x : y; });
  checkPairs(
      "minimum", integers<T>(),
      [](auto &b, auto loc, auto x, auto y) { return emit::minimum(b, loc, x, y, signOf<T>); },
      [](T x, T y) { return x < y ? x : y; });
}

template <class T> struct Floats : ::testing::Test {};
using FloatTypes = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Floats, FloatTypes);

TYPED_TEST(Floats, MaximumAndMinimumPropagateNaNAndOrderZeros) {
  using T = TypeParam;
  std::vector<T> values = specialValues<T>();
  while (values.size() % 48)
    values.push_back(T(values.size()));
  auto pick = [](T x, T y, bool larger) {
    if (std::isnan(x) || std::isnan(y))
      return std::numeric_limits<T>::quiet_NaN();
    if (x == 0 && y == 0)
      return std::signbit(x) == larger ? y : x;
    return (x > y) == larger ? x : y;
  };
  checkPairs(
      "maximum", values, [](auto &b, auto loc, auto x, auto y) { return emit::maximum(b, loc, x, y); },
      [&](T x, T y) { return pick(x, y, true); });
  checkPairs(
      "minimum", values, [](auto &b, auto loc, auto x, auto y) { return emit::minimum(b, loc, x, y); },
      [&](T x, T y) { return pick(x, y, false); });
}

template <class T, class I> void checkToInteger() {
  using L = std::numeric_limits<I>;
  std::vector<T> x = specialValues<T>();
  for (int bits : {7, 8, 15, 16, 31, 32, 63, 64})
    for (double offset : {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0})
      for (double sign : {-1.0, 1.0}) {
        T v = T(sign * (std::ldexp(1.0, bits) + offset));
        x.insert(x.end(), {v, std::nextafter(v, T(0)), std::nextafter(v, std::numeric_limits<T>::infinity())});
      }
  while (x.size() % 48)
    x.push_back(T(x.size()) * T(-1.25));
  std::vector<I> y(x.size());
  for (const Form &form : forms()) {
    ExpressionJit jit(
        {nameOf<T>()}, form.lanes,
        [&](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange v) {
          return emit::floatToInt(b, loc, v[0], b.getIntegerType(sizeof(I) * 8), signOf<I>);
        },
        form.target);
    EXPECT_TRUE(jit.undefinedSymbols().empty());
    jit.run({x.data()}, y.data(), std::int64_t(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      long double v = std::trunc(static_cast<long double>(x[i]));
      I expected = std::isnan(x[i])                          ? I(0)
                   : v <= static_cast<long double>(L::min()) ? L::min()
                   : v >= static_cast<long double>(L::max()) ? L::max()
                                                             : I(v);
      ASSERT_EQ(+y[i], +expected) << nameOf<T>() << " " << double(x[i]) << " to " << nameOf<I>() << " in " << form;
    }
    // And back, to nearest.
    std::vector<T> back(x.size());
    ExpressionJit toFloat(
        {nameOf<I>()}, form.lanes,
        [&](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange v) {
          return emit::intToFloat(b, loc, v[0],
                                  sizeof(T) == 4 ? mlir::Type(b.getF32Type()) : mlir::Type(b.getF64Type()), signOf<I>);
        },
        form.target);
    EXPECT_TRUE(toFloat.undefinedSymbols().empty());
    toFloat.run({y.data()}, back.data(), std::int64_t(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(back[i], T(y[i])) << nameOf<I>() << " " << +y[i] << " to " << nameOf<T>();
  }
}

TYPED_TEST(Floats, ConversionToIntegersSaturatesAndTakesNaNToZero) {
  using T = TypeParam;
  checkToInteger<T, std::int8_t>();
  checkToInteger<T, std::int16_t>();
  checkToInteger<T, std::int32_t>();
  checkToInteger<T, std::int64_t>();
  checkToInteger<T, std::uint8_t>();
  checkToInteger<T, std::uint16_t>();
  checkToInteger<T, std::uint32_t>();
  checkToInteger<T, std::uint64_t>();
}

TEST(Arithmetic, BooleansAreZeroOrOne) {
  std::vector<float> x = {0, -0.0f, 1, -3, std::numeric_limits<float>::quiet_NaN(), 1e-45f, 0, 2};
  std::vector<std::uint8_t> y(8);
  ExpressionJit toBool({"f32"}, 8, [](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange v) {
    return emit::floatToInt(b, loc, v[0], b.getI1Type());
  });
  toBool.run({x.data()}, y.data(), 8);
  EXPECT_EQ(y, (std::vector<std::uint8_t>{0, 0, 1, 1, 1, 1, 0, 1}));
  std::vector<std::int32_t> wide(8);
  ExpressionJit toInt({"i1"}, 8, [](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange v) {
    return emit::intToInt(b, loc, v[0], b.getI32Type());
  });
  toInt.run({y.data()}, wide.data(), 8);
  EXPECT_EQ(wide, (std::vector<std::int32_t>{0, 0, 1, 1, 1, 1, 0, 1}));
  ExpressionJit quotient({"i1", "i1"}, 8, [](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange v) {
    return emit::divInteger(b, loc, v[0], v[1]);
  });
  std::vector<std::uint8_t> ones(8, 1), zeros(8, 0), z(8);
  quotient.run({y.data(), ones.data()}, z.data(), 8);
  EXPECT_EQ(z, y);
  quotient.run({y.data(), zeros.data()}, z.data(), 8);
  EXPECT_EQ(z, ones);
}

} // namespace
