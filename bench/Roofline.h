// The machine's own limits, measured in the same run.
#pragma once

namespace bench {

struct Roofline {
  double flops_per_second;        // f32 multiply-adds on registers, all threads together
  double bytes_per_second;        // streaming copy between large buffers
  double cached_bytes_per_second; // copy between buffers that stay in the caches
  /// The least time for the work, by whichever limit binds.
  double seconds(double flops, double bytes, bool cached) const {
    const double compute = flops / flops_per_second;
    const double memory = bytes / (cached ? cached_bytes_per_second : bytes_per_second);
    return compute > memory ? compute : memory;
  }
};

Roofline measure_roofline(int threads);

} // namespace bench
