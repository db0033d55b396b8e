// Reading and checking of the ELF files that Image loads: bytes in, a layout that is safe to map out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace ingot {

struct ImageSegment {
  std::uint64_t offset;      ///< in the file
  std::uint64_t address;     ///< relative to the image's base
  std::uint64_t file_size;   ///< bytes from the file
  std::uint64_t memory_size; ///< bytes in memory; what the file does not have is zero
  bool readable, writable, executable;
};

struct ImageLayout {
  std::vector<ImageSegment> segments;                     ///< ascending, no two on one page
  std::uint64_t span = 0;                                 ///< bytes of address space, a multiple of the page size
  std::unordered_map<std::string, std::uint64_t> symbols; ///< relative to the image's base
};

/// The layout of an object as Image describes it. Reads nothing outside `bytes`; throws IoError that names
/// what is wrong.
ImageLayout read_image_layout(std::span<const std::byte> bytes, std::uint64_t page_size);

} // namespace ingot
