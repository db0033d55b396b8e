#include "ingot/jit/ImageWriter.h"

#include "ingot/jit/ObjectLinker.h"
#include "ingot/jit/UnwindTable.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"

namespace ingot {
namespace {

using namespace llvm;
using Elf = object::ELF64LE;

class ImageWriter {
public:
  ImageWriter(const std::string &soname, ImageForm form) : soname(soname), complete(form == ImageForm::Complete) {}

  Expected<std::vector<std::byte>> write(ArrayRef<ObjectBytes> objects, ArrayRef<std::string> exports);

private:
  const std::string &soname;
  bool complete;
  ElfFile file;
  ElfSection &gnuHash = file.add(".gnu.hash", ELF::SHT_GNU_HASH, ELF::SHF_ALLOC, 8);
  ElfSection &hash = file.add(".hash", ELF::SHT_HASH, ELF::SHF_ALLOC, 8, sizeof(uint32_t));
  ElfSection &dynsym = file.add(".dynsym", ELF::SHT_DYNSYM, ELF::SHF_ALLOC, 8, sizeof(Elf::Sym));
  ElfSection &dynstr = file.add(".dynstr", ELF::SHT_STRTAB, ELF::SHF_ALLOC, 1);
  ElfSection &data = file.add(".rodata", ELF::SHT_PROGBITS, ELF::SHF_ALLOC, 1);
  ElfSection *frameIndex = complete ? &file.add(".eh_frame_hdr", ELF::SHT_PROGBITS, ELF::SHF_ALLOC, 4) : nullptr;
  ElfSection *frames = complete ? &file.add(".eh_frame", ELF::SHT_PROGBITS, ELF::SHF_ALLOC, 8) : nullptr;
  ElfSection &code = file.add(".text", ELF::SHT_PROGBITS, ELF::SHF_ALLOC | ELF::SHF_EXECINSTR, 16);
  ElfSection &dynamic = file.add(".dynamic", ELF::SHT_DYNAMIC, ELF::SHF_ALLOC | ELF::SHF_WRITE, 8, sizeof(Elf::Dyn));
  ElfSection *symtab = complete ? &file.add(".symtab", ELF::SHT_SYMTAB, 0, 8, sizeof(Elf::Sym)) : nullptr;
  ElfSection *strtab = complete ? &file.add(".strtab", ELF::SHT_STRTAB, 0, 1) : nullptr;
  ObjectLinker linker{data, code, frames};
  std::vector<ElfSymbol> exported, local;

  Error chooseSymbols(ArrayRef<std::string> exports);
  Error fillTables();
  void fillDynamic(uint32_t sonameAt);
};

Error ImageWriter::chooseSymbols(ArrayRef<std::string> exports) {
  StringSet<> offered;
  for (const std::string &name : exports) {
    const ElfSymbol *symbol = linker.find(name);
    if (!symbol)
      return imageFault("nothing defines the entry point '" + name + "'");
    offered.insert(name);
    exported.push_back(*symbol);
  }
  sortForHash(exported);
  if (!complete)
    return Error::success();
  for (const ElfSymbol &symbol : linker.symbols())
    if (!offered.contains(symbol.name) || linker.find(symbol.name) != &symbol)
      local.push_back(symbol);
  return Error::success();
}

/// Sizes do not depend on addresses, so what is filled before addresses are known keeps its place.
Error ImageWriter::fillTables() {
  fillGnuHash(gnuHash, exported);
  fillHash(hash, exported);
  ElfNames names;
  const uint32_t sonameAt = names.add(soname);
  fillSymbols(dynsym, names, {}, exported);
  dynstr.assign(names.text());
  fillDynamic(sonameAt);
  if (!complete)
    return Error::success();
  ElfNames allNames;
  fillSymbols(*symtab, allNames, local, exported);
  strtab->assign(allNames.text());
  return fillFrameIndex(*frameIndex, *frames);
}

void ImageWriter::fillDynamic(uint32_t sonameAt) {
  const std::pair<uint64_t, uint64_t> entries[] = {
      {ELF::DT_SONAME, sonameAt},         {ELF::DT_GNU_HASH, gnuHash.address},
      {ELF::DT_HASH, hash.address},       {ELF::DT_STRTAB, dynstr.address},
      {ELF::DT_SYMTAB, dynsym.address},   {ELF::DT_STRSZ, dynstr.bytes.size()},
      {ELF::DT_SYMENT, sizeof(Elf::Sym)}, {ELF::DT_NULL, 0}};
  std::vector<uint64_t> words;
  for (auto [tag, value] : entries) {
    words.push_back(tag);
    words.push_back(value);
  }
  dynamic.assign(ArrayRef(words));
}

Expected<std::vector<std::byte>> ImageWriter::write(ArrayRef<ObjectBytes> objects, ArrayRef<std::string> exports) {
  gnuHash.link = hash.link = &dynsym;
  dynsym.link = dynamic.link = &dynstr;
  if (complete)
    symtab->link = strtab;
  if (Error error = linker.read(objects))
    return error;
  if (complete)
    endFrames(*frames);
  if (Error error = chooseSymbols(exports))
    return error;
  if (Error error = fillTables())
    return error;
  file.assignAddresses();
  if (Error error = linker.relocate())
    return error;
  if (Error error = fillTables())
    return error;
  return file.write(/*sectionTable=*/complete);
}

} // namespace

Expected<std::vector<std::byte>> writeImage(ArrayRef<ObjectBytes> objects, ArrayRef<std::string> exports,
                                            const std::string &soname, ImageForm form) {
  return ImageWriter(soname, form).write(objects, exports);
}

} // namespace ingot
