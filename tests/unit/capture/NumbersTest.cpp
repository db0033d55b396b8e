// Lists of numbers are braces, vectors or shapes, in any mix.
#include "Values.h"

namespace ingot {
namespace {

using Ints = std::vector<int>;
using Longs = std::vector<std::int64_t>;

TEST(Numbers, OfSlices) {
  const Tensor x = ref({1, 2, 3, 4, 5, 6}, {2, 3});
  const Shape zeros{0, 0}, stops{2, 2}, steps{1, 2};
  const std::vector<float> whole = x.to_vector<float>(), left{1, 2, 4, 5}, first{1, 4};
  EXPECT_EQ(slice(x, {0, 0}, x.shape()).to_vector<float>(), whole);
  EXPECT_EQ(slice(x, zeros, x.shape()).to_vector<float>(), whole);
  EXPECT_EQ(slice(x, Ints{0, 0}, x.shape()).to_vector<float>(), whole);
  EXPECT_EQ(slice(x, Longs{0, 0}, {x.shape()[0], x.shape()[1]}).to_vector<float>(), whole);
  EXPECT_EQ(slice(x, {0, 0}, {2, 2}).to_vector<float>(), left);
  EXPECT_EQ(slice(x, {0, 0}, Ints{2, 2}).to_vector<float>(), left);
  EXPECT_EQ(slice(x, {0, 0}, Longs{2, 2}).to_vector<float>(), left);
  EXPECT_EQ(slice(x, zeros, stops).to_vector<float>(), left);
  EXPECT_EQ(slice(x, zeros, Ints{2, 2}).to_vector<float>(), left);
  EXPECT_EQ(slice(x, zeros, {2, 2}, {1, 2}).to_vector<float>(), first);
  EXPECT_EQ(slice(x, {0, 0}, stops, steps).to_vector<float>(), first);
  EXPECT_EQ(slice(x, Longs{0, 0}, {2, 2}, Ints{1, 2}).to_vector<float>(), first);
  EXPECT_EQ(slice(x, {0, 0}, x.shape(), {}).to_vector<float>(), whole);
  EXPECT_EQ(slice(ref({1, 2, 3}, {3}), {1}, {3}).to_vector<float>(), (std::vector<float>{2, 3}));
  EXPECT_EQ(slice(ref({7}, {}), {}, {}).item<float>(), 7);
}

TEST(Numbers, OfPads) {
  const Tensor x = ref({1, 2}, {2});
  const Shape one{1};
  const std::vector<float> want{9, 1, 2, 9};
  EXPECT_EQ(pad(x, {1}, {1}, 9).to_vector<float>(), want);
  EXPECT_EQ(pad(x, {1}, one, 9).to_vector<float>(), want);
  EXPECT_EQ(pad(x, one, {1}, 9).to_vector<float>(), want);
  EXPECT_EQ(pad(x, Ints{1}, one, 9.0).to_vector<float>(), want);
  EXPECT_EQ(pad(x, one, Longs{1}, 9.0f).to_vector<float>(), want);
  EXPECT_EQ(pad(x, {0}, x.shape()).to_vector<float>(), (std::vector<float>{1, 2, 0, 0}));
}

TEST(Numbers, OfSizesAndPermutations) {
  const Tensor x = ref({1, 2, 3, 4, 5, 6}, {2, 3});
  const Shape swap{1, 0};
  for (const Tensor &t : {transpose(x), transpose(x, {}), transpose(x, {1, 0}), transpose(x, swap),
                          transpose(x, Ints{1, 0}), transpose(x, Longs{-1, -2})})
    EXPECT_EQ(floats(t, {3, 2}), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  const Shape six{6};
  for (const Tensor &t :
       {reshape(x, {6}), reshape(x, {-1}), reshape(x, six), reshape(x, Ints{6}), reshape(x, Longs{6})})
    EXPECT_EQ(t.shape(), six);
  const Shape wide{4, 2, 3};
  for (const Tensor &t : {broadcast_to(x, {4, 2, 3}), broadcast_to(x, wide), broadcast_to(x, Ints{4, 2, 3}),
                          broadcast_to(x, Longs{4, 2, 3})})
    EXPECT_EQ(t.shape(), wide);
  for (const Tensor &t : {Tensor::zeros({2, 3}), Tensor::zeros(x.shape()), Tensor::zeros(Ints{2, 3})})
    EXPECT_EQ(t.shape(), x.shape());
}

TEST(Numbers, OfAxes) {
  const Tensor x = ref({1, 2, 3, 4, 5, 6}, {1, 2, 3});
  const Shape last{1, 2};
  for (const Tensor &t :
       {sum(x, {1, 2}), sum(x, {-1, -2}), sum(x, last), sum(x, Ints{1, 2}), sum(x, Longs{2, 1}), sum(sum(x, 2), {1})})
    EXPECT_EQ(floats(t, {1}), (std::vector<float>{21}));
  for (const Tensor &t : {squeeze(x), squeeze(x, 0), squeeze(x, {0}), squeeze(x, Shape{0}), squeeze(x, Ints{0})})
    EXPECT_EQ(t.shape(), (Shape{2, 3}));
  for (const Tensor &t : {flip(x, 2), flip(x, {2}), flip(x, Shape{2}), flip(x, Longs{-1})})
    EXPECT_EQ(t.to_vector<float>(), (std::vector<float>{3, 2, 1, 6, 5, 4}));
}

TEST(Numbers, AWrongCountIsRefused) {
  const Tensor x = ref({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_FALSE(message_of<ShapeError>([&] { slice(x, {0}, x.shape()); }).empty());
  EXPECT_FALSE(message_of<ShapeError>([&] { slice(x, {0, 0}, x.shape(), {1}); }).empty());
  EXPECT_FALSE(message_of<ShapeError>([&] { pad(x, {0, 0}, Shape{1}); }).empty());
  EXPECT_FALSE(message_of<ShapeError>([&] { transpose(x, Shape{0}); }).empty());
}

} // namespace
} // namespace ingot
