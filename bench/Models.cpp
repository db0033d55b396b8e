// Whole programs through the checked call, as a user runs them: mlpstep_B (forward, gradient, Adam with donated
// state), mlpeager_B (the same written eagerly, against the captured one), mlpinfer_B. tiny_N is the raw call of a
// program that does almost nothing; tinycall_N the checked one.
#include "Mlp.h"
#include "Program.h"

namespace bench {

using namespace ingot;

namespace {

Tensor numbers(const Shape &shape, unsigned seed) {
  const Memory values(f32(shape), seed);
  return Tensor::from<float>({values.floats(), std::size_t(shape.num_elements())}, shape);
}

double parameter_flops(double batch) { return 2 * batch * (784 * 256 + 256 * 128 + 128 * 10); }
constexpr double kParameters = 784 * 256 + 256 + 256 * 128 + 128 + 128 * 10 + 10;

std::pair<Tensor, Tensor> training_batch(std::int64_t batch) {
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < batch; ++i)
    labels.push_back(i % 10);
  return {numbers({batch, 784}, 9), Tensor::from<std::int64_t>(labels, {batch})};
}

/// Steps of a compiled mlp_step, each on the state that the last one left.
Run captured_training(const Executable &run, std::int64_t batch) {
  std::vector<Tensor> state;
  for (int i = 0; i < 18; ++i)
    state.push_back(i < 6 ? numbers(mlp_shapes()[std::size_t(i)], unsigned(i))
                          : Tensor::zeros(mlp_shapes()[std::size_t(i % 6)]));
  state.push_back(Tensor::zeros({}));
  auto [x, labels] = training_batch(batch);
  return loop([=, x = x, labels = labels]() mutable {
    state.insert(state.end(), {x, labels});
    state = run(std::move(state));
    (void)state.back().item<float>();
    state.pop_back();
  });
}

Row step_row(std::int64_t batch) {
  Row row;
  row.name = "mlpstep_" + std::to_string(batch);
  // Forward and the gradient of every weight cost a product each, those of hidden activations one more.
  row.flops = 2 * parameter_flops(double(batch)) + 2 * double(batch) * (256 * 128 + 128 * 10);
  row.bytes = 4 * kParameters * 6; // parameters and two moments, read and written
  row.cached = true;
  row.contenders = [batch](const Options &options) {
    CompileOptions how = compile_options(options);
    how.donate = mlp_step_donated();
    Graph graph = capture(mlp_step, mlp_step_specs(batch));
    const double start = now();
    Executable run = compile(graph, how);
    const double seconds = now() - start;
    return std::vector<Contender>{{"ingot", captured_training(run, batch), seconds}};
  };
  return row;
}

/// Eager training against the captured step, both with the loss read in every step.
Row eager_row(std::int64_t batch) {
  Row row = step_row(batch);
  row.name = "mlpeager_" + std::to_string(batch);
  row.python_peers = false;
  row.contenders = [batch](const Options &options) {
    CompileOptions how = compile_options(options);
    how.donate = mlp_step_donated();
    Executable run = compile(capture(mlp_step, mlp_step_specs(batch)), how);
    EagerMlp eager;
    for (std::size_t i = 0; i < 6; ++i) {
      eager.parameters.push_back(numbers(mlp_shapes()[i], unsigned(i)));
      eager.first.push_back(Tensor::zeros(mlp_shapes()[i]));
      eager.second.push_back(Tensor::zeros(mlp_shapes()[i]));
    }
    eager.count = Tensor::zeros({});
    auto [x, labels] = training_batch(batch);
    return std::vector<Contender>{
        {"ingot", loop([=]() mutable { (void)eager.step(x, labels).item<float>(); }), std::nullopt},
        {"captured", captured_training(run, batch), std::nullopt}};
  };
  return row;
}

Row inference_row(std::int64_t batch) {
  Row row;
  row.name = "mlpinfer_" + std::to_string(batch);
  row.flops = parameter_flops(double(batch));
  row.bytes = 4 * (kParameters + double(batch) * 784);
  row.cached = true;
  row.contenders = [batch](const Options &options) {
    std::vector<TensorSpec> specs;
    std::vector<Tensor> args;
    for (const Shape &shape : mlp_shapes()) {
      args.push_back(numbers(shape, unsigned(args.size())));
      specs.push_back(f32(shape));
    }
    specs.push_back(f32({batch, 784}));
    args.push_back(numbers({batch, 784}, 9));
    Graph graph = capture([](const std::vector<Tensor> &in) { return mlp(in, in[6]); }, specs);
    const double start = now();
    Executable run = compile(graph, compile_options(options));
    const double seconds = now() - start;
    return std::vector<Contender>{{"ingot", loop([=] { run(args); }), seconds}};
  };
  return row;
}

/// What an operation costs its caller on a device before anything runs, the drop of its result included.
Row record_row(const char *name, const Device &device) {
  Row row;
  row.name = name;
  row.python_peers = false;
  row.contenders = [device](const Options &) {
    const Tensor x = Tensor::uniform({16}, device).require_grad();
    return std::vector<Contender>{{"ingot",
                                   [=](long iterations) {
                                     constexpr int kChain = 1000;
                                     const long chains = (iterations + kChain - 1) / kChain;
                                     double seconds = 0;
                                     for (long i = 0; i < chains; ++i) {
                                       const double start = now();
                                       {
                                         Tensor y = x;
                                         for (int op = 0; op < kChain; ++op)
                                           y = y + x;
                                       }
                                       seconds += now() - start;
                                       (x.inner() + 1).eval(); // begins a new segment
                                     }
                                     return seconds * double(iterations) / double(chains * kChain);
                                   },
                                   std::nullopt}};
  };
  return row;
}

} // namespace

std::vector<Row> model_rows() { return {step_row(128), eager_row(128), inference_row(1), inference_row(128)}; }

std::vector<Row> call_rows() {
  auto f = [](Tensor x, Tensor w, Tensor b) { return ingot::tanh(x * w + b); };
  Row raw, checked;
  raw.name = "tiny_16";
  raw.contenders = [f](const Options &options) {
    return std::vector<Contender>{ingot_contender(f, std::vector<TensorSpec>(3, f32({16})), options)};
  };
  checked.name = "tinycall_16";
  checked.python_peers = false;
  checked.contenders = [f](const Options &options) {
    Graph graph = capture(f, std::vector<TensorSpec>(3, f32({16})));
    Executable run = compile(graph, compile_options(options));
    Tensor x = numbers({16}, 1);
    return std::vector<Contender>{{"ingot", loop([=] { run(x, x, x); }), std::nullopt}};
  };
  return {raw, checked, record_row("record_op", Device::cpu()),
          record_row("record_tracked_op", Device::cpu().autodiff())};
}

} // namespace bench
