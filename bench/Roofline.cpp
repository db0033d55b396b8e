#include "Roofline.h"

#include "Contender.h"

#include <ingot/ingot.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include <immintrin.h>

namespace bench {
namespace {

// Twelve independent chains of vector multiply-adds, all in registers.
constexpr int kChains = 12;

__attribute__((target("avx512f"))) float multiply_add_512(long rounds, float seed) {
  const __m512 x = _mm512_set1_ps(seed);
  __m512 sums[kChains];
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i)
    sums[i] = _mm512_set1_ps(float(i));
  for (long r = 0; r < rounds; ++r)
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i)
      sums[i] = _mm512_fmadd_ps(x, x, sums[i]);
  float total = 0;
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i)
    total += _mm512_cvtss_f32(sums[i]);
  return total;
}

__attribute__((target("avx2,fma"))) float multiply_add_256(long rounds, float seed) {
  const __m256 x = _mm256_set1_ps(seed);
  __m256 sums[kChains];
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i)
    sums[i] = _mm256_set1_ps(float(i));
  for (long r = 0; r < rounds; ++r)
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i)
      sums[i] = _mm256_fmadd_ps(x, x, sums[i]);
  float total = 0;
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i)
    total += _mm256_cvtss_f32(sums[i]);
  return total;
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
  return {double(threads) * rounds * kChains * 2 * (wide ? 16 : 8) / compute, 2.0 * double(part) * threads / copy,
          2.0 * double(small) * again * threads / cached};
}

} // namespace bench
