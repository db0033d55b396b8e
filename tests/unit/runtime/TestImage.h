// A small shared object built by hand, with knobs for everything the loader has to refuse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <elf.h>

namespace ingot {

/// Tables and data on the first page, code on the second, writable data with a zero tail on the third.
/// `answer` returns `value`; `address` returns the address of `counter`, three words of which only the first
/// is in the file.
struct TestImage {
  std::int32_t value = 42;
  std::vector<Elf64_Phdr> headers;
  std::vector<Elf64_Sym> symbols{Elf64_Sym{}};
  std::vector<std::pair<Elf64_Sxword, Elf64_Xword>> extra_tags;
  std::string strings = std::string(1, '\0');
  bool with_hash = true;

  static constexpr std::uint64_t kPage = 4096;
  static constexpr std::uint64_t kCode = kPage, kData = 2 * kPage;

  explicit TestImage(std::int32_t value = 42) : value(value) {
    headers.push_back(header(PT_LOAD, PF_R, 0, kPage, kPage));
    headers.push_back(header(PT_LOAD, PF_R | PF_X, kCode, 32, 32));
    headers.push_back(header(PT_LOAD, PF_R | PF_W, kData, 8, 3 * kPage));
    headers.push_back(header(PT_GNU_STACK, PF_R | PF_W, 0, 0, 0));
    add_symbol("answer", STT_FUNC, kCode, 6);
    add_symbol("address", STT_FUNC, kCode + 16, 8);
    add_symbol("counter", STT_OBJECT, kData, 24);
  }

  static Elf64_Phdr header(std::uint32_t type, std::uint32_t flags, std::uint64_t at, std::uint64_t file_size,
                           std::uint64_t memory_size) {
    Elf64_Phdr entry{};
    entry.p_type = type;
    entry.p_flags = flags;
    entry.p_offset = entry.p_vaddr = entry.p_paddr = at;
    entry.p_filesz = file_size;
    entry.p_memsz = memory_size;
    entry.p_align = kPage;
    return entry;
  }

  void add_symbol(const std::string &name, unsigned char type, std::uint64_t value, std::uint64_t size,
                  std::uint16_t section = 1) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<Elf64_Word>(strings.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, type);
    symbol.st_shndx = section;
    symbol.st_value = value;
    symbol.st_size = size;
    symbols.push_back(symbol);
    strings += name + '\0';
  }

  std::vector<std::byte> build() const {
    std::vector<std::byte> image(kData + 8);
    std::uint64_t at = sizeof(Elf64_Ehdr) + 8 * sizeof(Elf64_Phdr);
    const auto place = [&](const void *data, std::size_t size) {
      at = (at + 7) / 8 * 8;
      std::memcpy(image.data() + at, data, size);
      return std::exchange(at, at + size);
    };
    const std::uint64_t symbols_at = place(symbols.data(), symbols.size() * sizeof(Elf64_Sym));
    const std::uint64_t strings_at = place(strings.data(), strings.size());
    std::vector<std::uint32_t> hash{1, static_cast<std::uint32_t>(symbols.size()), 1};
    for (std::size_t i = 0; i < symbols.size(); ++i)
      hash.push_back(i > 0 && i + 1 < symbols.size() ? static_cast<std::uint32_t>(i + 1) : 0);
    const std::uint64_t hash_at = place(hash.data(), hash.size() * 4);

    std::vector<Elf64_Dyn> dynamic;
    const auto tag = [&](Elf64_Sxword name, Elf64_Xword value) {
      Elf64_Dyn entry{};
      entry.d_tag = name;
      entry.d_un.d_val = value;
      dynamic.push_back(entry);
    };
    if (with_hash)
      tag(DT_HASH, hash_at);
    tag(DT_SYMTAB, symbols_at);
    tag(DT_SYMENT, sizeof(Elf64_Sym));
    tag(DT_STRTAB, strings_at);
    tag(DT_STRSZ, strings.size());
    for (const auto &[name, value] : extra_tags)
      tag(name, value);
    tag(DT_NULL, 0);
    const std::uint64_t dynamic_at = place(dynamic.data(), dynamic.size() * sizeof(Elf64_Dyn));

    std::vector<Elf64_Phdr> all = headers;
    all.push_back(
        header(PT_DYNAMIC, PF_R, dynamic_at, dynamic.size() * sizeof(Elf64_Dyn), dynamic.size() * sizeof(Elf64_Dyn)));
    Elf64_Ehdr file{};
    std::memcpy(file.e_ident, ELFMAG, SELFMAG);
    file.e_ident[EI_CLASS] = ELFCLASS64;
    file.e_ident[EI_DATA] = ELFDATA2LSB;
    file.e_ident[EI_VERSION] = EV_CURRENT;
    file.e_type = ET_DYN;
    file.e_machine = EM_X86_64;
    file.e_version = EV_CURRENT;
    file.e_ehsize = sizeof(file);
    file.e_phoff = sizeof(file);
    file.e_phentsize = sizeof(Elf64_Phdr);
    file.e_phnum = static_cast<Elf64_Half>(all.size());
    std::memcpy(image.data(), &file, sizeof(file));
    std::memcpy(image.data() + sizeof(file), all.data(), all.size() * sizeof(Elf64_Phdr));

    const unsigned char answer[] = {0xb8, 0, 0, 0, 0, 0xc3};              // mov eax, value; ret
    const unsigned char address[] = {0x48, 0x8d, 0x05, 0, 0, 0, 0, 0xc3}; // lea rax, [rip + counter]; ret
    std::memcpy(image.data() + kCode, answer, sizeof(answer));
    std::memcpy(image.data() + kCode + 1, &value, 4);
    std::memcpy(image.data() + kCode + 16, address, sizeof(address));
    const auto displacement = static_cast<std::int32_t>(kData - (kCode + 16 + 7));
    std::memcpy(image.data() + kCode + 19, &displacement, 4);
    const std::int64_t counter = 1000;
    std::memcpy(image.data() + kData, &counter, 8);
    return image;
  }
};

} // namespace ingot
