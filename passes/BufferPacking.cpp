#include "ingot/passes/BufferPacking.h"

#include <algorithm>
#include <numeric>

namespace ingot {

unsigned BufferPacking::add(int64_t bytes, unsigned first, unsigned last) {
  int64_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  buffers.push_back({rounded, first, last});
  return unsigned(buffers.size() - 1);
}

void BufferPacking::extend(unsigned buffer, unsigned last) {
  buffers[buffer].last = std::max(buffers[buffer].last, last);
}

std::vector<int64_t> BufferPacking::pack() {
  std::vector<unsigned> order(buffers.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](unsigned a, unsigned b) { return buffers[a].bytes > buffers[b].bytes; });
  std::vector<int64_t> offsets(buffers.size(), 0);
  std::vector<unsigned> placed; // by offset
  total = 0;
  for (unsigned current : order) {
    const Buffer &buffer = buffers[current];
    int64_t at = 0;
    for (unsigned other : placed) {
      const Buffer &taken = buffers[other];
      if (taken.last < buffer.first || buffer.last < taken.first)
        continue;
      if (offsets[other] >= at + buffer.bytes)
        break;
      at = std::max(at, offsets[other] + taken.bytes);
    }
    offsets[current] = at;
    total = std::max(total, at + buffer.bytes);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), current,
                                   [&](unsigned a, unsigned b) { return offsets[a] < offsets[b]; }),
                  current);
  }
  return offsets;
}

} // namespace ingot
