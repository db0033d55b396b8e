// One entry of the disk cache: a compiled program with everything needed to trust it and run it.
#pragma once

#include "ingot/runtime/Hash.h"
#include "ingot/runtime/Image.h"
#include "ingot/runtime/Program.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace ingot {

/// What an entry must be for, to be used: the compiler build that made it, the key, and the very trace.
struct CacheIdentity {
  std::string_view build;
  Hash128 key;
  std::span<const std::byte> trace;
};

struct CacheEntry {
  ProgramInfo info;
  Image image;
};

/// Writes the entry through a temporary file in the same directory and a rename, so that a reader sees all of
/// it or nothing. Makes the directory if needed. False, and no file left behind, when that is not possible;
/// never throws.
bool write_cache_file(const std::filesystem::path &path, const CacheIdentity &identity, const ProgramInfo &info,
                      std::span<const std::byte> image) noexcept;

/// The entry at `path`, loaded. Nothing when the file is absent, damaged in any byte, of another format, for
/// another identity, or for a machine with features this one lacks; never throws.
std::optional<CacheEntry> read_cache_file(const std::filesystem::path &path, const CacheIdentity &identity) noexcept;

/// The file's name under a cache directory for a key: two levels, so that no directory grows too large.
std::filesystem::path cache_file_path(const std::filesystem::path &directory, const Hash128 &key);

} // namespace ingot
