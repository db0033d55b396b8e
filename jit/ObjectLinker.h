// A static linker for what our code generator emits: relocatable x86-64 objects into the sections of one image, every
// reference PC-relative and resolved here.
#pragma once

#include "ingot/jit/Codegen.h"
#include "ingot/jit/ElfSymbols.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace ingot {

llvm::Error imageFault(const llvm::Twine &message);

class ObjectLinker {
public:
  /// Read-only data, code and frame descriptions go to the sections given; without `frames` descriptions are dropped.
  ObjectLinker(ElfSection &data, ElfSection &code, ElfSection *frames) : data(data), code(code), frames(frames) {}

  /// Takes the objects' contents and symbols. Fails on writable data and on a symbol that is defined twice.
  llvm::Error read(llvm::ArrayRef<ObjectBytes> objects);
  /// Resolves references, once sections have their addresses. Fails on an absolute relocation and on a symbol that no
  /// object defines, naming it.
  llvm::Error relocate();

  /// Functions and data by name, in the order of the objects; names of one object's own may come several times.
  llvm::ArrayRef<ElfSymbol> symbols() const { return all; }
  /// A symbol that objects see of each other, or null.
  const ElfSymbol *find(llvm::StringRef name) const;

private:
  using File = llvm::object::ELF64LEObjectFile;

  /// A section of an input object and where it lands.
  struct Piece {
    ElfSection *section = nullptr;
    uint64_t offset = 0;
  };
  struct Input {
    std::unique_ptr<File> file;
    std::vector<Piece> pieces; // by section index
    const File::Elf_Shdr *symbols = nullptr;
    llvm::StringRef names;
  };

  llvm::Error place(Input &input);
  llvm::Expected<Piece> placeSection(const Input &input, const File::Elf_Shdr &section);
  llvm::Error define(Input &input);
  llvm::Error apply(Input &input, const File::Elf_Rela &rela, const Piece &piece);
  llvm::Expected<uint64_t> addressOf(const Input &input, uint32_t symbolIndex) const;

  ElfSection &data, &code, *frames;
  std::vector<Input> inputs;
  std::vector<ElfSymbol> all;
  llvm::StringMap<size_t> shared; // into `all`
};

} // namespace ingot
