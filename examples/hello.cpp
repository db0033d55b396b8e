// The program of the README: captured once, differentiated, compiled, run.
#include <ingot/ingot.h>

#include <cstdio>

using namespace ingot;

int main() {
  // Recorded, not run: every operation keeps the line it stands on.
  auto loss = [](Tensor x, Tensor w, Tensor y) { return mse_loss(tanh(matmul(x, w)), y); };
  Graph step = capture(
      [=](Tensor x, Tensor w, Tensor y) {
        std::vector<Tensor> r = value_and_grad(loss, {1})(x, w, y); // symbolic, on the program itself
        return std::pair(w - 0.5 * r[1], r[0]);
      },
      {spec(DType::F32, {64, 8}, "x"), spec(DType::F32, {8, 1}, "w"), spec(DType::F32, {64, 1}, "y")});
  Executable run = compile(step, {.donate = {1}}); // native code; w's memory becomes the result's

  Tensor x = Tensor::normal({64, 8}, 1), y = tanh(sum(x, 1, true)), w = Tensor::zeros({8, 1});
  for (int i = 0; i < 200; ++i) {
    std::vector<Tensor> out = run(x, std::move(w), y);
    if (i % 50 == 0)
      std::printf("step %3d  loss %.6f\n", i, double(out[1].item<float>()));
    w = out[0];
  }
}
