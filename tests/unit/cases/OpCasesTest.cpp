// What the table of op cases says, checked: compiled against the reference device, gradients against central
// differences in f64, bits on one and on three threads.
#include "OpCases.h"

#include "ingot/ir/OpTable.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

using namespace ingot;
using cases::OpCase;

namespace {

/// Deterministic values in the range; integers for integer dtypes.
Tensor sample(const Shape &shape, DType dtype, double low, double high, std::uint64_t seed, Device device) {
  std::vector<double> values(static_cast<std::size_t>(shape.num_elements()));
  std::uint64_t state = seed * 0x9E3779B97F4A7C15ull + 1;
  for (double &v : values) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    v = low + (high - low) * double(state >> 33) / double(1ull << 31);
  }
  Tensor result;
  visit_dtype(dtype, [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      std::vector<T> typed;
      for (double v : values)
        typed.push_back(static_cast<T>(std::is_integral_v<T> ? std::round(v) : v));
      result = Tensor::from<T>(typed, shape, device);
    }
  });
  return result;
}

std::vector<Tensor> operands(const OpCase &c, DType dtype, Device device) {
  std::vector<Tensor> list;
  for (const Shape &shape : c.shapes)
    list.push_back(sample(shape, dtype, c.low, c.high, list.size() + 1, device));
  return list;
}

std::vector<TensorSpec> specs(const OpCase &c, DType dtype) {
  std::vector<TensorSpec> list;
  for (const Shape &shape : c.shapes)
    list.push_back(spec(dtype, shape));
  return list;
}

std::vector<double> numbers(const Tensor &t) {
  std::vector<double> list;
  visit_dtype(t.dtype(), [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T>)
      for (T v : t.to_vector<T>())
        list.push_back(double(v));
  });
  return list;
}

std::vector<DType> dtypes_of(const OpCase &c) {
  return c.dtypes.empty() ? std::vector<DType>{DType::F32, DType::F64} : c.dtypes;
}

/// Outputs weighted unevenly, so that no error cancels.
Tensor weighted_sum(const OpCase &c, const std::vector<Tensor> &a) {
  Tensor y = c.f(a);
  return sum(y * reshape(Tensor::arange(y.shape().num_elements(), DType::F64, y.device()) * 0.01 + 0.5, y.shape()));
}

class OpCaseTest : public testing::TestWithParam<OpCase> {};

std::string case_name(const testing::TestParamInfo<OpCase> &info) {
  std::string name = info.param.name;
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name + "_" + std::to_string(info.index);
}

} // namespace

TEST_P(OpCaseTest, AgreesWithTheReferenceOnAnyNumberOfThreads) {
  const OpCase &c = GetParam();
  for (DType dtype : dtypes_of(c)) {
    std::vector<double> want = numbers(c.f(operands(c, dtype, Device::reference())));
    Graph graph = capture([&](const std::vector<Tensor> &a) { return c.f(a); }, specs(c, dtype));
    std::vector<double> got = numbers(compile(graph, {.threads = 1})(operands(c, dtype, Device::cpu()))[0]);
    std::vector<double> again = numbers(compile(graph, {.threads = 3})(operands(c, dtype, Device::cpu()))[0]);
    ASSERT_EQ(got.size(), want.size());
    EXPECT_EQ(0, got.empty() ? 0 : std::memcmp(got.data(), again.data(), got.size() * sizeof(double)))
        << "bits on 1 and 3 threads";
    double scale = 0;
    for (double v : want)
      scale = std::max(scale, std::abs(v));
    const double unit = (dtype == DType::F32 ? 4e-7 : dtype == DType::F64 ? 2e-15 : 0) * c.tolerance;
    for (std::size_t i = 0; i < want.size(); ++i)
      EXPECT_LE(std::abs(got[i] - want[i]), unit * (std::abs(want[i]) + 0.1 * scale))
          << dtype << " element " << i << ": " << got[i] << ", not " << want[i];
  }
}

TEST_P(OpCaseTest, HasTheGradientOfFiniteDifferences) {
  const OpCase &c = GetParam();
  if (!c.gradient)
    GTEST_SKIP() << "no gradient, or too large for finite differences";
  auto loss = [&](const std::vector<Tensor> &a) { return weighted_sum(c, a); };
  std::vector<int> wrt;
  for (int i = 0; i < int(c.shapes.size()); ++i)
    wrt.push_back(i);
  Graph graph = capture([&](const std::vector<Tensor> &a) { return loss(a); }, specs(c, DType::F64));
  std::vector<Tensor> gradients = compile(grad(graph, wrt))(operands(c, DType::F64, Device::cpu()));
  Executable value = compile(graph);
  std::vector<Tensor> at = operands(c, DType::F64, Device::cpu());
  for (std::size_t input = 0; input < at.size(); ++input) {
    std::vector<double> x = at[input].to_vector<double>(), got = gradients[input].to_vector<double>();
    const std::size_t step = std::max<std::size_t>(1, x.size() / 12);
    for (std::size_t i = 0; i < x.size(); i += step) {
      const double h = 1e-6 * std::max(1.0, std::abs(x[i]));
      auto at_offset = [&](double offset) {
        std::vector<double> moved = x;
        moved[i] += offset;
        std::vector<Tensor> args = at;
        args[input] = Tensor::from<double>(moved, c.shapes[input]);
        return value(args)[0].item<double>();
      };
      const double numeric = (at_offset(h) - at_offset(-h)) / (2 * h);
      EXPECT_NEAR(got[i], numeric, 2e-6 * (1 + std::abs(numeric))) << "input " << input << " element " << i;
    }
  }
}

TEST_P(OpCaseTest, HasThatGradientOnTheTapeUnderEitherStrategy) {
  const OpCase &c = GetParam();
  if (!c.gradient)
    GTEST_SKIP() << "no gradient, or too large for finite differences";
  std::vector<int> wrt;
  for (int i = 0; i < int(c.shapes.size()); ++i)
    wrt.push_back(i);
  Graph graph = capture([&](const std::vector<Tensor> &a) { return weighted_sum(c, a); }, specs(c, DType::F64));
  std::vector<Tensor> want = compile(grad(graph, wrt))(operands(c, DType::F64, Device::cpu()));
  for (Checkpointing strategy : {Checkpointing::None, Checkpointing::Balanced}) {
    std::vector<Tensor> args = operands(c, DType::F64, Device::cpu().autodiff(strategy));
    for (const Tensor &t : args)
      t.require_grad();
    Gradients got = weighted_sum(c, args).backward();
    for (std::size_t i = 0; i < args.size(); ++i) {
      std::vector<double> g = got.of(args[i])->to_vector<double>(), w = want[i].to_vector<double>();
      for (std::size_t k = 0; k < w.size(); ++k)
        EXPECT_NEAR(g[k], w[k], 1e-13 * (1 + std::abs(w[k])))
            << checkpointing_name(strategy) << " input " << i << " element " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, OpCaseTest, testing::ValuesIn(cases::op_cases()), case_name);

/// An op without a case is an op without a test.
TEST(EveryOp, StandsInACase) {
  const std::map<std::string_view, const char *> exempt{
      {"fma", "made from products and sums"},
      {"xor", "made from comparisons of bools"},
      {"rng_bits", "has its own tests"},
      {"grad", "every case's second test"},
      {"iota", "made where an index is compared with positions"},
      {"scatter_add", "the gradient of take"},
      {"saved", "made where backward() follows a read"},
  };
  std::string text;
  for (const OpCase &c : cases::op_cases())
    text +=
        capture([&](const std::vector<Tensor> &a) { return c.f(a); }, specs(c, dtypes_of(c)[0])).str(Phase::Captured);
  for (const OpInfo &op : op_table()) {
    const bool found = text.find("ingot." + std::string(op.name) + " ") != std::string::npos;
    if (!op.has(kInternal) && !exempt.contains(op.name))
      EXPECT_TRUE(found) << op.name << " is in no case; add one to tests/unit/cases";
  }
}

/// Each derivative of a product is a product of the other factors, whichever of them are 0.
TEST(Product, HasDerivativesAtZeros) {
  for (const std::vector<double> &x : std::vector<std::vector<double>>{
           {2, 3, 5}, {0, 3, 5, 7, 2}, {4, 0, 0, 3}, {0, 0, 0, 2}, {0, 0}, {0}, {-0.0, 1, 0, 1e-300, 1e300}}) {
    const std::int64_t n = std::int64_t(x.size());
    const auto others = [&](std::size_t i, std::size_t j) {
      double all = 1;
      for (std::size_t k = 0; k < x.size(); ++k)
        all *= k == i || k == j ? 1 : x[k];
      return all;
    };
    const auto product = [](Tensor t) { return prod(t); };
    Graph first = grad(capture(product, {spec(DType::F64, {n})}), {0});
    const std::vector<double> slope = compile(first)(Tensor::from<double>(x, {n}))[0].to_vector<double>();
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_DOUBLE_EQ(slope[i], others(i, i)) << i;
      const auto component = [&](Tensor t) {
        return sum(slice(grad(product, {0})(t)[0], {std::int64_t(i)}, {std::int64_t(i) + 1}));
      };
      const Graph second = grad(capture(component, {spec(DType::F64, {n})}), {0});
      const std::vector<double> row = compile(second)(Tensor::from<double>(x, {n}))[0].to_vector<double>();
      for (std::size_t j = 0; j < x.size(); ++j)
        EXPECT_DOUBLE_EQ(row[j], i == j ? 0 : others(i, j)) << i << " " << j;
    }
  }
}

/// Special values go through compiled code as through the reference.
TEST(SpecialValues, AgreeWithTheReference) {
  const std::vector<float> values{0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 1e-42f, -1e-42f, 3e38f, 0.5f};
  const std::int64_t n = std::int64_t(values.size());
  auto all = [](Tensor x) {
    std::vector<Tensor> results{relu(x),          maximum(x, 0),   minimum(x, -0.5), gelu(x),
                                silu(x),          logaddexp(x, x), logaddexp(x, 1),  x.to(DType::I32),
                                x.to(DType::I64), max(x, 0),       min(x, 0)};
    for (auto &[name, f] : cases::unary_functions())
      results.push_back(f(x));
    return results;
  };
  std::vector<Tensor> want = all(Tensor::from<float>(values, {n}, Device::reference()));
  std::vector<Tensor> got = compile(capture(all, {spec(DType::F32, {n})}))(Tensor::from<float>(values, {n}));
  for (std::size_t f = 0; f < want.size(); ++f) {
    std::vector<double> a = numbers(got[f]), b = numbers(want[f]);
    for (std::size_t i = 0; i < b.size(); ++i)
      if (std::isnan(b[i]))
        EXPECT_TRUE(std::isnan(a[i])) << "function " << f << " of value " << i;
      else if (std::isinf(b[i]) || b[i] == 0)
        EXPECT_EQ(a[i], b[i]) << "function " << f << " of value " << i;
      else
        EXPECT_NEAR(a[i], b[i], 4e-7 * std::abs(b[i]) + 3e-45) << "function " << f << " of value " << i;
  }
}

TEST(Indices, OutOfRangeAreAnErrorWithTheLineOfTheOp) {
  Graph graph =
      capture([](Tensor x, Tensor i) { return take(x, i, 0); }, {spec(DType::F32, {3, 2}), spec(DType::I64, {2})});
  const int line = __LINE__ - 1;
  Executable run = compile(graph);
  try {
    run(Tensor::zeros({3, 2}), Tensor::from<std::int64_t>({1, 5}, {2}));
    FAIL() << "no error";
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::Index);
    EXPECT_NE(error.message().find("index 5"), std::string::npos) << error.what();
    EXPECT_EQ(error.where().line, line);
  }
  EXPECT_EQ(run(Tensor::ones({3, 2}), Tensor::from<std::int64_t>({1, -1}, {2}))[0].to_vector<float>(),
            std::vector<float>(4, 1.0f));
}
