// Reads Fashion-MNIST from the gzip'ed IDX files of the Debian package dataset-fashion-mnist.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <zlib.h>

namespace fashion {

inline constexpr std::int64_t kPixels = 28 * 28;

struct Set {
  std::vector<float> images; // (count, 784), in [0, 1]
  std::vector<std::int64_t> labels;
  std::int64_t count() const { return std::int64_t(labels.size()); }

  /// Images and labels numbered order[begin], ..., order[begin + size - 1].
  std::pair<std::vector<float>, std::vector<std::int64_t>> batch(const std::vector<std::int64_t> &order,
                                                                 std::int64_t begin, std::int64_t size) const {
    std::pair<std::vector<float>, std::vector<std::int64_t>> result;
    for (std::int64_t i = begin; i < begin + size; ++i) {
      auto image = images.begin() + order[std::size_t(i)] * kPixels;
      result.first.insert(result.first.end(), image, image + kPixels);
      result.second.push_back(labels[std::size_t(order[std::size_t(i)])]);
    }
    return result;
  }
};

/// The payload of an IDX file behind its header of `dims` big-endian sizes.
inline std::vector<unsigned char> read_idx(const std::string &path, int dims) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (!file)
    throw std::runtime_error("cannot open " + path + "; install the package dataset-fashion-mnist");
  std::vector<unsigned char> header(4 + 4 * dims), bytes;
  bool ok = gzread(file, header.data(), unsigned(header.size())) == int(header.size()) && header[3] == dims;
  std::size_t size = 1;
  for (int d = 0; d < dims; ++d)
    size *= std::size_t(header[4 + 4 * d]) << 24 | header[5 + 4 * d] << 16 | header[6 + 4 * d] << 8 | header[7 + 4 * d];
  if (ok) {
    bytes.resize(size);
    ok = gzread(file, bytes.data(), unsigned(size)) == int(size);
  }
  gzclose(file);
  if (!ok)
    throw std::runtime_error(path + " is not an IDX file of " + std::to_string(dims) + " dimensions");
  return bytes;
}

/// `part` is "train" or "t10k".
inline Set load(const std::string &part, const std::string &dir = "/usr/share/datasets/fashion-mnist") {
  Set set;
  std::vector<unsigned char> pixels = read_idx(dir + "/" + part + "-images-idx3-ubyte.gz", 3);
  std::vector<unsigned char> labels = read_idx(dir + "/" + part + "-labels-idx1-ubyte.gz", 1);
  if (pixels.size() != labels.size() * kPixels)
    throw std::runtime_error(dir + ": images and labels of " + part + " do not match");
  set.images.reserve(pixels.size());
  for (unsigned char p : pixels)
    set.images.push_back(float(p) / 255.0f);
  set.labels.assign(labels.begin(), labels.end());
  return set;
}

} // namespace fashion
