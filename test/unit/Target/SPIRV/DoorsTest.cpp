// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both doors at once: every device once, GPUs through Level Zero, and what is said
// where a library is not there.

#include "LevelZero/LevelZeroTest.h"

#include <filesystem>
#include <unistd.h>

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class DoorsTest : public LevelZeroTest {
protected:
  void SetUp() override {
    LevelZeroTest::SetUp();
    unsetenv("HET_SPIRV_DOOR");
    setenv("HET_OPENCL_LIBRARY", HET_TEST_FAKE_OPENCL, 1);
    void *library = dlopen(HET_TEST_FAKE_OPENCL, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library) << dlerror();
    openCL = reinterpret_cast<FakeOpenCLEntry>(dlsym(library, "hetFakeOpenCL"))();
    openCL->reset();
  }
  void TearDown() override {
    LevelZeroTest::TearDown();
    EXPECT_EQ(openCL->alive(), "");
    EXPECT_THAT(openCL->misuses, testing::IsEmpty());
    openCL->reset();
  }

  std::vector<std::string> names() {
    uint32_t count = 0;
    EXPECT_EQ(abi->probe(&count, &status), HET_OK) << status.message;
    std::vector<std::string> all;
    for (uint32_t ordinal = 0; ordinal < count; ++ordinal) {
      EXPECT_EQ(abi->open(ordinal, &device, &status), HET_OK) << status.message;
      all.push_back(properties().name);
      abi->close(device);
      device = nullptr;
    }
    return all;
  }
  void offerGPU(const std::string &uuid) {
    openCL->deviceType = 4;
    openCL->uuid = uuid;
    if (!uuid.empty())
      openCL->extensions += " cl_khr_device_uuid";
  }

  FakeOpenCL *openCL = nullptr;
};

TEST_F(DoorsTest, LevelZeroComesFirst) {
  EXPECT_THAT(names(), ElementsAre("Fake GPU (Level Zero)", "Fake (OpenCL)"));
}

TEST_F(DoorsTest, AGPUOfBothIsOne) {
  offerGPU(fake->uuid);
  EXPECT_THAT(names(), ElementsAre("Fake GPU (Level Zero)"));
}

TEST_F(DoorsTest, AnotherUUIDIsAnotherGPU) {
  fake->name = "Fake";
  offerGPU("0123456789ABCDEF");
  EXPECT_THAT(names(), ElementsAre("Fake (Level Zero)", "Fake (OpenCL)"));
}

TEST_F(DoorsTest, WithoutAUUIDTheNameTells) {
  offerGPU("");
  EXPECT_THAT(names(), ElementsAre("Fake GPU (Level Zero)", "Fake (OpenCL)"));
  fake->name = "Fake";
  EXPECT_THAT(names(), ElementsAre("Fake (Level Zero)"));
}

/// A GPU that Level Zero has and can not use is OpenCL's.
TEST_F(DoorsTest, WhatLevelZeroCanNotUseIsLeftToOpenCL) {
  offerGPU(fake->uuid);
  fake->spirv = 1 << 16;
  EXPECT_THAT(names(), ElementsAre("Fake (OpenCL)"));
}

TEST_F(DoorsTest, OneDoorCanBeChosen) {
  setenv("HET_SPIRV_DOOR", "opencl", 1);
  EXPECT_THAT(names(), ElementsAre("Fake (OpenCL)"));
  setenv("HET_SPIRV_DOOR", "levelzero", 1);
  EXPECT_THAT(names(), ElementsAre("Fake GPU (Level Zero)"));
  setenv("HET_SPIRV_DOOR", "metal", 1);
  uint32_t count = 0;
  EXPECT_EQ(abi->probe(&count, &status), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("HET_SPIRV_DOOR: found 'metal'"));
  unsetenv("HET_SPIRV_DOOR");
}

TEST_F(DoorsTest, BothSayWhyThereIsNone) {
  openCL->deviceCount = 0;
  fake->deviceCount = 0;
  uint32_t count = 0;
  EXPECT_EQ(abi->probe(&count, &status), HET_UNAVAILABLE);
  EXPECT_THAT(message(), AllOf(HasSubstr("OpenCL has no device"),
                               HasSubstr("Level Zero has no GPU")));
}

/// A plug-in that has opened no library yet: a copy of it. It is never closed, as in the
/// runtime.
class FreshDoorsTest : public DoorsTest {
protected:
  void SetUp() override {
    DoorsTest::SetUp();
    static int number = 0;
    const std::filesystem::path copy =
        std::filesystem::temp_directory_path() /
        ("het-doors-test-" + std::to_string(getpid()) + "-" + std::to_string(++number));
    std::filesystem::copy_file(HET_TEST_TARGETS "/het-spirv-device.so", copy,
                               std::filesystem::copy_options::overwrite_existing);
    void *plugin = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
    std::filesystem::remove(copy);
    ASSERT_TRUE(plugin) << dlerror();
    abi = reinterpret_cast<HetDeviceEntry>(dlsym(plugin, "hetDeviceABI"))();
  }
};

TEST_F(FreshDoorsTest, ALibraryThatIsNamedMustBeThere) {
  uint32_t count = 7;
  setenv("HET_LEVEL_ZERO_LIBRARY", "/nonexistent/libze.so", 1);
  EXPECT_EQ(abi->probe(&count, &status), HET_UNAVAILABLE);
  EXPECT_EQ(count, 0u);
  EXPECT_THAT(message(), AllOf(HasSubstr("/nonexistent/libze.so: not found"),
                               HasSubstr("HET_LEVEL_ZERO_LIBRARY")));
  // One that is another library.
  setenv("HET_LEVEL_ZERO_LIBRARY", HET_TEST_FAKE_OPENCL, 1);
  EXPECT_EQ(abi->probe(&count, &status), HET_UNAVAILABLE);
  EXPECT_THAT(message(),
              AllOf(HasSubstr("found no zeInit"), HasSubstr("expected Level Zero 1.6")));
}

TEST_F(FreshDoorsTest, TheOtherLibraryThatIsNamedMustBeThereToo) {
  uint32_t count = 7;
  setenv("HET_OPENCL_LIBRARY", "/nonexistent/libcl.so", 1);
  EXPECT_EQ(abi->probe(&count, &status), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("/nonexistent/libcl.so: not found"));
}

} // namespace
