// Loads the shared objects that our own writer makes, without the system's dynamic linker:
// position-independent ELF64 whose code refers to nothing outside itself and needs no relocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ingot {

/// A loaded image. Its segments are never writable and executable at once; they are unmapped on destruction,
/// so whoever calls into the code must keep the image.
///
/// Accepted: ELF64, little endian, this machine's architecture, ET_DYN; program headers PT_LOAD (p_vaddr and
/// p_offset congruent modulo p_align, ascending, not sharing a page), PT_DYNAMIC, PT_PHDR, PT_NOTE,
/// PT_GNU_STACK (not executable), PT_GNU_RELRO, PT_NULL; dynamic tags DT_HASH, DT_GNU_HASH, DT_SYMTAB,
/// DT_SYMENT, DT_STRTAB, DT_STRSZ, DT_SONAME, DT_FLAGS and DT_FLAGS_1 without a meaning for us. DT_HASH,
/// DT_SYMTAB and DT_STRTAB are required. Anything else, most of all relocations and needed libraries, is an
/// IoError.
class Image {
public:
  Image() = default;
  /// Maps the object in `bytes`, which may go away afterwards. Throws IoError.
  static Image load(std::span<const std::byte> bytes);
  /// Maps the object at [offset, offset + size) of an open file: segments straight from the file where its
  /// layout allows, else as a copy. The descriptor may be closed afterwards; the file must not change. Throws
  /// IoError.
  static Image load(int fd, std::uint64_t offset, std::uint64_t size);

  Image(Image &&other) noexcept;
  Image &operator=(Image &&other) noexcept;
  ~Image();

  bool empty() const { return base == nullptr; }
  /// The address of a defined symbol, or null.
  void *symbol(std::string_view name) const;
  /// Bytes of address space taken.
  std::size_t mapped_bytes() const { return span_bytes; }

private:
  std::byte *base = nullptr;
  std::size_t span_bytes = 0;
  std::unordered_map<std::string, std::uint64_t> symbols;
};

} // namespace ingot
