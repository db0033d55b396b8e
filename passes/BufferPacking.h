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

  /// The offset of each buffer: largest first, each at the lowest place that is free during its life.
  std::vector<int64_t> pack();
  /// After pack(): the size of the workspace.
  int64_t totalBytes() const { return total; }

private:
  struct Buffer {
    int64_t bytes;
    unsigned first, last;
  };
  std::vector<Buffer> buffers;
  int64_t total = 0;
};

} // namespace ingot
