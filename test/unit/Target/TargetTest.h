// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target's device through its table, with everything closed at the end.

#ifndef HET_TEST_TARGET_TARGETTEST_H
#define HET_TEST_TARGET_TARGETTEST_H

#include "core/Target.h"
#include "het/Base/File.h"

#include <gtest/gtest.h>

/// Checks that a function of the table succeeds.
#define TARGET_OK(...) ASSERT_EQ((__VA_ARGS__), HET_OK) << status.message

class TargetTest : public testing::Test {
protected:
  void openTarget(const char *name) {
    setenv("HET_TARGET_PATH", HET_TEST_TARGETS, 1);
    het::Result<std::shared_ptr<het::core::Target>> opened =
        het::core::Target::open(name, HET_TEST_TARGETS);
    ASSERT_TRUE(opened.ok()) << opened.status().text();
    target = opened.take();
    abi = &target->abi();
    uint32_t count = 0;
    TARGET_OK(abi->probe(&count, &status));
    ASSERT_GE(count, 1u);
    TARGET_OK(abi->open(0, &device, &status));
    TARGET_OK(abi->createQueue(device, &queue, &status));
  }

  void TearDown() override {
    if (queue)
      abi->destroyQueue(queue);
    if (artifact)
      abi->unloadArtifact(artifact);
    if (device)
      abi->close(device);
  }

  /// The bytes of a kernel of HostKernels.c.
  static het::Bytes kernelBytes(const std::string &name) {
    auto bytes = het::readFile(HET_TEST_KERNELS "/" + name + ".so");
    EXPECT_TRUE(bytes.ok()) << bytes.status().text();
    return bytes.ok() ? bytes.take() : het::Bytes();
  }

  void load(const std::string &name, const std::vector<uint64_t> &variables = {}) {
    het::Bytes bytes = kernelBytes(name);
    TARGET_OK(abi->loadArtifact(device, bytes.data(), bytes.size(), variables.data(),
                                variables.size(), &artifact, &status));
  }

  HetLaunch shape(uint32_t blocks, uint32_t threads) const {
    HetLaunch launch = {};
    launch.artifact = artifact;
    launch.grid[0] = blocks;
    launch.block[0] = threads;
    launch.grid[1] = launch.grid[2] = launch.block[1] = launch.block[2] = 1;
    return launch;
  }

  std::shared_ptr<het::core::Target> target;
  const HetDeviceABI *abi = nullptr;
  HetStatus status = {};
  HetDevice *device = nullptr;
  HetQueue *queue = nullptr;
  HetArtifact *artifact = nullptr;
};

#endif // HET_TEST_TARGET_TARGETTEST_H
