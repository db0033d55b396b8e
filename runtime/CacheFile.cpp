#include "ingot/runtime/CacheFile.h"

#include "ingot/runtime/Target.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ingot {
namespace {

// The file: a header of fixed size; build, trace and program info one after the other; zeros up to a page;
// the image.
constexpr char kMagic[8] = {'I', 'N', 'G', 'O', 'T', 'P', 'R', 'G'};
constexpr std::uint32_t kFormat = 1;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kCheckedHeader = sizeof(kMagic) + 4 + 4 + 16 + 5 * 8;
constexpr std::uint64_t kHeader = kCheckedHeader + 16; // and the checksum of everything else

/// From this size on the image's segments are mapped from the file instead of copied.
constexpr std::uint64_t kMapFrom = std::uint64_t(16) << 20;

class File {
public:
  explicit File(int fd) : fd(fd) {}
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() {
    if (fd >= 0)
      ::close(fd);
  }
  bool is_open() const { return fd >= 0; }
  int descriptor() const { return fd; }
  bool close() { return ::close(std::exchange(fd, -1)) == 0; }

  bool write(const void *data, std::size_t size) {
    const char *at = static_cast<const char *>(data);
    while (size > 0) {
      const ssize_t written = ::write(fd, at, size);
      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return false;
      at += written;
      size -= static_cast<std::size_t>(written);
    }
    return true;
  }

  bool read(void *data, std::size_t size) {
    char *at = static_cast<char *>(data);
    while (size > 0) {
      const ssize_t got = ::read(fd, at, size);
      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        return false;
      at += got;
      size -= static_cast<std::size_t>(got);
    }
    return true;
  }

private:
  int fd;
};

Hash128 checksum(std::span<const std::byte> header, std::span<const std::byte> body,
                 std::span<const std::byte> image = {}) {
  Hasher hasher;
  hasher.add_bytes(header.data(), header.size()).add_bytes(body.data(), body.size());
  return hasher.add_bytes(image.data(), image.size()).finish();
}

/// The file up to the image.
Bytes encode_front(const CacheIdentity &identity, const Bytes &info, std::span<const std::byte> image) {
  const std::uint64_t used = kHeader + identity.build.size() + identity.trace.size() + info.size();
  const std::uint64_t image_offset = (used + kPage - 1) / kPage * kPage;
  WireWriter header;
  header.put_raw(kMagic, sizeof(kMagic)).put(kFormat).put(std::uint32_t(0));
  header.put(identity.key.lo).put(identity.key.hi);
  for (std::uint64_t size : {std::uint64_t(identity.build.size()), std::uint64_t(identity.trace.size()),
                             std::uint64_t(info.size()), image_offset, std::uint64_t(image.size())})
    header.put(size);

  WireWriter body;
  body.put_raw(identity.build.data(), identity.build.size());
  body.put_raw(identity.trace.data(), identity.trace.size());
  body.put_raw(info.data(), info.size());
  const Bytes padding(image_offset - used);
  body.put_raw(padding.data(), padding.size());

  const Hash128 sum = checksum(header.bytes(), body.bytes(), image);
  header.put(sum.lo).put(sum.hi);
  header.put_raw(body.bytes().data(), body.size());
  return header.take();
}

bool write_through_rename(const std::filesystem::path &path, const Bytes &front, std::span<const std::byte> image) {
  static std::atomic<unsigned> counter{0};
  const std::string temporary = path.string() + ".tmp." + std::to_string(getpid()) + "." +
                                std::to_string(counter.fetch_add(1, std::memory_order_relaxed));
  File file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!file.is_open())
    return false;
  const bool written = file.write(front.data(), front.size()) && file.write(image.data(), image.size());
  if (file.close() && written && ::rename(temporary.c_str(), path.c_str()) == 0)
    return true;
  ::unlink(temporary.c_str());
  return false;
}

bool equal(std::span<const std::byte> bytes, const void *data, std::size_t size) {
  return bytes.size() == size && (size == 0 || std::memcmp(bytes.data(), data, size) == 0);
}

std::optional<CacheEntry> decode(std::span<const std::byte> bytes, int fd, const CacheIdentity &identity) {
  WireReader in(bytes);
  if (!equal(in.get_raw(sizeof(kMagic)), kMagic, sizeof(kMagic)) || in.get<std::uint32_t>() != kFormat ||
      in.get<std::uint32_t>() != 0)
    return std::nullopt;
  Hash128 key, sum;
  key.lo = in.get<std::uint64_t>();
  key.hi = in.get<std::uint64_t>();
  const auto build_size = in.get<std::uint64_t>(), trace_size = in.get<std::uint64_t>();
  const auto info_size = in.get<std::uint64_t>(), image_offset = in.get<std::uint64_t>();
  const auto image_size = in.get<std::uint64_t>();
  sum.lo = in.get<std::uint64_t>();
  sum.hi = in.get<std::uint64_t>();
  if (!in.ok() || key != identity.key || image_offset % kPage != 0 || image_offset > bytes.size() ||
      image_size != bytes.size() - image_offset)
    return std::nullopt;
  const auto build = in.get_raw(build_size), trace = in.get_raw(trace_size), info_bytes = in.get_raw(info_size);
  if (!in.ok() || !equal(build, identity.build.data(), identity.build.size()) ||
      !equal(trace, identity.trace.data(), identity.trace.size()) ||
      sum != checksum(bytes.first(kCheckedHeader), bytes.subspan(kHeader)))
    return std::nullopt;

  std::optional<ProgramInfo> info = ProgramInfo::deserialize(info_bytes);
  if (!info || !host_has_features(info->required_features))
    return std::nullopt;
  Image image =
      image_size < kMapFrom ? Image::load(bytes.subspan(image_offset)) : Image::load(fd, image_offset, image_size);
  if (!image.symbol(info->entry))
    return std::nullopt;
  return CacheEntry{std::move(*info), std::move(image)};
}

} // namespace

bool write_cache_file(const std::filesystem::path &path, const CacheIdentity &identity, const ProgramInfo &info,
                      std::span<const std::byte> image) noexcept {
  try {
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    return write_through_rename(path, encode_front(identity, info.serialize(), image), image);
  } catch (...) {
    return false;
  }
}

std::optional<CacheEntry> read_cache_file(const std::filesystem::path &path, const CacheIdentity &identity) noexcept {
  try {
    File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status;
    if (!file.is_open() || fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode) ||
        static_cast<std::uint64_t>(status.st_size) < kHeader)
      return std::nullopt;
    const auto size = static_cast<std::size_t>(status.st_size);
    const std::unique_ptr<std::byte[]> bytes(new std::byte[size]); // not cleared: all of it is read
    if (!file.read(bytes.get(), size))
      return std::nullopt;
    return decode({bytes.get(), size}, file.descriptor(), identity);
  } catch (...) {
    return std::nullopt;
  }
}

std::filesystem::path cache_file_path(const std::filesystem::path &directory, const Hash128 &key) {
  const std::string name = key.str();
  return directory / name.substr(0, 2) / (name.substr(2) + ".ingot");
}

} // namespace ingot
