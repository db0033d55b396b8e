#include "ingot/jit/ObjectLinker.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

namespace ingot {
namespace {

using namespace llvm;
using namespace llvm::object;
namespace endian = llvm::support::endian;

constexpr llvm::StringLiteral kFrames = ".eh_frame";

bool isDefined(const ELF64LE::Sym &symbol) {
  return symbol.st_shndx != ELF::SHN_UNDEF && symbol.st_shndx < ELF::SHN_LORESERVE;
}

} // namespace

Error imageFault(const Twine &message) { return createStringError(inconvertibleErrorCode(), "image: " + message); }

Error ObjectLinker::read(ArrayRef<ObjectBytes> objects) {
  for (const ObjectBytes &bytes : objects) {
    auto file = ObjectFile::createELFObjectFile(MemoryBufferRef(StringRef(bytes.data(), bytes.size()), "object"));
    if (!file)
      return file.takeError();
    auto *elf = dyn_cast<File>(file->get());
    if (!elf || elf->getELFFile().getHeader().e_machine != ELF::EM_X86_64)
      return imageFault("not an x86-64 object");
    file->release();
    inputs.push_back({std::unique_ptr<File>(elf), {}, nullptr, {}});
    if (Error error = place(inputs.back()))
      return error;
    if (Error error = define(inputs.back()))
      return error;
  }
  return Error::success();
}

Error ObjectLinker::place(Input &input) {
  const auto &elf = input.file->getELFFile();
  auto sections = elf.sections();
  if (!sections)
    return sections.takeError();
  for (const ELF64LE::Shdr &section : *sections) {
    if (section.sh_type == ELF::SHT_SYMTAB) {
      auto names = elf.getStringTableForSymtab(section);
      if (!names)
        return names.takeError();
      input.symbols = &section;
      input.names = *names;
    }
    auto piece = placeSection(input, section);
    if (!piece)
      return piece.takeError();
    input.pieces.push_back(*piece);
  }
  return input.symbols ? Error::success() : imageFault("an object without symbols");
}

Expected<ObjectLinker::Piece> ObjectLinker::placeSection(const Input &input, const ELF64LE::Shdr &section) {
  const auto &elf = input.file->getELFFile();
  auto name = elf.getSectionName(section);
  if (!name)
    return name.takeError();
  ElfSection *into = *name == kFrames ? frames : section.sh_flags & ELF::SHF_EXECINSTR ? &code : &data;
  if (!(section.sh_flags & ELF::SHF_ALLOC) || section.sh_type == ELF::SHT_NOTE || !into)
    return Piece();
  if (section.sh_size == 0) // something may still point to it: a constant without elements
    return Piece{into, into->bytes.size()};
  if (section.sh_flags & ELF::SHF_WRITE)
    return imageFault("writable section " + *name);
  if (section.sh_type == ELF::SHT_NOBITS)
    return imageFault("uninitialised section " + *name);
  auto contents = elf.getSectionContents(section);
  if (!contents)
    return contents.takeError();
  const uint64_t alignment = std::max<uint64_t>(section.sh_addralign, 1);
  if (into == frames && into->bytes.size() % alignment != 0)
    return imageFault("frame descriptions with a gap, which would end them");
  return Piece{into, into->append(*contents, alignment)};
}

Error ObjectLinker::define(Input &input) {
  auto entries = input.file->getELFFile().symbols(input.symbols);
  if (!entries)
    return entries.takeError();
  for (const ELF64LE::Sym &entry : *entries) {
    const uint8_t type = entry.getType();
    if (!isDefined(entry) || (type != ELF::STT_FUNC && type != ELF::STT_OBJECT && type != ELF::STT_NOTYPE))
      continue;
    auto name = entry.getName(input.names);
    if (!name)
      return name.takeError();
    const Piece &piece = input.pieces[entry.st_shndx];
    const bool own = entry.getBinding() == ELF::STB_LOCAL;
    if (own && (!piece.section || name->empty() || type == ELF::STT_NOTYPE))
      continue;
    if (!piece.section)
      return imageFault("symbol '" + *name + "' lies in a section that is not kept");
    if (!own && !shared.try_emplace(*name, all.size()).second)
      return imageFault("symbol '" + *name + "' is defined twice");
    all.push_back({name->str(), piece.section, piece.offset + entry.st_value, entry.st_size, type});
  }
  return Error::success();
}

const ElfSymbol *ObjectLinker::find(StringRef name) const {
  auto found = shared.find(name);
  return found == shared.end() ? nullptr : &all[found->second];
}

Expected<uint64_t> ObjectLinker::addressOf(const Input &input, uint32_t symbolIndex) const {
  auto symbol = input.file->getELFFile().getSymbol(input.symbols, symbolIndex);
  if (!symbol)
    return symbol.takeError();
  if (isDefined(**symbol)) {
    const Piece &piece = input.pieces[(*symbol)->st_shndx];
    if (!piece.section)
      return imageFault("reference into a section that is not kept");
    return piece.section->address + piece.offset + (*symbol)->st_value;
  }
  auto name = (*symbol)->getName(input.names);
  if (!name)
    return name.takeError();
  const ElfSymbol *found = find(*name);
  if (!found)
    return imageFault("nothing defines the symbol '" + *name + "'");
  return found->section->address + found->offset;
}

Error ObjectLinker::apply(Input &input, const ELF64LE::Rela &rela, const Piece &piece) {
  auto target = addressOf(input, rela.getSymbol(false));
  if (!target)
    return target.takeError();
  const uint64_t offset = piece.offset + rela.r_offset;
  const uint32_t type = rela.getType(false);
  const size_t width = type == ELF::R_X86_64_PC64 ? 8 : 4;
  if (offset + width > piece.section->bytes.size())
    return imageFault("relocation outside its section");
  if (piece.section == frames && type != ELF::R_X86_64_PC32)
    return imageFault("frame descriptions that are not 32-bit PC-relative");
  char *place = piece.section->bytes.data() + offset;
  const int64_t value = int64_t(*target + rela.r_addend - (piece.section->address + offset));
  switch (type) {
  case ELF::R_X86_64_REX_GOTPCRELX:
  case ELF::R_X86_64_GOTPCRELX:
    // mov sym@GOTPCREL(%rip), %reg becomes lea sym(%rip), %reg: there is no table, the address is known.
    if (offset < 2 || uint8_t(place[-2]) != 0x8b)
      return imageFault("a table reference that is no load");
    place[-2] = char(0x8d);
    [[fallthrough]];
  case ELF::R_X86_64_PC32:
  case ELF::R_X86_64_PLT32:
    if (!isInt<32>(value))
      return imageFault("reference out of reach");
    endian::write32le(place, uint32_t(value));
    return Error::success();
  case ELF::R_X86_64_PC64:
    endian::write64le(place, uint64_t(value));
    return Error::success();
  default:
    return imageFault("relocation " + getELFRelocationTypeName(ELF::EM_X86_64, type) + " is not PC-relative");
  }
}

Error ObjectLinker::relocate() {
  for (Input &input : inputs) {
    const auto &elf = input.file->getELFFile();
    auto sections = elf.sections();
    if (!sections)
      return sections.takeError();
    for (const ELF64LE::Shdr &section : *sections) {
      if (section.sh_type != ELF::SHT_RELA || !input.pieces[section.sh_info].section)
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

} // namespace ingot
