// How much processor time the process's cgroup may use.
#pragma once

#include <filesystem>
#include <optional>

namespace ingot {

/// The CPU limit of the cgroup named in `membership` (a file in the form of /proc/self/cgroup) and of all
/// groups above it, in processors; nothing when there is no limit. `mount` is the directory the cgroup file
/// systems are mounted in; version 1 and version 2 hierarchies are both read. Never throws.
std::optional<double> cgroup_cpu_quota(const std::filesystem::path &membership = "/proc/self/cgroup",
                                       const std::filesystem::path &mount = "/sys/fs/cgroup") noexcept;

} // namespace ingot
