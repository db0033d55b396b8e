// Places buffers with known lifetimes in one workspace, so that those alive at the same time do not overlap.
#pragma once

#include <cstdint>
#include <vector>

namespace ingot {

class BufferPacking {
public:
  static constexpr int64_t kAlignment = 64;

  /// A buffer that is alive from `first` to `last`, both included. Returns its number.
  unsigned add(int64_t bytes, unsigned first, unsigned last);
  /// Keeps the buffer alive until `last` at least.
  void extend(unsigned buffer, unsigned last);

  /// Buffers up to which they are placed by size, which compares all with all. More are placed by time, which takes
  /// n log n steps and may need more memory.
  static constexpr size_t kMostBySize = 4096;

  /// The offset of each buffer: largest first, each at the lowest place that is free during its life; or in the order
  /// in which they come to life, each in the smallest gap that takes it.
  std::vector<int64_t> pack();
  /// After pack(): the size of the workspace.
  int64_t totalBytes() const { return total; }
  /// After pack(): buffers that were looked at.
  size_t visits() const { return compared; }

private:
  struct Buffer {
    int64_t bytes;
    unsigned first, last;
  };
  std::vector<Buffer> buffers;
  int64_t total = 0;
  size_t compared = 0;

  std::vector<int64_t> packBySize();
  std::vector<int64_t> packByTime();
};

} // namespace ingot
