// Tables of symbols for linkers and loaders: entries, names and both kinds of hash tables.
#pragma once

#include "ingot/jit/ElfFile.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ingot {

struct ElfSymbol {
  std::string name;
  const ElfSection *section;
  uint64_t offset, size; // in the section
  uint8_t type;          // STT_
};

/// Texts that tables refer to by their offset; offset 0 is the empty one.
class ElfNames {
public:
  uint32_t add(llvm::StringRef name);
  llvm::StringRef text() const { return all; }

private:
  std::string all = std::string(1, '\0');
};

/// Fills `table` with the symbols at the addresses of their sections: the local ones first, as the format wants it.
void fillSymbols(ElfSection &table, ElfNames &names, llvm::ArrayRef<ElfSymbol> local, llvm::ArrayRef<ElfSymbol> global);

/// The order in which DT_GNU_HASH needs dynamic symbols.
void sortForHash(std::vector<ElfSymbol> &symbols);

/// DT_GNU_HASH and DT_HASH over a table that holds `symbols`, in the order of sortForHash, behind the empty entry.
void fillGnuHash(ElfSection &table, llvm::ArrayRef<ElfSymbol> symbols);
void fillHash(ElfSection &table, llvm::ArrayRef<ElfSymbol> symbols);

} // namespace ingot
