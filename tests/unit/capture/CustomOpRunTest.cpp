// When the kernels of native ops are called, which one a name means, and what is left when one throws.
#include "CustomOps.h"

#include "ingot/capture/Compiler.h"
#include "ingot/capture/Trace.h"

#include <filesystem>
#include <thread>

namespace ingot {
namespace {

using namespace custom;

TEST(CustomOp, IsCalledOncePerCallThatSomethingReads) {
  auto calls = std::make_shared<std::atomic<int>>(0);
  CustomOp op = softsign(calls);
  {
    Tensor unread = op(x_on())[0];
  }
  x_on().eval();
  EXPECT_EQ(*calls, 0);
  Executable program = compile(capture(
      [&](Tensor x) {
        Tensor y = op(x)[0], again = op(x)[0], other = op(x * 2.0)[0], unread = op(x + 1.0)[0];
        return y + again + other;
      },
      {spec(DType::F32, {5})}));
  EXPECT_EQ(*calls, 0) << "compiling calls nothing";
  program(x_on());
  EXPECT_EQ(*calls, 2) << "equal calls are one; what nobody reads is none";
  // Constants are no reason to run it early, and a backward pass none to run it twice.
  *calls = 0;
  Executable constant = compile(Graph::parse(R"(func.func @main() -> tensor<2xf32> {
    %0 = ingot.constant dense<[1.0, -3.0]> : tensor<2xf32>
    %1 = ingot.custom_call "softsign"(%0) : (tensor<2xf32>) -> tensor<2xf32>
    %2 = ingot.constant dense<1.0> : tensor<2xf32>
    %3 = ingot.custom_call "softsign"(%2) : (tensor<2xf32>) -> tensor<2xf32>
    %4 = ingot.add %1, %3 : tensor<2xf32>
    return %4 : tensor<2xf32>
  })"));
  EXPECT_EQ(*calls, 0);
  expect_near(constant()[0].to_vector<float>(), {1, -0.25f});
  EXPECT_EQ(*calls, 2);
  *calls = 0;
  CustomOp differentiable = smooth(calls);
  compile(value_and_grad(
      capture([&](Tensor x) { return sum(relu(differentiable(exp(x))[0]) * x); }, {spec(DType::F32, {5})}), {0}))(
      x_on());
  EXPECT_EQ(*calls, 1);
  for (Checkpointing strategy : {Checkpointing::None, Checkpointing::Balanced}) {
    *calls = 0;
    Tensor x = x_on(Device::cpu().autodiff(strategy)).require_grad();
    Tensor loss = sum(relu(differentiable(exp(x))[0]) * x);
    Gradients gradients = loss.backward();
    gradients.of(x)->eval();
    EXPECT_EQ(*calls, 1) << "forward and backward are one program";
  }
}

TEST(CustomOp, TheLastRegistrationWinsForFilesAndOpsKeepTheirOwn) {
  auto fill = [](float value) {
    return CustomOp::native("fill", same, [value](const In &in, const Out &out) {
      std::fill_n(out[0].as<float>(), in[0].num_elements, value);
    });
  };
  CustomOp one = fill(1);
  Graph graph = capture([&](Tensor x) { return one(x); }, {spec(DType::F32, {2})});
  const std::string text = graph.str();
  CustomOp two = fill(2);
  Tensor x = Tensor::zeros({2});
  EXPECT_EQ(one(x)[0].to_vector<float>()[0], 1);
  EXPECT_EQ(two(x)[0].to_vector<float>()[0], 2);
  EXPECT_EQ(one(x)[0].to_vector<float>()[0], 1);
  EXPECT_EQ(compile(graph)(x)[0].to_vector<float>()[0], 1);
  Tensors both =
      compile(capture([&](Tensor t) { return std::pair(one(t)[0], two(t)[0]); }, {spec(DType::F32, {2})}))(x);
  EXPECT_EQ(both[0].to_vector<float>()[0], 1) << "two registrations of one name are two ops";
  EXPECT_EQ(both[1].to_vector<float>()[0], 2);
  EXPECT_EQ(compile(Graph::parse(text))(x)[0].to_vector<float>()[0], 2);
  EXPECT_EQ(Graph::parse(text)(x)[0].to_vector<float>()[0], 2);
}

TEST(CustomOp, MakingAnOpAnewDoesNotGrowTheProgramsOfTheLazyDevice) {
  auto step = [](float value) {
    CustomOp op = CustomOp::native("made_anew", same, [value](const In &in, const Out &out) {
      std::fill_n(out[0].as<float>(), in[0].num_elements, value);
    });
    return op(Tensor::zeros({7}))[0].to_vector<float>()[6];
  };
  step(0);
  step(1);
  step(2);
  const std::uint64_t before = Device::cpu().stats().misses;
  for (int i = 3; i < 20; ++i)
    EXPECT_EQ(step(float(i)), float(i));
  EXPECT_EQ(Device::cpu().stats().misses, before);
}

TEST(CustomOp, FilesNameTheOp) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("ingot-custom-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  CustomOp op = smooth();
  Graph graph = capture([&](Tensor x) { return sum(op(x)[0] * 2.0); }, {spec(DType::F32, {5}, "x")});
  for (const char *name : {"net.mlir", "net.mlirbc"}) {
    graph.save(folder / name);
    Graph loaded = Graph::load(folder / name);
    EXPECT_EQ(loaded.str(), graph.str());
    EXPECT_NEAR(compile(loaded)(x_on())[0].item<float>(), sum(x_on() / (1.0 + abs(x_on()))).item<float>() * 2, 1e-5);
    expect_near(compile(grad(loaded, {0}))(x_on())[0].to_vector<float>(),
                compile(grad(graph, {0}))(x_on())[0].to_vector<float>());
  }
  // A second process would take it from the disk cache: the code refers to nothing of this one.
  const CompileOptions cached{.cache_dir = (folder / "cache").string()};
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(compile(graph, cached)(x_on())[0].item<float>(), compile(graph)(x_on())[0].item<float>(), 0);
  EXPECT_FALSE(std::filesystem::is_empty(folder / "cache"));
  std::filesystem::remove_all(folder);
}

TEST(CustomOp, AnUnknownOpIsRegisteredLater) {
  const std::string text = R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = ingot.custom_call "comes_later"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  })";
  Graph graph = Graph::parse(text);
  EXPECT_NE(graph.str().find("comes_later"), std::string::npos);
  const std::string want = "No custom-op handler registered for `comes_later`. Register one on the server via "
                           "`CustomOpRegistry`/the server builder before starting it.";
  Tensor x = Tensor::from<float>({1, 2}, {2});
  EXPECT_EQ(message_of<DispatchError>([&] { compile(graph); }), want);
  EXPECT_EQ(message_of<DispatchError>([&] { graph(x); }), want);
  EXPECT_EQ(message_of<DispatchError>([&] { graph(x.to(Device::reference())); }), want);
  EXPECT_EQ(message_of<DispatchError>([&] { compiler().check(graph.trace(), {}); }), want);
  CustomOp op = CustomOp::native("comes_later", same, [](const In &in, const Out &out) {
    for (int i = 0; i < 2; ++i)
      out[0].as<float>()[i] = in[0].as<float>()[i] + 10;
  });
  const std::vector<float> after{11, 12};
  EXPECT_EQ(compile(graph)(x)[0].to_vector<float>(), after);
  EXPECT_EQ(graph(x)[0].to_vector<float>(), after);
  EXPECT_EQ(graph(x.to(Device::reference()))[0].to_vector<float>(), after);
  CustomOp other = CustomOp::native(
      "comes_later", [](const Specs &) { return Specs{spec(DType::F64, {2})}; }, [](const In &, const Out &) {});
  EXPECT_EQ(message_of<ShapeError>([&] { compile(graph); }),
            "[comes_later] the program has 2xf32 as result 0, but the registered shape rule gives 2xf64");
}

struct Broken : std::exception {
  const char *what() const noexcept override { return "broken"; }
};

TEST(CustomOp, WhatAKernelThrowsPassesUnchangedAndNothingElseIsLost) {
  auto on = std::make_shared<std::atomic<bool>>(true);
  CustomOp op = CustomOp::native("breaks", same, [on](const In &in, const Out &out) {
    if (*on)
      throw Broken();
    std::copy_n(in[0].as<float>(), in[0].num_elements, out[0].as<float>());
  });
  Executable program = compile(captured(op), {.threads = 2});
  EXPECT_THROW(program(x_on()), Broken);
  EXPECT_THROW(op(x_on(Device::reference())), Broken);
  Tensor x = x_on(), before = x * 3.0, y = op(before)[0], after = y + 1.0, apart = before + 1.0;
  EXPECT_THROW(after.eval(), Broken);
  EXPECT_THROW(y.eval(), Broken);
  EXPECT_EQ(before.to_vector<float>()[4], 9);
  EXPECT_EQ(apart.to_vector<float>()[4], 10);
  EXPECT_THROW(after.eval(), Broken) << "and again";
  // A raw call says so by its code, and leaves nothing behind for the next call.
  std::vector<float> in = kX, out(5);
  const void *inputs[] = {in.data()};
  void *outputs[] = {out.data()};
  std::shared_ptr<Buffer> workspace = Buffer::allocate(program.memory().workspace_bytes);
  EXPECT_NE(program.run(inputs, outputs, workspace->data()), 0);
  *on = false;
  expect_near(program(x_on())[0].to_vector<float>(), twice(kX));
  expect_near(op(before)[0].to_vector<float>(), (before + 0.0).to_vector<float>());
}

TEST(CustomOp, AFailedCallLeavesDonatedInputsAsTheyWere) {
  auto on = std::make_shared<std::atomic<bool>>(true);
  CustomOp op = CustomOp::native("guard", same, [on](const In &in, const Out &out) {
    if (*on)
      throw Broken();
    std::copy_n(in[0].as<float>(), in[0].num_elements, out[0].as<float>());
  });
  auto step = [&](auto f) { return compile(capture(f, {spec(DType::F32, {5})}), {.donate = {0}}); };
  std::vector<Executable> programs{
      step([&](Tensor w) { return op(w)[0]; }),                          // makes the donated output itself
      step([&](Tensor w) { return std::pair(w - 1.0, sum(op(w)[0])); }), // reads beside its overwriter
      step([&](Tensor w) {
        Tensor next = w - 1.0;
        return std::pair(next, sum(op(next)[0]));
      }), // reads what overwrote
      step([&](Tensor w) { return op(w - 1.0)[0] + w; })};
  for (const Executable &program : programs) {
    *on = true;
    std::vector<float> w = kX, other(5);
    const void *inputs[] = {w.data()};
    void *outputs[] = {w.data(), other.data()};
    std::shared_ptr<Buffer> workspace = Buffer::allocate(program.memory().workspace_bytes);
    EXPECT_NE(program.run(inputs, outputs, workspace->data()), 0);
    EXPECT_EQ(w, kX);
    EXPECT_THROW(program(x_on()), Broken);
    *on = false;
    EXPECT_EQ(program.run(inputs, outputs, workspace->data()), 0);
    std::vector<float> want = program(x_on())[0].to_vector<float>();
    EXPECT_EQ(w, want);
  }
}

TEST(CustomOp, ThreadsCallTheKernelAtOnce) {
  auto calls = std::make_shared<std::atomic<int>>(0);
  CustomOp op = softsign(calls);
  Executable program = compile(captured(op), {.threads = 2});
  const std::vector<float> want = twice(kY);
  auto throws = std::make_shared<std::atomic<int>>(0);
  CustomOp moody = CustomOp::native("moody", same, [](const In &in, const Out &out) {
    if (in[0].as<float>()[0] < 0)
      throw std::runtime_error(std::to_string(in[0].as<float>()[0]));
    out[0].as<float>()[0] = in[0].as<float>()[0];
  });
  Executable failing = compile(capture([&](Tensor x) { return moody(x); }, {spec(DType::F32, {1})}));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        expect_near(program(x_on())[0].to_vector<float>(), want);
        expect_near(op(x_on())[0].to_vector<float>(), kY);
        const float mine = float(t - 2) - 0.5f;
        try {
          EXPECT_EQ(failing(Tensor::from<float>({mine}, {1}))[0].item<float>(), mine);
          EXPECT_GT(mine, 0);
        } catch (const std::runtime_error &error) {
          EXPECT_EQ(error.what(), std::to_string(mine)) << "another thread's exception";
          ++*throws;
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(*calls, 400);
  EXPECT_EQ(*throws, 150);
}

TEST(CustomOp, AKernelMayUseIngotItself) {
  CustomOp op = CustomOp::native("inner_exp", same, [](const In &in, const Out &out) {
    Tensor x =
        Tensor::from<float>(std::vector<float>(in[0].as<float>(), in[0].as<float>() + in[0].num_elements), in[0].shape);
    std::vector<float> y = (x * 2.0).to_vector<float>();
    std::copy(y.begin(), y.end(), out[0].as<float>());
  });
  expect_near((op(x_on())[0] * 2.0).to_vector<float>(), twice(twice(kX)));
  expect_near((op(op(x_on())[0])[0]).to_vector<float>(), twice(twice(kX)));
}

TEST(CustomOp, AKernelCannotReadWhatItsOwnProgramComputes) {
  Tensor result, other;
  CustomOp op = CustomOp::native("peek", same, [&](const In &, const Out &) { result.eval(); });
  result = op(x_on())[0];
  other = x_on() * 2.0; // in the same program
  try {
    result.eval();
    FAIL() << "it has no value";
  } catch (const DispatchError &error) {
    EXPECT_EQ(error.message(), "a native op read a tensor that is computed by the program it runs in");
  }
  expect_near(other.to_vector<float>(), twice(kX));
}

/// While a thread runs a segment, others may read, drop and record what they like; a read of the segment waits.
TEST(CustomOp, OthersGoOnWhileASegmentRuns) {
  std::atomic<bool> running = false, dropped = false;
  std::atomic<int> calls = 0;
  CustomOp slow = CustomOp::native("slow", same, [&](const In &in, const Out &out) {
    running = true;
    while (!dropped)
      std::this_thread::yield();
    std::copy_n(in[0].as<float>(), in[0].num_elements, out[0].as<float>());
    ++calls;
  });
  Tensor x = x_on(), result = slow(x)[0], unread = x * 3.0, early = result + x;
  std::thread runs([&] { expect_near(result.to_vector<float>(), kX); });
  std::thread waits([&] {
    while (!running)
      std::this_thread::yield();
    expect_near((x * 2.0).to_vector<float>(), twice(kX));
    unread = Tensor();
    dropped = true;
    expect_near(early.to_vector<float>(), twice(kX));
  });
  while (!running)
    std::this_thread::yield();
  Tensor later = x + x; // the next segment
  runs.join();
  waits.join();
  expect_near((later + result).to_vector<float>(), twice((x * 1.5).to_vector<float>()));
  EXPECT_EQ(calls, 1);
}

} // namespace
} // namespace ingot
