// Capture scopes: every text of the capture contract, at the line of the op or of the scope.
#include "Expect.h"

#include "ingot/capture/Trace.h"

namespace ingot {
namespace {

class ScopeErrors : public testing::Test {
protected:
  Device dev = Device::capture(), other = Device::capture();

  Tensor floats(std::source_location at = std::source_location::current()) {
    return Tensor::from<float>({1, 2}, {2}, dev, at);
  }
  static CaptureCompletion nothing(CaptureScope scope) { return scope.complete({}, {}); }
  /// The device is free again, and a new scope starts empty.
  void TearDown() override {
    EXPECT_TRUE(dev.capture_scope(nothing).outputs().empty());
    EXPECT_TRUE(other.capture_scope(nothing).outputs().empty());
  }
};

TEST_F(ScopeErrors, Devices) {
  EXPECT_ERROR(
      CaptureError, [&] { floats(); }, "capture tensor operations must run inside CaptureDevice::capture_scope");
  EXPECT_ERROR(
      CaptureError, [&] { Tensor::zeros({2}).to(dev); },
      "capture tensor operations must run inside CaptureDevice::capture_scope");
  const std::string wrong = "capture scope requires a capture device";
  EXPECT_ERROR(CaptureError, [&] { Device::cpu().capture_scope(nothing); }, wrong);
  EXPECT_ERROR(CaptureError, [&] { Device::reference().capture_scope(nothing); }, wrong);
  EXPECT_ERROR(CaptureError, [&] { dev.autodiff().capture_scope(nothing); }, wrong);
}

TEST_F(ScopeErrors, OneScopePerDevice) {
  const Graph outer = dev.capture_scope([&](CaptureScope scope) {
    EXPECT_ERROR(CaptureError, [&] { dev.capture_scope(nothing); }, "a capture scope is already active on this device");
    EXPECT_TRUE(other.capture_scope(nothing).outputs().empty());
    Tensor y = exp(floats());
    return scope.complete({}, {y.id()});
  });
  EXPECT_EQ(outer.outputs().size(), 1u);
}

TEST_F(ScopeErrors, NothingAfterCompletion) {
  const std::string text = "capture scope is already complete";
  const Graph graph = dev.capture_scope([&](CaptureScope scope) {
    Tensor x = floats();
    CaptureCompletion done = scope.complete({}, {});
    EXPECT_ERROR(CaptureError, [&] { floats(); }, text);
    EXPECT_ERROR(CaptureError, [&] { Tensor::ones({2}, dev); }, text);
    EXPECT_ERROR(CaptureError, [&] { exp(x); }, text);
    EXPECT_ERROR(CaptureError, [&] { Tensor::zeros({2}).to(dev); }, text);
    EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2}));
    return done;
  });
  EXPECT_TRUE(graph.outputs().empty());
}

TEST_F(ScopeErrors, StaleTensors) {
  Tensor result, initial;
  dev.capture_scope([&](CaptureScope scope) {
    initial = floats();
    result = exp(initial);
    return scope.complete({}, {result.id()});
  });
  EXPECT_ERROR(CaptureError, [&] { exp(initial); }, "capture scope is already complete");
  EXPECT_ERROR(ShapeError, [&] { result.item<float>(); }, "[item] the tensor has shape 2, not one element");
}

TEST_F(ScopeErrors, StaleOperands) {
  Tensor stale;
  dev.capture_scope([&](CaptureScope scope) {
    stale = exp(floats());
    return scope.complete({}, {stale.id()});
  });
  const Graph graph = dev.capture_scope([&](CaptureScope scope) {
    Tensor fresh = floats();
    EXPECT_ERROR(CaptureError, [&] { stale + fresh; }, "capture scope is already complete");
    return scope.complete({fresh.id()}, {fresh.id()});
  });
  EXPECT_EQ(graph.inputs().size(), 1u);
  auto second = [&](CaptureScope scope) {
    Tensor y = floats() + stale;
    return scope.complete({}, {y.id()});
  };
  EXPECT_ERROR(
      CaptureError, [&] { dev.capture_scope(second); }, "graph reads undeclared input tensor " + stale.id().str());
}

TEST_F(ScopeErrors, ExceptionsOfTheUser) {
  Tensor escaped;
  EXPECT_THROW(dev.capture_scope([&](CaptureScope) -> CaptureCompletion {
    escaped = floats();
    throw std::runtime_error("the user's");
  }),
               std::runtime_error);
  EXPECT_ERROR(CaptureError, [&] { exp(escaped); }, "capture scope is already complete");
}

TEST_F(ScopeErrors, Boundaries) {
  const TensorId never(1u << 30);
  TensorId x(0), y(0);
  using Declare = std::function<CaptureCompletion(CaptureScope &, Tensor, Tensor)>;
  // The text names an id that is known only once the scope has run.
  const auto expect = [&](const Declare &declare, const std::string &before, const TensorId &id,
                          const std::string &after = "", std::source_location at = std::source_location::current()) {
    const auto run = [&] {
      dev.capture_scope(
          [&](CaptureScope scope) {
            Tensor in = floats(), out = exp(in);
            x = in.id(), y = out.id();
            return declare(scope, in, std::move(out));
          },
          at);
    };
    try {
      run();
      ADD_FAILURE() << before << ": nothing was thrown";
    } catch (const CaptureError &error) {
      EXPECT_EQ(error.message(), before + id.str() + after);
      EXPECT_EQ(error.where(), SourceLocation(at));
    }
  };
  expect([&](auto &s, Tensor in, Tensor) { return s.complete({never, in.id(), in.id()}, {}); },
         "duplicate graph input tensor ", x);
  expect([&](auto &s, Tensor, Tensor out) { return s.complete({never}, {out.id(), out.id()}); },
         "unknown graph input tensor ", never);
  expect([&](auto &s, Tensor, Tensor out) { return s.complete({}, {never, out.id(), out.id()}); },
         "duplicate graph output tensor ", y);
  expect([&](auto &s, Tensor, Tensor out) { return s.complete({out.id()}, {never}); }, "unknown graph output tensor ",
         never);
  expect([&](auto &s, Tensor, Tensor out) { return s.complete({out.id()}, {out.id()}); }, "graph input tensor ", y,
         " is produced within the graph");
  expect(
      [&](auto &s, Tensor in, Tensor out) {
        Tensor next = tanh(std::move(out));
        return s.complete({in.id()}, {next.id(), y});
      },
      "graph output tensor ", y, " does not survive the graph");
}

TEST_F(ScopeErrors, Movement) {
  dev.capture_scope([&](CaptureScope outer) {
    Tensor f = neg(floats());
    Tensor i = neg(Tensor::from<std::int64_t>({1, 2}, {2}, dev));
    Tensor b = logical_not(Tensor::from<bool>({true, false}, {2}, dev));
    const Graph inner = other.capture_scope([&](CaptureScope scope) {
      for (const Tensor &t : {f, i, b}) {
        const std::string id = t.id().str();
        EXPECT_ERROR(CaptureError, [&] { t.to(other); }, "capture tensor " + id + " has no initialized value");
        EXPECT_ERROR(DispatchError, [&] { t.to(Device::cpu()); }, "Cannot move a tensor from a capture device");
      }
      EXPECT_ERROR(
          CaptureError, [&] { f.to_vector<float>(); }, "captured tensor " + f.id().str() + " has no concrete value");
      return scope.complete({}, {});
    });
    EXPECT_TRUE(inner.trace().records().empty());
    EXPECT_ERROR(
        DispatchError, [&] { floats().to(Device::reference()); }, "Cannot move a tensor from a capture device");
    EXPECT_EQ(f.to(dev).id(), f.id());
    return outer.complete({}, {});
  });
}

} // namespace
} // namespace ingot
