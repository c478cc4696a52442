// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One life of a device with all that calls Level Zero, and then the same with each
// single call failing: every failure has a status or a fault that says something,
// nothing stays behind, nothing crashes.

#include "LevelZeroTest.h"

#include <set>

namespace {

/// The life. What fails is noted, and what depends on it left out.
class Life {
public:
  explicit Life(const HetDeviceABI &abi) : abi(abi) {}

  void run() {
    uint32_t count = 0;
    ok(abi.probe(&count, &status));
    if (!ok(abi.open(0, &device, &status)))
      return;
    useMemory();
    if (abi.fault(device, &status)) {
      EXPECT_STRNE(status.message, "");
      failed = true;
    }
    abi.close(device);
  }

  bool failed = false; ///< something said so
  bool stored = false; ///< what is launched has run

private:
  bool ok(int32_t code) {
    EXPECT_EQ(code, status.code);
    if (code == HET_OK)
      return true;
    EXPECT_STRNE(status.message, "");
    failed = true;
    return false;
  }

  void useMemory() {
    alignas(4096) static uint8_t page[4096];
    uint64_t managed = 0;
    const bool hasManaged = ok(abi.allocateManaged(device, 64, &managed, &status));
    const bool hasPinned = ok(abi.pinMemory(device, zeAddress(page), 4096, &status));
    if (ok(abi.mapMemory(device, zeWindow, 3 * zeGranule, &status))) {
      useQueue();
      ok(abi.unmapMemory(device, zeWindow, 3 * zeGranule, &status));
    }
    if (hasPinned)
      ok(abi.unpinMemory(device, zeAddress(page), &status));
    if (hasManaged)
      ok(abi.freeManaged(device, managed, &status));
  }

  void useQueue() {
    HetQueue *queue = nullptr;
    if (!ok(abi.createQueue(device, &queue, &status)))
      return;
    ok(abi.enqueueFill(queue, zeWindow, 7, 4, 64, &status));
    abi.synchronize(queue); // so that calls come in one order
    useKernel(*queue, makeArtifact("store"));
    useKernel(*queue, makeArtifact("turns", HET_SPIRV_SEGMENTED));
    uint32_t word = 0;
    ok(abi.enqueueCopyRows(queue, zeWindow + 64, 16, zeWindow, 8, 8, 2, &status));
    ok(abi.enqueueCopy(queue, zeAddress(&word), zeWindow, 4, &status));
    abi.synchronize(queue);
    stored = word == 42;
    abi.destroyQueue(queue);
  }

  void useKernel(HetQueue &queue, const SPIRVBytes &bytes) {
    HetLowering finished = {};
    if (!ok(abi.finishArtifact(device, bytes.data(), bytes.size(), &finished, &status)))
      return;
    HetArtifact *kernel = nullptr;
    if (ok(abi.loadArtifact(device, finished.data, finished.size, nullptr, 0, &kernel,
                            &status))) {
      const uint64_t arguments[2] = {zeWindow, 42};
      HetLaunch launch = {kernel,    {2, 1, 1}, {32, 1, 1}, 16,        0,
                          {0, 0, 0}, 0,         0,          arguments, 12};
      ok(abi.enqueueLaunch(&queue, &launch, &status));
      abi.synchronize(&queue);
      abi.unloadArtifact(kernel);
    }
    abi.releaseFinished(&finished);
  }

  const HetDeviceABI &abi;
  HetDevice *device = nullptr;
  HetStatus status = {};
};

class LevelZeroInjectionTest : public LevelZeroTest,
                               public testing::WithParamInterface<uint32_t> {
protected:
  /// One life in which the n-th call fails.
  void live(int call) {
    fake->reset();
    fake->pagesGrow = true; // so that memory has more than one piece
    fake->failingCall = call;
    fake->result = GetParam();
    Life life(*abi);
    life.run();
    SCOPED_TRACE("call " + std::to_string(call) + ": " + fake->failed);
    EXPECT_EQ(fake->failed.empty(), call == 0);
    EXPECT_TRUE(life.failed || call == 0 || isQuiet(fake->failed));
    EXPECT_TRUE(life.failed || life.stored);
    if (call == 0)
      EXPECT_FALSE(life.failed);
    EXPECT_EQ(fake->alive(), "");
    EXPECT_EQ(fake->usedMemory, 0u);
    EXPECT_THAT(fake->misuses, testing::IsEmpty());
  }

  /// What may fail with nothing to be said of it: giving things back to a driver that
  /// is asked for no more, and what has a plain answer instead.
  static bool isQuiet(const std::string &function) {
    for (const char *quiet :
         {"zeContextDestroy", "zeCommandListDestroy", "zeModuleDestroy",
          "zeKernelDestroy", "zeMemFree", "zeModuleBuildLogGetString",
          "zeModuleBuildLogDestroy", "zeModuleGetNativeBinary", "zeKernelGetProperties",
          "zeMemAllocDevice"})
      if (function == quiet)
        return true;
    return GetParam() == 0x70000001 && isGivingBack(function);
  }
  /// A lost device's memory is gone with it.
  static bool isGivingBack(const std::string &function) {
    return function == "zeVirtualMemUnmap" || function == "zePhysicalMemDestroy" ||
           function == "zeVirtualMemFree";
  }
};

TEST_P(LevelZeroInjectionTest, EveryCallFails) {
  uint32_t count = 0;
  SPIRV_OK(abi->probe(&count, &status)); // opens the library, which is done once
  live(0);
  const int calls = fake->callCount;
  EXPECT_GT(calls, 100);
  std::set<std::string> failed;
  for (int call = 1; call <= calls; ++call) {
    live(call);
    failed.insert(fake->failed);
    if (HasFailure())
      return;
  }
  const std::set<std::string> all = {
#define LEVEL_ZERO_FUNCTION(name, parameters) #name,
#include "SPIRV/Device/LevelZero/LevelZeroFunctions.def"
  };
  EXPECT_EQ(failed, all);
  fake->reset();
}

// Lost, out of host and device memory, build failure, unsupported, unknown.
INSTANTIATE_TEST_SUITE_P(Results, LevelZeroInjectionTest,
                         testing::Values(0x70000001, 0x70000002, 0x70000003, 0x70000004,
                                         0x70000006, 0x78000003, 0x7FFFFFFE, 0x12345));

} // namespace
