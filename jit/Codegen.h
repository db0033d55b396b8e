// LLVM IR to machine code for one Target: object bytes or assembly text.
#pragma once

#include "ingot/runtime/Target.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace ingot {

using ObjectBytes = llvm::SmallVector<char, 0>;

/// Makes the code generators of x86-64 and AArch64 known. Idempotent and thread safe.
void initializeCodegen();

/// A machine for `target` in position-independent, small-code form. FMA contraction is off: what fuses is
/// decided on ingot ops, so that bits do not depend on code generation.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeTargetMachine(const Target &target);

/// Sets triple and data layout of `module` to the machine's.
void prepareModule(llvm::Module &module, llvm::TargetMachine &machine);

/// The few function passes that pay for vectorised code: what MLIR's conversions leave behind.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine);

enum class CodeFormat { Object, Assembly };
llvm::Expected<ObjectBytes> emitCode(llvm::Module &module, llvm::TargetMachine &machine, CodeFormat format);

/// Fails when the object needs a symbol other than memcpy, memset, memmove and those of `provided`.
llvm::Error checkUndefined(llvm::ArrayRef<char> object, llvm::ArrayRef<std::string> provided);

} // namespace ingot
