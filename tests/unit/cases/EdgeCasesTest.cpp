// Every case of the table on operands full of zeros of either sign, infinities, NaN, denormals, the largest number and
// ties: compiled code against the reference device, the signs of zeros included.
#include "OpCases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace ingot;
using cases::OpCase;

namespace {

using L = std::numeric_limits<float>;
constexpr float kInf = L::infinity();

/// Numbers of a small range, with ties and zeros among them.
float ordinary(std::int64_t i) { return float(i * 7919 % 17 - 8) * 0.25f; }

struct Fill {
  const char *name;
  float (*at)(std::int64_t i);
};
constexpr Fill kFills[] = {
    {"zeros", [](std::int64_t) { return 0.0f; }},
    {"negative zeros", [](std::int64_t) { return -0.0f; }},
    {"zeros of both signs", [](std::int64_t i) { return i % 3 ? -0.0f : 0.0f; }},
    {"ones", [](std::int64_t) { return 1.0f; }},
    {"denormals", [](std::int64_t i) { return float(i % 5 - 2) * L::denorm_min(); }},
    {"infinity", [](std::int64_t i) { return i % 5 ? ordinary(i) : kInf; }},
    {"negative infinity", [](std::int64_t i) { return i % 5 ? ordinary(i) : -kInf; }},
    {"both infinities", [](std::int64_t i) { return i % 5   ? ordinary(i)
                                                    : i % 2 ? kInf
                                                            : -kInf; }},
    {"NaN", [](std::int64_t i) { return i % 11 ? ordinary(i) : L::quiet_NaN(); }},
    {"largest", [](std::int64_t i) { return i % 5 ? 0.0f : L::max(); }},
    {"infinities alone", [](std::int64_t) { return kInf; }},
    {"negative infinities alone", [](std::int64_t) { return -kInf; }},
    {"NaN alone", [](std::int64_t) { return L::quiet_NaN(); }},
};

/// What differs from the reference, and why it may: the beginning of a case's name, and a fill.
struct Exception {
  std::string_view name, fill;
  const char *reason;
};
constexpr Exception kExceptions[] = {
    {"mean_1x1", "negative zeros", "the sum of one element is that element, no sum that begins with +0"},
    {"layer_norm", "denormals", "the mean of denormals is rounded, and what is left of it is a zero of either sign"},
    {"matmul", "denormals", "the reference adds products that f32 rounds to zeros, and rounds their sum to one"},
};

bool is_exempt(const OpCase &c, const Fill &fill) {
  return std::any_of(std::begin(kExceptions), std::end(kExceptions),
                     [&](const Exception &e) { return c.name.starts_with(e.name) && e.fill == fill.name; });
}

std::vector<Tensor> operands(const OpCase &c, const Fill &fill, const Device &device) {
  std::vector<Tensor> list;
  std::int64_t next = 0;
  for (const Shape &shape : c.shapes) {
    std::vector<float> values(std::size_t(shape.num_elements()));
    for (float &v : values)
      v = fill.at(next++);
    list.push_back(Tensor::from<float>(values, shape, device));
  }
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

bool agree(double got, double want, double tolerance, double scale) {
  if (std::isnan(want) || std::isinf(want))
    return std::isnan(want) ? std::isnan(got) : got == want;
  if (want == 0 && got == 0)
    return std::signbit(got) == std::signbit(want);
  return std::abs(got - want) <= tolerance * (std::abs(want) + 0.1 * scale) + 4 * double(L::denorm_min());
}

class EdgeCases : public testing::TestWithParam<OpCase> {};

/// Of the table, those of f32 that are small enough for many runs.
std::vector<OpCase> small_cases() {
  std::vector<OpCase> list;
  for (OpCase &c : cases::op_cases()) {
    std::int64_t elements = 0;
    for (const Shape &shape : c.shapes)
      elements += shape.num_elements();
    const bool floats = c.dtypes.empty() || std::find(c.dtypes.begin(), c.dtypes.end(), DType::F32) != c.dtypes.end();
    if (floats && elements <= 25000)
      list.push_back(std::move(c));
  }
  return list;
}

} // namespace

TEST_P(EdgeCases, CompiledIsAsTheReference) {
  const OpCase &c = GetParam();
  std::vector<TensorSpec> specs;
  for (const Shape &shape : c.shapes)
    specs.push_back(spec(DType::F32, shape));
  const Executable run = compile(capture([&](const std::vector<Tensor> &a) { return c.f(a); }, specs));
  for (const Fill &fill : kFills) {
    if (is_exempt(c, fill))
      continue;
    const std::vector<double> want = numbers(c.f(operands(c, fill, Device::reference())));
    const std::vector<double> got = numbers(run(operands(c, fill, {}))[0]);
    double scale = 0;
    for (double v : want)
      scale = std::isfinite(v) ? std::max(scale, std::abs(v)) : scale;
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i)
      if (!agree(got[i], want[i], 4e-7 * c.tolerance, scale)) {
        ADD_FAILURE() << fill.name << ": element " << i << " is " << got[i] << ", not " << want[i];
        break;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, EdgeCases, testing::ValuesIn(small_cases()), [](const auto &info) {
  std::string name = info.param.name;
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name + "_" + std::to_string(info.index);
});
