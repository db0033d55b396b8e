// Gradient calls: the strict layer on descriptors, and what users call.
#include "Contract.h"

#include "ingot/capture/Dispatch.h"
#include "ingot/capture/Recorder.h"

#include <map>
#include <thread>

namespace ingot {
namespace {

using contract::Row;
using dispatch::Call;
using dispatch::Class;
using dispatch::Context;
using dispatch::Place;
using dispatch::State;

const Device kCpu = Device::cpu(), kReference = Device::reference();
const Device kNone = kCpu.autodiff(), kBalanced = kCpu.autodiff(Checkpointing::Balanced);

CallSite here(Location at = Location::current()) { return at; }
template <class F> void in_scope(const Device &device, F &&f) {
  device.capture_scope([&](CaptureScope scope) {
    f();
    return scope.complete({}, {});
  });
}

// The strict layer ----------------------------------------------------------------------------------------------

std::vector<State> states_of_kind(const std::string &kind) {
  const Place cpu, capture{Backend::Capture, 0}, reference{Backend::Reference};
  const Context none = Checkpointing::None, balanced = Checkpointing::Balanced;
  const std::map<std::string, std::vector<State>> kinds{
      {"plain", {{cpu, Class::Float, 0, {}}, {reference, Class::Float, 0, {}}}},
      {"autodiff", {{cpu, Class::Autodiff, 1, none}, {reference, Class::Autodiff, 1, balanced}}},
      {"discrete", {{cpu, Class::Int, 0, none}, {reference, Class::Bool, 0, balanced}}},
      {"quantized", {{cpu, Class::Quantized, 0, none}, {cpu, Class::Quantized, 0, balanced}}},
      {"capture", {{capture, Class::Float, 0, {}}}},
      {"capture-boxed", {{capture, Class::Autodiff, 1, none}, {capture, Class::Autodiff, 1, balanced}}},
      {"discrete-disabled", {{cpu, Class::Int, 0, {}}, {capture, Class::Bool, 0, {}}}},
      {"quantized-disabled", {{cpu, Class::Quantized, 0, {}}}},
      {"autodiff-disabled", {{cpu, Class::Autodiff, 1, {}}}}};
  return kinds.at(kind);
}

SCENARIO(gradient_call) {
  const std::map<std::string, Call> calls{{"backward", Call::Backward},
                                          {"grad", Call::Grad},
                                          {"grad_remove", Call::GradRemove},
                                          {"grad_replace", Call::GradReplace},
                                          {"inner", Call::Inner},
                                          {"from_inner", Call::FromInner},
                                          {"is_require_grad", Call::IsRequireGrad},
                                          {"require_grad", Call::RequireGrad},
                                          {"require_no_grad", Call::RequireNoGrad},
                                          {"detach", Call::Detach}};
  const std::string id(row.id.substr(4));
  const std::size_t slash = id.find('/');
  const Call call = calls.at(id.substr(0, slash));
  for (const State &state : states_of_kind(id.substr(slash + 1))) {
    if (!row.text.empty())
      EXPECT_REFUSAL([&] { dispatch::allows(call, state, here()); });
    else
      EXPECT_EQ(dispatch::allows(call, state, here()), row.outcome.starts_with("works")) << row.id;
    State nested = state;
    nested.boxes = 2;
    EXPECT_THROW(dispatch::allows(call, nested, here()), DispatchError);
  }
}

SCENARIO(already_inner) {
  for (Class payload : {Class::Int, Class::Bool, Class::Quantized})
    EXPECT_REFUSAL([&] { dispatch::allows(Call::Inner, {Place{}, payload, 0, {}}, here()); });
  const Tensor i = Tensor::ones({2}, DType::I64);
  EXPECT_EQ(i.inner().id(), i.id());
}

SCENARIO(already_autodiff) {
  for (Class payload : {Class::Int, Class::Bool, Class::Quantized})
    EXPECT_REFUSAL([&] { dispatch::allows(Call::FromInner, {Place{}, payload, 0, Checkpointing::Balanced}, here()); });
  EXPECT_REFUSAL(
      [&] { dispatch::allows(Call::FromInner, {Place{}, Class::Autodiff, 1, Checkpointing::None}, here()); });
  const Tensor x = Tensor::ones({2}, kBalanced);
  EXPECT_EQ(x.autodiff().id(), x.id());
}

SCENARIO(inner_and_autodiff_lose_strategy) {
  for (const Tensor &t : {Tensor::ones({2}, kBalanced), Tensor::ones({2}, DType::I64, kBalanced)})
    EXPECT_EQ(t.inner().autodiff().gradient_checkpointing_strategy(), Context(Checkpointing::None));
}

// What users call -----------------------------------------------------------------------------------------------

SCENARIO(requires_autodiff) {
  const Tensor plain = Tensor::ones({2}), i = Tensor::ones({2}, DType::I64, kNone);
  Tensor w = Tensor::ones({2}, kNone).require_grad();
  Gradients gradients = (w * 2.0).backward();
  const Tensor gradient = *gradients.of(w), inner = w.inner();
  for (const Tensor &t : {plain, gradient, inner, i, Tensor::ones({2}, kReference)}) {
    EXPECT_REFUSAL([&] { t.backward(); });
    EXPECT_REFUSAL([&] { gradients.replace(t, plain); });
  }
  const Device device = Device::capture();
  in_scope(device, [&] { EXPECT_REFUSAL([&] { Tensor::ones({2}, device).backward(); }); });
}

SCENARIO(capture_without_autodiff) {
  const Device device = Device::capture();
  in_scope(device, [&] {
    const Tensor x = Tensor::ones({2}, device.autodiff()).require_grad(), y = x * 2.0;
    Gradients gradients;
    EXPECT_REFUSAL([&] { y.backward(); });
    EXPECT_REFUSAL([&] { x.backward(); });
    EXPECT_REFUSAL([&] { gradients.of(x); });
    EXPECT_REFUSAL([&] { gradients.take(x); });
    EXPECT_REFUSAL([&] { gradients.replace(x, Tensor::ones({2})); });
    EXPECT_REFUSAL([&] { y.inner(); });
    EXPECT_REFUSAL([&] { Tensor::ones({2}, device).autodiff(); });
    EXPECT_TRUE(Tensor::ones({2}, DType::I64, device).autodiff().is_autodiff());
    EXPECT_FALSE(Tensor::ones({2}, DType::I64, device.autodiff()).inner().is_autodiff());
  });
  capture(
      [&](Tensor x) {
        EXPECT_REFUSAL([&] { x.autodiff(); });
        return x + eq(x, x).autodiff().to(DType::F32).to(DType::F32); // integers and bools may be associated
      },
      {spec(DType::F32, {2})});
}

SCENARIO(replacement_is_autodiff) {
  Tensor w = Tensor::ones({2}, kNone).require_grad();
  Gradients gradients = w.backward();
  EXPECT_REFUSAL([&] { gradients.replace(w, w); });
  EXPECT_REFUSAL([&] { gradients.replace(w, Tensor::ones({2}, DType::I64, kBalanced)); });
  EXPECT_EQ(gradients.of(w)->to_vector<float>(), (std::vector<float>{1, 1}));
}

SCENARIO(strategy_of_plain_tensor) {
  EXPECT_REFUSAL([] { Tensor::ones({2}).with_gradient_checkpointing_strategy(Checkpointing::Balanced); });
  EXPECT_REFUSAL([] { Tensor::ones({2}, DType::I64).with_gradient_checkpointing_strategy(Checkpointing::None); });
}

SCENARIO(user_backward) {
  for (const Device &device : {kNone, kBalanced, kReference.autodiff()}) {
    Tensor w = Tensor::from<float>({1, 2, 3, 4}, {2, 2}, device).require_grad(), y = w * w, copy = y;
    EXPECT_EQ(y.backward().of(w)->to_vector<float>(), (std::vector<float>{2, 4, 6, 8}));
    EXPECT_THROW(copy.backward(), GradientError);
    EXPECT_EQ((w * 1.0).backward().of(w)->to_vector<float>(), std::vector<float>(4, 1.0f));
  }
}

SCENARIO(user_grad) {
  Tensor w = Tensor::ones({2}, kNone).require_grad(), absent = Tensor::ones({2}, kNone).require_grad(), y = w * 2.0;
  Gradients gradients = y.backward();
  for (const Tensor &t : {Tensor::ones({2}), w.inner(), Tensor::ones({2}, DType::I64, kNone), Tensor::ones({2}, kNone),
                          y, absent, Tensor()}) {
    EXPECT_FALSE(gradients.of(t));
    EXPECT_FALSE(gradients.take(t));
  }
  EXPECT_FALSE(gradients.of(w)->is_autodiff());
  EXPECT_EQ(gradients.take(w)->to_vector<float>(), (std::vector<float>{2, 2}));
  EXPECT_FALSE(gradients.of(w));
}

SCENARIO(user_replace) {
  Tensor w = Tensor::ones({2}, kNone).require_grad();
  Gradients gradients = (w * 2.0).backward();
  gradients.replace(w, Tensor::full({2}, 7.0));
  EXPECT_EQ(gradients.of(w)->to_vector<float>(), (std::vector<float>{7, 7}));
  EXPECT_EQ(gradients.size(), 1u);
  gradients.take(w);
  gradients.replace(w, Tensor::full({2}, 5.0));
  EXPECT_EQ(gradients.of(w)->to_vector<float>(), (std::vector<float>{5, 5}));
  EXPECT_THROW(gradients.replace(Tensor::ones({2}), Tensor::ones({2})), GradientError);
  EXPECT_THROW(gradients.replace(w, w), GradientError);
  EXPECT_THROW(gradients.replace(w, Tensor::ones({2}, kReference)), DispatchError);
  EXPECT_THROW(gradients.replace(w, Tensor::ones({3})), ShapeError);
  EXPECT_THROW(gradients.replace(w, Tensor::ones({2}, DType::F64)), DTypeError);
  EXPECT_EQ(gradients.of(w)->to_vector<float>(), (std::vector<float>{5, 5}));
}

SCENARIO(user_inner) {
  for (const Device &device : {kNone, kBalanced, kReference.autodiff()})
    for (DType dtype : {DType::F32, DType::I64, DType::Bool}) {
      const Tensor plain = Tensor::ones({2}, dtype, device).inner();
      EXPECT_FALSE(plain.is_autodiff());
      EXPECT_EQ(plain.device(), device);
      EXPECT_EQ(plain.inner().id(), plain.id());
    }
}

SCENARIO(user_autodiff) {
  for (DType dtype : {DType::F32, DType::I64, DType::Bool}) {
    const Tensor t = Tensor::ones({2}, dtype).autodiff(), balanced = Tensor::ones({2}, dtype, kBalanced);
    EXPECT_EQ(t.gradient_checkpointing_strategy(), Context(Checkpointing::None));
    EXPECT_FALSE(t.is_tracked() || t.is_require_grad());
    EXPECT_EQ(t.autodiff().id(), t.id());
    EXPECT_EQ(balanced.autodiff().gradient_checkpointing_strategy(), Context(Checkpointing::Balanced));
  }
}

SCENARIO(user_strategy) {
  EXPECT_EQ(Tensor::ones({2}).gradient_checkpointing_strategy(), Context());
  EXPECT_EQ(Tensor::ones({2}, kNone).gradient_checkpointing_strategy(), Context(Checkpointing::None));
  EXPECT_EQ(Tensor::ones({2}, DType::I64, kBalanced).gradient_checkpointing_strategy(),
            Context(Checkpointing::Balanced));
}

SCENARIO(user_with_strategy) {
  Tensor w = Tensor::ones({2}, kNone).require_grad();
  const Tensor b = w.with_gradient_checkpointing_strategy(Checkpointing::Balanced);
  EXPECT_EQ(b.gradient_checkpointing_strategy(), Context(Checkpointing::Balanced));
  EXPECT_TRUE(b.is_require_grad());
  Gradients gradients = (b * 3.0).backward();
  EXPECT_EQ(gradients.of(w)->to_vector<float>(), (std::vector<float>{3, 3}));
  EXPECT_EQ(gradients.of(b)->to_vector<float>(), (std::vector<float>{3, 3}));
  EXPECT_EQ(b.with_gradient_checkpointing_strategy(Checkpointing::Balanced).id(), b.id());
  const Tensor i = Tensor::ones({2}, DType::I64, kNone).with_gradient_checkpointing_strategy(Checkpointing::Balanced);
  EXPECT_EQ((b * i.to(DType::F32)).gradient_checkpointing_strategy(), Context(Checkpointing::Balanced));
}

SCENARIO(user_container) {
  Tensor w = Tensor::ones({2}, kNone).require_grad();
  Gradients gradients = (w * 3.0).backward();
  std::vector<float> seen;
  std::thread([&seen, w, gradients = std::move(gradients)] { seen = gradients.of(w)->to_vector<float>(); }).join();
  EXPECT_EQ(seen, (std::vector<float>{3, 3}));
  EXPECT_EQ(w.inner().to_vector<float>(), (std::vector<float>{1, 1}));
}

} // namespace
} // namespace ingot
