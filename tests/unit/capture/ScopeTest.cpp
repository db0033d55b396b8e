// The capture contract: life cycle, boundaries, constants, movement.
#include "Values.h"

#include "ingot/capture/Trace.h"

#include <thread>

namespace ingot {
namespace {

std::string id_text(const Tensor &t) { return t.id().str(); }

class Scope : public testing::Test {
protected:
  Device dev = Device::capture();

  Graph empty(const Device &device) {
    return device.capture_scope([](CaptureScope s) { return s.complete({}, {}); });
  }
};

TEST_F(Scope, InitialisersBecomeConstantsOrInputs) {
  Graph g = dev.capture_scope([&](CaptureScope s) {
    Tensor a = Tensor::from<float>({1, 2}, {2}, dev), b = Tensor::from<float>({3, 4}, {2}, dev), c = a + b;
    return s.complete({a.id()}, {c.id()});
  });
  EXPECT_EQ(g.inputs().size(), 1u);
  ASSERT_EQ(g.trace().records().size(), 2u);
  EXPECT_EQ(g.trace().records()[0].kind, OpKind::Constant);
  EXPECT_EQ(g.trace().records()[1].kind, OpKind::Add);
}

TEST_F(Scope, SequentialScopesAreIndependent) {
  EXPECT_TRUE(empty(dev).trace().records().empty());
  EXPECT_TRUE(empty(dev).trace().records().empty());
}

TEST_F(Scope, NestsOnAnotherDeviceAlone) {
  Device other = Device::capture();
  Graph g = dev.capture_scope([&](CaptureScope s) {
    EXPECT_TRUE(empty(other).trace().records().empty());
    EXPECT_EQ(message_of<CaptureError>([&] { empty(dev); }), "a capture scope is already active on this device");
    Tensor y = exp(Tensor::ones({2}, dev));
    return s.complete({}, {y.id()});
  });
  EXPECT_EQ(g.outputs().size(), 1u);
}

TEST_F(Scope, NothingIsRecordedAfterCompletion) {
  Graph g = dev.capture_scope([&](CaptureScope s) {
    Tensor x = Tensor::from<float>({1}, {1}, dev);
    CaptureCompletion done = s.complete({}, {});
    EXPECT_EQ(message_of<CaptureError>([&] { exp(x); }), "capture scope is already complete");
    EXPECT_EQ(message_of<CaptureError>([&] { Tensor::ones({1}, dev); }), "capture scope is already complete");
    EXPECT_EQ(x.item<float>(), 1);
    return done;
  });
  EXPECT_TRUE(g.outputs().empty());
}

TEST_F(Scope, BoundariesAreCheckedInOrder) {
  auto run = [&](auto declare) {
    return message_of<CaptureError>([&] {
      dev.capture_scope([&](CaptureScope s) {
        Tensor x = Tensor::from<float>({1, 2}, {2}, dev), y = exp(x);
        return declare(s, x, y);
      });
    });
  };
  const TensorId none(1u << 30);
  std::string id, text;
  text = run([&](CaptureScope &s, Tensor x, Tensor) {
    id = id_text(x);
    return s.complete({none, x.id(), x.id()}, {});
  });
  EXPECT_EQ(text, "duplicate graph input tensor " + id);
  text = run([&](CaptureScope &s, Tensor, Tensor y) { return s.complete({none}, {y.id(), y.id()}); });
  EXPECT_EQ(text, "unknown graph input tensor TensorId(1073741824)");
  text = run([&](CaptureScope &s, Tensor, Tensor) { return s.complete({}, {none}); });
  EXPECT_EQ(text, "unknown graph output tensor TensorId(1073741824)");
  text = run([&](CaptureScope &s, Tensor, Tensor y) {
    id = id_text(y);
    return s.complete({y.id()}, {y.id(), y.id()});
  });
  EXPECT_EQ(text, "duplicate graph output tensor " + id);
  text = run([&](CaptureScope &s, Tensor, Tensor y) {
    id = id_text(y);
    return s.complete({y.id()}, {y.id()});
  });
  EXPECT_EQ(text, "graph input tensor " + id + " is produced within the graph");
  EXPECT_TRUE(empty(dev).outputs().empty()); // still usable
}

TEST_F(Scope, OutputsMustSurvive) {
  TensorId consumed;
  const std::string text = message_of<CaptureError>([&] {
    dev.capture_scope([&](CaptureScope s) {
      Tensor x = exp(Tensor::from<float>({1, 2}, {2}, dev));
      consumed = x.id();
      Tensor y = tanh(std::move(x));
      return s.complete({}, {consumed, y.id()});
    });
  });
  EXPECT_EQ(text, "graph output tensor " + consumed.str() + " does not survive the graph");
  Graph kept = dev.capture_scope([&](CaptureScope s) {
    Tensor x = exp(Tensor::from<float>({1, 2}, {2}, dev)), y = tanh(x);
    return s.complete({}, {x.id(), y.id()});
  });
  EXPECT_EQ(kept.outputs().size(), 2u);
}

TEST_F(Scope, LastHandlesAreSeenThroughEveryOp) {
  const auto consumes = [&](auto op) {
    TensorId id;
    EXPECT_THROW(dev.capture_scope([&](CaptureScope s) {
      Tensor x = exp(Tensor::from<float>({1, 2, 3, 4}, {2, 2}, dev));
      id = x.id();
      Tensor y = op(std::move(x));
      return s.complete({}, {id});
    }),
                 CaptureError);
  };
  consumes([](Tensor x) { return reshape(std::move(x), {4}); });
  consumes([](Tensor x) { return transpose(std::move(x)); });
  consumes([](Tensor x) { return sum(std::move(x)); });
  consumes([](Tensor x) { return std::move(x) * 2.0; });
  consumes([](Tensor x) { return slice(std::move(x), {0, 0}, {1, 1}); });
}

TEST_F(Scope, PassThroughIsAnInputAndAnOutput) {
  Graph g = dev.capture_scope([&](CaptureScope s) {
    Tensor x = Tensor::from<float>({1, 2}, {2}, dev);
    return s.complete({x.id()}, {x.id()});
  });
  EXPECT_EQ(g.trace().outputs()[0], g.trace().inputs()[0].value);
}

TEST_F(Scope, StaleTensorsFailFirstAndSurfaceSecond) {
  Tensor stale;
  dev.capture_scope([&](CaptureScope s) {
    stale = exp(Tensor::ones({2}, dev));
    return s.complete({}, {stale.id()});
  });
  EXPECT_EQ(message_of<CaptureError>([&] {
              dev.capture_scope([&](CaptureScope s) {
                EXPECT_EQ(message_of<CaptureError>([&] { stale + stale; }), "capture scope is already complete");
                Tensor y = Tensor::ones({2}, dev) + stale;
                return s.complete({}, {y.id()});
              });
            }),
            "graph reads undeclared input tensor " + id_text(stale));
}

TEST_F(Scope, TensorsMoveBetweenScopesByValue) {
  Device other = Device::capture();
  Tensor kept;
  dev.capture_scope([&](CaptureScope s) {
    kept = Tensor::from<float>({1, 2}, {2}, dev);
    return s.complete({}, {});
  });
  EXPECT_EQ(kept.to(dev).id(), kept.id());
  Graph g = other.capture_scope([&](CaptureScope s) {
    Tensor moved = kept.to(other), y = neg(moved);
    EXPECT_NE(moved.id(), kept.id());
    EXPECT_EQ(message_of<CaptureError>([&] { y.to(dev); }),
              "capture tensor " + id_text(y) + " has no initialized value");
    EXPECT_EQ(message_of<DispatchError>([&] { y.to(Device::cpu()); }), "Cannot move a tensor from a capture device");
    return s.complete({}, {y.id()});
  });
  EXPECT_TRUE(g.inputs().empty());
  EXPECT_EQ(g.trace().records().back().kind, OpKind::Neg);
}

TEST_F(Scope, AnUnusedMovedTensorIsNoOutput) {
  Device other = Device::capture();
  Tensor kept;
  dev.capture_scope([&](CaptureScope s) {
    kept = Tensor::from<float>({1, 2}, {2}, dev);
    return s.complete({}, {});
  });
  EXPECT_THROW(other.capture_scope([&](CaptureScope s) {
    Tensor moved = kept.to(other);
    return s.complete({}, {moved.id()});
  }),
               CaptureError);
  EXPECT_EQ(other
                .capture_scope([&](CaptureScope s) {
                  Tensor moved = kept.to(other);
                  return s.complete({moved.id()}, {});
                })
                .inputs()
                .size(),
            1u);
}

TEST_F(Scope, EveryConcreteTensorMovesInWithItsValue) {
  dev.capture_scope([&](CaptureScope s) {
    EXPECT_EQ(Tensor::full({2}, 3.0).to(dev).to_vector<float>(), std::vector<float>(2, 3.0f));
    EXPECT_EQ(ref_ints({4}, {1}).to(dev).item<std::int64_t>(), 4);
    return s.complete({}, {});
  });
}

TEST_F(Scope, ThreadsRecordIntoOneScope) {
  Graph g = dev.capture_scope([&](CaptureScope s) {
    Tensor x = Tensor::from<float>({1, 2}, {2}, dev);
    std::vector<Tensor> results(4);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        Tensor y = x;
        for (int i = 0; i < 50; ++i)
          y = tanh(y);
        results[std::size_t(t)] = y;
      });
    for (std::thread &thread : threads)
      thread.join();
    return s.complete({x.id()}, {results[0].id(), results[1].id(), results[2].id(), results[3].id()});
  });
  EXPECT_EQ(g.trace().records().size(), 200u);
}

TEST_F(Scope, AnExceptionUnbindsTheDevice) {
  Tensor escaped;
  EXPECT_THROW(dev.capture_scope([&](CaptureScope) -> CaptureCompletion {
    escaped = Tensor::ones({2}, dev);
    throw std::runtime_error("the user's");
  }),
               std::runtime_error);
  EXPECT_EQ(message_of<CaptureError>([&] { exp(escaped); }), "capture scope is already complete");
  EXPECT_TRUE(empty(dev).outputs().empty());
}

} // namespace
} // namespace ingot
