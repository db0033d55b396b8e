#include "ingot/runtime/CpuQuota.h"

#include "ingot/tests/support/TemporaryDirectory.h"

#include <gtest/gtest.h>

namespace ingot {
namespace {

class CpuQuota : public testing::Test {
protected:
  TemporaryDirectory files;

  std::optional<double> quota(const std::string &membership) {
    files.write("cgroup", membership);
    return cgroup_cpu_quota(files.path() / "cgroup", files.path() / "mount");
  }
};

TEST_F(CpuQuota, IsReadFromVersionTwo) {
  files.write("mount/app/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota("0::/app\n"), 1.5);
}

TEST_F(CpuQuota, IsTheLeastOfAllGroupsAbove) {
  files.write("mount/a/b/cpu.max", "400000 100000\n");
  files.write("mount/a/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota("0::/a/b\n"), 2.0);
}

TEST_F(CpuQuota, OfAContainerIsAtTheMount) {
  files.write("mount/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota("0::/docker/not/visible/here\n"), 3.0);
}

TEST_F(CpuQuota, IsReadFromVersionOne) {
  files.write("mount/cpu,cpuacct/job/cpu.cfs_quota_us", "50000\n");
  files.write("mount/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota("4:memory:/job\n3:cpu,cpuacct:/job\n0::/\n"), 0.5);
}

TEST_F(CpuQuota, IsNothingWithoutALimit) {
  files.write("mount/app/cpu.max", "max 100000\n");
  files.write("mount/cpu/app/cpu.cfs_quota_us", "-1\n");
  files.write("mount/cpu/app/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota("2:cpu:/app\n0::/app\n"), std::nullopt);
  EXPECT_EQ(quota(""), std::nullopt);
  EXPECT_EQ(quota("garbage\n::::\n0::/../../etc\n"), std::nullopt);
  EXPECT_EQ(cgroup_cpu_quota(files.path() / "absent", files.path()), std::nullopt);
}

} // namespace
} // namespace ingot
