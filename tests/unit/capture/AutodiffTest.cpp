// The autodiff kind: states, the requirement machine, moves, and gradients.
#include "Values.h"

namespace ingot {
namespace {

/// Nothing of this depends on the checkpointing strategy.
class Autodiff : public testing::TestWithParam<Checkpointing> {
public:
  const Device kDevice = Device::cpu().autodiff(GetParam());
  const Device kReference = Device::reference().autodiff(GetParam());

  Tensor leaf(std::initializer_list<float> values) const {
    return Tensor::from<float>(values, {std::int64_t(values.size())}, kDevice).require_grad();
  }
};
INSTANTIATE_TEST_SUITE_P(Strategies, Autodiff, testing::Values(Checkpointing::None, Checkpointing::Balanced),
                         [](const auto &info) { return checkpointing_name(info.param); });

TEST_P(Autodiff, ThreeQuestionsThreeAnswers) {
  Tensor x = Tensor::ones({2}, kDevice), i = Tensor::ones({2}, DType::I64, kDevice), w = leaf({1, 2});
  EXPECT_TRUE(x.is_autodiff() && !x.is_tracked() && !x.is_require_grad());
  EXPECT_TRUE(i.is_autodiff() && !i.is_tracked());
  EXPECT_TRUE(w.is_tracked() && w.is_require_grad());
  Tensor y = w * x;
  EXPECT_TRUE(y.is_tracked() && !y.is_require_grad());
  EXPECT_FALSE((x * x).is_tracked());
  EXPECT_TRUE(i.to(DType::F32).is_autodiff());
  EXPECT_TRUE(gt(w, 0).is_autodiff() && !gt(w, 0).is_tracked());
  EXPECT_FALSE(Tensor::ones({2}).is_autodiff());
}

TEST_P(Autodiff, RequirementMachine) {
  Tensor w = leaf({1, 2}), y = w * 2.0;
  EXPECT_EQ(w.require_grad().id(), w.id());
  EXPECT_EQ(message_of<GradientError>([&] { y.require_grad(); }),
            "Can't convert a non leaf tensor into a tracked tensor");
  EXPECT_FALSE(y.require_grad(false).is_tracked());
  EXPECT_NE(y.require_grad(false).id(), y.id());
  EXPECT_TRUE(w.detach().is_require_grad());
  EXPECT_FALSE(y.detach().is_tracked());
  EXPECT_FALSE(w.inner().is_autodiff());
  EXPECT_EQ(w.autodiff().id(), w.id());
  EXPECT_FALSE(Tensor::ones({2}).require_grad().is_tracked());
}

TEST_P(Autodiff, GradientsAddUpAndSpareConstants) {
  Tensor w = leaf({1, 2}), d = w.detach(), k = Tensor::from<float>({3, 5}, {2});
  Gradients g = sum(w * k + w * d).backward();
  EXPECT_EQ(g.of(w)->to_vector<float>(), (std::vector<float>{4, 7}));
  EXPECT_EQ(g.of(d)->to_vector<float>(), (std::vector<float>{1, 2}));
  EXPECT_FALSE(g.of(k));
  EXPECT_EQ(g.size(), 2u);
  EXPECT_TRUE(g.take(w));
  EXPECT_FALSE(g.of(w));
}

TEST_P(Autodiff, ARootOfAnyShapeIsSummed) {
  Tensor w = leaf({1, 2});
  EXPECT_EQ((w * w).backward().of(w)->to_vector<float>(), (std::vector<float>{2, 4}));
  EXPECT_EQ(w.backward().of(w)->to_vector<float>(), (std::vector<float>{1, 1}));
}

TEST_P(Autodiff, BackwardConsumesTheTape) {
  Tensor w = leaf({1, 2}), h = w * 2.0, a = sum(h), b = sum(h * h);
  a.backward();
  const std::string text = "Node should have a step registered, did you forget to call `Tensor::register_grad` on the "
                           "tensor where you need gradients?";
  EXPECT_EQ(message_of<GradientError>([&] { a.backward(); }), text);
  EXPECT_EQ(message_of<GradientError>([&] { b.backward(); }), text);
  EXPECT_EQ(message_of<GradientError>([&] { sum(Tensor::ones({2}, kDevice)).backward(); }), text);
  EXPECT_EQ(h.inner().to_vector<float>(), (std::vector<float>{2, 4})); // values stay
}

TEST_P(Autodiff, OnTheReferenceDeviceToo) {
  Tensor w = Tensor::from<float>({1, 2}, {2}, kReference).require_grad();
  Gradients g = sum(w * w * w).backward();
  EXPECT_EQ(g.of(w)->to_vector<float>(), (std::vector<float>{3, 12}));
  EXPECT_EQ(g.of(w)->device(), Device::reference());
}

TEST_P(Autodiff, SecondOrderThroughACallable) {
  Tensor x = leaf({1, 2, 3});
  auto f = [](Tensor t) { return sum(t * t * t); };
  Gradients g = sum(grad(f, {0})(x)[0]).backward();
  EXPECT_EQ(g.of(x)->to_vector<float>(), (std::vector<float>{6, 12, 18}));
}

TEST_P(Autodiff, MovesFollowTheTable) {
  Tensor w = leaf({1, 2}), i = Tensor::ones({2}, DType::I64, kDevice), p = Tensor::ones({2});
  EXPECT_EQ(w.to(kDevice).id(), w.id());
  EXPECT_FALSE(p.to(kDevice).is_autodiff());
  EXPECT_TRUE(Tensor::ones({2}, DType::I64).to(kDevice).is_autodiff());
  EXPECT_TRUE(i.to(Device::reference()).is_autodiff());
  EXPECT_EQ(message_of<DispatchError>([&] { w.to(Device::cpu()); }),
            "Cannot move between autodiff and non-autodiff instances.");
  EXPECT_EQ(message_of<DispatchError>([&] { w.to(Device::reference().autodiff()); }),
            "Autodiff tensor cannot be moved between backends.");
}

TEST_P(Autodiff, LongTapesComeDownWithoutRecursion) {
  Tensor y = Tensor::from<float>({1}, {1}, kReference).require_grad();
  for (int i = 0; i < 100000; ++i)
    y = neg(y);
  EXPECT_EQ(y.item<float>(), 1);
}

} // namespace
} // namespace ingot
