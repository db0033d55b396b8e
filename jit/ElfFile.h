// The file form of a shared object as its sections: places, program headers and bytes follow from them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ingot {

struct ElfSection {
  std::string name;
  uint32_t type;                      // SHT_
  uint64_t flags;                     // SHF_; what is not SHF_ALLOC is for tools and never in memory
  uint64_t alignment, entrySize;      // bytes; 0 for entries of no fixed size
  uint16_t index;                     // in the table of sections
  const ElfSection *link = nullptr;   // what the type says: the strings of symbols, the symbols of a hash table
  uint32_t info = 0;                  // what the type says: how many symbols are local
  llvm::SmallVector<char, 0> bytes{}; // final in number when places are given
  uint64_t address = 0;               // in memory, from the image's base; in the file the same number

  /// Appends at the alignment and returns the offset.
  uint64_t append(llvm::ArrayRef<uint8_t> contents, uint64_t contentsAlignment);
  void assign(llvm::StringRef text) { bytes.assign(text.begin(), text.end()); }
  template <class T> void assign(llvm::ArrayRef<T> items) {
    const char *begin = reinterpret_cast<const char *>(items.data());
    bytes.assign(begin, begin + items.size() * sizeof(T));
  }
};

/// Addresses equal file offsets. The headers lie at 0; sections follow in the order in which they were added, and a
/// change of permissions starts a page, so that no page is writable and executable.
class ElfFile {
public:
  ElfSection &add(llvm::StringRef name, uint32_t type, uint64_t flags, uint64_t alignment, uint64_t entrySize = 0);
  void assignAddresses();
  /// `sectionTable`: with what linkers and debuggers read; loaders need the program headers alone.
  std::vector<std::byte> write(bool sectionTable) const;

private:
  std::deque<ElfSection> sections; // others hold references
};

} // namespace ingot
