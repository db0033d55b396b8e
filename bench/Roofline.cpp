#include "Roofline.h"

#include "Contender.h"

#include <ingot/ingot.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

namespace bench {
namespace {

/// Twelve independent chains of vector multiply-adds; the width is the widest this file is compiled for.
template <int Lanes> __attribute__((always_inline)) inline float multiply_add(long rounds, float seed) {
  typedef float Vector __attribute__((vector_size(Lanes * sizeof(float))));
  Vector x = Vector{} + seed, sums[12];
  for (int i = 0; i < 12; ++i)
    sums[i] = Vector{} + float(i);
  for (long r = 0; r < rounds; ++r)
#pragma clang loop unroll(full)
    for (int i = 0; i < 12; ++i)
      sums[i] = __builtin_elementwise_fma(x, x, sums[i]);
  float total = 0;
  for (const Vector &sum : sums)
    total += sum[0];
  return total;
}

__attribute__((target("avx512f"))) float multiply_add_512(long rounds, float seed) {
  return multiply_add<16>(rounds, seed);
}
__attribute__((target("avx2,fma"))) float multiply_add_256(long rounds, float seed) {
  return multiply_add<8>(rounds, seed);
}

template <class F> double fastest(int threads, F work) {
  double best = 1e30;
  for (int repeat = 0; repeat < 9; ++repeat) {
    const double start = now();
    std::vector<std::thread> others;
    for (int t = 1; t < threads; ++t)
      others.emplace_back(work, t);
    work(0);
    for (std::thread &other : others)
      other.join();
    best = std::min(best, now() - start);
  }
  return best;
}

} // namespace

Roofline measure_roofline(int threads) {
  const long rounds = 2'000'000;
  const bool wide = __builtin_cpu_supports("avx512f");
  volatile float sink = 0;
  const double compute =
      fastest(threads, [&](int) { sink = wide ? multiply_add_512(rounds, 0.5f) : multiply_add_256(rounds, 0.5f); });
  const std::size_t bytes = std::size_t(256) << 20, part = bytes / std::size_t(threads);
  std::vector<char> from(bytes, 1), to(bytes, 2);
  const double copy = fastest(threads, [&](int t) { std::memcpy(to.data() + t * part, from.data() + t * part, part); });
  const std::size_t small = std::size_t(512) << 10;
  const int again = 200;
  const double cached = fastest(threads, [&](int t) {
    for (int i = 0; i < again; ++i)
      std::memcpy(to.data() + t * part, from.data() + t * part, small);
  });
  return {double(threads) * rounds * 12 * 2 * (wide ? 16 : 8) / compute, 2.0 * double(part) * threads / copy,
          2.0 * double(small) * again * threads / cached};
}

} // namespace bench
