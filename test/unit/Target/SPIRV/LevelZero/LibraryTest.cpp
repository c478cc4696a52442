// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which GPUs are taken, why others are not, and what is said of them.

#include "LevelZeroTest.h"
#include "LoweringVersion.h"

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

class LevelZeroLibraryTest : public LevelZeroTest {
protected:
  uint32_t count = 7;
  int32_t probe() { return abi->probe(&count, &status); }
  /// Whether the one device is left out, for a reason that has this text.
  void expectRefused(const char *text) {
    EXPECT_EQ(probe(), HET_UNAVAILABLE);
    EXPECT_EQ(count, 0u);
    EXPECT_THAT(message(), AllOf(HasSubstr("Fake GPU: "), HasSubstr(text)));
    fake->reset();
  }
};

TEST_F(LevelZeroLibraryTest, CountsTheDevicesOfAllDrivers) {
  fake->driverCount = 2;
  fake->deviceCount = 3;
  SPIRV_OK(probe());
  EXPECT_EQ(count, 6u);
  SPIRV_OK(abi->open(5, &device, &status));
}

TEST_F(LevelZeroLibraryTest, NoDriverAndNoDevice) {
  fake->driverCount = 0;
  EXPECT_EQ(probe(), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("Level Zero has no GPU"));
  fake->reset();
  fake->deviceCount = 0;
  EXPECT_EQ(probe(), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("Level Zero has no GPU"));
}

TEST_F(LevelZeroLibraryTest, SaysWhyNoDriverStarts) {
  SPIRV_OK(probe());
  fake->reset();
  fake->failingCall = 1;
  fake->result = 0x78000001;
  EXPECT_EQ(probe(), HET_UNAVAILABLE);
  EXPECT_THAT(message(), AllOf(HasSubstr("zeInit"), HasSubstr("/dev/dri"),
                               HasSubstr("ZE_RESULT_ERROR_UNINITIALIZED")));
}

TEST_F(LevelZeroLibraryTest, SaysWhatADeviceLacks) {
  fake->type = 5;
  expectRefused("it is no GPU");
  fake->spirv = 1 << 16 | 2;
  expectRefused("SPIR-V 1.3");
  fake->hostMemory = fake->sharedMemory = 1;
  expectRefused("atomics reach");
  fake->queueGroups = {1, 2};
  expectRefused("no queue for kernels and copies");
}

TEST_F(LevelZeroLibraryTest, SharedMemoryWillDoForRecords) {
  fake->hostMemory = 1;
  openDevice();
  load(makeArtifact("none"));
  run(shape());
  EXPECT_EQ(fault(), HET_FAULT_NONE) << message();
}

TEST_F(LevelZeroLibraryTest, RefusesAnOrdinal) {
  EXPECT_EQ(abi->open(1, &device, &status), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("spirv:1: found 1 devices"));
}

TEST_F(LevelZeroLibraryTest, SaysWhatItIs) {
  openDevice();
  const HetDeviceProperties facts = properties();
  EXPECT_STREQ(facts.name, "Fake GPU (Level Zero)");
  EXPECT_EQ(facts.totalMemory, uint64_t(1) << 31);
  EXPECT_EQ(facts.memoryGranularity, zeGranule);
  EXPECT_EQ(facts.processorCount, 8u);
  EXPECT_EQ(facts.threadsPerProcessor, 1024u);
  EXPECT_EQ(facts.clockKilohertz, 1000000u);
  EXPECT_EQ(facts.maxThreadsPerBlock, 1024u);
  EXPECT_EQ(facts.maxBlockDim[2], 64u);
  EXPECT_EQ(facts.maxGridDim[0], 2147483647u);
  EXPECT_EQ(facts.sharedBytesPerBlockOptIn, (64u << 10) - HET_SPIRV_MOST_SCRATCH);
  EXPECT_FALSE(facts.sharesHostMemory);
  EXPECT_TRUE(facts.reservesWindow);
  EXPECT_STREQ(facts.loweringVersion, HET_LOWERING_VERSION);
}

TEST_F(LevelZeroLibraryTest, ChoosesSubgroups) {
  openDevice();
  EXPECT_THAT(properties().arch, HasSubstr("spirv1.3;teams32;ze1.3.42-"));
}

TEST_F(LevelZeroLibraryTest, OtherSubgroupsSplitATeam) {
  fake->subgroupSizes = {8, 16};
  openDevice();
  EXPECT_THAT(properties().arch, HasSubstr("teams16;"));
}

/// As Intel's Arc: the lowering refuses kernels that need doubles.
TEST_F(LevelZeroLibraryTest, SaysWhatKernelsMustNotNeed) {
  fake->moduleFlags = 5;
  openDevice();
  EXPECT_THAT(properties().arch, HasSubstr("spirv1.3;teams32;nofp64;ze1.3.42-"));
  closeAll();
  fake->moduleFlags = 0;
  openDevice();
  EXPECT_THAT(properties().arch,
              HasSubstr("spirv1.3;teams32;nofp64;nofp16;noatomics64;ze1.3.42-"));
}

TEST_F(LevelZeroLibraryTest, WithoutSubgroups) {
  fake->subgroupSizes = {};
  openDevice();
  EXPECT_THAT(properties().arch, Not(HasSubstr("teams")));
}

/// The arch is part of the cache's key.
TEST_F(LevelZeroLibraryTest, OtherDriversAndGPUsAreOtherArchitectures) {
  std::set<std::string> all;
  auto note = [&] {
    openDevice();
    all.insert(properties().arch);
    closeAll();
  };
  note();
  fake->driverVersion += 1;
  note();
  fake->deviceId += 1;
  note();
  EXPECT_EQ(all.size(), 3u);
}

} // namespace
