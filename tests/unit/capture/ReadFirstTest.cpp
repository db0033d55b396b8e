// A value that is read before backward(): nothing of the forward that is worth keeping is computed twice.
#include "ingot/capture/Program.h"
#include "ingot/capture/ProgramCache.h"
#include "ingot/runtime/Buffer.h"

#include "Values.h"

#include <algorithm>
#include <cmath>

namespace ingot {
namespace {

std::vector<double> waves(std::int64_t count, double seed) {
  std::vector<double> values;
  for (std::int64_t k = 0; k < count; ++k)
    values.push_back(0.4 * std::sin(0.7 * double(k) + seed));
  return values;
}

/// A classifier with every kind of value that a backward may need: products, extrema, sums, gathered rows, powers.
struct Model {
  Device device;
  std::vector<Tensor> leaves;
  Tensor x, labels;

  explicit Model(const Device &device) : device(device) {
    for (const Shape &shape : std::vector<Shape>{{7, 9}, {9}, {9, 11}, {11}, {11, 5}, {6, 7}})
      leaves.push_back(
          Tensor::from<double>(waves(shape.num_elements(), double(leaves.size())), shape, device).require_grad());
    x = Tensor::from<double>(waves(4 * 7, 8), {4, 7}, device);
    labels = Tensor::from<std::int64_t>({2, 0, 4, 1}, {4}, device);
  }

  Tensor logits() const {
    Tensor rows = x + take(leaves[5], labels, 0);
    Tensor h = tanh(matmul(rows, leaves[0]) + leaves[1]);
    h = gelu(matmul(h, leaves[2]) + leaves[3]) / (1.0 + max(h * 0.1, 1, true));
    return matmul(h, leaves[4]);
  }
  Tensor loss() const { return cross_entropy(logits(), labels); }

  std::vector<double> gradients(const Gradients &g) const {
    std::vector<double> all;
    for (const Tensor &leaf : leaves)
      for (double v : g.of(leaf)->to_vector<double>())
        all.push_back(v);
    return all;
  }
};

std::ptrdiff_t products(const ProgramState &program) {
  return std::count_if(program.info.kernels.begin(), program.info.kernels.end(),
                       [](const KernelInfo &kernel) { return kernel.kind == "contract"; });
}

class ReadFirst : public testing::TestWithParam<Checkpointing> {
public:
  const Device device = Device::cpu().autodiff(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Strategies, ReadFirst, testing::Values(Checkpointing::None, Checkpointing::Balanced),
                         [](const auto &info) { return checkpointing_name(info.param); });

TEST_P(ReadFirst, GivesTheNumbersOfReadingLast) {
  Model model(device), reference(Device::reference().autodiff(GetParam()));
  Tensor last = model.loss();
  const std::vector<double> want = model.gradients(last.backward());
  const double loss = last.item<double>();
  Tensor first = model.loss();
  EXPECT_EQ(first.item<double>(), loss);
  const std::vector<double> got = model.gradients(first.backward());
  Tensor judge = reference.loss();
  const std::vector<double> truth = reference.gradients(judge.backward());
  EXPECT_NEAR(loss, judge.item<double>(), 1e-13);
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], want[i], 1e-13 * (1 + std::abs(want[i]))) << i;
    EXPECT_NEAR(got[i], truth[i], 1e-12 * (1 + std::abs(truth[i]))) << i;
  }
}

TEST_P(ReadFirst, AgreesWithDifferences) {
  Model model(device), reference(Device::reference().autodiff());
  Tensor loss = model.loss();
  loss.item<double>();
  const std::vector<double> got = model.gradients(loss.backward());
  std::size_t at = 0;
  for (Tensor &leaf : reference.leaves) {
    const Tensor kept = leaf;
    std::vector<double> values = kept.to_vector<double>();
    for (std::size_t k = 0; k < values.size(); ++k, ++at) {
      if (k % 5)
        continue;
      const auto value = [&](double offset) {
        std::vector<double> moved = values;
        moved[k] += offset;
        leaf = Tensor::from<double>(moved, kept.shape(), reference.device);
        return reference.loss().item<double>();
      };
      EXPECT_NEAR(got[at], (value(1e-5) - value(-1e-5)) / 2e-5, 1e-8 * (1 + std::abs(got[at]))) << at;
    }
    leaf = kept;
  }
}

TEST_P(ReadFirst, ComputesNoProductTwice) {
  Model model(device);
  Tensor last = model.loss();
  Gradients together = last.backward();
  model.gradients(together);
  const std::ptrdiff_t all = products(*last_lazy_program());
  Tensor first = model.loss();
  first.item<double>();
  const std::ptrdiff_t forward = products(*last_lazy_program());
  model.gradients(first.backward());
  const std::ptrdiff_t backward = products(*last_lazy_program());
  EXPECT_EQ(forward, 3);
  EXPECT_EQ(backward, 6); // two for each weight: its gradient and that of what it is multiplied with
  EXPECT_EQ(all, forward + backward);
}

TEST_P(ReadFirst, CostsNothingWhenBackwardComesFirst) {
  Model model(device);
  const auto step = [&] {
    Tensor loss = model.loss();
    Gradients g = loss.backward();
    loss.item<double>();
    return model.gradients(g);
  };
  step();
  // The loss and one gradient for each leaf: nothing was kept for a backward that is over.
  EXPECT_EQ(last_lazy_program()->info.outputs.size(), 1 + model.leaves.size());
  const LazyStats before = Device::cpu().stats();
  step();
  EXPECT_EQ(Device::cpu().stats().compiles, before.compiles);
  EXPECT_EQ(Device::cpu().stats().hits, before.hits + 1);
}

TEST_P(ReadFirst, ReadsInTheMiddleAndTwoRootsWork) {
  Model model(device);
  Tensor logits = model.logits(), h = tanh(logits);
  logits.to_vector<double>(); // a product's own value
  Tensor a = sum(h * h);
  a.item<double>();
  Tensor b = sum(exp(matmul(h, transpose(h)) * 0.1)) + a;
  b.item<double>();
  const std::vector<double> got = model.gradients(b.backward());
  Model judge(Device::reference().autodiff());
  Tensor r = tanh(judge.logits());
  const std::vector<double> truth = judge.gradients((sum(exp(matmul(r, transpose(r)) * 0.1)) + sum(r * r)).backward());
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], truth[i], 1e-12 * (1 + std::abs(truth[i]))) << i;
}

TEST_P(ReadFirst, SecondOrder) {
  Tensor x = Tensor::from<double>(waves(9, 1), {3, 3}, device).require_grad();
  const auto f = [](Tensor t) { return sum(matmul(t, t) * tanh(t)); };
  Tensor slope = sum(grad(f, {0})(x)[0] * x);
  slope.item<double>();
  const std::vector<double> got = slope.backward().of(x)->to_vector<double>();
  Tensor y = Tensor::from<double>(waves(9, 1), {3, 3}, Device::reference().autodiff()).require_grad();
  const std::vector<double> truth = sum(grad(f, {0})(y)[0] * y).backward().of(y)->to_vector<double>();
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_NEAR(got[i], truth[i], 1e-12) << i;
}

TEST_P(ReadFirst, RunsAKernelOfTheUsersOnce) {
  int calls = 0;
  const CustomOp op =
      CustomOp::native(
          "counted_exp", [](const std::vector<TensorSpec> &in) { return std::vector<TensorSpec>{in[0]}; },
          [&calls](const std::vector<ConstBuffer> &in, const std::vector<MutableBuffer> &out) {
            ++calls;
            for (std::int64_t i = 0; i < in[0].num_elements; ++i)
              out[0].as<double>()[i] = std::exp(in[0].as<double>()[i]);
          })
          .with_gradient([](const std::vector<Tensor> &, const std::vector<Tensor> &out, const std::vector<Tensor> &g) {
            return std::vector<Tensor>{g[0] * out[0]};
          });
  Tensor x = Tensor::from<double>(waves(4, 1), {4}, device).require_grad();
  Tensor loss = sum(op(x)[0] * 2.0);
  loss.item<double>();
  EXPECT_EQ(calls, 1);
  const std::vector<double> got = loss.backward().of(x)->to_vector<double>();
  EXPECT_EQ(calls, 1);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(got[i], 2 * std::exp(waves(4, 1)[i]), 1e-14);
}

TEST_P(ReadFirst, WhatIsKeptDiesWithTheTape) {
  const std::size_t before = Buffer::stats().live_bytes;
  {
    Model model(device);
    for (int i = 0; i < 20; ++i)
      model.loss().item<double>(); // evaluation: no backward comes
    const std::size_t between = Buffer::stats().live_bytes;
    for (int i = 0; i < 20; ++i)
      model.loss().item<double>();
    EXPECT_EQ(Buffer::stats().live_bytes, between);
    Tensor loss = model.loss();
    loss.item<double>();
    EXPECT_GT(Buffer::stats().live_bytes, between + 4 * 9 * 8);
    {
      Gradients g = loss.backward();
      model.gradients(g);
    }
    EXPECT_EQ(Buffer::stats().live_bytes, between + 64); // the loss
  }
  EXPECT_EQ(Buffer::stats().live_bytes, before);
}

} // namespace
} // namespace ingot
