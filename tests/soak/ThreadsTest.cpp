// Eight threads record, read, drop and move tensors that they share, differentiate through shared leaves, capture, and
// call shared executables, while programs are evicted under them. Every value is a small whole number and is checked.
// INGOT_THREADS_SECONDS says how long; 2 unless set.
#include "ingot/capture/Ingot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

namespace ingot {
namespace {

constexpr int kThreads = 8;
constexpr std::int64_t kSize = 8;
constexpr float kMost = 64; // values stay between -kMost and kMost: exact in f32

using Values = std::array<float, kSize>;

/// A tensor and what must be in it.
struct Known {
  Tensor tensor;
  Values values;
};

double seconds() {
  const char *wanted = std::getenv("INGOT_THREADS_SECONDS");
  return wanted ? std::atof(wanted) : 2;
}

template <class F> Values map(const Values &a, F &&f) {
  Values result;
  std::transform(a.begin(), a.end(), result.begin(), f);
  return result;
}
template <class F> Values map(const Values &a, const Values &b, F &&f) {
  Values result;
  std::transform(a.begin(), a.end(), b.begin(), result.begin(), f);
  return result;
}
float bounded(float x) { return std::clamp(x, -kMost, kMost); }

Tensor on_cpu(const Tensor &t) { return t.to(Device::cpu()); }

/// What all threads have in common.
class Shared {
public:
  Shared() {
    setenv("INGOT_CACHE_DIR", "", 1); // before any thread may read it
    for (std::size_t i = 0; i < slots.size(); ++i)
      slots[i].known = fresh(float(i % 5), i % 3 == 0 ? Device::reference() : Device::cpu());
    const Known base = fresh(3, Device::cpu());
    pending = {base.tensor * 2.0 + 1.0, map(base.values, [](float x) { return 2 * x + 1; })};
    for (Checkpointing strategy : {Checkpointing::None, Checkpointing::Balanced}) {
      const Known value = fresh(2, Device::cpu().autodiff(strategy));
      leaves.push_back({value.tensor.require_grad(), value.values});
      steps.push_back({leaves.back().tensor * 2.0, map(value.values, [](float x) { return 2 * x; })});
    }
    const std::vector<TensorSpec> two{spec(DType::F32, {kSize}, "a"), spec(DType::F32, {kSize}, "b")};
    const Graph graph = capture([](Tensor a, Tensor b) { return std::vector<Tensor>{a + b, a * b}; }, two);
    call = std::make_unique<Executable>(compile(graph, {.threads = 2}));
    tripled = CustomOp::native(
        "tripled", [](const std::vector<TensorSpec> &in) { return in; },
        [](const std::vector<ConstBuffer> &in, const std::vector<MutableBuffer> &out) {
          for (std::int64_t i = 0; i < in[0].num_elements; ++i)
            static_cast<float *>(out[0].data)[i] = 3 * static_cast<const float *>(in[0].data)[i];
        });
    donating = std::make_unique<Executable>(compile(graph, {.threads = 1, .donate = {0}}));
  }

  static Known fresh(float first, const Device &device) {
    Values values;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = first + float(i) - 4;
    return {Tensor::from<float>(values, {kSize}, device), values};
  }

  Known take(std::size_t i) {
    Slot &slot = slots[i % slots.size()];
    std::lock_guard lock(slot.mutex);
    return slot.known;
  }
  void put(std::size_t i, Known known) {
    Slot &slot = slots[i % slots.size()];
    std::lock_guard lock(slot.mutex);
    std::swap(slot.known, known); // the old one is dropped after the lock, here
  }

  Known pending; // recorded by the main thread, which reads nothing of it
  std::vector<Known> leaves, steps;
  std::unique_ptr<Executable> call, donating;
  std::optional<CustomOp> tripled;
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> rounds = 0;
  std::atomic<int> wrong = 0;

private:
  struct Slot {
    std::mutex mutex;
    Known known;
  };
  std::array<Slot, 16> slots;
};

class Worker {
public:
  Worker(Shared &shared, unsigned seed) : shared(shared), random(seed), capturing(Device::capture()) {}

  void run() {
    using Action = void (Worker::*)();
    // Often what is quick, seldom what compiles.
    static constexpr std::pair<int, Action> kActions[] = {
        {30, &Worker::derive},       {20, &Worker::read},          {10, &Worker::replace},    {10, &Worker::move},
        {10, &Worker::read_pending}, {10, &Worker::differentiate}, {10, &Worker::execute},    {5, &Worker::donate},
        {5, &Worker::fail},          {3, &Worker::scope},          {3, &Worker::share_scope}, {2, &Worker::functional},
        {2, &Worker::leave},         {2, &Worker::share_steps},    {5, &Worker::custom},      {1, &Worker::evict}};
    int total = 0;
    for (const auto &[weight, action] : kActions)
      total += weight;
    while (!shared.stop && shared.wrong == 0) {
      int ticket = below(total);
      for (const auto &[weight, action] : kActions)
        if ((ticket -= weight) < 0) {
          name = nullptr;
          try {
            (this->*action)();
          } catch (const std::exception &error) {
            complain(error.what());
          }
          break;
        }
      ++shared.rounds;
    }
  }

private:
  int below(int n) { return int(random() % unsigned(n)); }
  std::size_t slot() { return random(); }

  void complain(const std::string &what) {
    ++shared.wrong;
    ADD_FAILURE() << (name ? name : "?") << ": " << what;
  }
  void expect(const Tensor &tensor, const Values &values) {
    const std::vector<float> got = tensor.to_vector<float>();
    if (!std::equal(values.begin(), values.end(), got.begin(), got.end()))
      complain("a wrong value: " + std::to_string(got.at(0)) + " for " + std::to_string(values[0]));
  }

  /// Recorded here, from tensors that other threads recorded; read by whoever comes.
  void derive() {
    name = "derive";
    Known a = shared.take(slot()), b = shared.take(slot());
    a.tensor = on_cpu(a.tensor), b.tensor = on_cpu(b.tensor);
    for (int i = below(3); i >= 0; --i)
      switch (below(4)) {
      case 0:
        a = {clip(a.tensor + b.tensor, -kMost, kMost),
             map(a.values, b.values, [](float x, float y) { return bounded(x + y); })};
        break;
      case 1:
        a = {clip(a.tensor * b.tensor, -kMost, kMost),
             map(a.values, b.values, [](float x, float y) { return bounded(x * y); })};
        break;
      case 2:
        a = {maximum(-a.tensor, b.tensor), map(a.values, b.values, [](float x, float y) { return std::max(-x, y); })};
        break;
      default:
        a = {relu(a.tensor - 1.0), map(a.values, [](float x) { return std::max(x - 1, 0.0f); })};
      }
    if (below(2))
      expect(a.tensor, a.values);
    shared.put(slot(), std::move(a));
  }

  void read() {
    name = "read";
    const Known known = shared.take(slot());
    expect(known.tensor, known.values);
  }

  /// Drops what another thread may have recorded and nobody read.
  void replace() {
    name = "replace";
    shared.put(slot(), Shared::fresh(float(below(5)), below(3) ? Device::cpu() : Device::reference()));
  }

  void move() {
    name = "move";
    Known known = shared.take(slot());
    known.tensor = known.tensor.to(known.tensor.device() == Device::cpu() ? Device::reference() : Device::cpu());
    known = {known.tensor + known.tensor, map(known.values, [](float x) { return x + x; })};
    known = {clip(known.tensor, -kMost, kMost), map(known.values, bounded)};
    expect(known.tensor, known.values);
    shared.put(slot(), std::move(known));
  }

  /// One handle, read by all threads at once.
  void read_pending() {
    name = "read_pending";
    expect(shared.pending.tensor, shared.pending.values);
    expect(shared.pending.tensor + 1.0, map(shared.pending.values, [](float x) { return x + 1; }));
  }

  void differentiate() {
    name = "differentiate";
    const Known &leaf = shared.leaves[std::size_t(below(2))];
    const Known factor = shared.take(slot());
    const Tensor x = below(2) ? Tensor::from<float>(factor.values, {kSize}, leaf.tensor.device()) // data
                              : on_cpu(factor.tensor).autodiff(); // pending, and of another strategy half the time
    if (x.device().checkpointing() != leaf.tensor.device().checkpointing()) {
      try {
        leaf.tensor *x;
        complain("strategies were mixed");
      } catch (const DispatchError &) {
      }
      return;
    }
    Tensor loss = sum(leaf.tensor * leaf.tensor * x);
    Gradients gradients = loss.backward();
    expect(*gradients.of(leaf.tensor), map(leaf.values, factor.values, [](float w, float x) { return 2 * w * x; }));
    expect(leaf.tensor.inner(), leaf.values);
    if (leaf.tensor.detach().is_tracked() != leaf.tensor.is_tracked())
      complain("a detached leaf keeps its requirement");
  }

  /// A step that all threads go back through: the first backward pass consumes it.
  void share_steps() {
    name = "share_steps";
    const std::size_t which = std::size_t(below(2));
    const Known &step = shared.steps[which];
    Tensor loss = sum(step.tensor * step.tensor);
    try {
      Gradients gradients = loss.backward();
      expect(*gradients.of(shared.leaves[which].tensor), map(step.values, [](float x) { return 4 * x; }));
    } catch (const GradientError &) { // consumed
    }
    expect(step.tensor.inner(), step.values);
  }

  void execute() {
    name = "execute";
    const Known a = shared.take(slot()), b = shared.take(slot());
    const std::vector<Tensor> results = (*shared.call)(on_cpu(a.tensor), on_cpu(b.tensor));
    expect(results.at(0), map(a.values, b.values, [](float x, float y) { return x + y; }));
    expect(results.at(1), map(a.values, b.values, [](float x, float y) { return x * y; }));
    const void *inputs[] = {a.values.data(), b.values.data()};
    Values sums, products;
    void *outputs[] = {sums.data(), products.data()};
    std::vector<char> workspace(shared.call->memory().workspace_bytes + 64);
    const auto begin = reinterpret_cast<std::uintptr_t>(workspace.data());
    if (shared.call->run(inputs, outputs, workspace.data() + (64 - begin % 64) % 64) != 0)
      complain("a raw call failed");
    else if (sums != map(a.values, b.values, std::plus<float>()) ||
             products != map(a.values, b.values, std::multiplies<float>()))
      complain("a raw call gave a wrong value");
  }

  /// Gives up handles that are the last, and handles that another thread still has.
  void donate() {
    name = "donate";
    Known a = below(2) ? shared.take(slot()) : Shared::fresh(1, Device::cpu());
    const Known b = shared.take(slot());
    std::vector<Tensor> arguments;
    arguments.push_back(on_cpu(std::exchange(a.tensor, Tensor())));
    arguments.push_back(on_cpu(b.tensor));
    const std::vector<Tensor> results = (*shared.donating)(std::move(arguments));
    expect(results.at(0), map(a.values, b.values, std::plus<float>()));
    expect(results.at(1), map(a.values, b.values, std::multiplies<float>()));
    expect(b.tensor, b.values);
  }

  /// An index outside spoils what depends on it, on whatever thread that is read, and nothing else.
  void fail() {
    name = "fail";
    Known known = shared.take(slot());
    known.tensor = on_cpu(known.tensor);
    Tensor index = Tensor::from<std::int64_t>({below(2) ? kSize + 1 : 2}, {1});
    const bool outside = index.item<std::int64_t>() > kSize;
    Tensor good = -known.tensor, taken = take(known.tensor, index, 0);
    auto attempt = [&] {
      try {
        const float got = taken.item<float>();
        if (outside || got != known.values[2])
          complain("a wrong index gave a value, or a right one a wrong value");
      } catch (const IndexError &error) {
        if (!outside || error.message().find("index 9") == std::string::npos)
          complain(error.what());
      }
    };
    std::thread other(attempt);
    attempt();
    other.join();
    expect(good, map(known.values, std::negate<float>()));
    try {
      known.tensor + Tensor::zeros({kSize + 1});
      complain("shapes that do not fit were added");
    } catch (const ShapeError &) {
    }
  }

  /// A capture scope of this thread's device, while others have theirs open.
  void scope() {
    name = "scope";
    const Known a = shared.take(slot()), b = Shared::fresh(2, Device::cpu());
    const Graph graph = capturing.capture_scope([&](CaptureScope scope) {
      Tensor x = a.tensor.to(capturing), y = b.tensor.to(capturing), z = x - y;
      return scope.complete({x.id()}, {z.id()});
    });
    expect(graph(on_cpu(a.tensor))[0], map(a.values, b.values, std::minus<float>()));
    expect(graph(a.tensor.to(Device::reference()))[0], map(a.values, b.values, std::minus<float>()));
  }

  /// Two threads record into one scope.
  void share_scope() {
    name = "share_scope";
    const Known a = shared.take(slot());
    const Graph graph = capturing.capture_scope([&](CaptureScope scope) {
      Tensor x = a.tensor.to(capturing), twice, square;
      std::thread other([&] { twice = x + x; });
      square = x * x;
      other.join();
      Tensor sum = twice + square;
      return scope.complete({x.id()}, {sum.id()});
    });
    expect(graph(on_cpu(a.tensor))[0], map(a.values, [](float x) { return x + x + x * x; }));
  }

  /// Captured, compiled and dropped here.
  void functional() {
    name = "functional";
    const Known a = shared.take(slot()), constant = shared.take(slot());
    const Graph graph =
        capture([&](Tensor x) { return x * constant.tensor.to(Device::cpu()); }, {spec(DType::F32, {kSize})});
    const Executable run = compile(graph, {.threads = 1});
    expect(run(on_cpu(a.tensor))[0], map(a.values, constant.values, std::multiplies<float>()));
  }

  /// A thread that ends while what it recorded is pending.
  void leave() {
    name = "leave";
    Known known = shared.take(slot());
    std::thread([&] {
      known.tensor = on_cpu(known.tensor);
      Tensor dropped = known.tensor * known.tensor;
      known = {clip(known.tensor - 2.0, -kMost, kMost), map(known.values, [](float x) { return bounded(x - 2); })};
    }).join();
    if (below(2))
      expect(known.tensor, known.values);
    shared.put(slot(), std::move(known));
  }

  /// The user's kernel, run by many threads at once; its result is pending when others get it.
  void custom() {
    name = "custom";
    const Known a = shared.take(slot());
    Known b{(*shared.tripled)(a.tensor).at(0), map(a.values, [](float x) { return 3 * x; })};
    b = {clip(b.tensor, -kMost, kMost), map(b.values, bounded)};
    if (below(2))
      expect(b.tensor, b.values);
    shared.put(slot(), std::move(b));
  }

  void evict() {
    name = "evict";
    const LazyStats stats = Device::cpu().stats();
    if (stats.hits + stats.misses == 0)
      complain("nothing was counted");
    Device::cpu().set_program_limit(below(10) ? 256 : 0);
  }

  Shared &shared;
  std::minstd_rand random;
  const Device capturing;
  const char *name = nullptr; // of the action
};

TEST(Threads, ShareEverything) {
  Shared shared;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] { Worker(shared, 1 + unsigned(t)).run(); });
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds()));
  shared.stop = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(shared.wrong, 0);
  EXPECT_GT(shared.rounds, 100u);
  const LazyStats stats = Device::cpu().stats();
  std::printf("%llu rounds, %llu programs run again, %llu made, %llu evicted\n",
              static_cast<unsigned long long>(shared.rounds), static_cast<unsigned long long>(stats.hits),
              static_cast<unsigned long long>(stats.misses), static_cast<unsigned long long>(stats.evictions));
}

} // namespace
} // namespace ingot
