// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding the driver and its devices, and what is said where there is none.

#include "LoweringVersion.h"
#include "PTXDeviceTest.h"

#include <filesystem>

using testing::HasSubstr;

namespace {

/// A plug-in that has not opened a driver yet: a copy of the file.
class PTXDriverTest : public PTXDeviceTest {
protected:
  void SetUp() override {
    const std::string copy = testing::TempDir() + "het-ptx-device-" +
                             std::to_string(getpid()) + "-" + std::to_string(++copies) +
                             ".so";
    std::filesystem::copy_file(HET_TEST_TARGETS "/het-ptx-device.so", copy,
                               std::filesystem::copy_options::overwrite_existing);
    openPlugin(copy.c_str());
    std::filesystem::remove(copy);
  }

  void expectNone(const char *says) {
    uint32_t count = 7;
    EXPECT_EQ(abi->probe(&count, &status), HET_UNAVAILABLE);
    EXPECT_EQ(count, 0u);
    EXPECT_THAT(message(), HasSubstr(says));
    HetDevice *opened = nullptr;
    EXPECT_EQ(abi->open(0, &opened, &status), HET_UNAVAILABLE);
    EXPECT_THAT(message(), HasSubstr(says));
    EXPECT_EQ(opened, nullptr);
  }

  static inline int copies = 0;
};

TEST_F(PTXDriverTest, NoLibrary) {
  setenv("HET_CUDA_DRIVER", "/nonexistent/libcuda.so.1", 1);
  expectNone("/nonexistent/libcuda.so.1: not found");
  expectNone("HET_CUDA_DRIVER");
}

TEST_F(PTXDriverTest, FoundLater) {
  setenv("HET_CUDA_DRIVER", "/nonexistent/libcuda.so.1", 1);
  expectNone("not found");
  openFake(HET_TEST_FAKE_DRIVER);
  uint32_t count = 0;
  PTX_OK(abi->probe(&count, &status));
  EXPECT_EQ(count, 1u);
}

TEST_F(PTXDriverTest, LacksFunction) {
  openFake(HET_TEST_OLD_FAKE_DRIVER);
  fake->version = 11040;
  expectNone("found a driver for CUDA 11.4 without cuLaunchKernelEx");
  expectNone("expected one for CUDA 12.0 or later");
}

TEST_F(PTXDriverTest, TooOld) {
  openFake(HET_TEST_FAKE_DRIVER);
  fake->version = 11080;
  expectNone("found a driver for CUDA 11.8, expected one for CUDA 12.0");
}

TEST_F(PTXDriverTest, DoesNotStart) {
  openFake(HET_TEST_FAKE_DRIVER);
  fake->deviceCount = 0;
  expectNone("the driver does not start: something went wrong (CUDA_ERROR_NO_DEVICE)");
}

TEST_F(PTXDriverTest, NoDevice) {
  openFake(HET_TEST_FAKE_DRIVER);
  uint32_t count = 0;
  PTX_OK(abi->probe(&count, &status));
  fake->deviceCount = 0;
  expectNone("found no device");
}

TEST_F(PTXDriverTest, CapabilityTooLow) {
  openFake(HET_TEST_FAKE_DRIVER);
  fake->capabilityMajor = 3;
  fake->capabilityMinor = 5;
  expectNone("Fake GPU: found compute capability 3.5, expected 5.0");
}

TEST_F(PTXDriverTest, CanNotPlaceMemory) {
  openFake(HET_TEST_FAKE_DRIVER);
  fake->placesMemory = false;
  expectNone("found no virtual memory management");
}

TEST_F(PTXDriverTest, NamesItsArchitecture) {
  openFake(HET_TEST_FAKE_DRIVER);
  const std::pair<int, const char *> drivers[] = {
      {12000, "sm_90;ptx80;driver=12.0"}, {12040, "sm_90;ptx84;driver=12.4"},
      {12060, "sm_90;ptx85;driver=12.6"}, {12080, "sm_90;ptx87;driver=12.8"},
      {12090, "sm_90;ptx88;driver=12.9"}, {13000, "sm_90;ptx90;driver=13.0"},
      {13020, "sm_90;ptx90;driver=13.2"}};
  for (auto [version, arch] : drivers) {
    PTXDriverTest::SetUp();
    fake->version = version;
    PTX_OK(abi->open(0, &device, &status));
    HetDeviceProperties facts;
    PTX_OK(abi->properties(device, &facts, &status));
    EXPECT_STREQ(facts.arch, arch);
    abi->close(device);
    device = nullptr;
  }
}

using PTXOpenTest = PTXDeviceTest;

TEST_F(PTXOpenTest, Properties) {
  openDevice();
  HetDeviceProperties facts;
  PTX_OK(abi->properties(device, &facts, &status));
  EXPECT_STREQ(facts.name, "Fake GPU");
  EXPECT_STREQ(facts.loweringVersion, HET_LOWERING_VERSION);
  EXPECT_EQ(facts.totalMemory, fake->memoryBytes);
  EXPECT_EQ(facts.memoryGranularity, granule);
  EXPECT_EQ(facts.capabilityMajor, 9u);
  EXPECT_EQ(facts.takesConstants, 1u);
  EXPECT_EQ(facts.sharesHostMemory, 0u);
  EXPECT_EQ(facts.reservesWindow, 1u);
  EXPECT_GT(facts.clockKilohertz, 0u);
  EXPECT_EQ(facts.maxBlockDim[2], 1004u);
  EXPECT_EQ(facts.sharedBytesPerBlockOptIn, 227u << 10);
}

TEST_F(PTXOpenTest, OncePerGPU) {
  fake->deviceCount = 2;
  openDevice();
  HetDevice *other = nullptr;
  EXPECT_EQ(abi->open(0, &other, &status), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("is open already"));
  EXPECT_EQ(abi->open(2, &other, &status), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("found 2 GPUs"));
  PTX_OK(abi->open(1, &other, &status));
  abi->close(other);
}

TEST_F(PTXOpenTest, Limits) {
  openDevice();
  for (uint32_t limit : {HET_LIMIT_STACK, HET_LIMIT_PRINTF_BUFFER, HET_LIMIT_HEAP})
    PTX_OK(abi->setLimit(device, limit, 4096, &status));
  EXPECT_EQ(abi->setLimit(device, HET_LIMIT_STACK, uint64_t(1) << 50, &status),
            HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("a stack of 1125899906842624 bytes"));
  EXPECT_EQ(abi->setLimit(device, 3, 1, &status), HET_INVALID);
}

} // namespace
