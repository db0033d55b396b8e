// The requirement machine, roots of backward(), and what the tape keeps.
#include "Contract.h"

#include "ingot/capture/Recorder.h"

namespace ingot {
namespace {

const Device kDevice = Device::cpu().autodiff();

/// A tensor in the state that the row's id ends with: none, grad or in-backward.
Tensor in_state(const contract::Row &row) {
  Tensor t = Tensor::from<float>({1, 2}, {2}, kDevice);
  if (row.id.ends_with("/grad"))
    return t.require_grad();
  if (row.id.ends_with("/in-backward"))
    return t.require_grad() * 1.0;
  return t;
}
bool is_leaf(const contract::Row &row) { return row.id.ends_with("/grad"); }
std::vector<float> values(const std::optional<Tensor> &t) { return t ? t->to_vector<float>() : std::vector<float>(); }

SCENARIO(requirement_input) {
  const Tensor t = in_state(row), y = t * 3.0;
  EXPECT_EQ(y.is_tracked(), t.is_tracked());
  EXPECT_FALSE(y.is_require_grad());
  EXPECT_TRUE(y.is_autodiff());
}

SCENARIO(requirement_require) {
  const Tensor t = in_state(row);
  if (!row.text.empty()) {
    EXPECT_REFUSAL([&] { t.require_grad(); });
    return;
  }
  const Tensor w = t.require_grad();
  EXPECT_EQ(w.id(), t.id());
  EXPECT_TRUE(w.is_require_grad() && t.is_require_grad());
  Gradients gradients = (w * 3.0).backward();
  EXPECT_EQ(values(gradients.of(t)), (std::vector<float>{3, 3}));
  // An untracked result is a leaf like any other.
  Tensor result = Tensor::ones({2}, kDevice) * 2.0;
  result.require_grad();
  EXPECT_EQ(values((result * result).backward().of(result)), (std::vector<float>{4, 4}));
}

SCENARIO(requirement_require_not) {
  const Tensor t = in_state(row), u = t.require_grad(false);
  EXPECT_NE(u.id(), t.id());
  EXPECT_TRUE(u.is_autodiff() && !u.is_tracked());
  EXPECT_EQ(u.inner().to_vector<float>(), (std::vector<float>{1, 2}));
  EXPECT_EQ(t.is_require_grad(), is_leaf(row));
}

SCENARIO(requirement_detach) {
  const Tensor t = in_state(row), d = t.detach();
  EXPECT_NE(d.id(), t.id());
  EXPECT_EQ(d.is_require_grad(), is_leaf(row));
  EXPECT_EQ(d.is_tracked(), is_leaf(row));
  EXPECT_EQ(d.inner().to_vector<float>(), (std::vector<float>{1, 2}));
}

SCENARIO(requirement_copy) {
  const Tensor t = in_state(row), copy = t;
  EXPECT_EQ(copy.id(), t.id());
  Tensor w = Tensor::ones({2}, kDevice).require_grad();
  Gradients gradients = (w * t + copy * copy).backward();
  EXPECT_EQ(values(gradients.of(t)), values(gradients.of(copy)));
  EXPECT_EQ(values(gradients.of(copy)).empty(), !is_leaf(row));
  EXPECT_EQ(values(gradients.of(w)), (std::vector<float>{1, 2}));
}

SCENARIO(requirement_grad) {
  const Tensor t = in_state(row);
  Tensor w = Tensor::ones({2}, kDevice).require_grad();
  Gradients gradients = (w * t + w * t).backward();
  EXPECT_EQ(values(gradients.of(t)), is_leaf(row) ? (std::vector<float>{2, 2}) : std::vector<float>());
}

SCENARIO(requirement_of_result) {
  const Tensor none = Tensor::ones({2}, kDevice), plain = Tensor::ones({2});
  Tensor w = Tensor::ones({2}, kDevice).require_grad();
  for (const Tensor &t : {none + none, none * plain, concat({none, plain}, 0), where(gt(w, 0), none, none)})
    EXPECT_FALSE(t.is_tracked());
  for (const Tensor &t : {none + w, w * plain, concat({none, plain, w}, 0), where(gt(none, 0), none, w)})
    EXPECT_TRUE(t.is_tracked() && !t.is_require_grad());
}

SCENARIO(root_is_leaf) {
  Tensor w = Tensor::full({2, 2}, 5.0, kDevice).require_grad();
  for (int i = 0; i < 2; ++i) { // nothing is consumed
    Gradients gradients = w.backward();
    EXPECT_EQ(values(gradients.of(w)), std::vector<float>(4, 1.0f));
    EXPECT_EQ(gradients.size(), 1u);
  }
}

SCENARIO(root_untracked_leaf) {
  const Tensor x = Tensor::ones({2}, kDevice), off = x.require_grad().require_grad(false);
  EXPECT_REFUSAL([&] { off.backward(); });
  EXPECT_REFUSAL([&] { Tensor::ones({2}, kDevice).backward(); });
  EXPECT_REFUSAL([&] { Tensor::ones({2}).autodiff().backward(); });
  EXPECT_REFUSAL([&] { (x * 2.0).detach().backward(); });
}

SCENARIO(root_untracked_result) {
  const Tensor x = Tensor::ones({2}, kDevice);
  EXPECT_REFUSAL([&] { (x * 2.0).backward(); });
  EXPECT_REFUSAL([&] { concat({x, x}, 0).backward(); });
  EXPECT_REFUSAL([&] { Tensor::ones({2}, DType::I64, kDevice).to(DType::F32).backward(); });
}

SCENARIO(used_twice) {
  Tensor w = Tensor::from<float>({1, 2}, {2}, kDevice).require_grad();
  EXPECT_EQ(values((w + w).backward().of(w)), (std::vector<float>{2, 2}));
  EXPECT_EQ(values((w * w + w).backward().of(w)), (std::vector<float>{3, 5}));
}

SCENARIO(detached_leaf) {
  Tensor w = Tensor::from<float>({1, 2}, {2}, kDevice).require_grad(), d = w.detach();
  Gradients only = (d * 3.0).backward();
  EXPECT_TRUE(values(only.of(w)).empty());
  EXPECT_EQ(values(only.of(d)), (std::vector<float>{3, 3}));
  Gradients both = (w * d).backward();
  EXPECT_EQ(values(both.of(w)), (std::vector<float>{1, 2}));
  EXPECT_EQ(both.size(), 2u);
}

// Errors of the engine ------------------------------------------------------------------------------------------

SCENARIO(no_step) {
  EXPECT_REFUSAL([&] { Tensor::ones({2}, kDevice).backward(); });
  EXPECT_REFUSAL([&] { exp(Tensor::ones({2}, kDevice)).backward(); });
  for (const Device &device : {kDevice, Device::reference().autodiff(Checkpointing::Balanced)}) {
    Tensor w = Tensor::ones({2}, device).require_grad(), h = w * 2.0, a = sum(h), b = sum(h * h);
    a.backward();
    EXPECT_REFUSAL([&] { a.backward(); });
    EXPECT_REFUSAL([&] { b.backward(); });
    EXPECT_REFUSAL([&] { h.backward(); });
    EXPECT_EQ(values((w * 2.0).backward().of(w)), (std::vector<float>{2, 2})); // built again
  }
}

SCENARIO(not_a_leaf) {
  Tensor w = Tensor::ones({2}, kDevice).require_grad(), y = w * 2.0;
  EXPECT_REFUSAL([&] { y.require_grad(); });
  EXPECT_TRUE(y.detach().require_grad().is_require_grad());
}

// The tape's memory ---------------------------------------------------------------------------------------------

/// leaf -> a chain of three products.
struct Tree {
  Tensor leaf = Tensor::from<float>({1, 2}, {2}, kDevice).require_grad(), low = leaf * 2.0, middle = low * 3.0,
         root = middle * middle;
};
const std::vector<float> kTreeGradient{72, 144};

SCENARIO(memory_independent_trees) {
  Tree a, b;
  EXPECT_EQ(values(b.root.backward().of(b.leaf)), kTreeGradient);
  EXPECT_EQ(values(a.root.backward().of(a.leaf)), kTreeGradient);
}

SCENARIO(memory_shared_subtree) {
  Tree tree;
  Tensor other = tree.low * 5.0, own = Tensor::ones({2}, kDevice).require_grad() * other;
  tree.root.backward();
  EXPECT_REFUSAL([&] { other.backward(); });
  EXPECT_REFUSAL([&] { own.backward(); });
}

SCENARIO(memory_cousin) {
  // Both roots stand on the leaf; what one consumes is no ancestor of the other.
  Tree tree;
  Tensor cousin = tree.leaf * tree.leaf, second = cousin * 3.0;
  tree.root.backward();
  EXPECT_EQ(values(second.backward().of(tree.leaf)), (std::vector<float>{6, 12}));
}

SCENARIO(memory_self_reference) {
  Tensor w = Tensor::from<float>({1, 2}, {2}, kDevice).require_grad(), y = w * w, z = y * y + y;
  EXPECT_EQ(values(z.backward().of(w)), (std::vector<float>{6, 36}));
}

SCENARIO(memory_descendants) {
  Tree tree;
  Tensor before = tree.root * 2.0, above = before * 2.0;
  tree.root.backward();
  Tensor after = tree.root * 2.0, mixed = after + tree.leaf;
  for (const Tensor &t : {before, above, after, mixed, tree.middle, tree.low})
    EXPECT_REFUSAL([&] { t.backward(); });
  EXPECT_EQ(values(above.inner()), (std::vector<float>{144, 576})); // values stay
}

SCENARIO(memory_unrelated) {
  Tree needed;
  Tensor untracked = Tensor::ones({2}, kDevice) * 2.0, product;
  {
    Tensor inner = needed.middle * untracked; // only the tape knows it from here on
    product = inner * inner;
  }
  for (int i = 0; i < 3; ++i)
    Tree().root.backward();
  EXPECT_EQ(values(product.backward().of(needed.leaf)), (std::vector<float>{288, 576}));
  EXPECT_EQ(values(untracked.inner()), (std::vector<float>{2, 2}));
}

SCENARIO(memory_freed) {
  Tensor w = Tensor::from<float>({1, 2}, {2}, kDevice).require_grad(), root;
  std::shared_ptr<const Buffer> kept; // held here, so that no result takes its memory
  {
    Tensor factor = Tensor::from<float>({3, 4}, {2});
    kept = factor.state()->data;
    root = w * factor;
  }
  EXPECT_GT(kept.use_count(), 1); // the backward needs it
  Gradients gradients = root.backward();
  EXPECT_EQ(values(gradients.of(w)), (std::vector<float>{3, 4}));
  EXPECT_EQ(values(root.inner()), (std::vector<float>{3, 8}));
  EXPECT_EQ(kept.use_count(), 1);
}

// Higher order --------------------------------------------------------------------------------------------------

SCENARIO(second_order) {
  const Tensor table = Tensor::from<float>({1, 2, 3, 4, 5, 6}, {3, 2}),
               rows = Tensor::from<std::int64_t>({2, 0, 2}, {3});
  const auto embedding = [&](Tensor t) {
    Tensor x = take(t, rows, 0);
    return sum(x * x * x);
  };
  const auto squared = [&](auto f) {
    return [f](Tensor t) {
      Tensor g = grad(f, {0})(t)[0];
      return sum(g * g);
    };
  };
  // d/dt sum (n 3 t^2)^2 = 36 n^2 t^3 where a row is taken n times.
  Tensor t = table.autodiff().require_grad();
  EXPECT_EQ(values(squared(embedding)(t).backward().of(t)), (std::vector<float>{36, 288, 0, 0, 18000, 31104}));
  EXPECT_EQ(values(grad(squared(embedding), {0})(table)[0]), (std::vector<float>{36, 288, 0, 0, 18000, 31104}));
  // The gradient of sum (x w)^2 by w is 2 x^T x w; the gradient of the sum of its squares is 8 (x^T x)^2 w.
  const Tensor x = Tensor::from<float>({1, 0, 0, 2}, {2, 2}), w = Tensor::from<float>({1, 2}, {2, 1});
  const auto linear = [&](Tensor v) {
    Tensor y = matmul(x, v);
    return sum(y * y);
  };
  EXPECT_EQ(values(grad(squared(linear), {0})(w)[0]), (std::vector<float>{8, 256}));
}

} // namespace
} // namespace ingot
