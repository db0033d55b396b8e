// Capture scopes: what they record, constants and boundaries, the life of their tensors.
#include "Contract.h"

#include "ingot/capture/Trace.h"

#include <array>
#include <thread>

namespace ingot {
namespace {

CaptureCompletion nothing(CaptureScope scope) { return scope.complete({}, {}); }
Tensor floats(const Device &device) { return Tensor::from<float>({1, 2}, {2}, device); }

/// Runs `f` in a scope that declares nothing.
template <class F> Graph in_scope(const Device &device, F &&f) {
  return device.capture_scope([&](CaptureScope scope) {
    f();
    return scope.complete({}, {});
  });
}
std::vector<OpKind> kinds(const Graph &graph) {
  std::vector<OpKind> all;
  for (const Record &record : graph.trace().records())
    all.push_back(record.kind);
  return all;
}
/// Constants of host data (of more than one number: equal elements are recorded as one).
std::size_t values(const Graph &graph) {
  std::size_t count = 0;
  for (const Record &record : graph.trace().records())
    count += record.kind == OpKind::Constant && !std::get<Literal>(record.attributes[0]).splat;
  return count;
}
template <class E, class F> std::string text_of(F &&f) {
  try {
    f();
  } catch (const E &error) {
    return error.message();
  }
  return "nothing was thrown";
}
const std::string kComplete = "capture scope is already complete";

// Life cycle ----------------------------------------------------------------------------------------------------

SCENARIO(completed_twice) {
  const Device device = Device::capture();
  const Graph graph = device.capture_scope([&](CaptureScope scope) {
    Tensor y = exp(floats(device));
    CaptureCompletion done = scope.complete({}, {y.id()});
    EXPECT_REFUSAL([&] { scope.complete({}, {}); });
    return done;
  });
  EXPECT_EQ(graph.outputs().size(), 1u);
}

SCENARIO(completion_of_other_scope) {
  const Device a = Device::capture(), b = Device::capture();
  EXPECT_THROW(a.capture_scope([&](CaptureScope) {
    std::optional<CaptureCompletion> foreign;
    b.capture_scope([&](CaptureScope inner) {
      CaptureCompletion done = inner.complete({}, {});
      foreign = done;
      return done;
    });
    return *foreign;
  }),
               CaptureError);
  EXPECT_TRUE(kinds(a.capture_scope(nothing)).empty());
}

SCENARIO(threads_record) {
  const Device device = Device::capture();
  const Graph graph = device.capture_scope([&](CaptureScope scope) {
    const Tensor x = floats(device);
    std::array<Tensor, 4> results;
    std::vector<std::thread> threads;
    for (Tensor &result : results)
      threads.emplace_back([&] {
        result = x;
        for (int i = 0; i < 50; ++i)
          result = result + x;
      });
    for (std::thread &thread : threads)
      thread.join();
    return scope.complete({x.id()}, {results[0].id(), results[1].id(), results[2].id(), results[3].id()});
  });
  EXPECT_EQ(graph.trace().records().size(), 200u);
  for (const Tensor &t : graph(floats(Device::reference())))
    EXPECT_EQ(t.to_vector<float>(), (std::vector<float>{51, 102}));
}

SCENARIO(failed_op_records_nothing) {
  const Device device = Device::capture();
  const Graph graph = in_scope(device, [&] {
    const Tensor x = floats(device);
    EXPECT_THROW(matmul(Tensor::ones({2, 3}, device), x), ShapeError);
    EXPECT_THROW(logical_not(x), DTypeError);
    EXPECT_THROW(x + floats(Device::cpu()), DispatchError);
  });
  EXPECT_EQ(kinds(graph), (std::vector<OpKind>{OpKind::Constant, OpKind::Constant}));
}

SCENARIO(scope_after_completion) {
  const Device device = Device::capture();
  const Graph graph = device.capture_scope([&](CaptureScope scope) {
    CaptureCompletion done = scope.complete({}, {});
    EXPECT_EQ(text_of<CaptureError>([&] { floats(device); }), kComplete);
    EXPECT_EQ(text_of<CaptureError>([&] { Tensor::zeros({2}, device); }), kComplete);
    EXPECT_EQ(text_of<CaptureError>([&] { floats(Device::cpu()).to(device); }), kComplete);
    return done;
  });
  EXPECT_TRUE(kinds(graph).empty());
}

SCENARIO(empty_scopes) {
  const Device device = Device::capture();
  for (int i = 0; i < 3; ++i) {
    const Graph graph = device.capture_scope(nothing);
    EXPECT_TRUE(kinds(graph).empty() && graph.inputs().empty() && graph.outputs().empty());
  }
}

SCENARIO(scope_after_refusal) {
  const Device device = Device::capture();
  EXPECT_EQ(text_of<CaptureError>([&] { floats(device); }),
            "capture tensor operations must run inside CaptureDevice::capture_scope");
  EXPECT_EQ(values(in_scope(device, [&] { floats(device); })), 1u);
}

SCENARIO(scope_in_own_scope) {
  const Device device = Device::capture();
  const Graph graph = in_scope(device, [&] {
    EXPECT_EQ(text_of<CaptureError>([&] { device.capture_scope(nothing); }),
              "a capture scope is already active on this device");
    floats(device);
  });
  EXPECT_EQ(values(graph), 1u);
}

SCENARIO(scope_in_other_scope) {
  const Device outer = Device::capture(), inner = Device::capture();
  const Graph graph = in_scope(outer, [&] {
    const Tensor x = floats(outer);
    EXPECT_TRUE(kinds(inner.capture_scope(nothing)).empty());
    exp(x);
  });
  EXPECT_EQ(kinds(graph), (std::vector<OpKind>{OpKind::Constant, OpKind::Exp}));
}

SCENARIO(exception_in_scope) {
  const Device device = Device::capture();
  Tensor escaped;
  struct Mine {};
  EXPECT_THROW(device.capture_scope([&](CaptureScope) -> CaptureCompletion {
    escaped = floats(device);
    throw Mine();
  }),
               Mine);
  EXPECT_EQ(text_of<CaptureError>([&] { exp(escaped); }), kComplete);
  EXPECT_EQ(values(in_scope(device, [&] { floats(device); })), 1u);
}

SCENARIO(device_numbers) {
  const Device a = Device::capture(), b = Device::capture(), c = a;
  EXPECT_NE(a, b);
  EXPECT_EQ(a, c);
  EXPECT_LT(a.number(), b.number());
  EXPECT_EQ(a.str(), "Capture(" + std::to_string(a.number()) + ")");
}

SCENARIO(scope_needs_capture_device) {
  EXPECT_EQ(text_of<CaptureError>([] { Device::cpu().capture_scope(nothing); }),
            "capture scope requires a capture device");
}

SCENARIO(error_leaves_device_usable) {
  const Device device = Device::capture();
  const TensorId never(1u << 30);
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(device.capture_scope([&](CaptureScope scope) { return scope.complete({never}, {}); }), CaptureError);
    EXPECT_THROW(device.capture_scope([&](CaptureScope scope) { return scope.complete({}, {never}); }), CaptureError);
    EXPECT_TRUE(kinds(device.capture_scope(nothing)).empty());
  }
}

// What is recorded ----------------------------------------------------------------------------------------------

SCENARIO(two_initializers_and_add) {
  const Device device = Device::capture();
  const Graph graph = in_scope(device, [&] { floats(device) + Tensor::from<float>({3, 4}, {2}, device); });
  EXPECT_EQ(kinds(graph), (std::vector<OpKind>{OpKind::Constant, OpKind::Constant, OpKind::Add}));
  EXPECT_EQ(values(graph), 2u);
}

SCENARIO(boundaries_in_order) {
  const Device device = Device::capture();
  const Graph graph = device.capture_scope([&](CaptureScope scope) {
    const Tensor weight = Tensor::from<float>({10, 20}, {2}, device), a = floats(device);
    const Tensor b = Tensor::from<float>({1}, {1}, device), low = a * weight;
    const Tensor first = low + b, second = exp(b);
    return scope.complete({b.id(), a.id()}, {second.id(), first.id()});
  });
  ASSERT_EQ(graph.inputs().size(), 2u);
  EXPECT_EQ(graph.inputs()[0].shape, Shape{1});
  EXPECT_EQ(graph.inputs()[1].shape, Shape{2});
  ASSERT_EQ(graph.outputs().size(), 2u);
  EXPECT_EQ(graph.outputs()[0].shape, Shape{1});
  EXPECT_EQ(values(graph), 1u); // the weight alone
  const std::vector<Tensor> results = graph(Tensor::zeros({1}), Tensor::ones({2}));
  EXPECT_EQ(results[0].item<float>(), 1);
  EXPECT_EQ(results[1].to_vector<float>(), (std::vector<float>{10, 20}));
}

SCENARIO(creation_in_scope) {
  const Device device = Device::capture();
  const Graph graph = in_scope(device, [&] {
    const Tensor x = floats(device), zeros = Tensor::zeros({100}, device), full = Tensor::full({100}, 2.0, device);
    EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2}));
    EXPECT_THROW(zeros.to_vector<float>(), CaptureError);
    EXPECT_THROW(full.to_vector<float>(), CaptureError);
  });
  EXPECT_EQ(graph.trace().records().size(), 3u);
  EXPECT_EQ(values(graph), 1u);
}

SCENARIO(every_dtype_is_recorded) {
  const Device device = Device::capture();
  constexpr DType all[] = {DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64, DType::I32, DType::I16,
                           DType::I8,  DType::U64, DType::U32, DType::U16,  DType::U8,  DType::Bool};
  const Graph graph = in_scope(device, [&] {
    for (DType dtype : all) {
      EXPECT_EQ(Tensor::ones({2}, dtype, device).dtype(), dtype);
      EXPECT_EQ(Tensor::ones({2}, dtype).to(device).dtype(), dtype);
    }
  });
  EXPECT_EQ(kinds(graph), std::vector<OpKind>(2 * std::size(all), OpKind::Constant));
}

SCENARIO(graph_applied_twice) {
  const Graph square = capture([](Tensor x) { return tanh(x * 1.5); }, {spec(DType::F32, {2})});
  const Device device = Device::capture();
  const Graph graph = device.capture_scope([&](CaptureScope scope) {
    const Tensor a = floats(device), b = Tensor::from<float>({3, 4}, {2}, device);
    const Tensor u = square(a)[0], v = square(b)[0];
    return scope.complete({a.id(), b.id()}, {u.id(), v.id()});
  });
  std::vector<const Record *> applied;
  for (const Record &record : graph.trace().records())
    if (record.kind != OpKind::Constant)
      applied.push_back(&record);
  ASSERT_EQ(applied.size(), 4u);
  EXPECT_EQ(graph.trace().operands(*applied[1])[0], applied[0]->firstResult); // shared inside an application
  EXPECT_EQ(graph.trace().operands(*applied[3])[0], applied[2]->firstResult);
  EXPECT_NE(applied[0]->firstResult, applied[2]->firstResult); // and not between them
  EXPECT_EQ(graph.trace().operands(*applied[0])[0], graph.trace().inputs()[0].value);
  EXPECT_EQ(graph.trace().operands(*applied[2])[0], graph.trace().inputs()[1].value);
}

SCENARIO(same_operations_same_graph) {
  const auto make = [](float number) {
    const Device device = Device::capture();
    return device.capture_scope([&](CaptureScope scope) {
      Tensor x = floats(device), y = tanh(x) * number;
      return scope.complete({x.id()}, {y.id()});
    });
  };
  EXPECT_EQ(make(2).hash(), make(2).hash());
  EXPECT_TRUE(make(2).trace().is_same(make(2).trace()));
  EXPECT_FALSE(make(2).trace().is_same(make(3).trace()));
  EXPECT_NE(make(2).hash(), make(3).hash());
}

// Boundaries ----------------------------------------------------------------------------------------------------

const TensorId kNever(1u << 30);

/// The text of a scope with an initialized tensor x and a result y that ends with `complete(scope, x, y)`.
template <class F> std::string refusal(F &&complete) {
  const Device device = Device::capture();
  return text_of<CaptureError>([&] {
    device.capture_scope([&](CaptureScope scope) {
      Tensor x = floats(device), y = exp(x);
      return complete(scope, std::move(x), std::move(y));
    });
  });
}

SCENARIO(order_of_boundary_checks) {
  const Device device = Device::capture();
  Tensor stale;
  device.capture_scope([&](CaptureScope scope) {
    stale = exp(floats(device));
    return scope.complete({}, {stale.id()});
  });
  // Every rule is broken; the breaches are mended one by one.
  const auto breach = [&](int mended) {
    TensorId y(0), z(0);
    std::string text = text_of<CaptureError>([&] {
      device.capture_scope([&](CaptureScope scope) {
        Tensor a = exp(floats(device)), b = floats(device) + stale;
        y = a.id(), z = b.id();
        Tensor c = tanh(std::move(b)); // b does not survive
        std::vector<TensorId> inputs{y, kNever, y}, outputs{z, kNever, z};
        if (mended > 0)
          inputs = {y, kNever};
        if (mended > 1)
          inputs = {y};
        if (mended > 2)
          outputs = {z, kNever};
        if (mended > 3)
          outputs = {z};
        if (mended > 4)
          inputs = {};
        if (mended > 5)
          inputs = {stale.id()};
        return scope.complete(inputs, outputs);
      });
    });
    for (const auto &[id, name] : {std::pair(y, "y"), std::pair(z, "z"), std::pair(stale.id(), "stale")})
      if (const std::size_t at = text.find(id.str()); at != std::string::npos)
        text.replace(at, id.str().size(), name);
    return text;
  };
  EXPECT_EQ(breach(0), "duplicate graph input tensor y");
  EXPECT_EQ(breach(1), "unknown graph input tensor " + kNever.str());
  EXPECT_EQ(breach(2), "duplicate graph output tensor z");
  EXPECT_EQ(breach(3), "unknown graph output tensor " + kNever.str());
  EXPECT_EQ(breach(4), "graph input tensor y is produced within the graph");
  EXPECT_EQ(breach(5), "graph reads undeclared input tensor stale");
  EXPECT_EQ(breach(6), "graph output tensor z does not survive the graph");
}

SCENARIO(declared_never_seen) {
  EXPECT_EQ(refusal([](CaptureScope &s, Tensor, Tensor) { return s.complete({kNever}, {}); }),
            "unknown graph input tensor " + kNever.str());
}

SCENARIO(declared_twice) {
  std::string id;
  EXPECT_EQ(refusal([&](CaptureScope &s, Tensor x, Tensor) {
              id = x.id().str();
              return s.complete({x.id(), x.id()}, {});
            }),
            "duplicate graph input tensor " + id);
}

SCENARIO(reads_foreign) {
  const Device device = Device::capture();
  Tensor stale;
  device.capture_scope([&](CaptureScope scope) {
    stale = exp(floats(device));
    return scope.complete({}, {stale.id()});
  });
  std::string text = text_of<CaptureError>([&] { in_scope(device, [&] { floats(device) + stale; }); });
  EXPECT_EQ(text, "graph reads undeclared input tensor " + stale.id().str());
  const Graph declared = device.capture_scope([&](CaptureScope scope) {
    Tensor y = floats(device) + stale;
    return scope.complete({stale.id()}, {y.id()});
  });
  EXPECT_EQ(declared(Tensor::ones({2}))[0].to_vector<float>(), (std::vector<float>{2, 3}));
}

SCENARIO(declared_result_as_input) {
  std::string id;
  EXPECT_EQ(refusal([&](CaptureScope &s, Tensor, Tensor y) {
              id = y.id().str();
              return s.complete({y.id()}, {});
            }),
            "graph input tensor " + id + " is produced within the graph");
}

SCENARIO(consumed_initializer_as_output) {
  std::string id;
  EXPECT_EQ(refusal([&](CaptureScope &s, Tensor x, Tensor) {
              const TensorId given = x.id();
              id = given.str();
              neg(std::move(x));
              return s.complete({}, {given});
            }),
            "graph output tensor " + id + " does not survive the graph");
}

SCENARIO(last_use) {
  const Device device = Device::capture();
  TensorId gone(0);
  EXPECT_EQ(text_of<CaptureError>([&] {
              device.capture_scope([&](CaptureScope scope) {
                Tensor y = exp(floats(device));
                gone = y.id();
                Tensor z = tanh(std::move(y));
                return scope.complete({}, {gone, z.id()});
              });
            }),
            "graph output tensor " + gone.str() + " does not survive the graph");
  const Graph kept = device.capture_scope([&](CaptureScope scope) {
    Tensor y = exp(floats(device)), copy = y, z = tanh(std::move(y));
    return scope.complete({}, {copy.id(), z.id()});
  });
  EXPECT_EQ(kept.outputs().size(), 2u);
}

SCENARIO(pass_through) {
  const Device device = Device::capture();
  const Graph graph = device.capture_scope([&](CaptureScope scope) {
    Tensor x = floats(device), y = exp(x);
    return scope.complete({x.id()}, {x.id(), y.id()});
  });
  EXPECT_EQ(graph(Tensor::zeros({2}))[0].to_vector<float>(), (std::vector<float>{0, 0}));
  EXPECT_EQ(graph(Tensor::zeros({2}))[1].to_vector<float>(), (std::vector<float>{1, 1}));
}

// Tensors that move and outlive ---------------------------------------------------------------------------------

SCENARIO(escaped_result) {
  const Device device = Device::capture();
  Tensor escaped;
  in_scope(device, [&] { escaped = exp(floats(device)); });
  const Graph graph = in_scope(device, [&] {
    const Tensor fresh = floats(device);
    EXPECT_EQ(text_of<CaptureError>([&] { escaped + fresh; }), kComplete);
  });
  EXPECT_EQ(kinds(graph), std::vector<OpKind>{OpKind::Constant});
}

SCENARIO(escaped_initializer) {
  const Device a = Device::capture(), b = Device::capture();
  Tensor kept;
  in_scope(a, [&] { kept = floats(a); });
  const Graph graph = b.capture_scope([&](CaptureScope scope) {
    Tensor y = neg(kept.to(b));
    return scope.complete({}, {y.id()});
  });
  EXPECT_EQ(kinds(graph), (std::vector<OpKind>{OpKind::Constant, OpKind::Neg}));
  EXPECT_EQ(graph()[0].to_vector<float>(), (std::vector<float>{-1, -2}));
}

SCENARIO(moved_in_twice) {
  const Device device = Device::capture();
  const Graph graph = in_scope(device, [&] {
    for (const Tensor &t : {floats(Device::cpu()), Tensor::arange(2)}) {
      const Tensor moved = t.to(device);
      EXPECT_EQ(moved.to(device).id(), moved.id());
      EXPECT_EQ(text_of<DispatchError>([&] { moved.to(Device::cpu()); }), "Cannot move a tensor from a capture device");
    }
  });
  EXPECT_EQ(values(graph), 2u);
}

std::vector<Tensor> one_of_each(const Device &device) {
  return {floats(device), Tensor::from<std::int64_t>({1, 2}, {2}, device),
          Tensor::from<bool>({true, false}, {2}, device)};
}

SCENARIO(moved_between_scopes) {
  const Device outer = Device::capture(), inner = Device::capture();
  std::optional<Graph> nested;
  const Graph graph = in_scope(outer, [&] {
    const std::vector<Tensor> tensors = one_of_each(outer);
    nested = in_scope(inner, [&] {
      for (const Tensor &t : tensors)
        t.to(inner);
    });
  });
  EXPECT_EQ(values(graph), 3u);
  EXPECT_EQ(values(*nested), 3u);
}

SCENARIO(computed_do_not_move) {
  const Device outer = Device::capture(), inner = Device::capture();
  std::optional<Graph> nested;
  const Graph graph = in_scope(outer, [&] {
    const std::vector<Tensor> t = one_of_each(outer), computed{neg(t[0]), neg(t[1]), logical_not(t[2])};
    nested = in_scope(inner, [&] {
      for (const Tensor &c : computed)
        EXPECT_EQ(text_of<CaptureError>([&] { c.to(inner); }),
                  "capture tensor " + c.id().str() + " has no initialized value");
    });
  });
  EXPECT_EQ(values(graph), 3u);
  EXPECT_TRUE(kinds(*nested).empty());
}

SCENARIO(parameters_of_two_scopes) {
  std::vector<Tensor> parameters; // as of a normalization: weight, bias, running mean and variance
  for (float value : {1.0f, 0.0f, 0.5f, 2.0f})
    parameters.push_back(Tensor::from<float>({value, value + 1}, {2}));
  const auto normalize = [](const std::vector<Tensor> &p, Tensor x) { return (x - p[2]) / p[3] * p[0] + p[1]; };
  for (std::vector<Tensor> moving = parameters; const Device &device : {Device::capture(), Device::capture()}) {
    const Graph graph = device.capture_scope([&](CaptureScope scope) {
      for (Tensor &t : moving) // from the first scope into the second
        t = t.to(device);
      Tensor x = floats(device), y = normalize(moving, x);
      return scope.complete({x.id()}, {y.id()});
    });
    EXPECT_EQ(values(graph), 4u);
    EXPECT_EQ(graph(Tensor::full({2}, 4.5))[0].to_vector<float>(), (std::vector<float>{2, 3}));
  }
}

SCENARIO(stale_tensors_drop) {
  const Device device = Device::capture();
  std::vector<Tensor> stale;
  in_scope(device, [&] { stale = {floats(device), exp(floats(device)), Tensor::ones({2}, device)}; });
  stale.pop_back();
  const Graph graph = in_scope(device, [&] { stale.clear(); });
  EXPECT_TRUE(kinds(graph).empty());
}

SCENARIO(read_around_completion) {
  const Device device = Device::capture();
  const std::vector<float> want{1, 2};
  Tensor x;
  device.capture_scope([&](CaptureScope scope) {
    x = floats(device);
    EXPECT_EQ(x.to_vector<float>(), want);
    CaptureCompletion done = scope.complete({x.id()}, {});
    EXPECT_EQ(x.to_vector<float>(), want);
    return done;
  });
  EXPECT_EQ(x.to_vector<float>(), want);
}

SCENARIO(captured_float_has_no_autodiff) {
  const Device device = Device::capture();
  in_scope(device, [&] {
    EXPECT_EQ(text_of<GradientError>([&] { floats(device).autodiff(); }), "Capture tensors do not support autodiff");
    EXPECT_EQ(text_of<GradientError>([&] { exp(floats(device)).autodiff(); }),
              "Capture tensors do not support autodiff");
  });
}

} // namespace
} // namespace ingot
