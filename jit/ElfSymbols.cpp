#include "ingot/jit/ElfSymbols.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace ingot {
namespace {

using namespace llvm;
using Elf = object::ELF64LE;

constexpr uint32_t kFirst = 1; // symbol 0 is empty by definition

Elf::Sym entryOf(const ElfSymbol &symbol, ElfNames &names, uint8_t binding) {
  Elf::Sym entry{};
  entry.st_name = names.add(symbol.name);
  entry.setBindingAndType(binding, symbol.type);
  entry.st_other = ELF::STV_DEFAULT;
  entry.st_shndx = symbol.section->index;
  entry.st_value = symbol.section->address + symbol.offset;
  entry.st_size = symbol.size;
  return entry;
}

/// Four symbols to a bucket.
uint32_t bucketsFor(size_t symbols) { return std::max<uint32_t>(1, uint32_t(symbols / 4)); }

} // namespace

uint32_t ElfNames::add(StringRef name) {
  const uint32_t at = uint32_t(all.size());
  all += name;
  all += '\0';
  return at;
}

void fillSymbols(ElfSection &table, ElfNames &names, ArrayRef<ElfSymbol> local, ArrayRef<ElfSymbol> global) {
  std::vector<Elf::Sym> entries(kFirst);
  for (const ElfSymbol &symbol : local)
    entries.push_back(entryOf(symbol, names, ELF::STB_LOCAL));
  table.info = uint32_t(entries.size());
  for (const ElfSymbol &symbol : global)
    entries.push_back(entryOf(symbol, names, ELF::STB_GLOBAL));
  table.assign(ArrayRef(entries));
}

void sortForHash(std::vector<ElfSymbol> &symbols) {
  const uint32_t buckets = bucketsFor(symbols.size());
  auto key = [&](const ElfSymbol &symbol) {
    return std::pair(object::hashGnu(symbol.name) % buckets, StringRef(symbol.name));
  };
  llvm::sort(symbols, [&](const ElfSymbol &a, const ElfSymbol &b) { return key(a) < key(b); });
}

void fillGnuHash(ElfSection &table, ArrayRef<ElfSymbol> symbols) {
  // The filter has about twelve bits for each symbol, two of them set.
  constexpr uint32_t kWordBits = 64, kShift = 26;
  const uint32_t buckets = bucketsFor(symbols.size());
  const uint32_t words = uint32_t(PowerOf2Ceil(std::max<uint64_t>(1, symbols.size() * 12 / kWordBits)));
  std::vector<uint64_t> filter(words);
  std::vector<uint32_t> heads(buckets), chains;
  for (auto [i, symbol] : enumerate(symbols)) {
    const uint32_t hash = object::hashGnu(symbol.name);
    filter[hash / kWordBits % words] |= uint64_t(1) << (hash % kWordBits) | uint64_t(1)
                                                                                << ((hash >> kShift) % kWordBits);
    uint32_t &head = heads[hash % buckets];
    if (head == 0)
      head = kFirst + uint32_t(i);
    const bool ends = i + 1 == symbols.size() || object::hashGnu(symbols[i + 1].name) % buckets != hash % buckets;
    chains.push_back((hash & ~1u) | (ends ? 1u : 0u));
  }
  std::vector<uint32_t> all{buckets, kFirst, words, kShift};
  for (uint64_t word : filter) {
    all.push_back(uint32_t(word));
    all.push_back(uint32_t(word >> 32));
  }
  all.insert(all.end(), heads.begin(), heads.end());
  all.insert(all.end(), chains.begin(), chains.end());
  table.assign(ArrayRef(all));
}

void fillHash(ElfSection &table, ArrayRef<ElfSymbol> symbols) {
  const uint32_t buckets = bucketsFor(symbols.size());
  std::vector<uint32_t> heads(buckets), chains(kFirst + symbols.size());
  for (auto [i, symbol] : enumerate(symbols)) {
    uint32_t &head = heads[object::hashSysV(symbol.name) % buckets];
    chains[kFirst + i] = std::exchange(head, kFirst + uint32_t(i));
  }
  std::vector<uint32_t> all{buckets, uint32_t(chains.size())};
  all.insert(all.end(), heads.begin(), heads.end());
  all.insert(all.end(), chains.begin(), chains.end());
  table.assign(ArrayRef(all));
}

} // namespace ingot
