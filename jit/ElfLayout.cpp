#include "ingot/jit/ElfLayout.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>
#include <cstring>

namespace ingot {
namespace {

using namespace llvm;
using Elf = object::ELF64LE;

constexpr uint64_t kPage = 4096;
// Data starts behind the tables (headers, symbols, names); the dynamic section has a writable page of its own
// behind the code, since older loaders write to it.
constexpr uint64_t kTables = kPage;

uint64_t pages(uint64_t bytes) { return alignTo(bytes, kPage); }

/// Sequential writer into the image at increasing offsets.
template <class T> uint64_t put(std::vector<std::byte> &image, uint64_t &at, ArrayRef<T> items, uint64_t limit) {
  at = alignTo(at, 8);
  uint64_t start = at;
  at += items.size() * sizeof(T);
  assert(at <= limit && "the tables outgrew their page");
  (void)limit;
  std::memcpy(image.data() + start, items.data(), items.size() * sizeof(T));
  return start;
}

Elf::Sym symbolEntry(uint32_t name, const ElfExport &entry, uint16_t section) {
  Elf::Sym symbol{};
  symbol.st_name = name;
  symbol.setBindingAndType(ELF::STB_GLOBAL, entry.function ? ELF::STT_FUNC : ELF::STT_OBJECT);
  symbol.st_other = ELF::STV_DEFAULT;
  symbol.st_shndx = section;
  symbol.st_value = entry.address;
  symbol.st_size = entry.size;
  return symbol;
}

Elf::Phdr segmentHeader(uint32_t type, uint32_t flags, uint64_t offset, uint64_t size, uint64_t alignment) {
  Elf::Phdr header{};
  header.p_type = type;
  header.p_flags = flags;
  header.p_offset = offset;
  header.p_vaddr = offset;
  header.p_paddr = offset;
  header.p_filesz = size;
  header.p_memsz = size;
  header.p_align = alignment;
  return header;
}

Elf::Ehdr fileHeader(uint16_t segments) {
  Elf::Ehdr header{};
  std::memcpy(header.e_ident, ELF::ElfMagic, 4);
  header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS64;
  header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
  header.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
  header.e_type = ELF::ET_DYN;
  header.e_machine = ELF::EM_X86_64;
  header.e_version = ELF::EV_CURRENT;
  header.e_ehsize = sizeof(Elf::Ehdr);
  header.e_phoff = sizeof(Elf::Ehdr);
  header.e_phentsize = sizeof(Elf::Phdr);
  header.e_phnum = segments;
  header.e_shentsize = sizeof(Elf::Shdr);
  return header;
}

/// The names of a symbol table, with offset 0 for the empty one.
struct Names {
  std::string text = std::string(1, '\0');
  uint32_t add(StringRef name) {
    uint32_t at = text.size();
    text += name;
    text += '\0';
    return at;
  }
};

} // namespace

uint64_t ElfSegment::append(ArrayRef<uint8_t> contents, uint64_t alignment) {
  uint64_t offset = alignTo(bytes.size(), alignment);
  bytes.resize(offset + contents.size(), 0);
  std::memcpy(bytes.data() + offset, contents.data(), contents.size());
  return offset;
}

void ElfLayout::assignAddresses() {
  data.address = kTables;
  code.address = data.address + pages(data.bytes.size());
}

std::vector<std::byte> ElfLayout::write(ArrayRef<ElfExport> exports, const std::string &soname) const {
  uint64_t dynamicAt = code.address + pages(code.bytes.size());
  std::vector<std::byte> image(dynamicAt);
  std::memcpy(image.data() + data.address, data.bytes.data(), data.bytes.size());
  std::memcpy(image.data() + code.address, code.bytes.data(), code.bytes.size());

  Names names;
  uint32_t sonameAt = names.add(soname);
  std::vector<Elf::Sym> symbols(1);
  for (const ElfExport &entry : exports)
    symbols.push_back(symbolEntry(names.add(entry.name), entry, /*section=*/entry.function ? 2 : 1));

  // System V hash table with one bucket: a chain through all symbols.
  uint32_t count = symbols.size();
  std::vector<uint32_t> hash{1, count, count > 1 ? 1u : 0u, 0};
  for (uint32_t i = 1; i < count; ++i)
    hash.push_back(i + 1 < count ? i + 1 : 0);

  uint64_t at = sizeof(Elf::Ehdr) + 5 * sizeof(Elf::Phdr);
  uint64_t symbolsAt = put<Elf::Sym>(image, at, symbols, kTables);
  uint64_t hashAt = put<uint32_t>(image, at, hash, kTables);
  uint64_t namesAt = put<char>(image, at, ArrayRef(names.text.data(), names.text.size()), kTables);

  std::vector<std::pair<uint64_t, uint64_t>> dynamic{{ELF::DT_SONAME, sonameAt},
                                                     {ELF::DT_HASH, hashAt},
                                                     {ELF::DT_STRTAB, namesAt},
                                                     {ELF::DT_SYMTAB, symbolsAt},
                                                     {ELF::DT_STRSZ, names.text.size()},
                                                     {ELF::DT_SYMENT, sizeof(Elf::Sym)},
                                                     {ELF::DT_NULL, 0}};
  std::vector<uint64_t> entries;
  for (auto [tag, value] : dynamic) {
    entries.push_back(tag);
    entries.push_back(value);
  }
  uint64_t dynamicBytes = entries.size() * sizeof(uint64_t);
  image.resize(dynamicAt + dynamicBytes);
  std::memcpy(image.data() + dynamicAt, entries.data(), dynamicBytes);

  Elf::Phdr segments[] = {
      segmentHeader(ELF::PT_LOAD, ELF::PF_R, 0, data.address + data.bytes.size(), kPage),
      segmentHeader(ELF::PT_LOAD, ELF::PF_R | ELF::PF_X, code.address, code.bytes.size(), kPage),
      segmentHeader(ELF::PT_LOAD, ELF::PF_R | ELF::PF_W, dynamicAt, dynamicBytes, kPage),
      segmentHeader(ELF::PT_DYNAMIC, ELF::PF_R | ELF::PF_W, dynamicAt, dynamicBytes, 8),
      segmentHeader(ELF::PT_GNU_STACK, ELF::PF_R | ELF::PF_W, 0, 0, 16),
  };
  Elf::Ehdr header = fileHeader(std::size(segments));
  std::memcpy(image.data(), &header, sizeof(header));
  std::memcpy(image.data() + sizeof(header), segments, sizeof(segments));
  return image;
}

} // namespace ingot
