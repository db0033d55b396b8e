// What the functions users call give at the edges, written down, on the reference device, lazily, and captured and
// compiled: empty axes, infinities, NaN, signed zeros, ties.
#include "ingot/capture/Ingot.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace ingot;

namespace {

const float kInf = INFINITY, kNan = NAN;
using Floats = std::vector<float>;

Tensor floats(const Floats &values, Device device = {}) {
  return Tensor::from<float>(values, {std::int64_t(values.size())}, device);
}
Tensor zeros(Shape shape) { return Tensor::zeros(std::move(shape)); }

bool is_same(float got, float want) {
  if (std::isnan(want) || std::isinf(want) || want == 0)
    return std::isnan(want) ? std::isnan(got) : got == want && std::signbit(got) == std::signbit(want);
  return std::abs(got - want) <= 2e-6f * std::abs(want);
}

struct Row {
  const char *name;
  std::function<Tensor(const std::vector<Tensor> &)> f;
  std::vector<Tensor> operands; // f32, or what the function takes
  Floats want;
  Shape shape;
};

using Args = const std::vector<Tensor> &;
#define CALL(EXPRESSION) #EXPRESSION, [](Args x) -> Tensor { return EXPRESSION; }

std::vector<Row> elementwise_rows() {
  const Floats all{0.0f, -0.0f, 1, -1, kInf, -kInf, kNan};
  const Tensor x = floats(all);
  const Shape n{7};
  return {
      {CALL(relu(x[0])), {x}, {0, 0, 1, 0, kInf, 0, kNan}, n},
      {CALL(clip(x[0], -0.5, 0.5)), {x}, {0, -0.0f, 0.5f, -0.5f, 0.5f, -0.5f, kNan}, n},
      {CALL(clip(x[0], 3, 2)), {x}, {2, 2, 2, 2, 2, 2, kNan}, n},
      {CALL(maximum(x[0], 0)), {x}, {0, 0, 1, 0, kInf, 0, kNan}, n},
      {CALL(minimum(x[0], -0.0)), {x}, {-0.0f, -0.0f, -0.0f, -1, -0.0f, -kInf, kNan}, n},
      {CALL(reciprocal(x[0])), {x}, {kInf, -kInf, 1, -1, 0, -0.0f, kNan}, n},
      {CALL(isnan(x[0]).to(DType::F32)), {x}, {0, 0, 0, 0, 0, 0, 1}, n},
      {CALL(isinf(x[0]).to(DType::F32)), {x}, {0, 0, 0, 0, 1, 1, 0}, n},
      {CALL(isfinite(x[0]).to(DType::F32)), {x}, {1, 1, 1, 1, 0, 0, 0}, n},
      {CALL(softplus(x[0])), {x}, {0.6931472f, 0.6931472f, 1.3132616f, 0.3132617f, kInf, 0, kNan}, n},
      {CALL(gelu(x[0])), {x}, {0, -0.0f, 0.8413447f, -0.1586553f, kInf, kNan, kNan}, n}, // -kInf * 0, as the formula
      {CALL(silu(x[0])), {x}, {0, -0.0f, 0.7310586f, -0.2689414f, kInf, kNan, kNan}, n},
      {CALL(where(isnan(x[0]), 0, x[0])), {x}, {0, -0.0f, 1, -1, kInf, -kInf, 0}, n},
      {CALL(remainder(x[0], 2.0)), {x}, {0, 0, 1, 1, kNan, kNan, kNan}, n},
      {CALL(remainder(x[0], -2.0)), {x}, {-0.0f, -0.0f, -1, -1, kNan, kNan, kNan}, n},
      {CALL(remainder(x[0], INFINITY)), {x}, {0, 0, 1, kInf, kNan, kNan, kNan}, n},
      {CALL(remainder(x[0], -INFINITY)), {x}, {-0.0f, -0.0f, -kInf, -1, kNan, kNan, kNan}, n},
      {CALL(remainder(x[0], 0.0)), {x}, {kNan, kNan, kNan, kNan, kNan, kNan, kNan}, n},
      {CALL(remainder(3.0, x[0])), {x}, {kNan, kNan, 0, -0.0f, 3, -kInf, kNan}, n},
  };
}

std::vector<Row> reduction_rows() {
  const Tensor row = floats({1, 2, 3}), infinite = floats({1, kInf, -kInf}), two = floats({2, kInf, kInf}),
               none = floats({-kInf, -kInf}), bad = floats({1, kNan, 3}), minus = floats({-0.0f, -0.0f});
  return {
      {CALL(sum(x[0], 1)), {zeros({2, 0})}, {0, 0}, {2}},
      {CALL(prod(x[0], 1)), {zeros({2, 0})}, {1, 1}, {2}},
      {CALL(mean(x[0], 1)), {zeros({2, 0})}, {kNan, kNan}, {2}},
      {CALL(mean(x[0])), {zeros({0})}, {kNan}, {}},
      {CALL(var(x[0], 1)), {zeros({2, 0})}, {kNan, kNan}, {2}},
      {CALL(mean(x[0], 1)), {zeros({0, 4})}, {}, {0}},
      {CALL(logsumexp(x[0], 1)), {zeros({2, 0})}, {-kInf, -kInf}, {2}},
      {CALL(logsumexp(x[0])), {zeros({0, 3})}, {-kInf}, {}},
      {CALL(logsumexp(x[0], 0, true)), {zeros({0, 2})}, {-kInf, -kInf}, {1, 2}},
      {CALL(softmax(x[0], 1)), {zeros({3, 0})}, {}, {3, 0}},
      {CALL(log_softmax(x[0], 0)), {zeros({0, 3})}, {}, {0, 3}},
      {CALL(layer_norm(x[0])), {zeros({3, 0})}, {}, {3, 0}},
      {CALL(rms_norm(x[0])), {zeros({3, 0})}, {}, {3, 0}},
      {CALL(mse_loss(x[0], x[0])), {zeros({0})}, {kNan}, {}},
      {CALL(any(gt(x[0], 0), 1).to(DType::F32)), {zeros({2, 0})}, {0, 0}, {2}},
      {CALL(all(gt(x[0], 0), 1).to(DType::F32)), {zeros({2, 0})}, {1, 1}, {2}},
      {CALL(var(x[0])), {floats({5})}, {0}, {}},
      {CALL(var(x[0], 0)), {infinite}, {kNan}, {}},
      {CALL(sum(x[0])), {minus}, {0}, {}}, // + 0, which is the sum of nothing
      {CALL(sum(x[0])), {infinite}, {kNan}, {}},
      {CALL(sum(x[0])), {two}, {kInf}, {}},
      {CALL(prod(x[0])), {floats({0, kInf})}, {kNan}, {}},
      {CALL(prod(x[0])), {floats({-0.0f, 2})}, {-0.0f}, {}},
      {CALL(max(x[0])), {minus}, {-0.0f}, {}},
      {CALL(max(x[0])), {floats({-0.0f, 0.0f, -0.0f})}, {0}, {}},
      {CALL(min(x[0])), {floats({0.0f, -0.0f, 0.0f})}, {-0.0f}, {}},
      {CALL(max(x[0])), {bad}, {kNan}, {}},
      {CALL(min(x[0])), {bad}, {kNan}, {}},
      {CALL(argmax(x[0], 0).to(DType::F32)), {bad}, {1}, {}},
      {CALL(argmin(x[0], 0).to(DType::F32)), {floats({0.0f, -0.0f, 0.0f})}, {0}, {}}, // equal: the first
      {CALL(argmax(x[0], 0).to(DType::F32)), {none}, {0}, {}},
      {CALL(logsumexp(x[0])), {row}, {3.4076059f}, {}},
      {CALL(logsumexp(x[0])), {none}, {-kInf}, {}},
      {CALL(logsumexp(x[0])), {infinite}, {kInf}, {}},
      {CALL(logsumexp(x[0])), {bad}, {kNan}, {}},
      {CALL(logsumexp(x[0])), {floats({kNan, kInf})}, {kNan}, {}},
      {CALL(softmax(x[0], 0)), {floats({-kInf, 0, 0})}, {0, 0.5f, 0.5f}, {3}},
      {CALL(softmax(x[0], 0)), {none}, {kNan, kNan}, {2}},
      {CALL(log_softmax(x[0], 0)), {floats({-kInf, 0, 0})}, {-kInf, -0.6931472f, -0.6931472f}, {3}},
  };
}

Tensor bools(std::vector<bool> values, Shape shape) { return Tensor::from<bool>(values, std::move(shape)); }

std::vector<Row> product_rows() {
  const Tensor q = Tensor::from<float>({1, 2, 3, 4}, {2, 2}), v = Tensor::from<float>({5, 6, 7, 8}, {2, 2});
  return {
      {CALL(matmul(x[0], x[1])), {zeros({2, 0}), zeros({0, 2})}, {0, 0, 0, 0}, {2, 2}},
      {CALL(matmul(x[0], x[1])), {zeros({0, 3}), zeros({3, 2})}, {}, {0, 2}},
      {CALL(matmul(x[0], x[1])), {zeros({0}), zeros({0})}, {0}, {}},
      {CALL(matmul(x[0], x[1])), {floats({0, 1}), floats({kInf, 1})}, {kNan}, {}},
      {CALL(einsum("ij,jk->ik", {x[0], x[1]})), {zeros({1, 0}), zeros({0, 2})}, {0, 0}, {1, 2}},
      {CALL(attention(x[0], x[1], x[1])), {q, zeros({0, 2})}, {0, 0, 0, 0}, {2, 2}},
      {CALL(attention(x[0], x[1], x[1])), {zeros({0, 2}), q}, {}, {0, 2}},
      {CALL(attention(x[0], x[1], x[2])), {zeros({2, 0}), zeros({2, 0}), v}, {6, 7, 6, 7}, {2, 2}},
      {CALL(attention(x[0], x[0], x[1], {.mask = x[2]})),
       {q, v, bools({true, false, false, false}, {2, 2})},
       {5, 6, 0, 0},
       {2, 2}},
      {CALL(cross_entropy(x[0], x[1])), {zeros({0, 3}), Tensor::zeros({0}, DType::I64)}, {kNan}, {}},
      {CALL(cross_entropy(x[0], x[1])),
       {Tensor::from<float>({-kInf, 0}, {1, 2}), Tensor::from<std::int64_t>({0}, {1})},
       {kInf},
       {}},
  };
}

std::vector<Row> view_rows() {
  const Tensor x = Tensor::from<float>({1, 2, 3, 4, 5, 6}, {2, 3}), none = zeros({0, 3}), scalar = Tensor::full({}, 7);
  const Tensor no_indices = Tensor::zeros({0}, DType::I64);
  return {
      {CALL(concat({x[0], x[1], x[0]}, 0)), {none, x}, {1, 2, 3, 4, 5, 6}, {2, 3}},
      {CALL(concat({x[0], x[0]}, 0)), {none}, {}, {0, 3}},
      {CALL(slice(x[0], {1, 2}, {1, 3})), {x}, {}, {0, 1}},
      {CALL(slice(x[0], {0, 0}, {2, 3}, {5, 5})), {x}, {1}, {1, 1}},
      {CALL(pad(x[0], {1, 0}, {0, 1}, 9)), {none}, {9, 9, 9, 9}, {1, 4}},
      {CALL(pad(x[0], {}, {})), {scalar}, {7}, {}},
      {CALL(transpose(x[0])), {none}, {}, {3, 0}},
      {CALL(transpose(x[0])), {scalar}, {7}, {}},
      {CALL(reshape(x[0], {3, 0, 5})), {none}, {}, {3, 0, 5}},
      {CALL(reshape(x[0], {1, 1})), {scalar}, {7}, {1, 1}},
      {CALL(broadcast_to(x[0], {2, 0})), {scalar}, {}, {2, 0}},
      {CALL(flip(x[0], {0, 1})), {none}, {}, {0, 3}},
      {CALL(stack({x[0], x[0]}, 0)), {scalar}, {7, 7}, {2}},
      {CALL(take(x[0], x[1], 1)), {x, no_indices}, {}, {2, 0}},
      {CALL(take(x[0], x[1], 0)), {none, no_indices}, {}, {0, 3}},
      {CALL(take_along_axis(x[0], reshape(x[1], {0, 3}), 0)), {none, no_indices}, {}, {0, 3}},
      {CALL(one_hot(x[0], 3)), {Tensor::full({}, -1, DType::I32)}, {0, 0, 1}, {3}},
      {CALL(one_hot(x[0], 2)), {no_indices}, {}, {0, 2}},
      {CALL(sum(x[0]) + max(x[0]) + prod(x[0]) + mean(x[0]) + logsumexp(x[0])), {scalar}, {35}, {}},
      {CALL(x[0] + x[1]), {zeros({0, 1}), zeros({1, 4})}, {}, {0, 4}},
  };
}

class EdgeComposites : public testing::TestWithParam<Row> {};

} // namespace

TEST_P(EdgeComposites, GiveWhatMathematicsDoes) {
  const Row &row = GetParam();
  std::vector<Tensor> on_reference;
  std::vector<TensorSpec> specs;
  for (const Tensor &t : row.operands) {
    on_reference.push_back(t.to(Device::reference()));
    specs.push_back(spec(t.dtype(), t.shape()));
  }
  const std::pair<const char *, Tensor> results[] = {
      {"reference", row.f(on_reference)},
      {"lazy", row.f(row.operands)},
      {"compiled", compile(capture([&](Args args) { return row.f(args); }, specs))(row.operands)[0]},
  };
  for (const auto &[how, result] : results) {
    ASSERT_EQ(result.shape(), row.shape) << how << ": " << row.name;
    const Floats got = result.to_vector<float>();
    for (std::size_t i = 0; i < row.want.size(); ++i)
      EXPECT_TRUE(is_same(got[i], row.want[i]))
          << how << ": " << row.name << " has " << got[i] << ", not " << row.want[i] << ", as element " << i;
  }
}

#define ROWS(NAME)                                                                                                     \
  INSTANTIATE_TEST_SUITE_P(NAME, EdgeComposites, testing::ValuesIn(NAME()),                                            \
                           [](const auto &info) { return std::to_string(info.index); })
ROWS(elementwise_rows);
ROWS(reduction_rows);
ROWS(product_rows);
ROWS(view_rows);

/// Nothing has no extremum.
TEST(EdgeComposites, ExtremaOfNothingAreErrors) {
  const Tensor none = zeros({2, 0});
  const std::pair<const char *, std::function<Tensor()>> calls[] = {
      {"max", [&] { return max(none, 1); }},
      {"min", [&] { return min(none); }},
      {"argmax", [&] { return argmax(none, 1); }},
      {"argmin", [&] { return argmin(none, -1); }},
  };
  for (const auto &[name, call] : calls)
    try {
      call();
      ADD_FAILURE() << name;
    } catch (const ShapeError &error) {
      EXPECT_EQ(error.message(), "[" + std::string(name) + "] axis 1 of 2x0 is empty, and nothing has no extremum");
    }
}
