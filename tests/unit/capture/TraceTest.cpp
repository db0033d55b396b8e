#include "ingot/capture/Trace.h"

#include "Values.h"

namespace ingot {
namespace {

std::shared_ptr<Trace> square_sum(const char *name, double factor) {
  auto trace = std::make_shared<Trace>();
  const ValueId x = trace->add_input({DType::F32, Shape{4}}, name);
  std::shared_ptr<Buffer> data = Buffer::allocate(4);
  *data->as<float>() = float(factor);
  const ValueId c = trace->record(OpKind::Constant, {}, {Literal{{DType::F32, Shape{4}}, data, true}}, {});
  const ValueId y = trace->record(OpKind::Mul, {x, c}, {}, CallSite("a.cpp", 3));
  trace->set_outputs({trace->record(OpKind::ReduceSum, {y}, {std::vector<std::int64_t>{0}}, {})});
  return trace;
}

TEST(Trace, HashCoversStructureAndNumbersButNotNames) {
  EXPECT_EQ(square_sum("x", 2)->hash(), square_sum("y", 2)->hash());
  EXPECT_EQ(square_sum("x", 2)->serialize(), square_sum("y", 2)->serialize());
  EXPECT_NE(square_sum("x", 2)->hash(), square_sum("x", 3)->hash());
  EXPECT_NE(square_sum("x", 2)->serialize(), square_sum("x", 3)->serialize());
  EXPECT_TRUE(square_sum("x", 2)->is_same(*square_sum("y", 2)));
  EXPECT_FALSE(square_sum("x", 2)->is_same(*square_sum("x", 3)));
}

TEST(Trace, OutputsAreHashed) {
  auto a = square_sum("x", 2), b = square_sum("x", 2);
  b->set_outputs({b->inputs()[0].value});
  EXPECT_NE(a->hash(), b->hash());
}

TEST(Trace, OrdinalsCountRegions) {
  auto outer = std::make_shared<Trace>();
  const ValueId x = outer->add_input({DType::F32, Shape{4}});
  outer->record(OpKind::Grad, {x}, {std::vector<std::int64_t>{0}, std::int64_t(1), std::string("None")}, {}, 0,
                {square_sum("x", 2)});
  EXPECT_EQ(outer->num_ordinals(), 4u);
  EXPECT_EQ(outer->records()[0].numResults, 2u);
}

TEST(Trace, BadOperandsAreRefusedWithTheOpsName) {
  Trace trace;
  const ValueId a = trace.add_input({DType::F32, Shape{4}}), b = trace.add_input({DType::F32, Shape{5}});
  try {
    trace.record(OpKind::Add, {a, b}, {}, CallSite("model.cpp", 12));
    FAIL();
  } catch (const ShapeError &error) {
    EXPECT_EQ(error.message().substr(0, 5), "[add]");
    EXPECT_EQ(error.where(), SourceLocation("model.cpp", 12));
  }
  EXPECT_TRUE(trace.records().empty());
}

} // namespace
} // namespace ingot
