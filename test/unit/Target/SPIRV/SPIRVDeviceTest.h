// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SPIR-V device plug-in on top of a fake library: OpenCL's, or Level Zero's
// (LevelZero/LevelZeroTest.h). After each test nothing may live in the library, and the
// plug-in may have made no mistake in using it.

#ifndef HET_TEST_TARGET_SPIRV_SPIRVDEVICETEST_H
#define HET_TEST_TARGET_SPIRV_SPIRVDEVICETEST_H

#include "FakeOpenCL.h"
#include "SPIRV/SPIRVArtifact.h"
#include "het/Target/TargetABI.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Checks that a function of the table succeeds.
#define SPIRV_OK(...) ASSERT_EQ((__VA_ARGS__), HET_OK) << status.message

using SPIRVBytes = std::vector<uint8_t>;

/// An artifact as the lowering writes it.
inline SPIRVBytes makeArtifact(const std::string &code, uint32_t flags = 0,
                               uint32_t variables = 0) {
  HetSpirvArtifact header = {};
  header.magic = HET_SPIRV_MAGIC;
  header.form = HET_SPIRV_MODULE;
  header.variableCount = variables;
  header.nameBytes = 6;
  header.staticSharedBytes = 100;
  header.flags = flags;
  header.argumentBytes = 16;
  header.frameBytesPerThread = 8;
  header.codeBytes = code.size();
  SPIRVBytes artifact(sizeof(header));
  std::memcpy(artifact.data(), &header, sizeof(header));
  const std::string rest = "kernel" + code;
  artifact.insert(artifact.end(), rest.begin(), rest.end());
  return artifact;
}

/// What tests of any door need.
class SPIRVPluginTest : public testing::Test {
protected:
  void openPlugin() {
    for (const char *name :
         {"HET_SPIRV_FORM", "HET_SPIRV_SUBGROUP", "HET_SPIRV_LACKS", "HET_SPIRV_FP64"})
      unsetenv(name);
    void *plugin = dlopen(HET_TEST_TARGETS "/het-spirv-device.so", RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(plugin) << dlerror();
    abi = reinterpret_cast<HetDeviceEntry>(dlsym(plugin, "hetDeviceABI"))();
    ASSERT_EQ(abi->abiVersion, HET_TARGET_ABI_VERSION);
  }

  void closeAll() {
    if (artifact)
      abi->unloadArtifact(artifact);
    if (queue)
      abi->destroyQueue(queue);
    if (device)
      abi->close(device);
    artifact = nullptr;
    queue = nullptr;
    device = nullptr;
  }

  /// Of the fake library, so far.
  virtual void forgetCalls() = 0;

  void openDevice() {
    SPIRV_OK(abi->open(0, &device, &status));
    SPIRV_OK(abi->createQueue(device, &queue, &status));
    forgetCalls();
  }

  void load(const SPIRVBytes &bytes, const std::vector<uint64_t> &variables = {}) {
    SPIRV_OK(abi->loadArtifact(device, bytes.data(), bytes.size(), variables.data(),
                               variables.size(), &artifact, &status));
    forgetCalls();
  }

  int32_t tryLoad(const SPIRVBytes &bytes) {
    return abi->loadArtifact(device, bytes.data(), bytes.size(), nullptr, 0, &artifact,
                             &status);
  }

  SPIRVBytes finish(const SPIRVBytes &bytes) {
    HetLowering finished = {};
    EXPECT_EQ(abi->finishArtifact(device, bytes.data(), bytes.size(), &finished, &status),
              HET_OK)
        << status.message;
    SPIRVBytes result(finished.data, finished.data + finished.size);
    abi->releaseFinished(&finished);
    return result;
  }

  HetLaunch shape(uint32_t blocks = 1, uint32_t threads = 32) {
    HetLaunch launch = {};
    launch.artifact = artifact;
    launch.grid[0] = blocks;
    launch.block[0] = threads;
    launch.grid[1] = launch.grid[2] = launch.block[1] = launch.block[2] = 1;
    return launch;
  }

  /// Launches and waits.
  void run(const HetLaunch &launch) {
    SPIRV_OK(abi->enqueueLaunch(queue, &launch, &status));
    abi->synchronize(queue);
  }

  HetDeviceProperties properties() {
    HetDeviceProperties facts = {};
    EXPECT_EQ(abi->properties(device, &facts, &status), HET_OK);
    return facts;
  }

  int32_t fault() { return abi->fault(device, &status); }
  std::string message() const { return status.message; }

  const HetDeviceABI *abi = nullptr;
  HetStatus status = {};
  HetDevice *device = nullptr;
  HetQueue *queue = nullptr;
  HetArtifact *artifact = nullptr;
};

/// On the fake OpenCL library.
class SPIRVDeviceTest : public SPIRVPluginTest {
protected:
  void SetUp() override {
    setenv("HET_OPENCL_LIBRARY", HET_TEST_FAKE_OPENCL, 1);
    setenv("HET_SPIRV_DOOR", "opencl", 1);
    void *library = dlopen(HET_TEST_FAKE_OPENCL, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library) << dlerror();
    fake = reinterpret_cast<FakeOpenCLEntry>(dlsym(library, "hetFakeOpenCL"))();
    fake->reset();
    openPlugin();
  }

  void TearDown() override {
    closeAll();
    EXPECT_EQ(fake->alive(), "");
    EXPECT_THAT(fake->misuses, testing::IsEmpty());
    fake->reset();
  }

  void forgetCalls() override { fake->takeCalls(); }

  FakeOpenCL *fake = nullptr;
};

#endif // HET_TEST_TARGET_SPIRV_SPIRVDEVICETEST_H
