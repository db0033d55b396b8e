// Moves between devices, by the table of the contract.
#include "Contract.h"

#include "ingot/capture/Dispatch.h"
#include "ingot/capture/Trace.h"

namespace ingot {
namespace {

using dispatch::Class;
using dispatch::Context;

const Device kCpu = Device::cpu(), kReference = Device::reference();
const Device kNone = kCpu.autodiff(), kBalanced = kCpu.autodiff(Checkpointing::Balanced);

CallSite here(Location at = Location::current()) { return at; }
std::vector<Tensor> discrete(const Device &device) {
  return {Tensor::from<std::int64_t>({1, 0}, {2}, device), Tensor::from<bool>({true, false}, {2}, device)};
}
/// The elements as floats, whatever the dtype and device.
std::vector<float> floats(const Tensor &t) { return t.to(DType::F32).to_vector<float>(); }
template <class F> Graph in_scope(const Device &device, F &&f) {
  return device.capture_scope([&](CaptureScope scope) {
    f();
    return scope.complete({}, {});
  });
}

SCENARIO(move_discrete_at_home) {
  for (const Device &from : {kCpu, kNone, kBalanced})
    for (const Tensor &t : discrete(from)) {
      const Tensor moved = t.to(kCpu);
      EXPECT_EQ(moved.gradient_checkpointing_strategy(), from.checkpointing());
      EXPECT_EQ(floats(moved), (std::vector<float>{1, 0}));
    }
}

SCENARIO(move_discrete_away) {
  for (const Device &from : {kCpu, kNone, kBalanced})
    for (const Tensor &t : discrete(from)) {
      const Tensor moved = t.to(kReference);
      EXPECT_EQ(moved.device(), kReference);
      EXPECT_EQ(moved.gradient_checkpointing_strategy(), from.checkpointing());
      EXPECT_EQ(floats(moved), (std::vector<float>{1, 0}));
      EXPECT_EQ(floats(moved.to(kCpu)), (std::vector<float>{1, 0}));
    }
}

SCENARIO(move_failed_read) {
  const Tensor x = Tensor::ones({2, 2}), i = Tensor::from<std::int64_t>({5}, {1});
  const Tensor bad = take(x, i, 0), number = bad.to(DType::I64);
  std::string inner;
  try {
    bad.eval();
  } catch (const IndexError &error) {
    inner = error.what();
  }
  ASSERT_NE(inner.find("index 5"), std::string::npos) << inner;
  EXPECT_REFUSAL([&] { bad.to(kReference); }, {{"error", inner}});
  EXPECT_REFUSAL([&] { number.to(kReference); }, {{"error", inner}});
}

SCENARIO(move_discrete_to_autodiff) {
  for (const Device &from : {kCpu, kNone, kBalanced, kReference, kReference.autodiff()})
    for (const Device &target : {kNone, kBalanced})
      for (const Tensor &t : discrete(from)) {
        const Tensor moved = t.to(target);
        EXPECT_EQ(moved.device(), kCpu);
        EXPECT_EQ(moved.gradient_checkpointing_strategy(), target.checkpointing());
        EXPECT_EQ(floats(moved.inner()), (std::vector<float>{1, 0}));
      }
}

SCENARIO(move_discrete_to_autodiff_capture) {
  const Device device = Device::capture();
  in_scope(device, [&] {
    for (const Device &from : {kCpu, kNone, kReference, device})
      for (const Tensor &t : discrete(from))
        EXPECT_REFUSAL([&] { t.to(device.autodiff()); });
  });
}
SCENARIO(nested_device) {
  const dispatch::Target twice{{}, 2, Checkpointing::None};
  EXPECT_REFUSAL([&] { dispatch::move({}, twice, true, "", here()); });
  const Device wrapped = Device::capture().autodiff();
  EXPECT_REFUSAL([&] { Tensor::ones({2}, DType::I64).to(wrapped); });
}

SCENARIO(not_marked) {
  for (Class payload : {Class::Int, Class::Bool, Class::Quantized})
    for (const Context &context : {Context(), Context(Checkpointing::Balanced)})
      for (std::uint8_t wrappers : {0, 1})
        EXPECT_REFUSAL(
            [&] { dispatch::move({{}, payload, 1, context}, {{}, wrappers, Checkpointing::None}, true, "", here()); });
}

SCENARIO(move_plain_float_to_autodiff) {
  const Tensor x = Tensor::from<float>({1, 2}, {2});
  for (const Device &target : {kNone, kBalanced}) {
    EXPECT_EQ(x.to(target).id(), x.id());
    const Tensor moved = x.to(kReference).to(target);
    EXPECT_TRUE(moved.device() == kCpu && !moved.is_autodiff());
    EXPECT_EQ(floats(moved), (std::vector<float>{1, 2}));
  }
  // As gradients are.
  Tensor w = Tensor::ones({2}, kNone).require_grad();
  EXPECT_FALSE(sum(w * 2.0).backward().of(w)->to(kNone).is_autodiff());
}

SCENARIO(move_autodiff_float_at_home) {
  Tensor w = Tensor::ones({2}, kBalanced).require_grad();
  const Tensor moved = w.to(kNone);
  EXPECT_EQ(moved.gradient_checkpointing_strategy(), Context(Checkpointing::Balanced));
  EXPECT_EQ(sum(moved * 3.0).backward().of(w)->to_vector<float>(), (std::vector<float>{3, 3}));
  // Over capture devices: by value.
  const Device a = Device::capture(), b = Device::capture();
  in_scope(a, [&] {
    in_scope(b, [&] {
      const Tensor x = Tensor::from<float>({1}, {1}, a.autodiff(Checkpointing::Balanced));
      const Tensor there = x.to(b.autodiff());
      EXPECT_EQ(there.device(), b);
      EXPECT_EQ(there.gradient_checkpointing_strategy(), Context(Checkpointing::Balanced));
      EXPECT_THROW((x * 2.0).to(b.autodiff()), CaptureError);
    });
  });
}

SCENARIO(move_autodiff_float_away) {
  for (const Device &from : {kNone, kBalanced}) {
    const Tensor x = Tensor::ones({2}, from);
    EXPECT_REFUSAL([&] { x.to(kReference.autodiff()); });
    EXPECT_REFUSAL([&] { x.to(Device::capture().autodiff()); });
    EXPECT_REFUSAL([&] { (x.require_grad() * 2.0).to(kReference.autodiff(Checkpointing::Balanced)); });
  }
}

SCENARIO(move_autodiff_float_to_plain) {
  for (const Device &from : {kNone, kBalanced, kReference.autodiff()})
    for (const Device &target : {kCpu, kReference, Device::capture()})
      EXPECT_REFUSAL([&] { Tensor::ones({2}, from).to(target); });
}

SCENARIO(move_to_capture) {
  const Device device = Device::capture();
  const Graph graph = in_scope(device, [&] {
    for (const Device &from : {kCpu, kReference}) {
      const Tensor x = Tensor::from<float>({1, 2}, {2}, from).to(device);
      EXPECT_TRUE(x.device() == device && !x.is_autodiff());
      EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2}));
    }
    // An association with autodiff does not follow into a plain capture device.
    for (const Tensor &t : discrete(kBalanced))
      EXPECT_FALSE(t.to(device).is_autodiff());
    const Tensor computed = exp(Tensor::zeros({2})).to(device);
    EXPECT_EQ(computed.to_vector<float>(), (std::vector<float>{1, 1}));
  });
  EXPECT_EQ(graph.trace().records().size(), 5u);
  EXPECT_THROW(Tensor::zeros({2}).to(device), CaptureError);
}

SCENARIO(move_captured_at_home) {
  const Device device = Device::capture();
  Tensor stale;
  const Graph graph = in_scope(device, [&] {
    const Tensor x = Tensor::from<float>({1}, {1}, device), y = exp(x);
    stale = y;
    EXPECT_EQ(x.to(device).id(), x.id());
    EXPECT_EQ(y.to(device).id(), y.id());
    const Tensor i = Tensor::arange(2, DType::I64, device.autodiff(Checkpointing::Balanced));
    EXPECT_EQ(i.to(device).id(), i.id());
    EXPECT_TRUE(i.to(device).is_autodiff());
    EXPECT_EQ(y.to(device.autodiff()).id(), y.id());
    EXPECT_FALSE(y.to(device.autodiff()).is_autodiff());
  });
  EXPECT_EQ(graph.trace().records().size(), 3u);
  EXPECT_EQ(stale.to(device).id(), stale.id());
  // In a functional capture too.
  capture(
      [](Tensor x) {
        EXPECT_EQ(x.to(x.device()).id(), x.id());
        return x;
      },
      {spec(DType::F32, {2})});
}

SCENARIO(move_captured_value) {
  const Device a = Device::capture(), b = Device::capture();
  in_scope(a, [&] {
    in_scope(b, [&] {
      for (Tensor t : {Tensor::from<float>({1, 0}, {2}, a), discrete(a)[0], discrete(a)[1],
                       Tensor::from<std::uint8_t>({1, 0}, {2}, a)}) {
        const Tensor moved = t.to(b);
        EXPECT_EQ(moved.device(), b);
        EXPECT_NE(moved.id(), t.id());
        EXPECT_EQ(moved.dtype(), t.dtype());
      }
      EXPECT_EQ(Tensor::from<float>({1, 0}, {2}, a).to(b).to_vector<float>(), (std::vector<float>{1, 0}));
    });
  });
}

SCENARIO(move_captured_computed) {
  const Device a = Device::capture(), b = Device::capture();
  in_scope(a, [&] {
    in_scope(b, [&] {
      const Tensor f = neg(Tensor::from<float>({1, 0}, {2}, a));
      for (const Tensor &t : {f, neg(discrete(a)[0]), logical_not(discrete(a)[1])})
        EXPECT_REFUSAL([&] { t.to(b); }, {{"id", t.id().str()}});
    });
  });
}

SCENARIO(move_captured_away) {
  const Device device = Device::capture();
  in_scope(device, [&] {
    for (const Tensor &t : {Tensor::from<float>({1, 0}, {2}, device), discrete(device)[0], discrete(device)[1]})
      for (const Tensor &u : {t, logical_not(eq(t, t))})
        for (const Device &target : {kCpu, kReference, kNone, kBalanced})
          EXPECT_REFUSAL([&] { u.to(target); });
  });
}

} // namespace
} // namespace ingot
