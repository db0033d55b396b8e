#include "ingot/runtime/ImageLayout.h"

#include "ingot/runtime/Error.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <elf.h>

namespace ingot {
namespace {

#if defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
#else
constexpr Elf64_Half kMachine = EM_X86_64;
#endif

constexpr std::uint64_t kLargest = std::uint64_t(1) << 40; // address space one image may take
constexpr std::size_t kMostHeaders = 64;

[[noreturn]] void refuse(const std::string &what) { throw IoError("program image: " + what); }

class LayoutReader {
public:
  LayoutReader(std::span<const std::byte> bytes, std::uint64_t page) : bytes(bytes), page(page) {}

  ImageLayout read() {
    read_header();
    read_segments();
    read_dynamic();
    read_symbols();
    return std::move(layout);
  }

private:
  std::span<const std::byte> bytes;
  std::uint64_t page;
  Elf64_Ehdr header{};
  ImageLayout layout;
  std::optional<Elf64_Phdr> dynamic;
  std::optional<std::uint64_t> hash, symbol_table, string_table;
  std::uint64_t string_bytes = 0;

  /// A copy of the T at `offset` of the file.
  template <class T> T at(std::uint64_t offset, const char *what) const {
    if (offset > bytes.size() || sizeof(T) > bytes.size() - offset)
      refuse(std::string("truncated ") + what);
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
  }

  /// `size` bytes of the file that are loaded at `address`.
  std::span<const std::byte> loaded(std::uint64_t address, std::uint64_t size, const char *what) const {
    for (const ImageSegment &segment : layout.segments)
      if (address >= segment.address && address - segment.address <= segment.file_size &&
          size <= segment.file_size - (address - segment.address))
        return bytes.subspan(segment.offset + (address - segment.address), size);
    refuse(std::string(what) + " outside the segments");
  }

  void read_header() {
    header = at<Elf64_Ehdr>(0, "ELF header");
    const unsigned char *id = header.e_ident;
    if (std::memcmp(id, ELFMAG, SELFMAG) != 0)
      refuse("not an ELF file");
    if (id[EI_CLASS] != ELFCLASS64 || id[EI_DATA] != ELFDATA2LSB || id[EI_VERSION] != EV_CURRENT ||
        header.e_version != EV_CURRENT)
      refuse("not a little-endian ELF64 file");
    if (id[EI_OSABI] != ELFOSABI_SYSV && id[EI_OSABI] != ELFOSABI_GNU)
      refuse("made for another system");
    if (header.e_machine != kMachine)
      refuse("made for another machine");
    if (header.e_type != ET_DYN)
      refuse("not a shared object");
    if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum == 0 || header.e_phnum > kMostHeaders)
      refuse("odd program headers");
  }

  void read_segments() {
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
      if (header.e_phoff > bytes.size())
        refuse("truncated program headers");
      const auto entry = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr), "program headers");
      switch (entry.p_type) {
      case PT_LOAD:
        add_segment(entry);
        break;
      case PT_DYNAMIC:
        if (dynamic)
          refuse("two dynamic sections");
        dynamic = entry;
        break;
      case PT_GNU_STACK:
        if (entry.p_flags & PF_X)
          refuse("asks for an executable stack");
        break;
      case PT_NULL:
      case PT_PHDR:
      case PT_NOTE:
      case PT_GNU_RELRO:
        break;
      default:
        refuse("program header of the unsupported type " + std::to_string(entry.p_type));
      }
    }
    if (layout.segments.empty())
      refuse("nothing to load");
  }

  void add_segment(const Elf64_Phdr &entry) {
    if (entry.p_offset > bytes.size() || entry.p_filesz > bytes.size() - entry.p_offset)
      refuse("truncated segment");
    if (entry.p_filesz > entry.p_memsz || entry.p_memsz > kLargest || entry.p_vaddr > kLargest)
      refuse("odd segment size");
    if (entry.p_align > 1 &&
        ((entry.p_align & (entry.p_align - 1)) != 0 || entry.p_vaddr % entry.p_align != entry.p_offset % entry.p_align))
      refuse("odd segment alignment");
    if ((entry.p_flags & PF_W) && (entry.p_flags & PF_X))
      refuse("segment that is writable and executable");
    if (entry.p_memsz == 0)
      return;
    const std::uint64_t begin = entry.p_vaddr / page * page;
    if (begin < layout.span)
      refuse("segments out of order or on one page");
    layout.span = (entry.p_vaddr + entry.p_memsz + page - 1) / page * page;
    layout.segments.push_back({entry.p_offset, entry.p_vaddr, entry.p_filesz, entry.p_memsz,
                               (entry.p_flags & PF_R) != 0, (entry.p_flags & PF_W) != 0, (entry.p_flags & PF_X) != 0});
  }

  void read_dynamic() {
    if (!dynamic)
      refuse("no dynamic section");
    const auto section = loaded(dynamic->p_vaddr, dynamic->p_filesz, "dynamic section");
    for (std::size_t i = 0; (i + 1) * sizeof(Elf64_Dyn) <= section.size(); ++i) {
      Elf64_Dyn entry;
      std::memcpy(&entry, section.data() + i * sizeof(entry), sizeof(entry));
      if (entry.d_tag == DT_NULL)
        return;
      read_tag(entry);
    }
    refuse("dynamic section without an end");
  }

  void read_tag(const Elf64_Dyn &entry) {
    switch (entry.d_tag) {
    case DT_HASH:
      hash = entry.d_un.d_ptr;
      break;
    case DT_SYMTAB:
      symbol_table = entry.d_un.d_ptr;
      break;
    case DT_STRTAB:
      string_table = entry.d_un.d_ptr;
      break;
    case DT_STRSZ:
      string_bytes = entry.d_un.d_val;
      break;
    case DT_SYMENT:
      if (entry.d_un.d_val != sizeof(Elf64_Sym))
        refuse("odd symbol size");
      break;
    case DT_FLAGS:
      if (entry.d_un.d_val & (DF_TEXTREL | DF_STATIC_TLS))
        refuse("needs relocations");
      break;
    case DT_GNU_HASH:
    case DT_SONAME:
    case DT_FLAGS_1:
      break;
    default:
      refuse("dynamic entry of the unsupported type " + std::to_string(entry.d_tag));
    }
  }

  void read_symbols() {
    if (!hash || !symbol_table || !string_table)
      refuse("no symbol table");
    std::uint32_t counts[2]; // buckets, symbols
    std::memcpy(counts, loaded(*hash, sizeof(counts), "hash table").data(), sizeof(counts));
    loaded(*hash, 8 + 4 * (std::uint64_t(counts[0]) + counts[1]), "hash table");
    const auto table = loaded(*symbol_table, std::uint64_t(counts[1]) * sizeof(Elf64_Sym), "symbol table");
    const auto strings = loaded(*string_table, string_bytes, "string table");
    for (std::size_t i = 1; i < counts[1]; ++i) { // symbol 0 is empty by definition
      Elf64_Sym symbol;
      std::memcpy(&symbol, table.data() + i * sizeof(symbol), sizeof(symbol));
      add_symbol(symbol, strings);
    }
  }

  void add_symbol(const Elf64_Sym &symbol, std::span<const std::byte> strings) {
    if (symbol.st_name >= strings.size())
      refuse("symbol without a name");
    const auto begin = strings.begin() + symbol.st_name;
    const auto end = std::find(begin, strings.end(), std::byte(0));
    if (end == strings.end())
      refuse("symbol name without an end");
    const std::string name(reinterpret_cast<const char *>(&*begin), static_cast<std::size_t>(end - begin));
    const int type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF)
      refuse("needs the external symbol `" + name + "`");
    if (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE)
      refuse("symbol `" + name + "` of an unsupported type");
    const bool inside = std::any_of(layout.segments.begin(), layout.segments.end(), [&](const ImageSegment &segment) {
      return symbol.st_value >= segment.address && symbol.st_value - segment.address < segment.memory_size &&
             symbol.st_size <= segment.memory_size - (symbol.st_value - segment.address) &&
             (type != STT_FUNC || segment.executable);
    });
    if (!inside)
      refuse("symbol `" + name + "` outside the segments");
    if (!layout.symbols.emplace(name, symbol.st_value).second)
      refuse("symbol `" + name + "` twice");
  }
};

} // namespace

ImageLayout read_image_layout(std::span<const std::byte> bytes, std::uint64_t page_size) {
  return LayoutReader(bytes, page_size).read();
}

} // namespace ingot
