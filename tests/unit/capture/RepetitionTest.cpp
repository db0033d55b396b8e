// Recording what was recorded before: the values and the program are the same whether a loop repeats or turns aside.
#include "ingot/capture/Repetition.h"

#include "Values.h"

#include <array>
#include <cmath>
#include <cstring>

namespace ingot {
namespace {

const TensorType kRow{DType::F32, Shape{3}};

/// tanh(a) + b, where b is an input that comes after the first op.
std::shared_ptr<const Trace> sample() {
  auto trace = std::make_shared<Trace>();
  const ValueId a = trace->add_input(kRow), x = trace->record(OpKind::Tanh, {a}, {}, {}), b = trace->add_input(kRow);
  trace->set_outputs({trace->record(OpKind::Add, {x, b}, {}, {})});
  return trace;
}

TEST(Repetition, FollowsToTheEnd) {
  const std::shared_ptr<const Trace> expected = sample();
  Repetition again(std::make_shared<const Pattern>(expected));
  EXPECT_EQ(again.add_input(kRow), 0u);
  EXPECT_EQ(again.append(OpKind::Tanh, std::vector<ValueId>{0}, {}, {}, {&kRow, 1}), 1u);
  EXPECT_EQ(again.whole({1}), nullptr);
  EXPECT_EQ(again.add_input(kRow), 2u);
  EXPECT_FALSE(again.append(OpKind::Sub, std::vector<ValueId>{1, 2}, {}, {}));
  EXPECT_EQ(again.append(OpKind::Add, std::vector<ValueId>{1, 2}, {}, {}), 3u);
  EXPECT_EQ(again.num_values(), 4u);
  EXPECT_EQ(again.type(3), kRow);
  EXPECT_EQ(again.whole({1}), nullptr);
  EXPECT_EQ(again.whole({3}), expected);
  EXPECT_FALSE(again.append(OpKind::Neg, std::vector<ValueId>{3}, {}, {}, {&kRow, 1})); // more than before
  Trace copy;
  again.copy_to(copy);
  copy.set_outputs({3});
  EXPECT_TRUE(copy.is_same(*expected));
  EXPECT_EQ(copy.hash(), expected->hash());
}

TEST(Repetition, EveryDifferenceIsSeen) {
  const TensorType other{DType::F32, Shape{4}};
  Repetition again(std::make_shared<const Pattern>(sample()));
  EXPECT_FALSE(again.add_input(other));
  EXPECT_TRUE(again.add_input(kRow));
  EXPECT_FALSE(again.add_input(kRow)); // an op comes first
  EXPECT_FALSE(again.append(OpKind::Exp, std::vector<ValueId>{0}, {}, {}, {&kRow, 1}));
  EXPECT_FALSE(again.append(OpKind::Tanh, std::vector<ValueId>{1}, {}, {}, {&kRow, 1}));
  EXPECT_FALSE(again.append(OpKind::Tanh, std::vector<ValueId>{0}, {}, {}, {&other, 1}));
  const AttrValue number = std::int64_t(1);
  EXPECT_FALSE(again.append(OpKind::Tanh, std::vector<ValueId>{0}, {&number, 1}, {}, {&kRow, 1}));
  Trace copy;
  again.copy_to(copy);
  EXPECT_EQ(copy.inputs().size(), 1u);
  EXPECT_TRUE(copy.records().empty());
}

/// One record with the attributes, repeated with others.
void expect_seen(OpKind kind, const std::vector<AttrValue> &attributes,
                 const std::vector<std::vector<AttrValue>> &others) {
  auto trace = std::make_shared<Trace>();
  trace->add_input(kRow);
  trace->append(kind, {0}, attributes, {}, 0, {}, {kRow});
  Repetition again(std::make_shared<const Pattern>(trace));
  again.add_input(kRow);
  for (const std::vector<AttrValue> &other : others)
    EXPECT_FALSE(again.append(kind, std::vector<ValueId>{0}, other, {}, {&kRow, 1}));
  const std::shared_ptr<const Trace> region = sample();
  EXPECT_FALSE(again.append(kind, std::vector<ValueId>{0}, attributes, {&region, 1}, {&kRow, 1}));
  EXPECT_TRUE(again.append(kind, std::vector<ValueId>{0}, attributes, {}, {&kRow, 1}));
}

TEST(Repetition, EveryAttributeIsCompared) {
  using Ints = std::vector<std::int64_t>;
  expect_seen(OpKind::Transpose, {Ints{1, 2}, std::int64_t(3)},
              {{},
               {Ints{1, 2}},
               {Ints{1, 2}, std::int64_t(4)},
               {Ints{1, 3}, std::int64_t(3)},
               {Ints{1}, std::int64_t(3)},
               {Ints{1, 2, 3}},
               {Ints{1, 2}, std::int64_t(3), std::int64_t(0)},
               {Ints{1, 2}, 3.0},
               {Ints{1, 2}, DType(3)}});
  expect_seen(OpKind::Convert, {DType::F64}, {{}, {DType::F32}, {std::int64_t(DType::F64)}});
  expect_seen(OpKind::Convert, {std::string("a"), 0.0}, {{}, {std::string("b"), 0.0}, {std::string("a"), -0.0}});
  expect_seen(OpKind::Neg, {}, {{std::int64_t(0)}, {std::string()}});
}

TEST(Repetition, NumbersAreComparedByTheirBytes) {
  auto element = [](auto value) {
    std::shared_ptr<Buffer> buffer = Buffer::allocate(sizeof value);
    std::memcpy(buffer->data(), &value, sizeof value);
    return buffer;
  };
  const TensorType doubles{DType::F64, Shape{3}}, longer{DType::F32, Shape{4}}, whole{DType::I32, Shape{3}};
  auto trace = std::make_shared<Trace>();
  trace->append_constant({kRow, element(0.0f), true}, {}, 0);
  trace->append_constant({kRow, element(std::array<float, 3>{1, 2, 3}), false}, {}, 0);
  Repetition again(std::make_shared<const Pattern>(trace));
  EXPECT_FALSE(again.append_splat(kRow, *element(-0.0f)));
  EXPECT_FALSE(again.append_splat(kRow, *element(1.0f)));
  EXPECT_FALSE(again.append_splat(doubles, *element(0.0)));
  EXPECT_FALSE(again.append_splat(longer, *element(0.0f)));
  EXPECT_FALSE(again.append_splat(whole, *element(std::int32_t(0))));
  EXPECT_EQ(again.append_splat(kRow, *element(0.0f)), 0u);
  EXPECT_FALSE(again.append_splat(kRow, *element(1.0f))); // not one number for all
  const AttrValue other = Literal{kRow, element(std::array<float, 3>{1, 2, 4}), false},
                  same = Literal{kRow, element(std::array<float, 3>{1, 2, 3}), false};
  EXPECT_FALSE(again.append(OpKind::Constant, {}, {&other, 1}, {}, {&kRow, 1}));
  EXPECT_EQ(again.append(OpKind::Constant, {}, {&same, 1}, {}, {&kRow, 1}), 1u);
}

/// Rounds that repeat, turn aside at every place, end early and go on longer, in turn.
TEST(Repetition, RoundsOfALoopMayDiffer) {
  auto round = [](int kind, float a, float b) {
    Tensor x = Tensor::from<float>({a}, {1}), y = Tensor::from<float>({b}, {1});
    NameScope scope(kind % 2 ? "odd" : "even");
    Tensor z = x + y;
    if (kind == 1)
      z = z - 3.0;
    z = z * y;
    if (kind == 2)
      z = z + z;
    Tensor w = kind == 3 ? z / x : z * x;
    if (kind == 4)
      return w.item<float>() + z.item<float>(); // two results
    if (kind == 5)
      w = w + 1.0;
    return w.item<float>();
  };
  auto expected = [](int kind, float a, float b) {
    float z = a + b;
    if (kind == 1)
      z -= 3;
    z *= b;
    if (kind == 2)
      z += z;
    const float w = kind == 3 ? z / a : z * a;
    return kind == 4 ? w + z : kind == 5 ? w + 1 : w;
  };
  for (int kind : {0, 0, 0, 1, 0, 2, 0, 0, 3, 3, 3, 0, 4, 0, 5, 4, 4, 1, 1, 1, 2, 2, 2, 5, 5, 5, 0, 1, 0, 1, 0, 1}) {
    const float a = float(kind + 2), b = 0.5f * float(kind) - 4;
    EXPECT_FLOAT_EQ(round(kind, a, b), expected(kind, a, b)) << "kind " << kind;
  }
}

TEST(Repetition, AnErrorInTheMiddleIsOfThisRound) {
  for (int i = 0; i < 8; ++i) {
    Tensor x = Tensor::from<float>({1, 2, 3}, {3});
    Tensor y = tanh(x) * 2.0;
    if (i % 2)
      EXPECT_THROW(y + Tensor::from<float>({1, 2}, {2}), ShapeError);
    if (i > 3) // found by the rule of the op, when its operands are lifted
      EXPECT_THROW(y * Tensor::from<std::int32_t>({1, 2, 3}, {3}), DTypeError);
    EXPECT_FLOAT_EQ((y + x).to_vector<float>()[2], std::tanh(3.0f) * 2 + 3);
  }
}

} // namespace
} // namespace ingot
