#include "ingot/jit/ImageWriter.h"

#include "ingot/jit/ElfLayout.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

namespace ingot {
namespace {

using namespace llvm;
using namespace llvm::object;
namespace endian = llvm::support::endian;

Error fault(const Twine &message) { return createStringError(inconvertibleErrorCode(), "image: " + message); }

/// A section of an input object and where it lands in its output segment.
struct Piece {
  ElfSegment *segment = nullptr;
  uint64_t offset = 0;
};

struct Input {
  std::unique_ptr<ELF64LEObjectFile> file;
  std::vector<Piece> pieces; // by section index
};

struct Definition {
  ElfSegment *segment;
  uint64_t offset, size;
};

class Linker {
public:
  Error read(ArrayRef<ObjectBytes> objects);
  Error relocate();
  ElfLayout layout;
  StringMap<Definition> definitions;

private:
  Error place(Input &input);
  Error define(Input &input);
  Error apply(Input &input, const ELF64LE::Rela &rela, const Piece &piece);
  Expected<uint64_t> addressOf(Input &input, uint32_t symbolIndex);
  std::vector<Input> inputs;
};

Error Linker::read(ArrayRef<ObjectBytes> objects) {
  for (const ObjectBytes &bytes : objects) {
    auto file = ObjectFile::createELFObjectFile(MemoryBufferRef(StringRef(bytes.data(), bytes.size()), "object"));
    if (!file)
      return file.takeError();
    auto *elf = dyn_cast<ELF64LEObjectFile>(file->get());
    if (!elf || elf->getELFFile().getHeader().e_machine != ELF::EM_X86_64)
      return fault("not an x86-64 object");
    file->release();
    inputs.push_back({std::unique_ptr<ELF64LEObjectFile>(elf), {}});
    if (Error error = place(inputs.back()))
      return error;
    if (Error error = define(inputs.back()))
      return error;
  }
  layout.assignAddresses();
  return Error::success();
}

Error Linker::place(Input &input) {
  auto sections = input.file->getELFFile().sections();
  if (!sections)
    return sections.takeError();
  for (const ELF64LE::Shdr &section : *sections) {
    Piece piece;
    auto name = input.file->getELFFile().getSectionName(section);
    if (!name)
      return name.takeError();
    bool unwind = *name == ".eh_frame"; // nothing throws through compiled code
    if ((section.sh_flags & ELF::SHF_ALLOC) && !unwind && section.sh_type != ELF::SHT_NOTE) {
      if (section.sh_size == 0) { // something may still point to it: a constant without elements
        input.pieces.push_back({&layout.data, layout.data.bytes.size()});
        continue;
      }
      if (section.sh_flags & ELF::SHF_WRITE)
        return fault("writable section " + *name);
      if (section.sh_type == ELF::SHT_NOBITS)
        return fault("uninitialised section " + *name);
      auto contents = input.file->getELFFile().getSectionContents(section);
      if (!contents)
        return contents.takeError();
      piece.segment = (section.sh_flags & ELF::SHF_EXECINSTR) ? &layout.code : &layout.data;
      piece.offset = piece.segment->append(*contents, std::max<uint64_t>(section.sh_addralign, 1));
    }
    input.pieces.push_back(piece);
  }
  return Error::success();
}

Error Linker::define(Input &input) {
  for (const ELFSymbolRef symbol : input.file->symbols()) {
    auto entry = input.file->getSymbol(symbol.getRawDataRefImpl());
    if (!entry)
      return entry.takeError();
    const ELF64LE::Sym &raw = **entry;
    if (raw.getBinding() == ELF::STB_LOCAL || raw.st_shndx == ELF::SHN_UNDEF || raw.st_shndx >= ELF::SHN_LORESERVE)
      continue;
    auto name = symbol.getName();
    if (!name)
      return name.takeError();
    const Piece &piece = input.pieces[raw.st_shndx];
    if (!piece.segment)
      return fault("symbol '" + *name + "' lies in a section that is not kept");
    if (!definitions.try_emplace(*name, Definition{piece.segment, piece.offset + raw.st_value, raw.st_size}).second)
      return fault("symbol '" + *name + "' is defined twice");
  }
  return Error::success();
}

Expected<uint64_t> Linker::addressOf(Input &input, uint32_t symbolIndex) {
  const auto &elf = input.file->getELFFile();
  auto sections = elf.sections();
  if (!sections)
    return sections.takeError();
  for (const ELF64LE::Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto symbol = elf.getSymbol(&section, symbolIndex);
    if (!symbol)
      return symbol.takeError();
    if ((*symbol)->st_shndx != ELF::SHN_UNDEF && (*symbol)->st_shndx < ELF::SHN_LORESERVE) {
      const Piece &piece = input.pieces[(*symbol)->st_shndx];
      if (!piece.segment)
        return fault("reference into a section that is not kept");
      return piece.segment->address + piece.offset + (*symbol)->st_value;
    }
    auto strings = elf.getStringTableForSymtab(section);
    if (!strings)
      return strings.takeError();
    auto name = (*symbol)->getName(*strings);
    if (!name)
      return name.takeError();
    auto found = definitions.find(*name);
    if (found == definitions.end())
      return fault("nothing defines the symbol '" + *name + "'");
    return found->second.segment->address + found->second.offset;
  }
  return fault("relocations without a symbol table");
}

Error Linker::apply(Input &input, const ELF64LE::Rela &rela, const Piece &piece) {
  auto target = addressOf(input, rela.getSymbol(false));
  if (!target)
    return target.takeError();
  uint64_t offset = piece.offset + rela.r_offset;
  if (offset + 4 > piece.segment->bytes.size())
    return fault("relocation outside its section");
  char *place = piece.segment->bytes.data() + offset;
  int64_t value = int64_t(*target + rela.r_addend - (piece.segment->address + offset));
  switch (rela.getType(false)) {
  case ELF::R_X86_64_REX_GOTPCRELX:
  case ELF::R_X86_64_GOTPCRELX:
    // mov sym@GOTPCREL(%rip), %reg becomes lea sym(%rip), %reg: there is no table, the address is known.
    if (offset < 2 || uint8_t(place[-2]) != 0x8b)
      return fault("a table reference that is no load");
    place[-2] = char(0x8d);
    [[fallthrough]];
  case ELF::R_X86_64_PC32:
  case ELF::R_X86_64_PLT32:
    if (!isInt<32>(value))
      return fault("reference out of reach");
    endian::write32le(place, uint32_t(value));
    return Error::success();
  case ELF::R_X86_64_PC64:
    if (offset + 8 > piece.segment->bytes.size())
      return fault("relocation outside its section");
    endian::write64le(place, uint64_t(value));
    return Error::success();
  default:
    return fault("relocation " + getELFRelocationTypeName(ELF::EM_X86_64, rela.getType(false)) + " is not PC-relative");
  }
}

Error Linker::relocate() {
  for (Input &input : inputs) {
    const auto &elf = input.file->getELFFile();
    auto sections = elf.sections();
    if (!sections)
      return sections.takeError();
    for (const ELF64LE::Shdr &section : *sections) {
      if (section.sh_type != ELF::SHT_RELA || !input.pieces[section.sh_info].segment)
        continue;
      auto relocations = elf.relas(section);
      if (!relocations)
        return relocations.takeError();
      for (const ELF64LE::Rela &rela : *relocations)
        if (Error error = apply(input, rela, input.pieces[section.sh_info]))
          return error;
    }
  }
  return Error::success();
}

} // namespace

Expected<std::vector<std::byte>> writeImage(ArrayRef<ObjectBytes> objects, ArrayRef<std::string> exports,
                                            const std::string &soname) {
  Linker linker;
  if (Error error = linker.read(objects))
    return error;
  if (Error error = linker.relocate())
    return error;
  std::vector<ElfExport> table;
  for (const std::string &name : exports) {
    auto found = linker.definitions.find(name);
    if (found == linker.definitions.end())
      return fault("nothing defines the entry point '" + name + "'");
    const Definition &definition = found->second;
    table.push_back({name, definition.segment->address + definition.offset, definition.size,
                     definition.segment == &linker.layout.code});
  }
  return linker.layout.write(table, soname);
}

} // namespace ingot
