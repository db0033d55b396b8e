// Runs a layer just in time and writes it as layer.o and layer.h.
#include <ingot/ingot.h>

#include <cstdio>

using namespace ingot;

int main() {
  Graph graph = capture([](Tensor x, Tensor w) { return relu(matmul(x, w)); },
                        {spec(DType::F32, {2, 2}, "x"), spec(DType::F32, {2, 2}, "w")});
  Tensor x = Tensor::from<float>({1, -2, 3, 4}, {2, 2}), w = Tensor::from<float>({1, 0, 0, 1}, {2, 2});
  if (compile(graph)(x, w)[0].to_vector<float>() != std::vector<float>{1, 0, 3, 4})
    return std::puts("wrong values"), 1;
  aot::Library library = aot::compile(graph, {.name = "layer"});
  library.write_object("layer.o");
  library.write_header("layer.h");
  return 0;
}
