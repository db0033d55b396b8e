// Runs layer.o with nothing but Ingot's runtime at hand.
#include "layer.h"

#include <ingot/runtime/ThreadPool.h>

#include <cstdio>

int main() {
  const float x[] = {1, -2, 3, 4}, w[] = {1, 0, 0, 1}, want[] = {1, 0, 3, 4};
  float y[4] = {};
  alignas(64) static unsigned char workspace[layer_WORKSPACE_BYTES + 64];
  const void *inputs[] = {x, w};
  void *outputs[] = {y};
  if (layer(nullptr, inputs, outputs, workspace) != 0)
    return std::puts("the call failed"), 1;
  for (int i = 0; i < 4; ++i)
    if (y[i] != want[i])
      return std::puts("wrong values"), 1;
  return 0;
}
