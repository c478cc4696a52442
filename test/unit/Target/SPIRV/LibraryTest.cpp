// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which devices are taken, why others are not, and what is said of them.

#include "SPIRVDeviceTest.h"

using testing::HasSubstr;
using testing::Not;

namespace {

class SPIRVLibraryTest : public SPIRVDeviceTest {
protected:
  uint32_t count = 7;
  int32_t probe() { return abi->probe(&count, &status); }
};

TEST_F(SPIRVLibraryTest, CountsTheDevicesOfAllPlatforms) {
  fake->platformCount = 2;
  fake->deviceCount = 3;
  SPIRV_OK(probe());
  EXPECT_EQ(count, 6u);
}

TEST_F(SPIRVLibraryTest, NoPlatform) {
  fake->platformCount = 0;
  EXPECT_EQ(probe(), HET_UNAVAILABLE);
  EXPECT_EQ(count, 0u);
  EXPECT_THAT(message(), HasSubstr("OCL_ICD_VENDORS"));
}

TEST_F(SPIRVLibraryTest, NoDevice) {
  fake->deviceCount = 0;
  EXPECT_EQ(probe(), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("no device"));
}

TEST_F(SPIRVLibraryTest, SaysWhatADeviceLacks) {
  fake->languages = "SPIR-V_1.0";
  EXPECT_EQ(probe(), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("Fake: it takes no SPIR-V 1.3"));
  fake->reset();
  fake->systemMemory = 0;
  EXPECT_EQ(probe(), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("do not reach the process's memory"));
}

TEST_F(SPIRVLibraryTest, NeedsPointerArguments) {
  fake->hasPointerArguments = false;
  EXPECT_EQ(abi->open(0, &device, &status), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("clSetKernelArgMemPointerINTEL"));
}

TEST_F(SPIRVLibraryTest, RefusesAnOrdinal) {
  EXPECT_EQ(abi->open(1, &device, &status), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("spirv:1"));
}

TEST_F(SPIRVLibraryTest, ChecksTheEnvironment) {
  setenv("HET_SPIRV_FORM", "fast", 1);
  EXPECT_EQ(probe(), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("HET_SPIRV_FORM: found 'fast'"));
  unsetenv("HET_SPIRV_FORM");
  setenv("HET_SPIRV_SUBGROUP", "64", 1);
  EXPECT_EQ(probe(), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("HET_SPIRV_SUBGROUP: found '64'"));
  unsetenv("HET_SPIRV_SUBGROUP");
  setenv("HET_SPIRV_LACKS", "fp32", 1);
  EXPECT_EQ(probe(), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("HET_SPIRV_LACKS: found 'fp32'"));
  unsetenv("HET_SPIRV_LACKS");
  setenv("HET_SPIRV_FP64", "soft", 1);
  EXPECT_EQ(probe(), HET_INVALID);
  EXPECT_THAT(message(),
              HasSubstr("HET_SPIRV_FP64: found 'soft', expected refuse or emulate"));
}

TEST_F(SPIRVLibraryTest, SubgroupsOf32ComeFirst) {
  openDevice();
  EXPECT_THAT(properties().arch, HasSubstr("spirv1.3;teams32;cpu;1.0-"));
}

/// What goes round faults of Intel's compiler for CPUs is not for GPUs.
TEST_F(SPIRVLibraryTest, SaysWhetherItIsACPU) {
  fake->deviceType = 4;
  openDevice();
  EXPECT_THAT(properties().arch, Not(HasSubstr(";cpu")));
}

TEST_F(SPIRVLibraryTest, OtherSubgroupsSplitATeam) {
  fake->subgroupSizes = {8, 16};
  openDevice();
  EXPECT_THAT(properties().arch, HasSubstr("teams16;"));
}

TEST_F(SPIRVLibraryTest, ForcedSubgroups) {
  setenv("HET_SPIRV_SUBGROUP", "8", 1);
  openDevice();
  EXPECT_THAT(properties().arch, HasSubstr("teams8;"));
}

TEST_F(SPIRVLibraryTest, WithoutSubgroups) {
  fake->subgroupSizes = {64};
  openDevice();
  EXPECT_THAT(properties().arch, Not(HasSubstr("teams")));
}

/// The lowering refuses kernels that need what is not there.
TEST_F(SPIRVLibraryTest, SaysWhatKernelsMustNotNeed) {
  fake->extensions = "cl_khr_fp16";
  fake->generic = 0;
  openDevice();
  EXPECT_THAT(properties().arch,
              HasSubstr("spirv1.3;nofp64;noatomics64;nogeneric;cpu;1.0-"));
}

TEST_F(SPIRVLibraryTest, LeavesDoublesUnused) {
  setenv("HET_SPIRV_LACKS", "fp64", 1);
  openDevice();
  EXPECT_THAT(properties().arch, HasSubstr("teams32;nofp64;cpu;1.0-"));
}

TEST_F(SPIRVLibraryTest, EmulatesDoublesWhereTheyAreLacking) {
  setenv("HET_SPIRV_FP64", "emulate", 1);
  openDevice();
  EXPECT_THAT(properties().arch, HasSubstr("teams32;cpu;1.0-"));
  closeAll();
  setenv("HET_SPIRV_LACKS", "fp64", 1);
  openDevice();
  EXPECT_THAT(properties().arch, HasSubstr("teams32;nofp64;softfp64;cpu;1.0-"));
  closeAll();
  setenv("HET_SPIRV_FP64", "refuse", 1);
  openDevice();
  EXPECT_THAT(properties().arch, HasSubstr("teams32;nofp64;cpu;1.0-"));
}

TEST_F(SPIRVLibraryTest, OldDevicesHaveGenericAddresses) {
  fake->generic = -30;
  openDevice();
  EXPECT_THAT(properties().arch, Not(HasSubstr(";no")));
}

TEST_F(SPIRVLibraryTest, SegmentsAll) {
  setenv("HET_SPIRV_FORM", "segmented", 1);
  openDevice();
  EXPECT_THAT(properties().arch, HasSubstr("spirv1.3;segmented;"));
}

/// The arch is part of the cache's key.
TEST_F(SPIRVLibraryTest, AnotherDriverIsAnotherArchitecture) {
  openDevice();
  const std::string before = properties().arch;
  fake->driver = "1.1";
  HetDevice *other = nullptr;
  SPIRV_OK(abi->open(0, &other, &status));
  HetDeviceProperties facts = {};
  SPIRV_OK(abi->properties(other, &facts, &status));
  EXPECT_NE(before, facts.arch);
  abi->close(other);
}

TEST_F(SPIRVLibraryTest, ScratchIsTakenOffLocalMemory) {
  fake->localBytes = 32 << 10;
  openDevice();
  EXPECT_EQ(properties().sharedBytesPerBlock, (32u << 10) - HET_SPIRV_MOST_SCRATCH);
  EXPECT_TRUE(properties().reservesWindow);
  EXPECT_TRUE(properties().sharesHostMemory);
}

} // namespace
