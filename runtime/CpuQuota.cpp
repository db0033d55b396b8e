#include "ingot/runtime/CpuQuota.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace ingot {
namespace {

namespace fs = std::filesystem;

/// Version 2: `cpu.max` holds `max PERIOD` or `QUOTA PERIOD`.
std::optional<double> quota_v2(const fs::path &group) {
  std::ifstream in(group / "cpu.max");
  double quota, period;
  if (in >> quota >> period && quota > 0 && period > 0)
    return quota / period;
  return std::nullopt;
}

/// Version 1: a quota of -1 means none.
std::optional<double> quota_v1(const fs::path &group) {
  std::ifstream quota_file(group / "cpu.cfs_quota_us"), period_file(group / "cpu.cfs_period_us");
  double quota, period;
  if (quota_file >> quota && period_file >> period && quota > 0 && period > 0)
    return quota / period;
  return std::nullopt;
}

/// The least quota of `path` and the groups above it under `hierarchy`. Groups that cannot be seen from
/// inside a container are skipped; its own limit is then the one at the top.
template <class Quota>
std::optional<double> least_quota(const fs::path &hierarchy, const std::string &path, Quota quota) {
  std::optional<double> least;
  fs::path relative = fs::path(path).relative_path();
  while (true) {
    if (const std::optional<double> here = quota(hierarchy / relative))
      least = std::min(least.value_or(*here), *here);
    if (relative.empty())
      return least;
    relative = relative.parent_path();
  }
}

std::optional<double> read_quota(const fs::path &membership, const fs::path &mount) {
  std::optional<double> least;
  const auto lower = [&](std::optional<double> quota) {
    if (quota)
      least = std::min(least.value_or(*quota), *quota);
  };
  std::ifstream in(membership);
  for (std::string text; std::getline(in, text);) {
    // ID:CONTROLLERS:PATH, with no controllers for version 2.
    const std::size_t first = text.find(':'), second = text.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    const std::string controllers = text.substr(first + 1, second - first - 1), path = text.substr(second + 1);
    if (path.find("..") != std::string::npos)
      continue;
    if (controllers.empty()) {
      lower(least_quota(mount, path, quota_v2));
      lower(least_quota(mount / "unified", path, quota_v2));
    } else {
      std::istringstream names(controllers);
      for (std::string name; std::getline(names, name, ',');)
        if (name == "cpu") {
          lower(least_quota(mount / controllers, path, quota_v1));
          lower(least_quota(mount / "cpu", path, quota_v1));
        }
    }
  }
  return least;
}

} // namespace

std::optional<double> cgroup_cpu_quota(const fs::path &membership, const fs::path &mount) noexcept {
  try {
    return read_quota(membership, mount);
  } catch (...) {
    return std::nullopt;
  }
}

} // namespace ingot
