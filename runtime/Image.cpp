#include "ingot/runtime/Image.h"

#include "ingot/runtime/Error.h"
#include "ingot/runtime/ImageLayout.h"

#include <cstring>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ingot {
namespace {

[[noreturn]] void cannot_map() { throw IoError("program image: the system cannot map it"); }

std::uint64_t page_size() {
  static const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}
std::uint64_t page_down(std::uint64_t x) { return x / page_size() * page_size(); }
std::uint64_t page_up(std::uint64_t x) { return page_down(x + page_size() - 1); }

/// Owns a mapping until it is given away.
struct Mapping {
  std::byte *data = nullptr;
  std::size_t size = 0;

  Mapping(void *address, std::size_t size) : data(static_cast<std::byte *>(address)), size(size) {
    if (address == MAP_FAILED) {
      data = nullptr;
      cannot_map();
    }
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  ~Mapping() {
    if (data)
      munmap(data, size);
  }
  std::byte *give_away() { return std::exchange(data, nullptr); }
};

int protection(const ImageSegment &segment) {
  return (segment.readable ? PROT_READ : 0) | (segment.writable ? PROT_WRITE : 0) |
         (segment.executable ? PROT_EXEC : 0);
}

/// Copies the segment's bytes into memory of its own, then takes the rights away that it does not need.
void copy_segment(std::byte *base, const ImageSegment &segment, std::span<const std::byte> bytes) {
  const std::uint64_t begin = page_down(segment.address);
  const std::uint64_t end = page_up(segment.address + segment.memory_size);
  if (mprotect(base + begin, end - begin, PROT_READ | PROT_WRITE) != 0)
    cannot_map();
  std::memcpy(base + segment.address, bytes.data() + segment.offset, segment.file_size);
  if (mprotect(base + begin, end - begin, protection(segment)) != 0)
    cannot_map();
  if (segment.executable)
    __builtin___clear_cache(reinterpret_cast<char *>(base + begin), reinterpret_cast<char *>(base + end));
}

/// Maps the segment's pages from the file. False, with nothing changed for good, when the file system does
/// not allow it.
bool map_segment(std::byte *base, const ImageSegment &segment, int fd, std::uint64_t offset) {
  if ((offset + segment.offset) % page_size() != segment.address % page_size())
    return false;
  const std::uint64_t begin = page_down(segment.address);
  const std::uint64_t file_end = segment.address + segment.file_size;
  const std::uint64_t mapped_end = page_up(file_end);
  const std::uint64_t end = page_up(segment.address + segment.memory_size);
  const bool zero_tail = segment.memory_size > segment.file_size;
  const int first = zero_tail ? PROT_READ | PROT_WRITE : protection(segment);
  if (segment.file_size != 0) {
    const auto from = static_cast<off_t>(page_down(offset + segment.offset));
    if (mmap(base + begin, mapped_end - begin, first, MAP_PRIVATE | MAP_FIXED, fd, from) == MAP_FAILED)
      return false;
    if (zero_tail)
      std::memset(base + file_end, 0, mapped_end - file_end);
  }
  return !zero_tail || mprotect(base + begin, end - begin, protection(segment)) == 0;
}

void *reserve(std::size_t size) {
  return mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

} // namespace

Image Image::load(std::span<const std::byte> bytes) {
  ImageLayout layout = read_image_layout(bytes, page_size());
  Mapping mapping(reserve(layout.span), layout.span);
  for (const ImageSegment &segment : layout.segments)
    copy_segment(mapping.data, segment, bytes);
  Image image;
  image.symbols = std::move(layout.symbols);
  image.span_bytes = mapping.size;
  image.base = mapping.give_away();
  return image;
}

Image Image::load(int fd, std::uint64_t offset, std::uint64_t size) {
  struct stat status;
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
    throw IoError("program image: not a regular file");
  const auto file_size = static_cast<std::uint64_t>(status.st_size);
  if (size == 0 || offset > file_size || size > file_size - offset)
    throw IoError("program image: the file ends before the image does");
  const std::uint64_t skipped = offset - page_down(offset);
  const Mapping view(mmap(nullptr, size + skipped, PROT_READ, MAP_PRIVATE, fd, static_cast<off_t>(page_down(offset))),
                     size + skipped);
  const std::span<const std::byte> bytes(view.data + skipped, size);

  ImageLayout layout = read_image_layout(bytes, page_size());
  Mapping mapping(reserve(layout.span), layout.span);
  for (const ImageSegment &segment : layout.segments) {
    if (map_segment(mapping.data, segment, fd, offset))
      continue;
    // Fresh pages over whatever a failed attempt left.
    const std::uint64_t begin = page_down(segment.address);
    const std::uint64_t end = page_up(segment.address + segment.memory_size);
    if (mmap(mapping.data + begin, end - begin, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED)
      cannot_map();
    copy_segment(mapping.data, segment, bytes);
  }
  Image image;
  image.symbols = std::move(layout.symbols);
  image.span_bytes = mapping.size;
  image.base = mapping.give_away();
  return image;
}

Image::Image(Image &&other) noexcept
    : base(std::exchange(other.base, nullptr)), span_bytes(std::exchange(other.span_bytes, 0)),
      symbols(std::move(other.symbols)) {
  other.symbols.clear();
}

Image &Image::operator=(Image &&other) noexcept {
  std::swap(base, other.base);
  std::swap(span_bytes, other.span_bytes);
  symbols.swap(other.symbols);
  return *this;
}

Image::~Image() {
  if (base)
    munmap(base, span_bytes);
}

void *Image::symbol(std::string_view name) const {
  const auto found = symbols.find(std::string(name));
  return found == symbols.end() ? nullptr : base + found->second;
}

} // namespace ingot
