// The entry point through which libingot opens this library.
#include "ingot/jit/JitCompiler.h"

#include "ingot-gen/BuildIdentity.h"

#include <cstring>

/// The process's compiler, or null when the caller was built from other sources than this library. It lives as
/// long as the process.
extern "C" __attribute__((visibility("default"))) ingot::Compiler *ingot_open_compiler(const char *buildIdentity) {
  if (std::strcmp(buildIdentity, ingot::kBuildIdentity) != 0)
    return nullptr;
  static ingot::JitCompiler *compiler = new ingot::JitCompiler;
  return compiler;
}
