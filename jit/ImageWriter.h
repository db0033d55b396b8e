// Relocatable x86-64 objects as one ELF shared object: read-only data and code, every reference PC-relative and
// resolved, entry points in its dynamic symbol table. It needs no linker to make.
#pragma once

#include "ingot/jit/Codegen.h"

#include "llvm/Support/Error.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ingot {

enum class ImageForm {
  Loadable, // what runtime/Image.h and dlopen load: no table of sections, entry points alone have names
  Complete, // what linkers, debuggers and profilers read, too: sections, every function's name, frame descriptions
};

/// `exports` are the symbols that the image offers; `soname` is its name for the loader. Fails on an absolute
/// relocation, on writable data and on a symbol that no object defines, naming it.
llvm::Expected<std::vector<std::byte>> writeImage(llvm::ArrayRef<ObjectBytes> objects,
                                                  llvm::ArrayRef<std::string> exports, const std::string &soname,
                                                  ImageForm form);

} // namespace ingot
