#include "Values.h"

#include <cmath>

namespace ingot {
namespace {

using Floats = std::vector<float>;

TEST(Elementwise, BroadcastsAndTakesScalars) {
  Tensor a = ref({1, 2, 3, 4, 5, 6}, {2, 3}), b = ref({10, 20, 30}, {3}), c = ref({1, 2}, {2, 1});
  EXPECT_EQ(floats(a + b, {2, 3}), (Floats{11, 22, 33, 14, 25, 36}));
  EXPECT_EQ(floats(b * c, {2, 3}), (Floats{10, 20, 30, 20, 40, 60}));
  EXPECT_EQ(floats(1.0 - b, {3}), (Floats{-9, -19, -29}));
  EXPECT_EQ(floats(-c / 2, {2, 1}), (Floats{-0.5f, -1}));
  expect_near(floats(pow(0.5, ref({1, 2, 3}, {3})), {3}), {0.5f, 0.25f, 0.125f});
}

TEST(Elementwise, CompositesFollowTheirDefinitions) {
  Tensor x = ref({-2, -0.5f, 0, 1, 3}, {5});
  Floats silu_, softplus_, gelu_, sigmoid_;
  for (double v : {-2.0, -0.5, 0.0, 1.0, 3.0}) {
    silu_.push_back(float(v / (1 + std::exp(-v))));
    softplus_.push_back(float(std::log1p(std::exp(v))));
    gelu_.push_back(float(0.5 * v * (1 + std::erf(v / std::sqrt(2.0)))));
    sigmoid_.push_back(float(1 / (1 + std::exp(-v))));
  }
  expect_near(silu(x).to_vector<float>(), silu_);
  expect_near(softplus(x).to_vector<float>(), softplus_);
  expect_near(gelu(x).to_vector<float>(), gelu_);
  expect_near(sigmoid(x).to_vector<float>(), sigmoid_);
  EXPECT_EQ(relu(x).to_vector<float>(), (Floats{0, 0, 0, 1, 3}));
  EXPECT_EQ(clip(x, -1, 2).to_vector<float>(), (Floats{-1, -0.5f, 0, 1, 2}));
  expect_near(reciprocal(ref({2, 4}, {2})).to_vector<float>(), {0.5f, 0.25f});
  EXPECT_EQ(remainder(ref({-7, 7, -7}, {3}), ref({3, -3, -3}, {3})).to_vector<float>(), (Floats{2, -2, -1}));
}

TEST(Elementwise, NanAndInfinityAreFound) {
  Tensor x = ref({NAN, INFINITY, -INFINITY, 1}, {4});
  EXPECT_EQ(isnan(x).to_vector<bool>(), (std::vector<bool>{true, false, false, false}));
  EXPECT_EQ(isinf(x).to_vector<bool>(), (std::vector<bool>{false, true, true, false}));
  EXPECT_EQ(isfinite(x).to_vector<bool>(), (std::vector<bool>{false, false, false, true}));
  EXPECT_EQ(isfinite(ref_ints({4}, {1})).item<bool>(), true);
  EXPECT_TRUE(std::isnan(relu(x).to_vector<float>()[0]));
  EXPECT_TRUE(std::isnan(maximum(x, 0).to_vector<float>()[0]));
}

TEST(Shape, OpsMoveElements) {
  Tensor x = ref({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(floats(reshape(x, {3, -1}), {3, 2}), (Floats{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(floats(transpose(x), {3, 2}), (Floats{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(floats(slice(x, {0, 1}, {2, 3}), {2, 2}), (Floats{2, 3, 5, 6}));
  EXPECT_EQ(floats(slice(x, {0, -2}, {1, 100}), {1, 2}), (Floats{2, 3}));
  EXPECT_EQ(floats(flip(x, 1), {2, 3}), (Floats{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(floats(concat({x, x}, -1), {2, 6}), (Floats{1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}));
  EXPECT_EQ(floats(stack({x, x}, 0), {2, 2, 3}), (Floats{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(floats(stack({x, x}, -1), {2, 3, 2}), (Floats{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}));
  EXPECT_EQ(floats(pad(x, {0, 1}, {0, 0}, 9), {2, 4}), (Floats{9, 1, 2, 3, 9, 4, 5, 6}));
  EXPECT_EQ(floats(split(x, 3, 1)[2], {2, 1}), (Floats{3, 6}));
  EXPECT_EQ(squeeze(expand_dims(x, 1)).shape(), (Shape{2, 3}));
  EXPECT_EQ(floats(broadcast_to(ref({1, 2}, {2, 1}), {2, 2}), {2, 2}), (Floats{1, 1, 2, 2}));
}

TEST(Reduction, OverAxes) {
  Tensor x = ref({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(floats(sum(x), {}), Floats{21});
  EXPECT_EQ(floats(sum(x, 0), {3}), (Floats{5, 7, 9}));
  EXPECT_EQ(floats(sum(x, {0, -1}, true), {1, 1}), Floats{21});
  EXPECT_EQ(floats(mean(x, 1), {2}), (Floats{2, 5}));
  EXPECT_EQ(floats(max(x, 0), {3}), (Floats{4, 5, 6}));
  EXPECT_EQ(floats(prod(x, 1), {2}), (Floats{6, 120}));
  expect_near(floats(var(x, 1), {2}), {2.0f / 3, 2.0f / 3});
  expect_near(floats(logsumexp(x, 1), {2}), {std::log(std::exp(1.f) + std::exp(2.f) + std::exp(3.f)), 6.407606f});
  EXPECT_EQ(argmax(x, 1).to_vector<std::int64_t>(), (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(argmin(x, 0, true).shape(), (Shape{1, 3}));
  EXPECT_EQ(any(gt(x, 5), 1).to_vector<bool>(), (std::vector<bool>{false, true}));
  EXPECT_EQ(all(gt(x, 0)).item<bool>(), true);
  EXPECT_EQ(prod(Tensor::zeros({0}, Device::reference())).item<float>(), 1);
  EXPECT_TRUE(std::isinf(logsumexp(ref({-INFINITY, -INFINITY}, {2})).item<float>()));
}

TEST(Product, MatmulFollowsNumpy) {
  Tensor a = ref({1, 2, 3, 4}, {2, 2}), v = ref({1, 10}, {2});
  EXPECT_EQ(floats(matmul(a, a), {2, 2}), (Floats{7, 10, 15, 22}));
  EXPECT_EQ(floats(matmul(a, v), {2}), (Floats{21, 43}));
  EXPECT_EQ(floats(matmul(v, a), {2}), (Floats{31, 42}));
  EXPECT_EQ(floats(matmul(v, v), {}), Floats{101});
  Tensor batch = stack({a, a + 1.0}, 0);
  EXPECT_EQ(floats(matmul(batch, a), {2, 2, 2}), (Floats{7, 10, 15, 22, 11, 16, 19, 28}));
  EXPECT_EQ(floats(matmul(a, batch), {2, 2, 2}), (Floats{7, 10, 15, 22, 10, 13, 22, 29}));
  EXPECT_EQ(floats(matmul(v, batch), {2, 2}), (Floats{31, 42, 42, 53}));
  EXPECT_EQ(floats(matmul(batch, v), {2, 2}), (Floats{21, 43, 32, 54}));
}

TEST(Product, EinsumIsSumsOfProducts) {
  Tensor a = ref({1, 2, 3, 4, 5, 6}, {2, 3}), b = ref({1, 0, 2, 1, 0, 1}, {3, 2});
  EXPECT_EQ(floats(einsum("ij,jk->ik", {a, b}), {2, 2}), matmul(a, b).to_vector<float>());
  EXPECT_EQ(floats(einsum("ij->ji", {a}), {3, 2}), transpose(a).to_vector<float>());
  EXPECT_EQ(floats(einsum("ij->", {a}), {}), Floats{21});
  EXPECT_EQ(floats(einsum("ij,ij->i", {a, a}), {2}), (Floats{14, 77}));
  EXPECT_EQ(floats(einsum("jk,ij", {b, a}), {2, 2}), matmul(a, b).to_vector<float>());
  EXPECT_EQ(floats(einsum("ii->i", {ref({1, 2, 3, 4}, {2, 2})}), {2}), (Floats{1, 4}));
  EXPECT_EQ(floats(einsum("ii", {ref({1, 2, 3, 4}, {2, 2})}), {}), Floats{5});
  EXPECT_EQ(floats(einsum("ij,jk,kl->il", {a, b, a}), {2, 3}), matmul(matmul(a, b), a).to_vector<float>());
  EXPECT_EQ(floats(einsum("i,j->ji", {ref({1, 2}, {2}), ref({1, 10}, {2})}), {2, 2}), (Floats{1, 2, 10, 20}));
}

TEST(Indexing, CountsFromTheEnd) {
  Tensor x = ref({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(floats(take(x, ref_ints({2, -3}, {2}), 1), {2, 2}), (Floats{3, 1, 6, 4}));
  EXPECT_EQ(floats(take(x, ref_ints({1}, {}), 0), {3}), (Floats{4, 5, 6}));
  EXPECT_EQ(floats(take_along_axis(x, ref_ints({0, -1}, {2, 1}), 1), {2, 1}), (Floats{1, 6}));
  EXPECT_EQ(floats(one_hot(ref_ints({2, 0}, {2}), 3), {2, 3}), (Floats{0, 0, 1, 1, 0, 0}));
  EXPECT_NE(message_of<IndexError>([&] { take(x, ref_ints({7}, {1}), 1); }).find("[take] index 7"), std::string::npos);
}

TEST(Composite, NetworksParts) {
  Tensor x = ref({1, 2, 3, 1000, 1000, 1000}, {2, 3});
  expect_near(floats(softmax(x, 1), {2, 3}), {0.09003057f, 0.24472847f, 0.66524096f, 1 / 3.f, 1 / 3.f, 1 / 3.f});
  expect_near(exp(log_softmax(x, -1)).to_vector<float>(), softmax(x, 1).to_vector<float>());
  expect_near(layer_norm(ref({1, 2, 3}, {1, 3})).to_vector<float>(), {-1.2247356f, 0, 1.2247356f});
  expect_near(rms_norm(ref({3, 4}, {2}), ref({1, 2}, {2}), 0).to_vector<float>(), {0.84852814f, 2.2627417f});
  EXPECT_NEAR(cross_entropy(x, ref_ints({2, 0}, {2})).item<float>(), (0.40760596f + 1.0986123f) / 2, 1e-5);
  EXPECT_EQ(mse_loss(ref({1, 2}, {2}), ref({2, 4}, {2})).item<float>(), 2.5f);
}

TEST(Composite, AttentionMasksTheFuture) {
  Tensor q = ref({1, 0, 0, 1}, {1, 2, 2}), v = ref({1, 2, 3, 4}, {1, 2, 2});
  Floats causal = floats(attention(q, q, v, {.causal = true}), {1, 2, 2});
  EXPECT_EQ(causal[0], 1);
  EXPECT_EQ(causal[1], 2);
  expect_near(floats(attention(q, q, v, {.scale = 1}), {1, 2, 2}), {1.5378828f, 2.5378828f, 2.4621172f, 3.4621172f});
}

TEST(Composite, DropoutKeepsTheMean) {
  Tensor x = Tensor::ones({4000}, Device::reference());
  const Floats y = dropout(x, 0.25, ref_ints({1, 2}, {2})).to_vector<float>();
  double sum = 0;
  for (float v : y) {
    EXPECT_TRUE(v == 0 || std::abs(v - 4.0f / 3) < 1e-6f);
    sum += v;
  }
  EXPECT_NEAR(sum / 4000, 1, 0.04);
}

} // namespace
} // namespace ingot
