// Opens libingot-compiler, which lies beside this library, when a compiler is first needed.
#include "ingot/capture/Compiler.h"

#include "ingot-gen/BuildIdentity.h"

#include <dlfcn.h>

#include <filesystem>

namespace ingot {
namespace {

Compiler *open_compiler() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&open_compiler), &info) || !info.dli_fname)
    throw CompileError("libingot cannot find itself, and so not its compiler");
  const std::filesystem::path path = std::filesystem::path(info.dli_fname).parent_path() / "libingot-compiler.so";
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw CompileError("the compiler cannot be opened: " + std::string(dlerror()));
  auto open = reinterpret_cast<Compiler *(*)(const char *)>(dlsym(library, "ingot_open_compiler"));
  Compiler *compiler = open ? open(kBuildIdentity) : nullptr;
  if (!compiler)
    throw CompileError(path.string() + " belongs to another build of Ingot");
  return compiler;
}

} // namespace

Compiler &compiler() {
  static Compiler *instance = open_compiler(); // a failure is tried again at the next call
  return *instance;
}

} // namespace ingot
