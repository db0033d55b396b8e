// The file form of an image: headers, dynamic symbol table, one read-only and one executable segment.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ingot {

struct ElfSegment {
  llvm::SmallVector<char, 0> bytes;
  uint64_t address = 0;
  /// Appends at the alignment and returns the offset.
  uint64_t append(llvm::ArrayRef<uint8_t> contents, uint64_t alignment);
};

struct ElfExport {
  std::string name;
  uint64_t address, size;
  bool function;
};

/// Addresses equal file offsets: dynamic tables are one page range at 0, then data, then code, each on pages of
/// its own. The tables' range is reserved before the exports are known, so its size is fixed.
struct ElfLayout {
  ElfSegment data, code;
  void assignAddresses();
  std::vector<std::byte> write(llvm::ArrayRef<ElfExport> exports, const std::string &soname) const;
};

} // namespace ingot
