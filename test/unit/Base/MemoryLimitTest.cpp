// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits of control groups, in folders that look like /proc and /sys.

#include "het/Base/MemoryLimit.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace het;

namespace {

class MemoryLimitTest : public testing::Test {
protected:
  MemoryLimitTest() {
    char name[] = "/tmp/het-limit-XXXXXX";
    root = mkdtemp(name);
  }
  ~MemoryLimitTest() override { std::filesystem::remove_all(root); }

  void write(const std::string &path, const std::string &text) {
    const std::filesystem::path whole = root + path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text << "\n";
  }
  void setProcess(const std::string &groups, const std::string &mounts) {
    write("/proc/thread-self/cgroup", groups);
    write("/proc/thread-self/mountinfo", mounts);
  }
  uint64_t limit() const { return controlGroupLimit(root); }

  std::string root;
};

constexpr char secondVersion[] =
    "24 1 0:22 / /proc rw,nosuid shared:5 - proc proc rw\n"
    "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate";

} // namespace

TEST_F(MemoryLimitTest, NothingIsLimitedWithoutGroups) {
  EXPECT_EQ(limit(), UINT64_MAX);
  setProcess("", "");
  EXPECT_EQ(limit(), UINT64_MAX);
  setProcess("nonsense\n0:\n::\n0::/a", "- -\nnonsense -\n1 2 3 4 5 6 - cgroup2");
  EXPECT_EQ(limit(), UINT64_MAX);
}

TEST_F(MemoryLimitTest, TheLeastOfAGroupAndThoseAbove) {
  setProcess("0::/batch/job/step", secondVersion);
  EXPECT_EQ(limit(), UINT64_MAX);
  write("/sys/fs/cgroup/batch/job/step/memory.max", "max");
  EXPECT_EQ(limit(), UINT64_MAX);
  write("/sys/fs/cgroup/batch/memory.max", "3000000");
  EXPECT_EQ(limit(), 3000000u);
  write("/sys/fs/cgroup/batch/job/memory.max", "5000000");
  EXPECT_EQ(limit(), 3000000u);
  write("/sys/fs/cgroup/batch/job/step/memory.max", "2000000");
  EXPECT_EQ(limit(), 2000000u);
  write("/sys/fs/cgroup/memory.max", "1000000");
  EXPECT_EQ(limit(), 1000000u);
  write("/sys/fs/cgroup/batch/other/memory.max", "5");
  EXPECT_EQ(limit(), 1000000u);
}

TEST_F(MemoryLimitTest, AContainerSeesItsOwnGroupAtTheTop) {
  setProcess("0::/", secondVersion);
  write("/sys/fs/cgroup/memory.max", "536870912");
  EXPECT_EQ(limit(), 536870912u);
  setProcess("0::/../../other", secondVersion);
  EXPECT_EQ(limit(), 536870912u);
}

TEST_F(MemoryLimitTest, TheFirstVersion) {
  constexpr char mounts[] =
      "31 25 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
      "33 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory";
  setProcess("5:cpu,cpuacct:/job\n4:memory:/job\n0::/job", mounts);
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_EQ(limit(), 9223372036854771712u);
  write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "7000000");
  write("/sys/fs/cgroup/cpu/job/memory.limit_in_bytes", "5");
  EXPECT_EQ(limit(), 7000000u);
}

TEST_F(MemoryLimitTest, AMountedPartOfAHierarchy) {
  setProcess(
      "4:memory:/docker/0123/inner",
      "33 25 0:28 /docker/0123 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "4000000");
  EXPECT_EQ(limit(), 4000000u);
  write("/sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "3000000");
  EXPECT_EQ(limit(), 3000000u);
}

TEST(UsableMemory, IsNoMoreThanTheMachineHas) {
  EXPECT_GT(usableMemory(), 0u);
  EXPECT_LE(usableMemory(), controlGroupLimit());
}
