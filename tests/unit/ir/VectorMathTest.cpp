// Accuracy of the elementary functions, their special values, and that scalars and vectors give the same
// bits. INGOT_EXHAUSTIVE=1 in the environment sweeps every f32.
#include "ingot/ir/emit/VectorMath.h"
#include "ingot/tests/support/ExpressionJit.h"
#include "ingot/tests/unit/ir/Ulp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <ostream>
#include <string>

using namespace ingot::testing;
namespace emit = ingot::emit;

namespace {

using Emit = mlir::Value (*)(mlir::OpBuilder &, mlir::Location, mlir::Value);

struct Function {
  const char *name;
  Emit emit;
  double (*reference)(double);
  long double (*wide)(long double);
  double from, to; // where f64 samples are dense
  double bound = 2;
};
std::ostream &operator<<(std::ostream &out, const Function &f) { return out << f.name; }

template <class T> T logisticOf(T x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
template <class T> T rsqrtOf(T x) { return 1 / std::sqrt(x); }

#define BOTH(f) [](double x) { return double(f(x)); }, [](long double x) -> long double { return f(x); }

const Function functions[] = {
    {"exp", emit::exp, BOTH(std::exp), -746, 710},
    {"expm1", emit::expm1, BOTH(std::expm1), -40, 710},
    {"log", emit::log, BOTH(std::log), 0, 4},
    {"log1p", emit::log1p, BOTH(std::log1p), -1, 2},
    {"tanh", emit::tanh, BOTH(std::tanh), -22, 22},
    {"logistic", emit::logistic, BOTH(logisticOf), -746, 40},
    {"erf", emit::erf, BOTH(std::erf), -6, 6},
    {"rsqrt", emit::rsqrt, BOTH(rsqrtOf), 0, 4},
    {"sin", emit::sin, BOTH(std::sin), -1e5, 1e5},
    {"cos", emit::cos, BOTH(std::cos), -1e5, 1e5},
    {"tan", emit::tan, BOTH(std::tan), -1e5, 1e5},
    {"floor", emit::floor, BOTH(std::floor), -100, 100, 0},
    {"ceil", emit::ceil, BOTH(std::ceil), -100, 100, 0},
    {"roundEven", emit::roundEven, BOTH(std::nearbyint), -100, 100, 0},
    {"trunc", emit::trunc, BOTH(std::trunc), -100, 100, 0},
};

ExpressionJit compile(const Function &f, const char *type, std::int64_t lanes,
                      const ingot::Target &target = ingot::Target::host()) {
  return ExpressionJit(
      {type}, lanes, [&](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange x) { return f.emit(b, loc, x[0]); },
      target);
}

template <class T> struct Worst {
  double error = 0;
  T at = 0, result = 0;
  void see(double e, T x, T y) {
    if (!(e <= error)) {
      error = e;
      at = x;
      result = y;
    }
  }
};

template <class T> void report(const char *name, const char *type, const Worst<T> &worst, double bound) {
  std::printf("%-10s %s  %.4f ulp at %a (%.9g)\n", name, type, worst.error, double(worst.at), double(worst.at));
  std::fflush(stdout);
  EXPECT_LE(worst.error, bound) << name << " " << type << " at " << double(worst.at) << " gives "
                                << double(worst.result);
}

class VectorMath : public ::testing::TestWithParam<Function> {};

TEST_P(VectorMath, SingleIsWithinTwoUlp) {
  const Function &f = GetParam();
  ExpressionJit jit = compile(f, "f32", 8);
  // The step is odd, so that the low bits vary and every exponent is met.
  std::uint64_t step = exhaustive() ? 1 : 1021;
  constexpr std::int64_t block = 4096;
  std::vector<float> x(block), y(block);
  Worst<float> worst;
  for (std::uint64_t bits = 0; bits < (std::uint64_t(1) << 32);) {
    for (float &v : x) {
      v = std::bit_cast<float>(std::uint32_t(bits));
      bits += step;
    }
    jit.run({x.data()}, y.data(), block);
    for (int i = 0; i < block; ++i)
      worst.see(ulpError(y[i], f.reference(x[i])), x[i], y[i]);
  }
  report(f.name, "f32", worst, f.bound);
}

TEST_P(VectorMath, DoubleIsWithinTwoUlp) {
  const Function &f = GetParam();
  ExpressionJit jit = compile(f, "f64", 4);
  std::int64_t samples = exhaustive() ? 12'000'000 : 400'000;
  constexpr std::int64_t block = 4096;
  std::vector<double> x(block), y(block);
  Random random;
  Worst<double> worst;
  for (std::int64_t done = 0; done < samples; done += block) {
    for (double &v : x)
      v = sample<double>(random, f.from, f.to);
    jit.run({x.data()}, y.data(), block);
    for (int i = 0; i < block; ++i)
      worst.see(ulpError(y[i], f.wide(x[i])), x[i], y[i]);
  }
  report(f.name, "f64", worst, f.bound);
}

TEST_P(VectorMath, SpecialValuesAreThoseOfC) {
  const Function &f = GetParam();
  ExpressionJit single = compile(f, "f32", 0), wide = compile(f, "f64", 0);
  for (float x : specialValues<float>()) {
    float y;
    single.run({&x}, &y, 1);
    EXPECT_LE(ulpError(y, f.reference(x)), f.bound) << f.name << "(" << x << ") = " << y;
  }
  for (double x : specialValues<double>()) {
    double y;
    wide.run({&x}, &y, 1);
    EXPECT_LE(ulpError(y, f.wide(x)), f.bound) << f.name << "(" << x << ") = " << y;
  }
}

/// Runs `x` (a multiple of 48 values) as scalars and at several widths.
template <class T> void expectSameBits(const Function &f, const char *type, const std::vector<T> &x) {
  std::int64_t count = std::int64_t(x.size());
  std::vector<T> expected(count), actual(count);
  compile(f, type, 0).run({x.data()}, expected.data(), count);
  for (std::int64_t lanes : {1, 3, 4, 8, 16}) {
    compile(f, type, lanes).run({x.data()}, actual.data(), count);
    for (std::int64_t i = 0; i < count; ++i)
      if (!(std::isnan(expected[i]) && std::isnan(actual[i])))
        ASSERT_EQ(std::memcmp(&expected[i], &actual[i], sizeof(T)), 0)
            << f.name << " of " << double(x[i]) << " in " << lanes << " lanes: " << double(actual[i]) << ", scalar "
            << double(expected[i]);
  }
}

TEST_P(VectorMath, ScalarsAndVectorsGiveTheSameBits) {
  Random random;
  std::vector<float> single = specialValues<float>();
  std::vector<double> wide = specialValues<double>();
  while (single.size() < 9600)
    single.push_back(sample<float>(random, -100, 100));
  while (wide.size() < 9600)
    wide.push_back(sample<double>(random, -100, 100));
  expectSameBits(GetParam(), "f32", single);
  expectSameBits(GetParam(), "f64", wide);
}

// Where the reduction cancels most: next to multiples of pi / 2, and the f64 closest to one of all.
TEST(Trigonometric, ArgumentsNextToMultiplesOfAQuarterTurn) {
  std::vector<double> x = {0x1.6ac5b262ca1ffp+849, -0x1.6ac5b262ca1ffp+849, 0x1p24, 0x1.0000000000001p24};
  Random random;
  while (x.size() < 100'000) {
    auto k = static_cast<long double>(random.next() >> (random.next() % 60 + 4));
    double near = double(k * 1.57079632679489661923132169163975L);
    x.insert(x.end(), {near, std::nextafter(near, 0.0), std::nextafter(near, 1e300), -near});
  }
  std::vector<double> y(x.size());
  for (const Function &f : functions) {
    if (f.emit != emit::sin && f.emit != emit::cos && f.emit != emit::tan)
      continue;
    compile(f, "f64", 4).run({x.data()}, y.data(), std::int64_t(x.size()));
    Worst<double> worst;
    for (std::size_t i = 0; i < x.size(); ++i)
      worst.see(ulpError(y[i], f.wide(x[i])), x[i], y[i]);
    report(f.name, "f64 near", worst, f.bound);
  }
}

TEST_P(VectorMath, NeedsNoSymbolOnAnyTarget) {
  for (const char *target : {"x86-64", "x86-64-v3", "x86-64-v4", "aarch64"})
    for (const char *type : {"f32", "f64"})
      for (std::int64_t lanes : {0, 8})
        EXPECT_EQ(compile(GetParam(), type, lanes, ingot::Target::named(target)).undefinedSymbols(),
                  std::vector<std::string>())
            << GetParam().name << " on " << target << " for " << type << " in " << lanes << " lanes";
}

TEST_P(VectorMath, TargetsWithoutFusedMultiplyAddStayAccurate) {
  const Function &f = GetParam();
  ingot::Target baseline = ingot::Target::named("x86-64");
  if (!baseline.host_can_run())
    GTEST_SKIP() << "not an x86-64 machine";
  ExpressionJit single = compile(f, "f32", 4, baseline), wide = compile(f, "f64", 2, baseline);
  constexpr std::int64_t count = 60'000;
  Random random;
  std::vector<float> x32(count), y32(count);
  std::vector<double> x64(count), y64(count);
  for (std::int64_t i = 0; i < count; ++i) {
    x32[i] = sample<float>(random, std::max(f.from, -104.0), std::min(f.to, 89.0));
    x64[i] = sample<double>(random, f.from, f.to);
  }
  single.run({x32.data()}, y32.data(), count);
  wide.run({x64.data()}, y64.data(), count);
  Worst<float> worst32;
  Worst<double> worst64;
  for (std::int64_t i = 0; i < count; ++i) {
    worst32.see(ulpError(y32[i], f.reference(x32[i])), x32[i], y32[i]);
    worst64.see(ulpError(y64[i], f.wide(x64[i])), x64[i], y64[i]);
  }
  report(f.name, "f32 baseline", worst32, f.bound);
  report(f.name, "f64 baseline", worst64, f.bound);
}

INSTANTIATE_TEST_SUITE_P(Functions, VectorMath, ::testing::ValuesIn(functions),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
