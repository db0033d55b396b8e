// States, contexts, backends and routes: on tensors where users can make them, else on the dispatcher's descriptors.
#include "Contract.h"

#include "ingot/capture/Dispatch.h"
#include "ingot/capture/Recorder.h"

#include <map>
#include <set>

namespace ingot {
namespace {

using contract::Row;
using dispatch::Argument;
using dispatch::Class;
using dispatch::Context;
using dispatch::Form;
using dispatch::Place;
using dispatch::Route;
using dispatch::State;

const Device kCpu = Device::cpu(), kReference = Device::reference();
constexpr Class kDiscrete[] = {Class::Int, Class::Bool, Class::Quantized};
constexpr Checkpointing kStrategies[] = {Checkpointing::None, Checkpointing::Balanced};

CallSite here(Location at = Location::current()) { return at; }
State bare(Class payload, Context context = {}, Backend backend = Backend::Cpu) {
  return {Place{backend}, payload, 0, context};
}
State boxed(Class payload, Context context = {}, Backend backend = Backend::Cpu) {
  return {Place{backend}, payload, 1, context};
}
State lifted(Checkpointing strategy = Checkpointing::None, Backend backend = Backend::Cpu) {
  return boxed(Class::Autodiff, strategy, backend);
}
State of(const Tensor &t) { return dispatch::state_of(*t.state()); }

void expect_state(const Tensor &t, Class payload, int boxes, Context context) {
  const State state = of(t);
  EXPECT_EQ(state.payload, payload);
  EXPECT_EQ(state.boxes, boxes);
  EXPECT_EQ(state.context, context);
  EXPECT_EQ(t.is_autodiff(), context.has_value());
  EXPECT_EQ(t.device().checkpointing(), context);
}

/// Runs `f` inside a scope of the device.
template <class F> void in_scope(const Device &device, F &&f) {
  device.capture_scope([&](CaptureScope scope) {
    f();
    return scope.complete({}, {});
  });
}

// Legal states --------------------------------------------------------------------------------------------------

SCENARIO(plain_float) {
  for (const Device &device : {kCpu, kReference})
    expect_state(Tensor::ones({2}, device), Class::Float, 0, {});
}

SCENARIO(autodiff_float) {
  for (const Device &device : {kCpu, kReference})
    for (Checkpointing strategy : kStrategies) {
      Tensor x = Tensor::ones({2}, device.autodiff(strategy));
      expect_state(x, Class::Autodiff, 1, strategy);
      EXPECT_TRUE(!x.is_tracked() && !x.is_require_grad());
      x.require_grad();
      expect_state(x, Class::Autodiff, 1, strategy);
      EXPECT_TRUE(x.is_tracked() && x.is_require_grad());
      Tensor y = x * 2.0;
      expect_state(y, Class::Autodiff, 1, strategy);
      EXPECT_TRUE(y.is_tracked() && !y.is_require_grad());
    }
}

SCENARIO(plain_discrete) {
  expect_state(Tensor::ones({2}, DType::I32), Class::Int, 0, {});
  expect_state(Tensor::ones({2}, DType::I64, kReference), Class::Int, 0, {});
  expect_state(Tensor::from<bool>({true}, {1}), Class::Bool, 0, {});
  dispatch::check(bare(Class::Quantized), here());
}

SCENARIO(associated_discrete) {
  for (Checkpointing strategy : kStrategies) {
    expect_state(Tensor::ones({2}, DType::I64, kCpu.autodiff(strategy)), Class::Int, 0, strategy);
    expect_state(Tensor::from<bool>({true}, {1}, kReference.autodiff(strategy)), Class::Bool, 0, strategy);
    dispatch::check(bare(Class::Quantized, strategy), here());
  }
}

SCENARIO(captured) {
  const Device device = Device::capture();
  in_scope(device, [&] {
    expect_state(Tensor::from<float>({1}, {1}, device), Class::Float, 0, {});
    expect_state(exp(Tensor::ones({2}, device)), Class::Float, 0, {});
    expect_state(Tensor::ones({2}, DType::I64, device), Class::Int, 0, {});
  });
}

SCENARIO(autodiff_over_capture) {
  const Device device = Device::capture(), wrapped = device.autodiff(Checkpointing::Balanced);
  const Graph graph = device.capture_scope([&](CaptureScope scope) {
    Tensor x = Tensor::from<float>({1, 2}, {2}, wrapped).require_grad(), i = Tensor::ones({2}, DType::I64, wrapped);
    expect_state(x, Class::Autodiff, 1, Checkpointing::Balanced);
    expect_state(i, Class::Int, 0, Checkpointing::Balanced);
    Tensor y = x * 2.0 + i.to(DType::F32);
    expect_state(y, Class::Autodiff, 1, Checkpointing::Balanced);
    EXPECT_THROW(y.backward(), GradientError);
    EXPECT_THROW(y.inner(), GradientError);
    return scope.complete({x.id()}, {y.id()});
  });
  EXPECT_EQ(graph(Tensor::from<float>({1, 2}, {2}))[0].to_vector<float>(), (std::vector<float>{3, 5}));
}

// Illegal states ------------------------------------------------------------------------------------------------

/// What each of the contract's illegal states looks like.
std::vector<State> illegal(std::string_view name) {
  const Checkpointing on = Checkpointing::Balanced;
  const std::map<std::string_view, std::vector<State>> states{
      {"X1", {bare(Class::Float, on)}},
      {"X2", {boxed(Class::Autodiff)}},
      {"X3", {{Place{}, Class::Autodiff, 2, on}, {Place{}, Class::Autodiff, 2, {}}, {Place{}, Class::Int, 3, on}}},
      {"X4", {boxed(Class::Int, on), boxed(Class::Bool), boxed(Class::Quantized, on), boxed(Class::Int)}},
      {"X5", {boxed(Class::Float, on), boxed(Class::Float)}},
      {"X6", {bare(Class::Autodiff), bare(Class::Autodiff, on)}}};
  return states.at(name);
}

/// Refused by itself, and wherever it stands among the arguments of an op.
void expect_illegal(const Row &row, std::string_view name) {
  for (const State &state : illegal(name)) {
    EXPECT_REFUSAL([&] { dispatch::check(state, here()); });
    for (Form form : {Form::Required, Form::Optional, Form::Listed})
      for (std::size_t position : {0, 1, 2}) {
        std::vector<Argument> arguments(3, Argument{bare(Class::Float)});
        arguments[position] = {state, form};
        EXPECT_REFUSAL([&] { dispatch::decide(arguments, here()); });
        arguments[position].present = false; // nobody looks at what is not there
        EXPECT_EQ(dispatch::decide(arguments, here()).route, Route::Concrete);
      }
  }
}

SCENARIO(illegal_state) { expect_illegal(row, row.id.substr(4)); }
SCENARIO(only_floats) {
  expect_illegal(row, "X4");
  expect_illegal(row, "X5");
}
SCENARIO(reached_concrete) { expect_illegal(row, "X6"); }
SCENARIO(needs_box) {
  expect_illegal(row, "X1");
  EXPECT_REFUSAL([&] { dispatch::move(bare(Class::Float, Checkpointing::None), {}, true, "", here()); });
}
SCENARIO(needs_context) {
  expect_illegal(row, "X2");
  const dispatch::Target target{Place{}, 1, Checkpointing::None};
  EXPECT_REFUSAL([&] { dispatch::move(boxed(Class::Autodiff), target, true, "", here()); });
}

SCENARIO(nested_tensor) {
  expect_illegal(row, "X3");
  for (const State &state : illegal("X3"))
    EXPECT_REFUSAL([&] { dispatch::move(state, {}, true, "", here()); });
}

SCENARIO(device_wrapped_twice) {
  const dispatch::Target twice{Place{}, 2, Checkpointing::None};
  for (const State &state : {bare(Class::Float), bare(Class::Int), lifted()})
    EXPECT_REFUSAL([&] { dispatch::move(state, twice, true, "", here()); });
}

SCENARIO(autodiff_device_of_autodiff_device) {
  EXPECT_REFUSAL([] { Device::cpu().autodiff().autodiff(); });
  EXPECT_REFUSAL([] { Device::reference().autodiff().autodiff(Checkpointing::Balanced); });
}

SCENARIO(order_of_checks) {
  const auto text = [](std::vector<Argument> arguments) -> std::string {
    try {
      dispatch::decide(arguments, here());
    } catch (const DispatchError &error) {
      return error.message();
    }
    return "";
  };
  const Argument far{bare(Class::Float, {}, Backend::Reference)}, balanced{lifted(Checkpointing::Balanced)};
  const Argument none{lifted()}, nested{{Place{}, Class::Int, 2, {}}}, other{boxed(Class::Int)};
  // Each state is checked as a whole, in the order of the arguments, before the arguments are compared.
  EXPECT_EQ(text({nested}), "Autodiff should not wrap an autodiff tensor.");
  EXPECT_EQ(text({far, balanced, none, other}), "only float tensors may use an autodiff primitive");
  EXPECT_EQ(text({far, balanced, none}).substr(0, 38), "Gradient checkpointing strategy mismat");
  EXPECT_EQ(text({far, balanced, balanced}), "input tensor `1` is on the wrong backend");
}

// Contexts ------------------------------------------------------------------------------------------------------

SCENARIO(merge_disabled) {
  EXPECT_EQ(dispatch::merge({}, {}, here()), Context());
  EXPECT_FALSE((Tensor::ones({2}) + Tensor::ones({2})).is_autodiff());
}

SCENARIO(merge_with_constant) {
  for (Checkpointing strategy : kStrategies) {
    EXPECT_EQ(dispatch::merge({}, strategy, here()), Context(strategy));
    EXPECT_EQ(dispatch::merge(strategy, {}, here()), Context(strategy));
    Tensor plain = Tensor::full({2}, 3.0), w = Tensor::ones({2}, kCpu.autodiff(strategy)).require_grad();
    for (const Tensor &y : {plain * w, w * plain}) {
      EXPECT_EQ(y.gradient_checkpointing_strategy(), Context(strategy));
      Gradients gradients = y.backward();
      EXPECT_EQ(gradients.of(w)->to_vector<float>(), (std::vector<float>{3, 3}));
      EXPECT_EQ(gradients.size(), 1u);
    }
  }
}

SCENARIO(merge_same) {
  for (Checkpointing strategy : kStrategies) {
    EXPECT_EQ(dispatch::merge(strategy, strategy, here()), Context(strategy));
    Tensor x = Tensor::ones({2}, kCpu.autodiff(strategy));
    EXPECT_EQ((x + x).gradient_checkpointing_strategy(), Context(strategy));
  }
}

SCENARIO(merge_different) {
  EXPECT_REFUSAL([] { dispatch::merge(Checkpointing::None, Checkpointing::Balanced, here()); },
                 {{"lhs", "None"}, {"rhs", "Balanced"}});
  EXPECT_REFUSAL([] { dispatch::merge(Checkpointing::Balanced, Checkpointing::None, here()); },
                 {{"lhs", "Balanced"}, {"rhs", "None"}});
}

SCENARIO(strategy_mismatch) {
  const Device none = kCpu.autodiff(), balanced = kCpu.autodiff(Checkpointing::Balanced);
  const Tensor x = Tensor::ones({2}, none), y = Tensor::ones({2}, balanced), plain = Tensor::ones({2});
  const Tensor i = Tensor::ones({2}, DType::I64, none), j = Tensor::ones({2}, DType::I64, balanced);
  const contract::Holes forward{{"lhs", "None"}, {"rhs", "Balanced"}}, back{{"lhs", "Balanced"}, {"rhs", "None"}};
  EXPECT_REFUSAL([&] { x + y; }, forward);
  EXPECT_REFUSAL([&] { y + x; }, back);
  EXPECT_REFUSAL([&] { i + j; }, forward);
  EXPECT_REFUSAL([&] { take(y, i, 0); }, back);
  EXPECT_REFUSAL([&] { where(gt(x, 0), plain, y); }, forward);
  EXPECT_REFUSAL([&] { concat({plain, x, plain, y}, 0); }, forward);
}

SCENARIO(merge_of_every_class) {
  for (Checkpointing strategy : kStrategies)
    for (Class a : {Class::Float, Class::Int, Class::Bool, Class::Quantized, Class::Autodiff})
      for (Class b : {Class::Float, Class::Int, Class::Bool, Class::Quantized, Class::Autodiff})
        for (Form form : {Form::Required, Form::Optional, Form::Listed}) {
          const State enabled = a == Class::Float || a == Class::Autodiff ? lifted(strategy) : bare(a, strategy);
          const State other = b == Class::Autodiff ? lifted(strategy) : bare(b);
          const Argument first{enabled, form}, second{other, form};
          for (const std::vector<Argument> &both : {std::vector{first, second}, std::vector{second, first}})
            EXPECT_EQ(dispatch::decide(both, here()).context, Context(strategy));
        }
}

// Backends ------------------------------------------------------------------------------------------------------

SCENARIO(backend_of_required) {
  const Argument optional{bare(Class::Float), Form::Optional}, number{bare(Class::Int)}, real{bare(Class::Float)};
  EXPECT_EQ(dispatch::decide(std::vector{number, real}, here()).routing, 0u);
  EXPECT_EQ(dispatch::decide(std::vector{optional, number, real}, here()).routing, 1u);
  const Tensor i = Tensor::from<std::int64_t>({1, 0}, {2}, kReference);
  EXPECT_EQ(take(Tensor::ones({2}, kReference), i, 0).device(), kReference);
  EXPECT_EQ(one_hot(i, 2).device(), kReference);
}

SCENARIO(backend_by_search) {
  const Argument number{bare(Class::Int), Form::Listed}, real{bare(Class::Float), Form::Listed};
  Argument absent{lifted(), Form::Optional};
  absent.present = false;
  EXPECT_EQ(dispatch::decide(std::vector{number, real}, here()).routing, 1u);
  EXPECT_EQ(dispatch::decide(std::vector{absent, number, real}, here()).routing, 2u);
  EXPECT_EQ(dispatch::decide(std::vector{absent, number}, here()).routing, 1u);
}

SCENARIO(no_tensor_input) {
  Argument absent{bare(Class::Float), Form::Optional};
  absent.present = false;
  EXPECT_REFUSAL([] { dispatch::decide({}, here()); });
  EXPECT_REFUSAL([&] { dispatch::decide(std::vector{absent, absent}, here()); });
}
SCENARIO(no_input) {
  EXPECT_REFUSAL([] { concat({}, 0); });
  EXPECT_REFUSAL([] { stack({}, 0); });
}

SCENARIO(backend_of_creation) {
  for (const Device &device : {kCpu, kReference, kCpu.autodiff(), kReference.autodiff(Checkpointing::Balanced)})
    for (const Tensor &t :
         {Tensor::ones({2}, device), Tensor::arange(3, DType::I64, device), Tensor::eye(2, DType::F32, device),
          Tensor::normal({2}, device), Tensor::uniform({2}, device), Tensor::from<float>({1}, {1}, device)}) {
      EXPECT_EQ(t.device(), device);
      EXPECT_EQ(t.device().checkpointing(), device.checkpointing());
    }
}

SCENARIO(wrong_backend_among_many) {
  const Argument near{bare(Class::Float)}, far{bare(Class::Float, {}, Backend::Reference)};
  Argument named = far;
  named.name = "bias";
  EXPECT_REFUSAL([&] { dispatch::decide(std::vector{near, near, far}, here()); }, {{"name", "2"}});
  EXPECT_REFUSAL([&] { dispatch::decide(std::vector{near, named, near}, here()); }, {{"name", "bias"}});
}
SCENARIO(wrong_backend) {
  const Tensor x = Tensor::ones({2}), y = Tensor::ones({2}, kReference), c = gt(x, 0);
  EXPECT_REFUSAL([&] { where(c, x, y); }, {{"name", "b"}});
  EXPECT_REFUSAL([&] { where(c, y, x); }, {{"name", "a"}});
  EXPECT_REFUSAL([&] { concat({x, x, y}, 0); }, {{"name", "2"}});
  EXPECT_REFUSAL([&] { where(c, x.autodiff(), y.autodiff()); }, {{"name", "b"}});
}

SCENARIO(two_backends) {
  const Tensor x = Tensor::ones({2}), y = Tensor::ones({2}, kReference);
  const contract::Holes forward{{"lhs", "Cpu"}, {"rhs", "Reference"}}, back{{"lhs", "Reference"}, {"rhs", "Cpu"}};
  EXPECT_REFUSAL([&] { x + y; }, forward);
  EXPECT_REFUSAL([&] { y *x; }, back);
  EXPECT_REFUSAL([&] { matmul(x, y); }, forward);
  EXPECT_REFUSAL([&] { x.autodiff() + y.autodiff(); }, forward);
  EXPECT_REFUSAL([&] { x.autodiff() + y; }, forward);
  Tensor w = Tensor::ones({2}, kCpu.autodiff()).require_grad();
  Gradients gradients = w.backward();
  EXPECT_REFUSAL([&] { gradients.replace(w, y); }, forward);
  EXPECT_EQ(gradients.of(w)->to_vector<float>(), (std::vector<float>{1, 1}));
  // Two capture devices have their numbers to be told apart.
  const Device a = Device::capture(), b = Device::capture();
  in_scope(a, [&] {
    in_scope(b, [&] {
      const Tensor u = Tensor::ones({2}, a), v = Tensor::ones({2}, b);
      EXPECT_REFUSAL([&] { u + v; }, {{"lhs", a.str()}, {"rhs", b.str()}});
      EXPECT_REFUSAL([&] { u + x; }, {{"lhs", "Capture"}, {"rhs", "Cpu"}});
    });
  });
}

// Routes --------------------------------------------------------------------------------------------------------

SCENARIO(route_concrete) {
  for (Class payload : {Class::Float, Class::Int, Class::Bool, Class::Quantized}) {
    EXPECT_EQ(dispatch::decide(std::vector{Argument{bare(payload)}}, here()).route, Route::Concrete);
    EXPECT_FALSE(dispatch::boxes_result({}, payload));
  }
  expect_state(exp(Tensor::ones({2})), Class::Float, 0, {});
  expect_state(gt(Tensor::ones({2}), 0), Class::Bool, 0, {});
}

SCENARIO(route_autodiff) {
  for (Checkpointing strategy : kStrategies) {
    const Argument real{lifted(strategy)}, number{bare(Class::Int, strategy)}, plain{bare(Class::Float)};
    for (const std::vector<Argument> &arguments :
         {std::vector{real}, std::vector{number, real}, std::vector{plain, number}, std::vector{real, plain}})
      EXPECT_EQ(dispatch::decide(arguments, here()).route, Route::Autodiff);
    EXPECT_TRUE(dispatch::boxes_result(strategy, Class::Float));
    for (Class payload : kDiscrete)
      EXPECT_FALSE(dispatch::boxes_result(strategy, payload));
    const Tensor x = Tensor::ones({2}, kCpu.autodiff(strategy));
    expect_state(exp(x), Class::Autodiff, 1, strategy);
    expect_state(gt(x, 0), Class::Bool, 0, strategy);
    expect_state(argmax(x, 0), Class::Int, 0, strategy);
  }
}

SCENARIO(route_then_lift) {
  for (Checkpointing strategy : kStrategies) {
    for (Class payload : kDiscrete)
      EXPECT_EQ(dispatch::decide(std::vector{Argument{bare(payload, strategy)}}, here()).route,
                Route::ConcreteThenLift);
    const Tensor i = Tensor::ones({2}, DType::I64, kCpu.autodiff(strategy));
    expect_state(i + i, Class::Int, 0, strategy);
    expect_state(i.to(DType::F32), Class::Autodiff, 1, strategy);
    EXPECT_FALSE(i.to(DType::F32).is_tracked());
  }
}

SCENARIO(route_of_optional) {
  const Argument number{bare(Class::Int, Checkpointing::None)};
  Argument optional{bare(Class::Float), Form::Optional}, listed{bare(Class::Float), Form::Listed};
  EXPECT_EQ(dispatch::decide(std::vector{number, optional}, here()).route, Route::Autodiff);
  EXPECT_EQ(dispatch::decide(std::vector{number, listed}, here()).route, Route::Autodiff);
  optional.present = false;
  EXPECT_EQ(dispatch::decide(std::vector{number, optional}, here()).route, Route::ConcreteThenLift);
}

SCENARIO(create_float) {
  for (Checkpointing strategy : kStrategies)
    for (DType dtype : {DType::F32, DType::F64}) {
      const Tensor x = Tensor::zeros({2}, dtype, kCpu.autodiff(strategy));
      expect_state(x, Class::Autodiff, 1, strategy);
      EXPECT_FALSE(x.is_require_grad() || x.is_tracked());
    }
}

SCENARIO(create_discrete) {
  for (Checkpointing strategy : kStrategies) {
    for (DType dtype : {DType::I64, DType::I32, DType::U8})
      expect_state(Tensor::ones({2}, dtype, kCpu.autodiff(strategy)), Class::Int, 0, strategy);
    expect_state(Tensor::ones({2}, DType::Bool, kCpu.autodiff(strategy)), Class::Bool, 0, strategy);
  }
}

SCENARIO(discrete_to_float) {
  for (Checkpointing strategy : kStrategies)
    for (DType dtype : {DType::I64, DType::Bool})
      expect_state(Tensor::ones({2}, dtype, kCpu.autodiff(strategy)).to(DType::F32), Class::Autodiff, 1, strategy);
}

SCENARIO(float_to_discrete) {
  for (Checkpointing strategy : kStrategies) {
    const Tensor x = Tensor::ones({2}, kCpu.autodiff(strategy)).require_grad();
    for (const Tensor &t : {eq(x, x), lt(x, 1), isnan(x), isinf(x), isfinite(x)}) {
      expect_state(t, Class::Bool, 0, strategy);
      EXPECT_FALSE(t.is_tracked());
    }
    for (const Tensor &t : {argmax(x, 0), argmin(x, 0), x.to(DType::I32)})
      expect_state(t, Class::Int, 0, strategy);
  }
}

SCENARIO(one_hot_of_associated) {
  const Tensor targets = Tensor::from<std::int64_t>({1, 0}, {2}, kCpu.autodiff(Checkpointing::Balanced));
  expect_state(one_hot(targets, 2), Class::Autodiff, 1, Checkpointing::Balanced);
  expect_state(one_hot(targets, 2, DType::I32).to(DType::F32), Class::Autodiff, 1, Checkpointing::Balanced);
}

/// What the tables say of an op on these tensors, and what becomes of it: an error's text, or the result's kind.
std::string decided(const std::vector<Tensor> &tensors, Class result) {
  try {
    std::vector<Argument> arguments;
    for (const Tensor &t : tensors)
      arguments.push_back({of(t)});
    if (arguments.size() == 3) // of where
      arguments[0].name = "c", arguments[1].name = "a", arguments[2].name = "b";
    const dispatch::Decision decision = dispatch::decide(arguments, here());
    const bool boxed = dispatch::boxes_result(decision.context, result);
    return tensors[decision.routing].device().str() + (boxed ? " boxed " : " bare ") +
           (decision.context ? checkpointing_name(*decision.context) : "disabled");
  } catch (const Error &error) {
    return error.message();
  }
}
template <class F> std::string happened(F &&f) {
  try {
    const Tensor t = f();
    const Context context = t.gradient_checkpointing_strategy();
    return t.device().str() + (of(t).boxes ? " boxed " : " bare ") +
           (context ? checkpointing_name(*context) : "disabled");
  } catch (const Error &error) {
    return error.message();
  }
}

SCENARIO(operations_follow_the_tables) {
  std::vector<Device> devices;
  for (const Device &device : {kCpu, kReference})
    devices.insert(devices.end(), {device, device.autodiff(), device.autodiff(Checkpointing::Balanced)});
  std::set<std::string> seen;
  for (const Device &a : devices)
    for (const Device &b : devices)
      for (DType dtype : {DType::F32, DType::I64, DType::Bool}) {
        const Tensor x = Tensor::ones({2}, dtype, a), y = Tensor::ones({2}, dtype, b);
        const std::string pair = happened([&] { return concat({x, y}, 0); });
        EXPECT_EQ(pair, decided({x, y}, dispatch::class_of(dtype)));
        seen.insert(pair);
        for (const Device &c : devices) {
          const Tensor condition = Tensor::ones({2}, DType::Bool, c);
          const std::string triple = happened([&] { return where(condition, x, y); });
          EXPECT_EQ(triple, decided({condition, x, y}, dispatch::class_of(dtype)));
          seen.insert(triple);
        }
      }
  // 2 backends of 5 kinds of results each; pairs and triples on two backends; two orders of strategies.
  EXPECT_EQ(seen.size(), 2u * 5 + 2 + 2 + 2);
}

// Devices -------------------------------------------------------------------------------------------------------

SCENARIO(device_equality) {
  for (const Device &device : {kCpu, kReference, Device::capture()}) {
    const Device none = device.autodiff(), balanced = device.autodiff(Checkpointing::Balanced);
    EXPECT_TRUE(none == device && balanced == device && none == balanced);
    EXPECT_NE(none.checkpointing(), balanced.checkpointing());
    EXPECT_FALSE(none.inner().is_autodiff());
  }
  EXPECT_NE(kCpu, kReference.autodiff());
  EXPECT_NE(Device::capture(), Device::capture());
}

SCENARIO(device_checkpointing) {
  EXPECT_EQ(kCpu.autodiff().gradient_checkpointing().gradient_checkpointing_strategy(), Checkpointing::Balanced);
  EXPECT_EQ(kCpu.autodiff().gradient_checkpointing_strategy(), Checkpointing::None);
  EXPECT_EQ(kCpu.autodiff(Checkpointing::Balanced).gradient_checkpointing(Checkpointing::None).checkpointing(),
            Context(Checkpointing::None));
}

SCENARIO(strategy_of_plain_device) {
  EXPECT_REFUSAL([] { Device::cpu().gradient_checkpointing(); });
  EXPECT_REFUSAL([] { Device::reference().gradient_checkpointing_strategy(); });
}

} // namespace
} // namespace ingot
