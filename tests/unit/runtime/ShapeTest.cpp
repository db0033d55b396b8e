#include "ingot/runtime/Shape.h"

#include <gtest/gtest.h>

#include <sstream>

namespace ingot {
namespace {

template <class F> std::string message_of(F &&f) {
  try {
    f();
  } catch (const ShapeError &error) {
    return error.message();
  }
  return "no ShapeError";
}

TEST(Shape, PrintsLikeMlir) {
  EXPECT_EQ(Shape({3, 4}).str(), "3x4");
  EXPECT_EQ(Shape({kDynamic, 4}).str(), "?x4");
  EXPECT_EQ(Shape().str(), "scalar");
  EXPECT_EQ((TensorType{DType::F32, {3, 4}}).str(), "3x4xf32");
  EXPECT_EQ((TensorType{DType::Bool, {}}).str(), "bool");
  std::ostringstream out;
  out << Shape{2, -3} << ' ' << TensorType{DType::I64, {7}};
  EXPECT_EQ(out.str(), "2x-3 7xi64");
}

TEST(Shape, ComesFromListsVectorsAndSpans) {
  const std::vector<std::int64_t> wide{2, 3};
  const std::vector<int> narrow{2, 3};
  const std::int64_t array[] = {2, 3};
  EXPECT_EQ(Shape(wide), Shape({2, 3}));
  EXPECT_EQ(Shape(narrow), Shape({2, 3}));
  EXPECT_EQ(Shape(std::span<const std::int64_t>(array)), Shape({2, 3}));
  EXPECT_EQ(Shape::filled(3, 1), Shape({1, 1, 1}));
  EXPECT_EQ(Shape({}), Shape());
  EXPECT_EQ(Shape({5}).rank(), 1);
  EXPECT_EQ(Shape(wide).vec(), wide);
}

/// Every edit against the same edit of a vector, across the border between inline and heap dimensions.
TEST(Shape, EditsLikeAVectorOfAnyRank) {
  for (std::size_t rank = 0; rank <= 10; ++rank)
    for (std::size_t at = 0; at <= rank; ++at) {
      Shape shape;
      std::vector<std::int64_t> expected;
      for (std::size_t i = 0; i < rank; ++i) {
        shape.push_back(static_cast<std::int64_t>(i) + 10);
        expected.push_back(static_cast<std::int64_t>(i) + 10);
      }
      Shape inserted = shape;
      inserted.insert(static_cast<std::int64_t>(at), 99);
      std::vector<std::int64_t> longer = expected;
      longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(at), 99);
      ASSERT_EQ(inserted.vec(), longer);
      inserted.erase(static_cast<std::int64_t>(at));
      ASSERT_EQ(inserted, shape);
      ASSERT_EQ(inserted.vec(), expected);
    }
}

TEST(Shape, CopiesAndMovesKeepTheDimensions) {
  for (std::size_t rank : {0u, 3u, 6u, 7u, 12u}) {
    const Shape original = Shape::filled(rank, 4);
    Shape copy = original;
    EXPECT_EQ(copy, original);
    Shape moved = std::move(copy);
    EXPECT_EQ(moved, original);
    Shape assigned{1, 2, 3, 4, 5, 6, 7, 8};
    assigned = std::move(moved);
    EXPECT_EQ(assigned, original);
    Shape again{9};
    again = assigned;
    EXPECT_EQ(again, original);
    if (rank > 0) {
      again[0] = 5;
      EXPECT_NE(again, assigned);
    }
  }
}

TEST(Shape, AMovedFromShapeIsUsable) {
  Shape from = Shape::filled(9, 2);
  Shape to = std::move(from);
  EXPECT_EQ(from.rank(), 0);
  from.push_back(3);
  EXPECT_EQ(from, Shape({3}));
}

TEST(Shape, CountsElements) {
  EXPECT_EQ(Shape().num_elements(), 1);
  EXPECT_EQ(Shape({3, 4}).num_elements(), 12);
  EXPECT_EQ(Shape({3, 0}).num_elements(), 0);
  const std::int64_t large = std::int64_t(1) << 40;
  EXPECT_EQ(Shape({large, large, 0}).num_elements(), 0);
  EXPECT_EQ((TensorType{DType::F64, {3}}).bytes(), 24u);
}

TEST(Shape, NamesWhatCannotBeCounted) {
  const std::int64_t large = std::int64_t(1) << 40;
  EXPECT_EQ(message_of([] { Shape({2, -3}).num_elements(); }), "shape 2x-3 has a negative dimension: -3");
  EXPECT_EQ(message_of([] { Shape({2, kDynamic}).num_elements(); }),
            "shape 2x? has a dimension that is known only at run time");
  EXPECT_EQ(message_of([=] { Shape({large, large}).num_elements(); }),
            "shape 1099511627776x1099511627776 has more than 2^63 - 1 elements");
  EXPECT_NE(message_of([=] { (TensorType{DType::F64, {large, 1 << 22}}).bytes(); }), "no ShapeError");
}

TEST(Shape, StridesAreRowMajor) {
  EXPECT_EQ(Shape({2, 3, 4}).row_major_strides(), (std::vector<std::int64_t>{12, 4, 1}));
  EXPECT_EQ(Shape().row_major_strides(), std::vector<std::int64_t>());
  EXPECT_EQ(Shape({kDynamic, 4}).row_major_strides(), (std::vector<std::int64_t>{4, 1}));
  EXPECT_EQ(Shape({2, kDynamic, 4}).row_major_strides(), (std::vector<std::int64_t>{kDynamic, 4, 1}));
  EXPECT_FALSE(Shape({2, kDynamic}).is_static());
}

TEST(Axes, ComeFromOneOrMany) {
  const auto vec = [](const Axes &axes) { return axes.vec(); };
  EXPECT_EQ(vec(1), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(vec({0, -1}), (std::vector<std::int64_t>{0, -1}));
  EXPECT_EQ(vec(std::vector<int>{2}), (std::vector<std::int64_t>{2}));
  EXPECT_TRUE(Axes().all());
  EXPECT_EQ(Axes({0, -1}).str(), "[0, -1]");
}

TEST(Axes, ResolveToSortedPositions) {
  EXPECT_EQ(Axes({-1, 0}).resolve(3), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(Axes().resolve(3), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(Axes().resolve(0), std::vector<std::int64_t>());
  EXPECT_EQ(message_of([] { Axes(3).resolve(3); }), "axis 3 is out of range for a tensor of rank 3");
  EXPECT_EQ(message_of([] { Axes(-4).resolve(3); }), "axis -4 is out of range for a tensor of rank 3");
  EXPECT_EQ(message_of([] { Axes({1, -2}).resolve(3); }), "axis -2 is named twice in [1, -2]");
}

} // namespace
} // namespace ingot
