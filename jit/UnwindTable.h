// .eh_frame_hdr: the index by which unwinders find the frame description of an address.
#pragma once

#include "ingot/jit/ElfFile.h"

#include "llvm/Support/Error.h"

namespace ingot {

/// The end of `frames`, whose descriptions are complete.
void endFrames(ElfSection &frames);

/// Fills `index` from the descriptions in `frames`, an .eh_frame with 32-bit PC-relative addresses. Its size does not
/// depend on addresses.
llvm::Error fillFrameIndex(ElfSection &index, const ElfSection &frames);

} // namespace ingot
