// pow and the exact remainder: accuracy, C's special cases, the same bits in every width.
#include "ingot/ir/emit/VectorMath.h"
#include "ingot/tests/support/ExpressionJit.h"
#include "ingot/tests/unit/ir/Ulp.h"

#include <gtest/gtest.h>

#include <cstring>
#include <ostream>
#include <string>

using namespace ingot::testing;
namespace emit = ingot::emit;

namespace {

using Emit = mlir::Value (*)(mlir::OpBuilder &, mlir::Location, mlir::Value, mlir::Value);

struct Function {
  const char *name;
  Emit emit;
  double (*single)(double, double);
  long double (*wide)(long double, long double);
  double bound;
};
std::ostream &operator<<(std::ostream &out, const Function &f) { return out << f.name; }

const Function functions[] = {
    {"pow", emit::pow, [](double x, double y) { return std::pow(x, y); },
     [](long double x, long double y) { return std::pow(x, y); }, 2},
    {"remainderTrunc", emit::remainderTrunc, [](double x, double y) { return std::fmod(x, y); },
     [](long double x, long double y) { return std::fmod(x, y); }, 0},
};

ExpressionJit compile(const Function &f, const char *type, std::int64_t lanes,
                      const ingot::Target &target = ingot::Target::host()) {
  return ExpressionJit(
      {type, type}, lanes,
      [&](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange v) { return f.emit(b, loc, v[0], v[1]); }, target);
}

/// Operands of all kinds; half of the pairs have a power that is neither zero nor infinite.
template <class T> void samplePair(Random &random, T &x, T &y) {
  x = sample<T>(random, 0, 4);
  y = sample<T>(random, -40, 40);
  if (random.next() & 1) {
    x = std::isfinite(x) ? std::abs(x) : T(1.5);
    double largest = std::numeric_limits<T>::max_exponent / std::max(std::abs(std::log2(double(x))), 1e-30);
    y = T(random.uniform(-1.05, 1.05) * std::min(largest, 1e30));
  } else if (random.next() % 4 == 0) {
    y = std::trunc(y);
  }
}

class VectorMathBinary : public ::testing::TestWithParam<Function> {};

template <class T, class Wide>
void checkSamples(const Function &f, const char *type, const ExpressionJit &jit, std::int64_t samples,
                  Wide (*reference)(Wide, Wide), const char *note = "") {
  constexpr std::int64_t block = 4096;
  std::vector<T> x(block), y(block), z(block);
  Random random;
  double worst = 0;
  T atX = 0, atY = 0, result = 0;
  for (std::int64_t done = 0; done < samples; done += block) {
    for (std::int64_t i = 0; i < block; ++i)
      samplePair(random, x[i], y[i]);
    jit.run({x.data(), y.data()}, z.data(), block);
    for (std::int64_t i = 0; i < block; ++i)
      if (double e = ulpError(z[i], reference(x[i], y[i])); !(e <= worst)) {
        worst = e;
        atX = x[i];
        atY = y[i];
        result = z[i];
      }
  }
  std::printf("%-10s %s%s  %.4f ulp at %a, %a\n", f.name, type, note, worst, double(atX), double(atY));
  std::fflush(stdout);
  EXPECT_LE(worst, f.bound) << f.name << "(" << double(atX) << ", " << double(atY) << ") = " << double(result);
}

TEST_P(VectorMathBinary, IsWithinItsBound) {
  const Function &f = GetParam();
  std::int64_t samples = exhaustive() ? 20'000'000 : 400'000;
  checkSamples<float>(f, "f32", compile(f, "f32", 8), samples, f.single);
  checkSamples<double>(f, "f64", compile(f, "f64", 4), samples, f.wide);
}

TEST_P(VectorMathBinary, TargetsWithoutFusedMultiplyAddStayAccurate) {
  const Function &f = GetParam();
  ingot::Target baseline = ingot::Target::named("x86-64");
  if (!baseline.host_can_run())
    GTEST_SKIP() << "not an x86-64 machine";
  checkSamples<float>(f, "f32", compile(f, "f32", 4, baseline), 60'000, f.single, " baseline");
  checkSamples<double>(f, "f64", compile(f, "f64", 2, baseline), 60'000, f.wide, " baseline");
}

// Against the double functions for both types: some libraries' long double pow takes infinity to the power
// -2^63 wrongly.
template <class T> void checkSpecials(const Function &f, const char *type) {
  ExpressionJit jit = compile(f, type, 0);
  for (T x : specialValues<T>())
    for (T y : specialValues<T>()) {
      T z;
      jit.run({&x, &y}, &z, 1);
      EXPECT_LE(ulpError(z, f.single(x, y)), f.bound)
          << f.name << "(" << double(x) << ", " << double(y) << ") = " << double(z) << " in " << type;
    }
}

TEST_P(VectorMathBinary, SpecialValuesAreThoseOfC) {
  checkSpecials<float>(GetParam(), "f32");
  checkSpecials<double>(GetParam(), "f64");
}

template <class T> void expectSameBits(const Function &f, const char *type) {
  constexpr std::int64_t count = 9600;
  std::vector<T> x(count), y(count), expected(count), actual(count);
  Random random;
  for (std::int64_t i = 0; i < count; ++i)
    samplePair(random, x[i], y[i]);
  compile(f, type, 0).run({x.data(), y.data()}, expected.data(), count);
  for (std::int64_t lanes : {1, 3, 4, 8, 16}) {
    compile(f, type, lanes).run({x.data(), y.data()}, actual.data(), count);
    for (std::int64_t i = 0; i < count; ++i)
      if (!(std::isnan(expected[i]) && std::isnan(actual[i])))
        ASSERT_EQ(std::memcmp(&expected[i], &actual[i], sizeof(T)), 0)
            << f.name << "(" << double(x[i]) << ", " << double(y[i]) << ") in " << lanes << " lanes";
  }
}

TEST_P(VectorMathBinary, ScalarsAndVectorsGiveTheSameBits) {
  expectSameBits<float>(GetParam(), "f32");
  expectSameBits<double>(GetParam(), "f64");
}

TEST_P(VectorMathBinary, NeedsNoSymbolOnAnyTarget) {
  for (const char *target : {"x86-64", "x86-64-v3", "x86-64-v4", "aarch64"})
    for (const char *type : {"f32", "f64"})
      for (std::int64_t lanes : {0, 8})
        EXPECT_EQ(compile(GetParam(), type, lanes, ingot::Target::named(target)).undefinedSymbols(),
                  std::vector<std::string>())
            << GetParam().name << " on " << target << " for " << type << " in " << lanes << " lanes";
}

INSTANTIATE_TEST_SUITE_P(Functions, VectorMathBinary, ::testing::ValuesIn(functions),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
