// Programs of thousands of ops: many kernels, many parts of main, and what crosses from one to the other.
#include "CustomOps.h"
#include "Values.h"

#include "ingot/tests/support/TemporaryDirectory.h"

#include <cmath>
#include <numeric>

#include <pthread.h>

namespace ingot {
namespace {

constexpr std::int64_t kWidth = 37; // whole vectors and a rest

std::vector<float> inputs() {
  std::vector<float> values(kWidth);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 0.05f * float(i) - 0.9f;
  return values;
}

Tensor chain(Tensor x, int rounds) {
  for (int i = 0; i < rounds; ++i)
    x = sin(x) * 1.01 + 0.1;
  return x;
}

/// Runs `f` on a thread with a stack of so many bytes.
void on_small_stack(std::size_t bytes, void (*f)()) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, &attributes, [](void *g) { return reinterpret_cast<void (*)()>(g)(), (void *)nullptr; },
                reinterpret_cast<void *>(f)),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST(LongPrograms, AChainIsSeveralKernelsAndTheRightNumbers) {
  const int rounds = 2000;
  Executable run = compile(capture([=](Tensor x) { return chain(x, rounds); }, {spec(DType::F32, {kWidth})}));
  EXPECT_GT(run.kernels().size(), 10u);
  std::vector<float> expected = inputs();
  for (float &x : expected)
    for (int i = 0; i < rounds; ++i)
      x = std::fma(float(std::sin(double(x))), 1.01f, 0.1f);
  expect_near(run(Tensor::from<float>(inputs(), {kWidth}))[0].to_vector<float>(), expected, 1e-4f);
}

TEST(LongPrograms, GradientsMatchThoseOfTheReference) {
  const int rounds = 300;
  Graph g = grad(capture([=](Tensor x) { return sum(chain(x, rounds) * x); }, {spec(DType::F64, {3})}), {0});
  std::vector<double> x{0.3, -0.2, 0.9}, expected;
  for (double start : x) { // d/dx of f(x) * x
    double value = start, slope = 1;
    for (int i = 0; i < rounds; ++i)
      slope *= std::cos(value) * 1.01, value = std::sin(value) * 1.01 + 0.1;
    expected.push_back(slope * start + value);
  }
  const std::vector<double> got = compile(g)(Tensor::from<double>(x, {3}))[0].to_vector<double>();
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(got[i], expected[i], 1e-9);
}

/// Products are kernels of their own, so that main has many steps; constants, checks and native ops lie among them.
struct Parts : testing::Test {
  static constexpr int kSteps = 150;
  std::vector<float> matrix = std::vector<float>(kWidth * kWidth);

  Parts() {
    for (std::int64_t i = 0; i < kWidth; ++i)
      for (std::int64_t j = 0; j < kWidth; ++j)
        matrix[std::size_t(i * kWidth + j)] = i == j ? 1.0f : 0.001f * float((i * 7 + j * 3) % 11 - 5);
  }

  /// One table of weights that every step reads from the program's own memory.
  Graph program(std::function<Tensor(Tensor, int)> between = nullptr) {
    Tensor weights = Tensor::from<float>(matrix, {kWidth, kWidth});
    return capture(
        [=](Tensor x, Tensor indices) {
          for (int i = 0; i < kSteps; ++i) {
            x = tanh(matmul(x, weights));
            if (i % 40 == 39)
              x = x + 0.01 * take(x, indices, 1);
            if (between)
              x = between(x, i);
          }
          return x;
        },
        {spec(DType::F32, {2, kWidth}, "x"), spec(DType::I64, {kWidth}, "indices")});
  }
  Tensor x() const {
    std::vector<float> twice = inputs();
    twice.insert(twice.end(), twice.begin(), twice.begin() + kWidth);
    return Tensor::from<float>(twice, {2, kWidth});
  }
  static Tensor indices(std::int64_t odd) {
    std::vector<std::int64_t> list(kWidth);
    std::iota(list.rbegin(), list.rend(), 0);
    list[5] = odd;
    return Tensor::from<std::int64_t>(list, {kWidth});
  }
};

TEST_F(Parts, GiveWhatTheReferenceGives) {
  Graph graph = program();
  Executable run = compile(graph);
  EXPECT_GT(run.kernels().size(), 100u);
  const Device reference = Device::reference();
  expect_near(run(x(), indices(3))[0].to_vector<float>(),
              graph(x().to(reference), indices(3).to(reference)).at(0).to_vector<float>(), 2e-5f);
}

TEST_F(Parts, GiveTheSameBitsFromTheCacheAndWithManyThreads) {
  TemporaryDirectory cache;
  Graph graph = program();
  const std::vector<float> first =
      compile(graph, {.threads = 1, .cache_dir = cache.path()})(x(), indices(3))[0].to_vector<float>();
  EXPECT_EQ(compile(graph, {.threads = 1, .cache_dir = cache.path()})(x(), indices(3))[0].to_vector<float>(), first);
  EXPECT_EQ(compile(graph, {.threads = 4, .cache_dir = ""})(x(), indices(3))[0].to_vector<float>(), first);
}

TEST_F(Parts, EndTheProgramWhereACheckFails) {
  Executable run = compile(program());
  const std::string message = message_of<IndexError>([&] { run(x(), indices(kWidth))[0].eval(); });
  EXPECT_NE(message.find(std::to_string(kWidth)), std::string::npos) << message;
}

TEST_F(Parts, CallNativeOpsInOrder) {
  auto calls = std::make_shared<std::vector<int>>();
  std::vector<CustomOp> ops;
  for (int i = 0; i < 3; ++i)
    ops.push_back(CustomOp::native(
        "step" + std::to_string(i), [](const std::vector<TensorSpec> &in) { return std::vector<TensorSpec>{in[0]}; },
        [=](const std::vector<ConstBuffer> &in, const std::vector<MutableBuffer> &out) {
          calls->push_back(i);
          std::copy_n(in[0].as<float>(), in[0].num_elements, out[0].as<float>());
        }));
  Graph graph = program([&](Tensor x, int i) { return i % 60 == 1 ? ops[std::size_t(i / 60)](x)[0] : x; });
  const std::vector<float> with = compile(graph)(x(), indices(3))[0].to_vector<float>();
  EXPECT_EQ(*calls, (std::vector<int>{0, 1, 2}));
  expect_near(with, compile(program())(x(), indices(3))[0].to_vector<float>(), 2e-5f);
}

TEST(LongPrograms, StacksOfThousandsAreInOrder) {
  std::vector<Tensor> rows;
  for (int i = 0; i < 3000; ++i)
    rows.push_back(Tensor::from<float>({float(i), -float(i)}, {2}));
  const std::vector<float> all = stack(rows, 0).to_vector<float>();
  for (std::size_t i = 0; i < 3000; ++i) {
    ASSERT_EQ(all[2 * i], float(i));
    ASSERT_EQ(all[2 * i + 1], -float(i));
  }
  const std::vector<float> columns = stack(rows, 1).to_vector<float>();
  for (std::size_t i = 0; i < 3000; ++i)
    ASSERT_EQ(columns[3000 + i], -float(i));
}

TEST(LongPrograms, ATapeOfThousandsIsDifferentiatedOnASmallStack) {
  on_small_stack(256 << 10, [] {
    Device device = Device::cpu().autodiff();
    Tensor x = Tensor::full({4}, 0.5, DType::F32, device).require_grad();
    Gradients gradients = sum(chain(x * 1.0, 7000)).backward();
    const std::vector<float> dx = gradients.of(x)->to_vector<float>();
    EXPECT_EQ(dx.size(), 4u);
    EXPECT_TRUE(std::isfinite(dx[0]));
  });
}

} // namespace
} // namespace ingot
