#include "ingot/passes/BufferPacking.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <set>

namespace ingot {

unsigned BufferPacking::add(int64_t bytes, unsigned first, unsigned last) {
  int64_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  buffers.push_back({rounded, first, last});
  return unsigned(buffers.size() - 1);
}

void BufferPacking::extend(unsigned buffer, unsigned last) {
  buffers[buffer].last = std::max(buffers[buffer].last, last);
}

std::vector<int64_t> BufferPacking::pack() { return buffers.size() <= kMostBySize ? packBySize() : packByTime(); }

std::vector<int64_t> BufferPacking::packBySize() {
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
      ++compared;
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

std::vector<int64_t> BufferPacking::packByTime() {
  std::vector<unsigned> order(buffers.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](unsigned a, unsigned b) { return buffers[a].first < buffers[b].first; });
  std::vector<int64_t> offsets(buffers.size(), 0);
  std::map<int64_t, int64_t> gaps;                   // below the top: where one begins, how long it is
  std::set<std::pair<int64_t, int64_t>> gapsByBytes; // the same the other way round
  using Death = std::pair<unsigned, unsigned>;       // when, of which buffer
  std::priority_queue<Death, std::vector<Death>, std::greater<>> living;
  int64_t top = 0;
  total = 0;
  auto take = [&](std::map<int64_t, int64_t>::iterator gap) {
    gapsByBytes.erase({gap->second, gap->first});
    return gaps.erase(gap);
  };
  auto put = [&](int64_t at, int64_t bytes) {
    gaps.emplace(at, bytes);
    gapsByBytes.insert({bytes, at});
  };
  auto release = [&](int64_t at, int64_t bytes) {
    auto after = gaps.lower_bound(at);
    if (after != gaps.end() && after->first == at + bytes) {
      bytes += after->second;
      after = take(after);
    }
    if (after != gaps.begin())
      if (auto before = std::prev(after); before->first + before->second == at) {
        at = before->first, bytes += before->second;
        take(before);
      }
    if (at + bytes == top)
      top = at;
    else
      put(at, bytes);
  };
  for (unsigned current : order) {
    const Buffer &buffer = buffers[current];
    for (; !living.empty() && living.top().first < buffer.first; living.pop(), ++compared)
      if (const unsigned dead = living.top().second; buffers[dead].bytes > 0)
        release(offsets[dead], buffers[dead].bytes);
    ++compared;
    living.emplace(buffer.last, current);
    if (auto fit = gapsByBytes.lower_bound({buffer.bytes, 0}); buffer.bytes > 0 && fit != gapsByBytes.end()) {
      const auto [bytes, at] = *fit;
      take(gaps.find(at));
      offsets[current] = at;
      if (bytes > buffer.bytes)
        put(at + buffer.bytes, bytes - buffer.bytes);
    } else {
      offsets[current] = top;
      top += buffer.bytes;
      total = std::max(total, top);
    }
  }
  return offsets;
}

} // namespace ingot
