// Lays relocatable x86-64 objects out as one minimal ELF shared object: read-only data and code, every
// reference PC-relative and resolved here, entry points in its dynamic symbol table. It needs no linker to
// make and no compiler to load; runtime/Image.h and dlopen both take it.
#pragma once

#include "ingot/jit/Codegen.h"

#include "llvm/Support/Error.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ingot {

/// `exports` are the symbols that the image offers; `soname` is its name for the loader. Fails on an absolute
/// relocation, on writable data and on a symbol that no object defines, naming it.
llvm::Expected<std::vector<std::byte>> writeImage(llvm::ArrayRef<ObjectBytes> objects,
                                                  llvm::ArrayRef<std::string> exports, const std::string &soname);

} // namespace ingot
