// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PTX device plug-in on top of the fake driver. After each test nothing may live in
// the driver, and the plug-in may have made no mistake in using it.

#ifndef HET_TEST_TARGET_PTX_PTXDEVICETEST_H
#define HET_TEST_TARGET_PTX_PTXDEVICETEST_H

#include "FakeDriver.h"
#include "PTX/PTXArtifact.h"
#include "het/Target/TargetABI.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Checks that a function of the table succeeds.
#define PTX_OK(...) ASSERT_EQ((__VA_ARGS__), HET_OK) << status.message

/// ThreadSanitizer has no place for the window where GPUs have it.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PTX_NEEDS_WINDOW() GTEST_SKIP() << "no window under ThreadSanitizer"
#endif
#endif
#ifndef PTX_NEEDS_WINDOW
#define PTX_NEEDS_WINDOW()
#endif

/// Addresses of the window.
inline constexpr uint64_t windowAddress = 0x120000000000;
inline constexpr uint64_t otherWindow = 0x130000000000;
inline constexpr uint64_t granule = 2 << 20;

template <class T> uint64_t addressOf(T *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

using PTXBytes = std::vector<uint8_t>;

/// An artifact as the lowering writes it.
inline PTXBytes makeArtifact(const std::string &kernel, const std::string &text,
                             uint32_t variables = 0, uint32_t flags = 0) {
  HetPtxArtifact header = {};
  header.magic = HET_PTX_MAGIC;
  header.form = HET_PTX_TEXT;
  header.variableCount = variables;
  header.nameBytes = kernel.size();
  header.flags = flags;
  header.codeBytes = text.size() + 1;
  std::vector<uint32_t> offsets; // sizes are such that none needs padding
  uint32_t end = 0;
  for (uint32_t size : parameterSizes(kernel)) {
    offsets.push_back(end);
    end += size;
  }
  header.parameterCount = offsets.size();
  PTXBytes artifact(sizeof(header) + offsets.size() * sizeof(uint32_t));
  std::memcpy(artifact.data(), &header, sizeof(header));
  std::copy_n(reinterpret_cast<const uint8_t *>(offsets.data()),
              offsets.size() * sizeof(uint32_t), artifact.data() + sizeof(header));
  artifact.insert(artifact.end(), kernel.begin(), kernel.end());
  artifact.insert(artifact.end(), text.c_str(), text.c_str() + header.codeBytes);
  return artifact;
}

/// One of the kernel "park".
inline PTXBytes makeParkable(const HetParkingInfo &info) {
  PTXBytes bytes = makeArtifact("park", "kernel park kernel park" HET_SUSPEND_RESUME, 0,
                                HET_PTX_PARKABLE);
  HetPtxArtifact header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.layout = info.layout;
  header.threadBytes = info.threadBytes;
  header.sharedBytes = info.sharedBytes;
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

/// A launch's state as a runtime keeps it.
struct LaunchState : HetLaunchState {
  std::vector<uint8_t> ofBlocks, bytes;
  bool isFull = false;

  explicit LaunchState(uint64_t count) : HetLaunchState{}, ofBlocks(count) {
    blocks = ofBlocks.data();
    blockCount = count;
    resize = [](HetLaunchState *state, uint64_t size) {
      auto &self = *static_cast<LaunchState *>(state);
      if (self.isFull)
        return 0;
      self.bytes.resize(size);
      self.states = self.bytes.data();
      return 1;
    };
  }
};

class PTXDeviceTest : public testing::Test {
protected:
  void SetUp() override {
    openFake(HET_TEST_FAKE_DRIVER);
    openPlugin(HET_TEST_TARGETS "/het-ptx-device.so");
  }

  void TearDown() override {
    while (!artifacts.empty())
      unload(artifacts.back());
    if (event)
      abi->destroyEvent(event);
    if (queue)
      abi->destroyQueue(queue);
    if (device)
      abi->close(device);
    if (!fake)
      return;
    EXPECT_EQ(fake->alive(), "");
    EXPECT_THAT(fake->misuses, testing::IsEmpty());
    fake->reset();
  }

  void openFake(const char *path) {
    setenv("HET_CUDA_DRIVER", path, 1);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library) << dlerror();
    auto entry = reinterpret_cast<FakeDriverEntry>(dlsym(library, "hetFakeDriver"));
    ASSERT_TRUE(entry);
    fake = entry();
    fake->reset();
  }

  void openPlugin(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library) << dlerror();
    auto entry = reinterpret_cast<HetDeviceEntry>(dlsym(library, "hetDeviceABI"));
    ASSERT_TRUE(entry);
    abi = entry();
    ASSERT_EQ(abi->abiVersion, HET_TARGET_ABI_VERSION);
  }

  /// A device with a queue and an event.
  void openDevice() {
    PTX_OK(abi->open(0, &device, &status));
    PTX_OK(abi->createQueue(device, &queue, &status));
    PTX_OK(abi->createEvent(device, &event, &status));
    fake->takeCalls();
  }

  void load(const PTXBytes &bytes, HetArtifact *&out,
            const std::vector<uint64_t> &variables = {}) {
    PTX_OK(abi->loadArtifact(device, bytes.data(), bytes.size(), variables.data(),
                             variables.size(), &out, &status));
    artifacts.push_back(out);
  }

  void loadKernel(const std::string &kernel, HetArtifact *&out, uint32_t flags = 0) {
    load(makeArtifact(kernel, "kernel " + kernel, 0, flags), out);
  }

  void unload(HetArtifact *artifact) {
    abi->unloadArtifact(artifact);
    artifacts.erase(std::find(artifacts.begin(), artifacts.end(), artifact));
  }

  static HetLaunch shape(HetArtifact *artifact, uint32_t blocks = 1,
                         uint32_t threads = 32) {
    HetLaunch launch = {};
    launch.artifact = artifact;
    launch.grid[0] = blocks;
    launch.block[0] = threads;
    launch.grid[1] = launch.grid[2] = launch.block[1] = launch.block[2] = 1;
    return launch;
  }

  /// Puts in a launch of "die".
  void die(CUresult result) {
    HetArtifact *artifact = nullptr;
    loadKernel("die", artifact);
    HetLaunch launch = shape(artifact);
    launch.arguments = &result;
    launch.argumentBytes = sizeof(result);
    PTX_OK(abi->enqueueLaunch(queue, &launch, &status));
  }

  std::string message() const { return status.message; }

  FakeDriver *fake = nullptr;
  const HetDeviceABI *abi = nullptr;
  HetStatus status = {};
  HetDevice *device = nullptr;
  HetQueue *queue = nullptr;
  HetEvent *event = nullptr;
  std::vector<HetArtifact *> artifacts; ///< unloaded at the end
};

#endif // HET_TEST_TARGET_PTX_PTXDEVICETEST_H
