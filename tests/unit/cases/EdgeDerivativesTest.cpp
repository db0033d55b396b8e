// Derivatives of order 1 to 4 where functions have corners, ties, zeros and limits. Each is judged by the one before
// it: its differences on both sides bound what it may be. Where they agree, the function is smooth and there is one
// value; where they differ, the derivative is one of those between; where one side leaves the domain, the other counts;
// where both grow without bound, mathematics has no finite value either.
#include "ingot/capture/Ingot.h"
#include "ingot/capture/Recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace ingot;

namespace {

constexpr int kOrders = 4;
constexpr double kInf = INFINITY;
using Args = const std::vector<Tensor> &;
using Values = std::vector<std::vector<double>>; // of each operand

struct Subject {
  std::string name;
  std::function<Tensor(Args)> f;
  std::vector<Shape> shapes;
  std::vector<Values> points;
  int orders = kOrders;
};

std::ostream &operator<<(std::ostream &out, const Subject &s) { return out << s.name; }

/// Ops whose derivative is not that of their value, by what they are for.
const std::map<std::string_view, const char *> kExempt{
    {"saved", "its operands are equal, and the derivative goes to the first"},
    {"stop_gradient", "is a constant for differentiation"},
};

/// Those that are not asked at infinity.
const std::map<std::string_view, const char *> kFinite{
    {"erf", "x exp(-x^2) is infinity times 0 there"},
    {"pow", "so are the products of powers and logarithms"},
};

/// The function, weighted so that no results cancel, and its derivatives with respect to some operands, along the
/// direction that comes after the operands.
std::vector<Tensor> derivatives(const Subject &subject, const std::vector<int> &wrt, Args args) {
  const std::size_t n = subject.shapes.size();
  std::function<Tensor(const std::vector<Tensor> &)> along = [&](Args a) {
    Tensor y = subject.f(a);
    const Tensor number = Tensor::arange(y.shape().num_elements(), DType::F64);
    return sum(y * reshape(number * 0.3 + 1.0, y.shape()));
  };
  std::vector<Tensor> results{along(args)};
  for (int order = 1; order <= subject.orders; ++order) {
    along = [before = along, wrt, n](Args a) {
      const std::vector<Tensor> gradients = grad(before, wrt)(a);
      Tensor total;
      for (std::size_t i = 0; i < wrt.size(); ++i) {
        Tensor part = sum(gradients[i] * a[n + std::size_t(wrt[i])]);
        total = i ? total + part : part;
      }
      return total;
    };
    results.push_back(along(args));
  }
  return results;
}

/// All operands together, and each by itself.
std::vector<std::vector<int>> directions(std::size_t operands) {
  std::vector<std::vector<int>> list(1);
  for (std::size_t i = 0; i < operands; ++i) {
    list[0].push_back(int(i));
    if (operands > 1)
      list.push_back({int(i)});
  }
  return list;
}

std::string text_of(const Values &values) {
  std::string text;
  for (const std::vector<double> &operand : values)
    for (std::size_t i = 0; i < operand.size(); ++i)
      text += (text.empty() ? "" : i ? ", " : "; ") + Scalar(operand[i]).str();
  return text;
}

class EdgeDerivatives : public testing::TestWithParam<Subject> {
protected:
  /// Orders 0 to the last at the point moved along the direction.
  std::vector<double> at(const Values &point, const std::vector<int> &moving, double distance);
  void judge(const Values &point, const std::vector<int> &moving);
  Executable run;
};

std::vector<double> EdgeDerivatives::at(const Values &point, const std::vector<int> &moving, double distance) {
  const Subject &subject = GetParam();
  std::vector<Tensor> args, along;
  for (std::size_t i = 0; i < point.size(); ++i) {
    std::vector<double> moved = point[i], step;
    const bool moves = std::find(moving.begin(), moving.end(), int(i)) != moving.end();
    for (std::size_t k = 0; k < moved.size(); ++k) {
      step.push_back(1 + 0.25 * double(k)); // elements that are equal part
      if (moves && distance != 0)
        moved[k] += distance * step[k];
    }
    args.push_back(Tensor::from<double>(moved, subject.shapes[i]));
    along.push_back(Tensor::from<double>(step, subject.shapes[i]));
  }
  args.insert(args.end(), along.begin(), along.end());
  std::vector<double> values;
  for (const Tensor &t : run(args))
    values.push_back(t.item<double>());
  return values;
}

/// The slope on one side, by differences of two sizes; NaN where they do not agree.
double slope(double near, double middle, double far, double h) {
  const double fine = (middle - near) / h, coarse = (far - middle) / (2 * h);
  return std::abs(fine - coarse) <= 0.02 * (1 + std::abs(coarse)) ? coarse : NAN;
}

void EdgeDerivatives::judge(const Values &point, const std::vector<int> &moving) {
  const double h = 1e-4;
  const std::vector<double> here = at(point, moving, 0);
  if (std::isnan(here[0]))
    return; // outside the domain
  std::vector<std::vector<double>> right, left;
  for (double distance : {h, 2 * h, 4 * h}) {
    right.push_back(at(point, moving, distance));
    left.push_back(at(point, moving, -distance));
  }
  for (std::size_t order = 1; order < here.size(); ++order) {
    const std::size_t b = order - 1;
    double r = slope(right[0][b], right[1][b], right[2][b], h), l = -slope(left[0][b], left[1][b], left[2][b], h);
    if (std::isnan(r) && std::isnan(l))
      continue;
    if (std::isnan(r) || std::isnan(l))
      r = l = std::isnan(r) ? l : r;
    const double slack = 0.03 * (1 + std::max(std::abs(r), std::abs(l)));
    const double got = here[order];
    EXPECT_TRUE(got >= std::min(r, l) - slack && got <= std::max(r, l) + slack)
        << "derivative " << order << " of " << GetParam().name << " at " << text_of(point) << " by "
        << (moving.size() == 1 ? "operand " + std::to_string(moving[0]) : "all operands") << " is " << got
        << ", not between " << l << " and " << r;
  }
}

/// Every combination of the values, one for each operand.
std::vector<Values> scalar_points(std::size_t operands, bool finite = false) {
  std::vector<double> values{0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, 40};
  if (!finite)
    values.insert(values.end(), {kInf, -kInf});
  std::vector<Values> points{{}};
  for (std::size_t i = 0; i < operands; ++i) {
    std::vector<Values> longer;
    for (const Values &point : points)
      for (double v : values) {
        longer.push_back(point);
        longer.back().push_back({v});
      }
    points = std::move(longer);
  }
  return points;
}

/// The differentiable elementwise ops of the table.
std::vector<Subject> ops() {
  std::vector<Subject> list;
  for (std::size_t i = 0; i < op_table().size(); ++i) {
    const OpInfo &info = op_table()[i];
    if (!info.has(kElementwise) || !info.has(kDifferentiable) || info.has(kInternal) || info.has(kBoolResult) ||
        !(info.dtypes & dtype_bit(DType::F64)) || kExempt.contains(info.name))
      continue;
    const std::vector<AttrValue> attributes(info.attributes.size(), AttrValue(DType::F64));
    const bool chooses = OpKind(i) == OpKind::Select;
    const std::size_t operands = info.numOperands;
    list.push_back({std::string(info.name),
                    [=](Args a) {
                      std::vector<Tensor> given(a.begin(), a.begin() + std::ptrdiff_t(operands));
                      if (chooses)
                        given[0] = gt(given[0], 0);
                      return apply_one(OpKind(i), operand_list(std::move(given)), attributes, Location::current());
                    },
                    std::vector<Shape>(operands), scalar_points(operands, kFinite.contains(info.name))});
  }
  return list;
}

Subject unary(std::string name, std::function<Tensor(Tensor)> f) {
  return {std::move(name), [f](Args a) { return f(a[0]); }, {{}}, scalar_points(1)};
}

Subject rows(std::string name, std::function<Tensor(Tensor)> f, std::vector<std::vector<double>> more = {},
             int orders = kOrders) {
  std::vector<Values> points;
  for (const std::vector<double> &row : std::vector<std::vector<double>>{
           {0, 0, 0}, {-0.0, 0.0, -0.0}, {1, 1, 1}, {2, 2, -1}, {0, 1, 2}, {0, 0, 3}, {-1, 0, 1}})
    points.push_back({row});
  for (const std::vector<double> &row : more)
    points.push_back({row});
  return {std::move(name), [f](Args a) { return f(a[0]); }, {{3}}, std::move(points), orders};
}

/// Functions of several ops.
std::vector<Subject> composites() {
  const std::vector<std::vector<double>> infinities{{-kInf, 0, 1}, {-kInf, -kInf, -kInf}, {-kInf, -kInf, 0},
                                                    {kInf, 0, 1},  {kInf, kInf, 0},       {kInf, -kInf, 0}};
  const std::vector<std::vector<double>> masked{{-kInf, 0, 1}, {-kInf, -kInf, 0}};
  return {
      unary("relu", [](Tensor x) { return relu(x); }),
      unary("clip", [](Tensor x) { return clip(x, -1, 1); }),
      unary("reciprocal", [](Tensor x) { return reciprocal(x); }),
      unary("gelu", [](Tensor x) { return gelu(x); }),
      unary("silu", [](Tensor x) { return silu(x); }),
      unary("softplus", [](Tensor x) { return softplus(x); }),
      unary("square", [](Tensor x) { return pow(x, 2.0); }),
      unary("cube", [](Tensor x) { return pow(x, 3.0); }),
      unary("fifth", [](Tensor x) { return pow(x, 5.0); }),
      unary("power_of_three_halves", [](Tensor x) { return pow(x, 1.5); }),
      unary("power_zero", [](Tensor x) { return pow(x, 0.0); }),
      unary("exponent", [](Tensor x) { return pow(2.0, x); }),
      unary("guarded_log", [](Tensor x) { return where(gt(x, 0), log(where(gt(x, 0), x, 1.0)), 0.0); }),
      {"remainder", [](Args a) { return remainder(a[0], a[1]); }, {{}, {}}, scalar_points(2)},
      rows("sum", [](Tensor x) { return sum(x); }),
      rows("mean", [](Tensor x) { return mean(x); }),
      rows("prod", [](Tensor x) { return prod(x); }),
      rows(
          "max", [](Tensor x) { return max(x); }, infinities),
      rows(
          "min", [](Tensor x) { return min(x); }, infinities),
      rows("var", [](Tensor x) { return var(x); }),
      rows(
          "logsumexp", [](Tensor x) { return logsumexp(x); }, infinities),
      rows(
          "softmax", [](Tensor x) { return softmax(x, 0); }, masked),
      rows(
          "log_softmax", [](Tensor x) { return exp(log_softmax(x, 0)); }, masked),
      rows(
          "layer_norm", [](Tensor x) { return layer_norm(x); }, {}, 3),
      rows(
          "rms_norm", [](Tensor x) { return rms_norm(x); }, {}, 3),
      rows("matmul", [](Tensor x) { return matmul(reshape(x, {3, 1}), reshape(x, {1, 3})); }),
      rows("dot", [](Tensor x) { return matmul(x, x); }),
      rows(
          "cross_entropy",
          [](Tensor x) {
            return cross_entropy(reshape(x, {1, 3}), Tensor::from<std::int64_t>({-1}, {1}, x.device().inner()));
          },
          masked),
      rows("take",
           [](Tensor x) {
             Tensor y = take(x, Tensor::from<std::int64_t>({0, 0, -1}, {3}, x.device().inner()), 0);
             return y * y * y;
           }),
  };
}

} // namespace

TEST_P(EdgeDerivatives, LieBetweenTheSlopesOfTheOneBefore) {
  const Subject &subject = GetParam();
  std::vector<TensorSpec> specs;
  for (int twice = 0; twice < 2; ++twice)
    for (const Shape &shape : subject.shapes)
      specs.push_back(spec(DType::F64, shape));
  for (const std::vector<int> &moving : directions(subject.shapes.size())) {
    run = compile(capture([&](Args args) { return derivatives(subject, moving, args); }, specs));
    for (const Values &point : subject.points)
      judge(point, moving);
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, EdgeDerivatives, testing::ValuesIn(ops()),
                         [](const auto &info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Composites, EdgeDerivatives, testing::ValuesIn(composites()),
                         [](const auto &info) { return info.param.name; });

/// Where infinities leave no slope to judge by: the gradients of two operands, or of all elements.
TEST(EdgeDerivatives, AreLimitsAtInfinity) {
  const auto expect = [](std::function<Tensor(Tensor)> f, const std::vector<double> &x,
                         const std::vector<double> &want) {
    const std::vector<TensorSpec> specs{spec(DType::F64, {std::int64_t(x.size())})};
    const Tensor at = Tensor::from<double>(x, specs[0].shape);
    const auto slope = [f](Tensor t) { return grad(f, {0})(t)[0]; };
    const auto curve = [slope](Tensor t) { return sum(slope(t) * Tensor::from<double>({1, 2, 3}, {3})); };
    EXPECT_EQ(compile(capture(slope, specs))(at)[0].to_vector<double>(), want) << x[0] << ' ' << x[1] << ' ' << x[2];
    EXPECT_EQ(compile(grad(capture(curve, specs), {0}))(at)[0].to_vector<double>(), std::vector<double>(3, 0));
  };
  const auto of_all = [](Tensor x) { return logsumexp(x); };
  const auto of_two = [](Tensor x) { return sum(logaddexp(slice(x, {0}, {1}), slice(x, {1}, {2}))); };
  const auto of_rows = [](Tensor x) { return sum(logsumexp(reshape(x, {3, 1}), 0)); };
  expect(of_all, {-kInf, -kInf, -kInf}, {0, 0, 0});
  expect(of_all, {kInf, 0, 1}, {1, 0, 0});
  expect(of_all, {kInf, 0, kInf}, {0.5, 0, 0.5});
  expect(of_all, {kInf, kInf, -kInf}, {0.5, 0.5, 0});
  expect(of_all, {-kInf, 5, -kInf}, {0, 1, 0});
  expect(of_rows, {-kInf, 5, -kInf}, {0, 1, 0});
  expect(of_two, {-kInf, -kInf, 0}, {0, 0, 0});
  expect(of_two, {kInf, kInf, 0}, {0.5, 0.5, 0});
  expect(of_two, {kInf, 1, 0}, {1, 0, 0});
  expect(of_two, {-kInf, 1, 0}, {0, 1, 0});
}
