#include "ingot/jit/UnwindTable.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace ingot {
namespace {

using namespace llvm;
namespace endian = llvm::support::endian;

struct Entry {
  int64_t function, description; // from the index's own address
};

Error fault(const char *message) { return createStringError(inconvertibleErrorCode(), message); }

/// A record is its length, then 0 for what descriptions share or the way back to that for a description, whose next
/// word is the function's address.
Error readEntries(const ElfSection &index, const ElfSection &frames, std::vector<Entry> &entries) {
  const char *bytes = frames.bytes.data();
  const int64_t base = int64_t(frames.address) - int64_t(index.address);
  for (size_t at = 0; at + 4 <= frames.bytes.size();) {
    const uint32_t length = endian::read32le(bytes + at);
    if (length == 0)
      return Error::success();
    if (length < 8 || length > frames.bytes.size() - at - 4)
      return fault("image: odd frame description");
    if (endian::read32le(bytes + at + 4) != 0)
      entries.push_back({base + int64_t(at) + 8 + int32_t(endian::read32le(bytes + at + 8)), base + int64_t(at)});
    at += 4 + size_t(length);
  }
  return Error::success();
}

} // namespace

void endFrames(ElfSection &frames) { frames.bytes.append(4, 0); }

Error fillFrameIndex(ElfSection &index, const ElfSection &frames) {
  std::vector<Entry> entries;
  if (Error error = readEntries(index, frames, entries))
    return error;
  llvm::sort(entries, [](const Entry &a, const Entry &b) { return a.function < b.function; });
  index.bytes.resize(12 + 8 * entries.size());
  char *out = index.bytes.data();
  out[0] = 1; // version
  out[1] = dwarf::DW_EH_PE_pcrel | dwarf::DW_EH_PE_sdata4;
  out[2] = dwarf::DW_EH_PE_udata4;
  out[3] = dwarf::DW_EH_PE_datarel | dwarf::DW_EH_PE_sdata4;
  endian::write32le(out + 4, uint32_t(int64_t(frames.address) - int64_t(index.address) - 4));
  endian::write32le(out + 8, uint32_t(entries.size()));
  out += 12;
  for (const Entry &entry : entries) {
    if (!isInt<32>(entry.function) || !isInt<32>(entry.description))
      return fault("image: frame description out of reach");
    endian::write32le(out, uint32_t(entry.function));
    endian::write32le(out + 4, uint32_t(entry.description));
    out += 8;
  }
  return Error::success();
}

} // namespace ingot
