// A target that was changed is the one that code is made for.
#include "ingot/capture/Ingot.h"

#include <gtest/gtest.h>

namespace ingot {
namespace {

Graph program() {
  return capture(
      [](Tensor x, Tensor w) {
        Tensor y = matmul(x, w);
        return sum(tanh(y) + y, {1});
      },
      {spec(DType::F32, {33, 70}, "x"), spec(DType::F32, {70, 130}, "w")});
}

std::string lanes(int bits) { return "vector<" + std::to_string(bits / 32) + "xf32>"; }

TEST(TargetByValue, ChangedVectorBitsChangeTheCode) {
  const Graph graph = program();
  for (int bits : {128, 256, 512}) {
    Target target = Target::named("x86-64-v3");
    target.vector_bits = bits;
    const std::string text = graph.str(Phase::Kernels, {.target = target});
    for (int other : {128, 256, 512})
      if (other >= bits)
        EXPECT_EQ(text.find(lanes(other)) != std::string::npos, other == bits) << bits << " " << other;
    EXPECT_NE(text.find("vector_bits = " + std::to_string(bits)), std::string::npos);
  }
}

TEST(TargetByValue, ProgramsForChangedTargetsRun) {
  const Graph graph = program();
  std::vector<float> x(33 * 70), w(70 * 130);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = float(int(i * 7 % 31) - 15) / 64;
  for (std::size_t i = 0; i < w.size(); ++i)
    w[i] = float(int(i * 5 % 29) - 14) / 64;
  const Tensor a = Tensor::from<float>(x, {33, 70}), b = Tensor::from<float>(w, {70, 130});
  const std::vector<float> expected = compile(graph)(a, b)[0].to_vector<float>();
  for (int bits : {64, 128, 256, 512, 1024, 2048})
    for (int registers : {8, 16, 32}) {
      Target target = Target::host();
      target.vector_bits = bits;
      target.vector_registers = registers;
      target.l1 = 1024;
      target.l2 = 4096;
      target.line = 32;
      const std::vector<float> actual = compile(graph, {.target = target, .cache_dir = ""})(a, b)[0].to_vector<float>();
      ASSERT_EQ(actual.size(), expected.size());
      for (std::size_t i = 0; i < actual.size(); ++i)
        EXPECT_NEAR(actual[i], expected[i], 1e-4) << bits << " bits, " << registers << " registers, row " << i;
    }
}

} // namespace
} // namespace ingot
