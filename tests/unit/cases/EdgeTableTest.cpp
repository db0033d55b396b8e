// What the reference kernels give where arithmetic has cases of its own, written down: C99 for floats, the ABI's rules
// for integers and conversions. Compiled code is compared with them by EdgeElementwiseTest.
#include "ingot/capture/Ops.h"
#include "ingot/ir/OpTable.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <limits>

using namespace ingot;

namespace {

const double kInf = INFINITY, kNan = NAN;

/// One result; zeros differ by their sign.
template <class R> bool is_same(R got, R want) {
  if constexpr (std::is_floating_point_v<R>)
    return std::isnan(want) ? std::isnan(got) : got == want && std::signbit(got) == std::signbit(want);
  else
    return got == want;
}

/// The reference kernel's result for operands of T.
template <class R, class T>
R evaluate(OpKind kind, const std::deque<T> &operands, std::vector<AttrValue> attributes = {}) {
  std::vector<TensorType> types(operands.size(), TensorType{dtype_of<T>(), {}});
  std::vector<ConstView> in;
  for (const T &x : operands)
    in.push_back({&x, types[0]});
  R result{};
  MutableView out{&result, {dtype_of<R>(), {}}};
  EXPECT_EQ(op_info(kind).reference({kind, types, attributes}, in, {&out, 1}).code, 0);
  return result;
}

struct FloatRow {
  OpKind kind;
  std::vector<double> operands;
  double want; // 0 or 1 for a bool
};

const std::vector<FloatRow> kFloats{
    {OpKind::Abs, {-0.0}, 0.0},
    {OpKind::Abs, {-kInf}, kInf},
    {OpKind::Abs, {kNan}, kNan},
    {OpKind::Add, {0.0, -0.0}, 0.0},
    {OpKind::Add, {-0.0, -0.0}, -0.0},
    {OpKind::Add, {kInf, -kInf}, kNan},
    {OpKind::Ceil, {-0.5}, -0.0},
    {OpKind::Ceil, {-0.0}, -0.0},
    {OpKind::Ceil, {kInf}, kInf},
    {OpKind::Cos, {-0.0}, 1.0},
    {OpKind::Cos, {kInf}, kNan},
    {OpKind::Div, {1.0, 0.0}, kInf},
    {OpKind::Div, {1.0, -0.0}, -kInf},
    {OpKind::Div, {0.0, 0.0}, kNan},
    {OpKind::Div, {-0.0, 5.0}, -0.0},
    {OpKind::Div, {-3.0, kInf}, -0.0},
    {OpKind::Div, {kInf, kInf}, kNan},
    {OpKind::Eq, {0.0, -0.0}, 1},
    {OpKind::Eq, {kNan, kNan}, 0},
    {OpKind::Erf, {-0.0}, -0.0},
    {OpKind::Erf, {-kInf}, -1.0},
    {OpKind::Exp, {-kInf}, 0.0},
    {OpKind::Exp, {kInf}, kInf},
    {OpKind::Exp, {-0.0}, 1.0},
    {OpKind::Exp, {kNan}, kNan},
    {OpKind::Expm1, {-0.0}, -0.0},
    {OpKind::Expm1, {-kInf}, -1.0},
    {OpKind::Floor, {-0.0}, -0.0},
    {OpKind::Floor, {-0.5}, -1.0},
    {OpKind::Fma, {0.0, kInf, 1.0}, kNan},
    {OpKind::Fma, {-0.0, 1.0, -0.0}, -0.0},
    {OpKind::Fma, {0x1p-80, 0x1p-80, 1.0}, 1.0},
    {OpKind::Ge, {kNan, 1.0}, 0},
    {OpKind::Ge, {-0.0, 0.0}, 1},
    {OpKind::Gt, {0.0, -0.0}, 0},
    {OpKind::Le, {1.0, kNan}, 0},
    {OpKind::Log, {0.0}, -kInf},
    {OpKind::Log, {-0.0}, -kInf},
    {OpKind::Log, {1.0}, 0.0},
    {OpKind::Log, {-1.0}, kNan},
    {OpKind::Log, {kInf}, kInf},
    {OpKind::Log1p, {-1.0}, -kInf},
    {OpKind::Log1p, {-0.0}, -0.0},
    {OpKind::Log1p, {-2.0}, kNan},
    {OpKind::Logaddexp, {kInf, -kInf}, kInf},
    {OpKind::Logaddexp, {kInf, kInf}, kInf},
    {OpKind::Logaddexp, {-kInf, -kInf}, -kInf},
    {OpKind::Logaddexp, {-kInf, 3.0}, 3.0},
    {OpKind::Logaddexp, {kNan, kInf}, kNan},
    {OpKind::Logistic, {-kInf}, 0.0},
    {OpKind::Logistic, {-0.0}, 0.5},
    {OpKind::Logistic, {kInf}, 1.0},
    {OpKind::Lt, {kNan, kNan}, 0},
    {OpKind::Lt, {-kInf, kInf}, 1},
    {OpKind::Max, {-0.0, 0.0}, 0.0},
    {OpKind::Max, {0.0, -0.0}, 0.0},
    {OpKind::Max, {-0.0, -0.0}, -0.0},
    {OpKind::Max, {kNan, kInf}, kNan},
    {OpKind::Max, {-kInf, kNan}, kNan},
    {OpKind::Min, {-0.0, 0.0}, -0.0},
    {OpKind::Min, {0.0, -0.0}, -0.0},
    {OpKind::Min, {kNan, -kInf}, kNan},
    {OpKind::Mul, {0.0, kInf}, kNan},
    {OpKind::Mul, {-0.0, 3.0}, -0.0},
    {OpKind::Mul, {-0.0, -3.0}, 0.0},
    {OpKind::Ne, {kNan, kNan}, 1},
    {OpKind::Ne, {0.0, -0.0}, 0},
    {OpKind::Neg, {0.0}, -0.0},
    {OpKind::Neg, {-kInf}, kInf},
    {OpKind::Pow, {0.0, 0.0}, 1.0},
    {OpKind::Pow, {kNan, -0.0}, 1.0},
    {OpKind::Pow, {1.0, kNan}, 1.0},
    {OpKind::Pow, {kNan, 1.0}, kNan},
    {OpKind::Pow, {-1.0, kInf}, 1.0},
    {OpKind::Pow, {-1.0, -kInf}, 1.0},
    {OpKind::Pow, {0.0, -3.0}, kInf},
    {OpKind::Pow, {-0.0, -3.0}, -kInf},
    {OpKind::Pow, {-0.0, -2.0}, kInf},
    {OpKind::Pow, {-0.0, -0.5}, kInf},
    {OpKind::Pow, {-0.0, -kInf}, kInf},
    {OpKind::Pow, {-0.0, 3.0}, -0.0},
    {OpKind::Pow, {-0.0, 2.0}, 0.0},
    {OpKind::Pow, {-0.0, 0.5}, 0.0},
    {OpKind::Pow, {-8.0, 1.0 / 3}, kNan},
    {OpKind::Pow, {0.5, -kInf}, kInf},
    {OpKind::Pow, {0.5, kInf}, 0.0},
    {OpKind::Pow, {-3.0, -kInf}, 0.0},
    {OpKind::Pow, {-3.0, kInf}, kInf},
    {OpKind::Pow, {-kInf, -3.0}, -0.0},
    {OpKind::Pow, {-kInf, -2.0}, 0.0},
    {OpKind::Pow, {-kInf, 3.0}, -kInf},
    {OpKind::Pow, {-kInf, 0.5}, kInf},
    {OpKind::Pow, {kInf, -1.0}, 0.0},
    {OpKind::Pow, {kInf, 0.5}, kInf},
    {OpKind::Rem, {-0.0, 3.0}, -0.0},
    {OpKind::Rem, {-6.0, 3.0}, -0.0},
    {OpKind::Rem, {6.0, -3.0}, 0.0},
    {OpKind::Rem, {5.0, -kInf}, 5.0},
    {OpKind::Rem, {kInf, 3.0}, kNan},
    {OpKind::Rem, {3.0, 0.0}, kNan},
    {OpKind::Round, {0.5}, 0.0},
    {OpKind::Round, {1.5}, 2.0},
    {OpKind::Round, {2.5}, 2.0},
    {OpKind::Round, {-0.5}, -0.0},
    {OpKind::Round, {-kInf}, -kInf},
    {OpKind::Rsqrt, {0.0}, kInf},
    {OpKind::Rsqrt, {-0.0}, -kInf},
    {OpKind::Rsqrt, {kInf}, 0.0},
    {OpKind::Rsqrt, {-1.0}, kNan},
    {OpKind::Saved, {kNan, -0.0}, -0.0},
    {OpKind::Sign, {0.0}, 0.0},
    {OpKind::Sign, {-0.0}, 0.0},
    {OpKind::Sign, {-kInf}, -1.0},
    {OpKind::Sign, {kNan}, kNan},
    {OpKind::Sin, {-0.0}, -0.0},
    {OpKind::Sin, {-kInf}, kNan},
    {OpKind::Sqrt, {-0.0}, -0.0},
    {OpKind::Sqrt, {-1.0}, kNan},
    {OpKind::Sqrt, {kInf}, kInf},
    {OpKind::StopGradient, {-0.0}, -0.0},
    {OpKind::Sub, {0.0, 0.0}, 0.0},
    {OpKind::Sub, {-0.0, 0.0}, -0.0},
    {OpKind::Sub, {kInf, kInf}, kNan},
    {OpKind::Tanh, {-0.0}, -0.0},
    {OpKind::Tanh, {-kInf}, -1.0},
    {OpKind::Trunc, {-0.5}, -0.0},
    {OpKind::Trunc, {kInf}, kInf},
};

template <class T> void check_floats() {
  for (const FloatRow &row : kFloats) {
    const std::deque<T> operands(row.operands.begin(), row.operands.end());
    const OpInfo &info = op_info(row.kind);
    const double got = info.has(kBoolResult) ? evaluate<bool>(row.kind, operands) : evaluate<T>(row.kind, operands);
    EXPECT_TRUE(is_same(got, row.want)) << info.name << "(" << row.operands[0]
                                        << (row.operands.size() > 1 ? ", " + std::to_string(row.operands[1]) : "")
                                        << ") of " << dtype_of<T>() << " is " << got << ", not " << row.want;
  }
}

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min(), kMax = std::numeric_limits<std::int64_t>::max();

struct IntegerRow {
  OpKind kind;
  std::vector<std::int64_t> operands; // kMin and kMax are the type's
  std::int64_t want;
};

const std::vector<IntegerRow> kIntegers{
    {OpKind::Abs, {kMin}, kMin},
    {OpKind::Add, {kMax, 1}, kMin},
    {OpKind::And, {-1, kMin}, kMin},
    {OpKind::Div, {7, 0}, -1},
    {OpKind::Div, {kMin, 0}, -1},
    {OpKind::Div, {0, 0}, -1},
    {OpKind::Div, {kMin, -1}, kMin},
    {OpKind::Div, {-7, 2}, -3},
    {OpKind::Div, {7, -2}, -3},
    {OpKind::Eq, {kMin, kMin}, 1},
    {OpKind::Lt, {kMin, kMax}, 1},
    {OpKind::Max, {kMin, kMax}, kMax},
    {OpKind::Min, {kMin, kMax}, kMin},
    {OpKind::Mul, {kMin, -1}, kMin},
    {OpKind::Mul, {kMax, 2}, -2},
    {OpKind::Neg, {kMin}, kMin},
    {OpKind::Not, {0}, -1},
    {OpKind::Or, {kMin, kMax}, -1},
    {OpKind::Rem, {7, 0}, 7},
    {OpKind::Rem, {kMin, 0}, kMin},
    {OpKind::Rem, {kMin, -1}, 0},
    {OpKind::Rem, {-7, 2}, -1},
    {OpKind::Rem, {7, -2}, 1},
    {OpKind::Sign, {kMin}, -1},
    {OpKind::Sign, {0}, 0},
    {OpKind::Sub, {kMin, 1}, kMax},
    {OpKind::Sub, {0, kMin}, kMin},
    {OpKind::Xor, {-1, kMax}, kMin},
};

template <class T> void check_integers() {
  const auto own = [](std::int64_t x) {
    return x == kMin ? std::numeric_limits<T>::min() : x == kMax ? std::numeric_limits<T>::max() : T(x);
  };
  for (const IntegerRow &row : kIntegers) {
    std::deque<T> operands;
    for (std::int64_t x : row.operands)
      operands.push_back(own(x));
    const OpInfo &info = op_info(row.kind);
    const T got = info.has(kBoolResult) ? T(evaluate<bool>(row.kind, operands)) : evaluate<T>(row.kind, operands);
    EXPECT_EQ(got, own(row.want)) << info.name << " of " << dtype_of<T>();
  }
}

template <class To, class From> void expect_converted(From x, To want) {
  const To got = evaluate<To, From>(OpKind::Convert, {x}, {dtype_of<To>()});
  EXPECT_TRUE(is_same(got, want)) << +x << " of " << dtype_of<From>() << " as " << dtype_of<To>() << " is " << +got;
}

template <class F, class I> void check_conversions() {
  using L = std::numeric_limits<I>;
  expect_converted<I, F>(F(kNan), 0);
  expect_converted<I, F>(F(kInf), L::max());
  expect_converted<I, F>(F(-kInf), L::min());
  expect_converted<I, F>(F(-0.0), 0);
  expect_converted<I, F>(F(-1.9), -1);
  expect_converted<I, F>(F(1.9), 1);
  expect_converted<I, F>(F(L::min()), L::min());
  expect_converted<I, F>(-F(L::min()), L::max());
  expect_converted<I, F>(std::nextafter(-F(L::min()), F(0)), I(std::nextafter(-F(L::min()), F(0))));
  expect_converted<bool, F>(F(kNan), true);
  expect_converted<bool, F>(F(-0.0), false);
  expect_converted<bool, F>(std::numeric_limits<F>::denorm_min(), true);
  expect_converted<F, bool>(true, F(1));
  expect_converted<F, I>(L::min(), F(L::min()));
  expect_converted<bool, I>(L::min(), true);
}

} // namespace

TEST(EdgeTable, FloatsAreThoseOfC) {
  check_floats<float>();
  check_floats<double>();
}

TEST(EdgeTable, IntegersNeverTrap) {
  check_integers<std::int32_t>();
  check_integers<std::int64_t>();
}

TEST(EdgeTable, ConversionsSaturate) {
  check_conversions<float, std::int32_t>();
  check_conversions<float, std::int64_t>();
  check_conversions<double, std::int32_t>();
  check_conversions<double, std::int64_t>();
  expect_converted<float, double>(1e300, float(kInf));
  expect_converted<float, double>(-1e-300, -0.0f);
  expect_converted<float, double>(kNan, float(kNan));
  expect_converted<double, float>(-0.0f, -0.0);
  expect_converted<std::int32_t, std::int64_t>((std::int64_t(1) << 32) + 5, 5);
}

/// A new op says here what it does at its edges.
TEST(EdgeTable, HasARowForEveryOp) {
  for (std::size_t i = 0; i < op_table().size(); ++i) {
    const OpInfo &info = op_table()[i];
    if (!info.has(kElementwise) || info.has(kInternal) || OpKind(i) == OpKind::Convert || OpKind(i) == OpKind::Select)
      continue; // conversions have a test of their own, and a choice between bits has no edges
    const auto names = [&](const auto &rows) {
      return std::any_of(rows.begin(), rows.end(), [&](const auto &row) { return row.kind == OpKind(i); });
    };
    EXPECT_TRUE(names(kFloats) || names(kIntegers)) << info.name << " has no row in tests/unit/cases/EdgeTableTest.cpp";
  }
}
