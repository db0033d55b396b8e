// Random programs and their gradients against the reference device. Dimensions of size 1 are common on purpose: fused
// clusters see values with other such dimensions than their domain.
#include "ingot/capture/Ingot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

using namespace ingot;

namespace {

class Program {
public:
  explicit Program(unsigned seed) : seed(seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 3; ++i) {
      std::vector<std::int64_t> dims;
      for (int rank = int(random() % 4); rank > 0; --rank)
        dims.push_back(size(random));
      shapes.emplace_back(dims);
    }
  }

  std::vector<Shape> shapes;

  /// The same program at each call: a scalar made of a few random operations.
  Tensor operator()(const std::vector<Tensor> &in) const {
    std::mt19937 random(seed + 1);
    std::vector<Tensor> pool = in;
    for (int i = 0; i < 9; ++i)
      pool.push_back(operation(random, pool));
    Tensor loss = sum(pool.back());
    for (int i = 0; i < 3; ++i)
      loss = loss + sum(pool[random() % pool.size()] * 0.5);
    return loss;
  }

private:
  unsigned seed;

  static std::int64_t size(std::mt19937 &random) {
    const std::int64_t sizes[] = {1, 1, 2, 5, 11};
    return sizes[random() % 5];
  }
  static Tensor operation(std::mt19937 &random, const std::vector<Tensor> &pool) {
    Tensor x = pool[random() % pool.size()], y = pool[random() % pool.size()];
    const int rank = int(x.shape().rank()), axis = rank ? int(random() % unsigned(rank)) : 0;
    const bool keep = random() % 2;
    switch (random() % 12) {
    case 0:
      return tanh(x);
    case 1:
      return exp(x * 0.1) - x;
    case 2:
      return relu(x) + 0.25 * x * x;
    case 3: // shapes that broadcast, else made to
      return (x.shape() == y.shape() ? x : sum(x)) * y + y;
    case 4:
      return rank ? sum(x, {axis}, keep) : x;
    case 5:
      return rank ? max(x, {axis}, keep) : x;
    case 6:
      return transpose(x) * 2.0;
    case 7:
      return rank ? softmax(x, axis) : sigmoid(x);
    case 8:
      return rank && rank < 4 ? expand_dims(x, axis) - mean(x) : x;
    case 9:
      return rank ? concat({x, x * x}, axis) * 0.5 : x;
    case 10:
      return rank == 2 ? matmul(x, transpose(x)) * 0.1 : reshape(x, {-1, 1});
    default:
      return rank ? flip(x, {axis}) + sum(x, {axis}, true) : x;
    }
  }
};

class RandomPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(RandomPrograms, AgreeWithTheReference) {
  for (unsigned seed = GetParam() * 4; seed < GetParam() * 4 + 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Program program(seed * 101);
    auto gradients = value_and_grad([&](const std::vector<Tensor> &in) { return program(in); }, {0, 1, 2});
    std::vector<TensorSpec> specs;
    std::vector<Tensor> args, reference_args;
    std::mt19937 random(seed);
    for (const Shape &shape : program.shapes) {
      std::vector<double> values(std::size_t(shape.num_elements()));
      for (double &v : values)
        v = double(random() % 1999) / 1000.0 - 1.0;
      specs.push_back(spec(DType::F64, shape));
      args.push_back(Tensor::from<double>(values, shape));
      reference_args.push_back(Tensor::from<double>(values, shape, Device::reference()));
    }
    const Graph graph = capture([&](const std::vector<Tensor> &in) { return gradients(in); }, specs);
    const auto one = compile(graph, {.threads = 1, .cache_dir = ""})(args);
    const auto three = compile(graph, {.threads = 3, .cache_dir = ""})(args);
    const auto expected = graph(reference_args);
    for (std::size_t i = 0; i < one.size(); ++i) {
      const auto got = one[i].to_vector<double>(), again = three[i].to_vector<double>(),
                 want = expected[i].to_vector<double>();
      EXPECT_EQ(0, std::memcmp(got.data(), again.data(), got.size() * sizeof(double)));
      for (std::size_t e = 0; e < got.size(); ++e)
        ASSERT_NEAR(got[e], want[e], 1e-9 * std::max(1.0, std::fabs(want[e]))) << "output " << i << ", element " << e;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0u, 12u));

} // namespace
