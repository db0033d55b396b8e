#include "ingot/jit/ElfFile.h"

#include "ingot/jit/ElfSymbols.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>

namespace ingot {
namespace {

using namespace llvm;
using Elf = object::ELF64LE;
using Sections = std::deque<ElfSection>;

constexpr uint64_t kPage = 4096;

Elf::Phdr segment(uint32_t type, uint32_t flags, uint64_t begin, uint64_t end, uint64_t alignment) {
  Elf::Phdr header{};
  header.p_type = type;
  header.p_flags = flags;
  header.p_offset = begin;
  header.p_vaddr = begin;
  header.p_paddr = begin;
  header.p_filesz = end - begin;
  header.p_memsz = end - begin;
  header.p_align = alignment;
  return header;
}

uint64_t endOf(const ElfSection &section) { return section.address + section.bytes.size(); }

uint32_t permissions(const ElfSection &section) {
  uint32_t flags = ELF::PF_R;
  if (section.flags & ELF::SHF_WRITE)
    flags |= ELF::PF_W;
  if (section.flags & ELF::SHF_EXECINSTR)
    flags |= ELF::PF_X;
  return flags;
}

/// The segments that are loaded, then what else loaders and unwinders look up.
std::vector<Elf::Phdr> segmentsOf(const Sections &sections) {
  std::vector<Elf::Phdr> loads, marks;
  for (const ElfSection &section : sections) {
    if (!(section.flags & ELF::SHF_ALLOC))
      continue;
    const uint32_t flags = permissions(section);
    if (loads.empty())
      loads.push_back(segment(ELF::PT_LOAD, flags, 0, endOf(section), kPage));
    else if (loads.back().p_flags != flags)
      loads.push_back(segment(ELF::PT_LOAD, flags, section.address, endOf(section), kPage));
    else
      loads.back() = segment(ELF::PT_LOAD, flags, loads.back().p_vaddr, endOf(section), kPage);
    if (section.type == ELF::SHT_DYNAMIC) {
      marks.push_back(segment(ELF::PT_DYNAMIC, flags, section.address, endOf(section), section.alignment));
      // Older loaders write to the dynamic section; then its pages are closed.
      marks.push_back(segment(ELF::PT_GNU_RELRO, ELF::PF_R, section.address, endOf(section), 1));
      marks.back().p_memsz = alignTo(section.bytes.size(), kPage);
      loads.back().p_memsz = alignTo(section.bytes.size(), kPage);
    }
    if (section.name == ".eh_frame_hdr")
      marks.push_back(segment(ELF::PT_GNU_EH_FRAME, flags, section.address, endOf(section), section.alignment));
  }
  marks.push_back(segment(ELF::PT_GNU_STACK, ELF::PF_R | ELF::PF_W, 0, 0, 16));
  loads.insert(loads.end(), marks.begin(), marks.end());
  return loads;
}

Elf::Ehdr fileHeader(size_t segments) {
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
  header.e_phnum = uint16_t(segments);
  header.e_shentsize = sizeof(Elf::Shdr);
  return header;
}

Elf::Shdr sectionHeader(const ElfSection &section, uint32_t name) {
  Elf::Shdr header{};
  header.sh_name = name;
  header.sh_type = section.type;
  header.sh_flags = section.flags;
  header.sh_addr = section.flags & ELF::SHF_ALLOC ? section.address : 0;
  header.sh_offset = section.address;
  header.sh_size = section.bytes.size();
  header.sh_link = section.link ? section.link->index : 0;
  header.sh_info = section.info;
  header.sh_addralign = section.alignment;
  header.sh_entsize = section.entrySize;
  return header;
}

void put(std::vector<std::byte> &image, uint64_t at, const void *data, size_t size) {
  image.resize(std::max<size_t>(image.size(), at + size));
  if (size)
    std::memcpy(image.data() + at, data, size);
}

/// The names of the sections and their headers go behind everything else.
void putSectionTable(std::vector<std::byte> &image, Elf::Ehdr &header, const Sections &sections) {
  ElfNames names;
  std::vector<Elf::Shdr> headers(1);
  for (const ElfSection &section : sections)
    headers.push_back(sectionHeader(section, names.add(section.name)));
  ElfSection own{".shstrtab", ELF::SHT_STRTAB, 0, 1, 0, uint16_t(headers.size())};
  const uint32_t ownName = names.add(own.name);
  own.assign(names.text());
  own.address = image.size();
  put(image, own.address, own.bytes.data(), own.bytes.size());
  headers.push_back(sectionHeader(own, ownName));
  header.e_shoff = alignTo(image.size(), 8);
  header.e_shnum = uint16_t(headers.size());
  header.e_shstrndx = own.index;
  put(image, header.e_shoff, headers.data(), headers.size() * sizeof(Elf::Shdr));
}

} // namespace

uint64_t ElfSection::append(ArrayRef<uint8_t> contents, uint64_t contentsAlignment) {
  alignment = std::max(alignment, contentsAlignment);
  const uint64_t offset = alignTo(bytes.size(), contentsAlignment);
  bytes.resize(offset, 0);
  bytes.append(contents.begin(), contents.end());
  return offset;
}

ElfSection &ElfFile::add(StringRef name, uint32_t type, uint64_t flags, uint64_t alignment, uint64_t entrySize) {
  return sections.emplace_back(
      ElfSection{name.str(), type, flags, alignment, entrySize, uint16_t(sections.size() + 1)});
}

void ElfFile::assignAddresses() {
  uint64_t at = sizeof(Elf::Ehdr) + segmentsOf(sections).size() * sizeof(Elf::Phdr);
  const ElfSection *last = nullptr; // of what is loaded
  for (ElfSection &section : sections) {
    const bool loaded = section.flags & ELF::SHF_ALLOC;
    const bool opensSegment = loaded && last && permissions(*last) != permissions(section);
    section.address = alignTo(at, opensSegment ? std::max(kPage, section.alignment) : section.alignment);
    at = endOf(section);
    if (loaded)
      last = &section;
  }
}

std::vector<std::byte> ElfFile::write(bool sectionTable) const {
  const std::vector<Elf::Phdr> segments = segmentsOf(sections);
  Elf::Ehdr header = fileHeader(segments.size());
  std::vector<std::byte> image;
  for (const ElfSection &section : sections)
    put(image, section.address, section.bytes.data(), section.bytes.size());
  put(image, sizeof(header), segments.data(), segments.size() * sizeof(Elf::Phdr));
  if (sectionTable)
    putSectionTable(image, header, sections);
  put(image, 0, &header, sizeof(header));
  return image;
}

} // namespace ingot
