// An index outside its axis: the function that the user called, the index, its position, the size of the axis, and the
// line, on every way to a result.
#include "Expect.h"

#include "ingot/capture/Aot.h"

namespace ingot {
namespace {

/// The scores of three classes for each index.
struct Case {
  std::string name;
  std::function<Tensor(Tensor, Tensor)> f;
  std::int64_t bad = 7, position = 1;
};

std::vector<Case> cases() {
  auto lookup = CustomOp::expression("lookup", [](Tensor x, Tensor i) { return take(x, i, 1); });
  return {
      {"take", [](Tensor x, Tensor i) { return take(x, i, 1); }},
      {"take_along_axis", [](Tensor x, Tensor i) { return take_along_axis(x, reshape(i, {2, 1}), 1); }},
      {"one_hot", [](Tensor x, Tensor i) { return one_hot(i, 3) * exp(x); }, -4},
      {"one_hot", [](Tensor x, Tensor i) { return where(one_hot(i, 3, DType::Bool), x, 0); }, 3},
      {"cross_entropy", [](Tensor x, Tensor i) { return cross_entropy(x, i); }},
      {"lookup", [lookup](Tensor x, Tensor i) { return lookup(x, i)[0]; }},
      {"take",
       [](Tensor x, Tensor i) {
         NameScope model("model"), layer("layer");
         return take(exp(x), i, 1);
       }},
  };
}

Tensor scores(const Device &device) { return Tensor::from<float>({1, 2, 3, 4, 5, 6}, {2, 3}, device); }
Tensor indices(const Case &c, const Device &device) { return Tensor::from<std::int64_t>({2, c.bad}, {2}, device); }

std::string text(const Case &c) {
  return "[" + c.name + "] index " + std::to_string(c.bad) + " at position " + std::to_string(c.position) +
         " is outside an axis of size 3";
}

template <class F> void expect_text(const Case &c, const char *how, F &&f) {
  try {
    f();
    ADD_FAILURE() << how << ": " << c.name << " takes index " << c.bad;
  } catch (const IndexError &error) {
    EXPECT_EQ(error.message(), text(c)) << how;
  }
}

Graph captured(const Case &c) {
  return capture([&](Tensor x, Tensor i) { return c.f(x, i); }, {spec(DType::F32, {2, 3}), spec(DType::I64, {2})});
}

TEST(IndexErrors, NameWhatTheUserCalled) {
  for (const Case &c : cases()) {
    const Graph graph = captured(c);
    expect_text(c, "reference", [&] { return c.f(scores(Device::reference()), indices(c, Device::reference())); });
    expect_text(c, "lazy", [&] { return c.f(scores({}), indices(c, {})).to_vector<float>(); });
    expect_text(c, "compiled", [&] { return compile(graph)(scores({}), indices(c, {})); });
    expect_text(c, "inlined", [&] { return graph(scores({}), indices(c, {}))[0].to_vector<float>(); });
    expect_text(c, "inlined by the reference",
                [&] { return graph(scores(Device::reference()), indices(c, Device::reference())); });
    const std::string path = testing::TempDir() + "ingot-index-errors.mlir";
    graph.save(path);
    expect_text(c, "saved", [&] { return compile(Graph::load(path))(scores({}), indices(c, {})); });
  }
}

TEST(IndexErrors, NameItInWhatIsDerived) {
  for (const Case &c : cases()) {
    const Graph graph = grad(capture([&](Tensor x, Tensor i) { return sum(c.f(x, i) * 2.0); },
                                     {spec(DType::F32, {2, 3}), spec(DType::I64, {2})}),
                             {0});
    expect_text(c, "gradient", [&] { return compile(graph)(scores({}), indices(c, {})); });
    expect_text(c, "gradient on the reference",
                [&] { return graph(scores(Device::reference()), indices(c, Device::reference())); });
  }
}

TEST(IndexErrors, NameItAheadOfTime) {
  for (const Case &c : cases()) {
    const std::string header = aot::compile(captured(c), {.name = "scores"}).header();
    EXPECT_NE(header.find("\"[" + c.name + "] an index is outside its axis\""), std::string::npos) << header;
  }
}

/// Equal programs share code, and loops share what they record, but no names and lines.
TEST(IndexErrors, TellTheLineOfWhoAsked) {
  auto ours = CustomOp::expression("ours", [](Tensor x, Tensor i) { return take(x, i, 1); });
  const Tensor x = scores({}), good = Tensor::from<std::int64_t>({2, -3}, {2}), bad = indices({}, {});
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(take(x, good, 1).to_vector<float>(), (std::vector<float>{3, 1, 6, 4}));
    EXPECT_ERROR(IndexError, [&] { take(x, bad, 1).to_vector<float>(); }, text({"take", {}}));
    EXPECT_ERROR(IndexError, [&] { take(x, bad, 1).to_vector<float>(); }, text({"take", {}}));
    expect_text({"ours", {}}, "after an equal one", [&] { ours(x, bad)[0].to_vector<float>(); });
    EXPECT_EQ(ours(x, good)[0].to_vector<float>(), (std::vector<float>{3, 1, 6, 4}));
  }
}

TEST(IndexErrors, NeedAnIndexThatIsUsed) {
  const Tensor nothing = Tensor::zeros({0}, DType::I64);
  EXPECT_EQ(take(Tensor::zeros({2, 0}), nothing, 1).shape(), (Shape{2, 0}));
  EXPECT_EQ(one_hot(nothing, 0).shape(), (Shape{0, 0}));
  EXPECT_EQ(one_hot(nothing, 0).to_vector<float>(), std::vector<float>());
  EXPECT_EQ(take(Tensor::zeros({0, 3}), Tensor::from<std::int64_t>({9}, {1}), 1).to_vector<float>(),
            std::vector<float>()); // no element is read
  const Tensor one = Tensor::zeros({1}, DType::I64);
  EXPECT_ERROR(
      ShapeError, [&] { take(Tensor::zeros({2, 0}), one, 1); },
      "[take] axis 1 of 2x0 is empty, so no index can be inside it");
  EXPECT_ERROR(ShapeError, [&] { one_hot(one, 0); }, "[one_hot] axis 1 of 1x0 is empty, so no index can be inside it");
}

} // namespace
} // namespace ingot
