#include "ingot/capture/ScalarInputs.h"

#include "Values.h"

namespace ingot {
namespace {

Graph scaled(double a, double b) {
  return capture([=](Tensor x) { return x * a + b; }, {spec(DType::F32, {3})});
}

TEST(ScalarInputs, ProgramsThatDifferInNumbersGeneralizeToOne) {
  const Graph one = scaled(2, 5), two = scaled(3, 5);
  EXPECT_EQ(scalar_bits(one.trace()).size(), 2u);
  EXPECT_NE(scalar_bits(one.trace())[0], scalar_bits(two.trace())[0]);
  EXPECT_EQ(scalar_bits(one.trace())[1], scalar_bits(two.trace())[1]);
  const std::vector<bool> first{true, false};
  GeneralTrace a = with_scalar_inputs(one.trace(), first), b = with_scalar_inputs(two.trace(), first);
  EXPECT_EQ(a.trace.hash(), b.trace.hash());
  EXPECT_EQ(a.trace.inputs().size(), 2u);
  ASSERT_EQ(a.scalars.size(), 1u);
  EXPECT_EQ(*a.scalars[0]->as<float>(), 2);
  EXPECT_EQ(*b.scalars[0]->as<float>(), 3);
  EXPECT_NE(a.trace.hash(), with_scalar_inputs(scaled(2, 6).trace(), first).trace.hash());
}

TEST(ScalarInputs, AnOutputAloneNeedsItsOwnOps) {
  Graph g = capture([](Tensor x) { return std::pair(exp(x), sin(x) + 1.0); }, {spec(DType::F32, {3})});
  EXPECT_EQ(only_output(g.trace(), 0).records().size(), 1u);
  EXPECT_EQ(only_output(g.trace(), 1).records().size(), 3u);
  EXPECT_EQ(only_output(g.trace(), 1).inputs().size(), 1u);
}

} // namespace
} // namespace ingot
