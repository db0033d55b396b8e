// Custom ops: routes, records, the registry.
#include "Contract.h"

#include "ingot/capture/Trace.h"

namespace ingot {
namespace {

using contract::Row;
using Specs = std::vector<TensorSpec>;
using Tensors = std::vector<Tensor>;

/// Gives its first input as f32 plus `shift`, and how many elements it has.
CustomOp shifted(const char *name, float shift) {
  return CustomOp::native(
      name, [](const Specs &in) { return Specs{spec(DType::F32, in[0].shape), spec(DType::I64, {})}; },
      [shift](const std::vector<ConstBuffer> &in, const std::vector<MutableBuffer> &out) {
        visit_dtype(in[0].dtype, [&]<class T>() {
          for (std::int64_t i = 0; i < in[0].num_elements; ++i)
            out[0].as<float>()[i] = static_cast<float>(in[0].as<T>()[i]) + shift;
        });
        *out[1].as<std::int64_t>() = in[0].num_elements;
      });
}
CustomOp differentiable() {
  return shifted("shifted", 1).with_gradient([](const Tensors &in, const Tensors &, const Tensors &gradients) {
    Tensors all(in.size());
    if (is_float(in[0].dtype()))
      all[0] = gradients[0];
    return all;
  });
}
Tensor floats(const Device &device = Device::cpu()) { return Tensor::from<float>({1, 2}, {2}, device); }
Tensor integers(const Device &device = Device::cpu()) { return Tensor::from<std::int64_t>({1, 2}, {2}, device); }
const std::vector<float> kShifted{2, 3};

SCENARIO(custom_unregistered) {
  const Graph graph = Graph::parse(R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = ingot.custom_call "unheard_of"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  })");
  EXPECT_REFUSAL([&] { graph(floats()); }, {{"id", "unheard_of"}});
  EXPECT_REFUSAL([&] { graph(floats(Device::reference())); }, {{"id", "unheard_of"}});
  try {
    compile(graph);
    ADD_FAILURE() << "it was compiled";
  } catch (const DispatchError &error) {
    EXPECT_NE(error.message().find("No custom-op handler registered for `unheard_of`"), std::string::npos);
  }
}

SCENARIO(custom_without_input) {
  const CustomOp op = differentiable(), cube = CustomOp::expression("cube", [](Tensor x) { return x * x * x; });
  EXPECT_REFUSAL([&] { op(); });
  EXPECT_REFUSAL([&] { op(1.5, true); });
  EXPECT_REFUSAL([&] { op(Tensors{}); });
  EXPECT_REFUSAL([&] { op(std::tuple<>()); });
  EXPECT_REFUSAL([&] { cube(); });
}

SCENARIO(custom_on_other_backend) {
  const CustomOp op = differentiable().on({Backend::Reference});
  EXPECT_EQ(op(floats(Device::reference()))[0].to_vector<float>(), kShifted);
  EXPECT_REFUSAL([&] { op(floats()); }, {{"op", "shifted"}});
  EXPECT_REFUSAL([&] { op(floats(Device::cpu().autodiff())); }, {{"op", "shifted"}});
  capture(
      [&](Tensor x) {
        EXPECT_REFUSAL([&] { op(x); }, {{"op", "shifted"}});
        return x;
      },
      {spec(DType::F32, {2})});
}

SCENARIO(custom_without_gradient) {
  const CustomOp op = shifted("plain", 0);
  for (Checkpointing strategy : {Checkpointing::None, Checkpointing::Balanced}) {
    const Device device = Device::cpu().autodiff(strategy);
    EXPECT_REFUSAL([&] { op(floats(device).require_grad()); }, {{"op", "plain"}});
    EXPECT_REFUSAL([&] { op(floats(device)); }, {{"op", "plain"}});
    EXPECT_REFUSAL([&] { op(integers(device)); }, {{"op", "plain"}});
    EXPECT_REFUSAL([&] { op(floats(), floats(device)); }, {{"op", "plain"}});
    EXPECT_EQ(op(floats(device).inner())[0].to_vector<float>(), (std::vector<float>{1, 2}));
  }
}

SCENARIO(custom_struct_on_other_backend) {
  const CustomOp op = differentiable();
  EXPECT_REFUSAL([&] { op(floats(), std::pair(floats(), floats(Device::reference()))); });
  EXPECT_REFUSAL([&] { op(std::tuple(floats(), integers(Device::reference()))); });
}

SCENARIO(custom_input_on_other_backend) {
  const CustomOp op = differentiable();
  EXPECT_REFUSAL([&] { op(floats(), floats(Device::reference())); }, {{"name", "1"}});
  EXPECT_REFUSAL([&] { op(floats(), floats(), integers(Device::reference())); }, {{"name", "2"}});
  EXPECT_REFUSAL([&] { op(floats(Device::reference().autodiff()), floats()); }, {{"name", "1"}});
}

SCENARIO(custom_concrete) {
  for (const Device &device : {Device::cpu(), Device::reference()}) {
    Tensors r = differentiable()(floats(device), integers(device));
    ASSERT_EQ(r.size(), 2u);
    for (const Tensor &t : r) {
      EXPECT_EQ(t.device(), device);
      EXPECT_FALSE(t.is_autodiff());
    }
    EXPECT_EQ(r[0].to_vector<float>(), kShifted);
    EXPECT_EQ(r[1].item<std::int64_t>(), 2);
  }
}

SCENARIO(custom_association) {
  for (Checkpointing strategy : {Checkpointing::None, Checkpointing::Balanced}) {
    Tensors r = differentiable()(integers(Device::cpu().autodiff(strategy)));
    for (const Tensor &t : r) {
      EXPECT_EQ(t.gradient_checkpointing_strategy(), strategy);
      EXPECT_FALSE(t.is_tracked());
    }
    Tensor w = floats(Device::cpu().autodiff(strategy)).require_grad();
    EXPECT_EQ(sum(w * r[0]).backward().of(w)->to_vector<float>(), kShifted) << "what is made of it joins the graph";
  }
}

SCENARIO(custom_autodiff) {
  for (Checkpointing strategy : {Checkpointing::None, Checkpointing::Balanced}) {
    Tensor x = floats(Device::cpu().autodiff(strategy)).require_grad();
    Tensors r = differentiable()(x, floats());
    EXPECT_TRUE(r[0].is_tracked());
    EXPECT_TRUE(r[1].is_autodiff());
    EXPECT_FALSE(r[1].is_tracked());
    EXPECT_EQ(r[1].gradient_checkpointing_strategy(), strategy);
    EXPECT_EQ(sum(r[0] * floats()).backward().of(x)->to_vector<float>(), (std::vector<float>{1, 2}));
    EXPECT_FALSE(differentiable()(floats(Device::cpu().autodiff(strategy)))[0].is_tracked());
  }
}

SCENARIO(custom_captured) {
  const CustomOp op = differentiable();
  const Device device = Device::capture();
  Graph scoped = device.capture_scope([&](CaptureScope scope) {
    Tensor x = floats(device), y = op(x)[0];
    EXPECT_EQ(y.device(), device);
    EXPECT_THROW(y.to_vector<float>(), CaptureError);
    return scope.complete({x.id()}, {y.id()});
  });
  Graph plain = capture([&](Tensor x) { return op(x, floats())[0]; }, {spec(DType::F32, {2})});
  for (const Graph &graph : {scoped, plain}) {
    EXPECT_NE(graph.str().find("ingot.custom_call \"shifted\""), std::string::npos);
    EXPECT_EQ(compile(graph)(floats())[0].to_vector<float>(), kShifted);
  }
}

SCENARIO(custom_routed_by_float) {
  const CustomOp op = differentiable();
  // The first float, whatever stands before it.
  EXPECT_REFUSAL([&] { op(integers(Device::reference()), floats()); }, {{"name", "0"}});
  EXPECT_REFUSAL([&] { op(integers(), integers(), floats(Device::reference())); }, {{"name", "0"}});
  EXPECT_REFUSAL([&] { op(integers(), integers(Device::reference())); }, {{"name", "1"}});
}

SCENARIO(custom_gives_up_handles) {
  const Device device = Device::capture();
  auto record = [&](bool last) {
    device.capture_scope([&](CaptureScope scope) {
      Tensor x = floats(device), y = exp(x);
      const TensorId used = y.id();
      Tensor z = differentiable()(last ? std::move(y) : y)[0];
      return scope.complete({x.id()}, {used, z.id()});
    });
  };
  record(false);
  EXPECT_THROW(record(true), CaptureError);
}

SCENARIO(custom_scalars_by_value) {
  const CustomOp op = shifted("by_value", 1), other = shifted("by_value_too", 1);
  auto hash = [](const CustomOp &op, auto... scalars) {
    return capture([&](Tensor x) { return op(x, scalars...)[0]; }, {spec(DType::F32, {2})}).hash();
  };
  EXPECT_EQ(hash(op, 1.5, 2, 3u, true), hash(op, 1.5, 2, 3u, true));
  EXPECT_EQ(hash(op, 1.5f), hash(op, 1.5));
  EXPECT_NE(hash(op, 1.5), hash(op, 2.5));
  EXPECT_NE(hash(op, 0.0), hash(op, -0.0));
  EXPECT_NE(hash(op, 1), hash(op, 1u));
  EXPECT_NE(hash(op, 1), hash(op, 1.0));
  EXPECT_NE(hash(op, true), hash(op, 1));
  EXPECT_NE(hash(op, 1, 2), hash(op, 2, 1));
  EXPECT_NE(hash(op, 1), hash(other, 1));
}

SCENARIO(custom_last_registration) {
  const CustomOp first = shifted("registered", 1);
  const std::string text = capture([&](Tensor x) { return first(x)[0]; }, {spec(DType::F32, {2})}).str();
  EXPECT_EQ(compile(Graph::parse(text))(floats())[0].to_vector<float>(), kShifted);
  const CustomOp last = shifted("registered", 2);
  EXPECT_EQ(compile(Graph::parse(text))(floats())[0].to_vector<float>(), (std::vector<float>{3, 4}));
  EXPECT_EQ(first(floats())[0].to_vector<float>(), kShifted) << "an op that exists keeps its kernel";
}

} // namespace
} // namespace ingot
