// Errors of capture scopes.
#include "Contract.h"

#include "ingot/capture/Trace.h"

#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace ingot {
namespace {

using contract::Row;
const TensorId kNever(1u << 30);

CaptureCompletion nothing(CaptureScope scope) { return scope.complete({}, {}); }
Tensor floats(const Device &device, std::source_location at = std::source_location::current()) {
  return Tensor::from<float>({1, 2}, {2}, device, at);
}
void expect_usable(const Device &device) {
  const Graph graph = device.capture_scope([&](CaptureScope scope) {
    Tensor x = floats(device), y = exp(x);
    return scope.complete({x.id()}, {y.id()});
  });
  EXPECT_EQ(graph.inputs().size(), 1u);
  EXPECT_EQ(graph.outputs().size(), 1u);
}

SCENARIO(scope_already_active) {
  const Device device = Device::capture(), copy = device;
  const Graph graph = device.capture_scope([&](CaptureScope scope) {
    bool called = false;
    EXPECT_REFUSAL([&] {
      copy.capture_scope([&](CaptureScope inner) {
        called = true;
        return inner.complete({}, {});
      });
    });
    EXPECT_FALSE(called);
    std::thread([&] { EXPECT_REFUSAL([&] { device.capture_scope(nothing); }); }).join();
    Tensor y = exp(floats(device));
    return scope.complete({}, {y.id()});
  });
  EXPECT_EQ(graph.outputs().size(), 1u);
  expect_usable(device);
}

SCENARIO(scope_of_other_device) {
  for (const Device &device : {Device::cpu(), Device::reference(), Device::cpu().autodiff(),
                               Device::capture().autodiff(), Device::capture().autodiff(Checkpointing::Balanced)})
    EXPECT_REFUSAL([&] { device.capture_scope(nothing); });
  capture(
      [&](Tensor x) {
        EXPECT_REFUSAL([&] { x.device().capture_scope(nothing); });
        return x;
      },
      {spec(DType::F32, {2})});
}

/// A scope with an initialized tensor and a result of it; `declare` completes it and says which id the text names.
using Declare = std::function<CaptureCompletion(CaptureScope &, Tensor, Tensor, TensorId &)>;
void expect_boundary(const Row &row, const char *boundary, const Declare &declare,
                     std::source_location at = std::source_location::current()) {
  const Device device = Device::capture();
  TensorId id(0);
  std::string text(row.text);
  try {
    device.capture_scope(
        [&](CaptureScope scope) {
          Tensor x = floats(device), y = exp(x);
          return declare(scope, x, std::move(y), id);
        },
        at);
    ADD_FAILURE() << row.id << ": nothing was thrown";
  } catch (const Error &error) {
    // The id is known once the scope has run.
    contract::Holes holes{{"id", id.str()}};
    if (*boundary)
      holes.emplace_back("boundary", boundary);
    const std::exception_ptr thrown = std::current_exception();
    contract::expect_refusal(row, at, [&] { std::rethrow_exception(thrown); }, holes);
  }
  expect_usable(device);
}

SCENARIO(unknown_boundary) {
  const auto input = [](CaptureScope &s, Tensor x, Tensor, TensorId &id) {
    return s.complete({x.id(), id = kNever}, {});
  };
  expect_boundary(row, "input", input);
  expect_boundary(row, "output", [](CaptureScope &s, Tensor x, Tensor y, TensorId &id) {
    return s.complete({x.id()}, {y.id(), id = kNever, TensorId(kNever.value + 1)});
  });
  // Inputs come before outputs.
  expect_boundary(row, "input", [](CaptureScope &s, Tensor, Tensor y, TensorId &id) {
    return s.complete({id = kNever}, {y.id(), y.id()});
  });
}

SCENARIO(duplicate_boundary) {
  // Duplicates come before unknown ids.
  expect_boundary(row, "input", [](CaptureScope &s, Tensor x, Tensor, TensorId &id) {
    return s.complete({kNever, id = x.id(), x.id()}, {});
  });
  expect_boundary(row, "output", [](CaptureScope &s, Tensor, Tensor y, TensorId &id) {
    return s.complete({}, {kNever, id = y.id(), y.id()});
  });
}

SCENARIO(undeclared_input) {
  const Device device = Device::capture();
  Tensor stale;
  device.capture_scope([&](CaptureScope scope) {
    stale = exp(floats(device));
    return scope.complete({}, {stale.id()});
  });
  const auto reads = [&](CaptureScope scope) {
    Tensor y = floats(device) + stale;
    return scope.complete({}, {y.id()});
  };
  EXPECT_REFUSAL([&] { device.capture_scope(reads); }, {{"id", stale.id().str()}});
  expect_usable(device);
}

SCENARIO(invalid_input) {
  expect_boundary(row, "", [](CaptureScope &s, Tensor x, Tensor y, TensorId &id) {
    return s.complete({x.id(), id = y.id()}, {y.id()});
  });
}

SCENARIO(invalid_output) {
  expect_boundary(row, "", [](CaptureScope &s, Tensor x, Tensor y, TensorId &id) {
    id = y.id();
    Tensor z = tanh(std::move(y)); // the last handle
    return s.complete({x.id()}, {z.id(), id});
  });
  expect_boundary(row, "", [](CaptureScope &s, Tensor x, Tensor, TensorId &id) {
    // Moved in and used by nothing.
    const Device other = Device::capture();
    Tensor from, moved;
    other.capture_scope([&](CaptureScope scope) {
      from = floats(other);
      return scope.complete({}, {});
    });
    moved = from.to(x.device());
    return s.complete({}, {id = moved.id()});
  });
}

SCENARIO(scope_complete) {
  const Device device = Device::capture(), other = Device::capture();
  Tensor stale;
  device.capture_scope([&](CaptureScope scope) {
    stale = floats(device);
    CaptureCompletion done = scope.complete({}, {});
    EXPECT_REFUSAL([&] { floats(device); });
    EXPECT_REFUSAL([&] { Tensor::ones({2}, device); });
    EXPECT_REFUSAL([&] { exp(stale); });
    EXPECT_REFUSAL([&] { Tensor::zeros({2}).to(device); });
    other.capture_scope([&](CaptureScope inner) {
      EXPECT_REFUSAL([&] { floats(other).to(device); });
      return inner.complete({}, {});
    });
    EXPECT_EQ(stale.to_vector<float>(), (std::vector<float>{1, 2}));
    return done;
  });
  EXPECT_REFUSAL([&] { exp(stale); });
  EXPECT_THROW(device.capture_scope([&](CaptureScope) -> CaptureCompletion {
    stale = floats(device);
    throw std::runtime_error("the user's");
  }),
               std::runtime_error);
  EXPECT_REFUSAL([&] { exp(stale); });
  expect_usable(device);
}

SCENARIO(outside_scope) {
  const Device device = Device::capture();
  EXPECT_REFUSAL([&] { floats(device); });
  EXPECT_REFUSAL([&] { Tensor::ones({2}, device); });
  EXPECT_REFUSAL([&] { Tensor::normal({2}, device); });
  EXPECT_REFUSAL([&] { floats(Device::cpu()).to(device); });
  EXPECT_REFUSAL([&] { floats(device.autodiff()); });
  expect_usable(device);
}

SCENARIO(read_computed) {
  const Device device = Device::capture();
  Tensor y;
  device.capture_scope([&](CaptureScope scope) {
    y = exp(floats(device));
    EXPECT_REFUSAL([&] { y.to_vector<float>(); }, {{"id", y.id().str()}});
    const Tensor total = sum(y);
    EXPECT_REFUSAL([&] { total.item<float>(); }, {{"id", total.id().str()}});
    EXPECT_REFUSAL([&] { y.eval(); }, {{"id", y.id().str()}});
    return scope.complete({}, {y.id()});
  });
  EXPECT_REFUSAL([&] { y.data<float>(); }, {{"id", y.id().str()}});
}

SCENARIO(devices_exhausted) {
  // In a process of its own: what it uses up never comes back.
  const pid_t child = fork();
  if (child == 0) {
    while (Device::capture().number() < 65535)
      ;
    EXPECT_REFUSAL([] { Device::capture(); });
    EXPECT_REFUSAL([] { Device::capture(); });
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

} // namespace
} // namespace ingot
