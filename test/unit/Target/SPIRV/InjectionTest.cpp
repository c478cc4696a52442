// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One life of a device with all that calls OpenCL, and then the same with each single
// call failing: every failure has a status or a fault that says something, nothing
// stays behind, nothing crashes.

#include "SPIRVDeviceTest.h"

namespace {

/// The life. What fails is noted, and what depends on it left out.
class Life {
public:
  explicit Life(const HetDeviceABI &abi) : abi(abi) {}

  void run() {
    uint32_t count = 0;
    ok(abi.probe(&count, &status));
    HetDevice *device = nullptr;
    if (!ok(abi.open(0, &device, &status)))
      return;
    HetQueue *queue = nullptr;
    if (ok(abi.createQueue(device, &queue, &status))) {
      useKernel(*device, *queue, makeArtifact("store"));
      useKernel(*device, *queue, makeArtifact("turns", HET_SPIRV_SEGMENTED));
      abi.destroyQueue(queue);
    }
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

  void useKernel(HetDevice &device, HetQueue &queue, const SPIRVBytes &bytes) {
    HetLowering finished = {};
    if (!ok(abi.finishArtifact(&device, bytes.data(), bytes.size(), &finished, &status)))
      return;
    HetArtifact *kernel = nullptr;
    if (ok(abi.loadArtifact(&device, finished.data, finished.size, nullptr, 0, &kernel,
                            &status))) {
      uint32_t word = 0;
      uint64_t arguments[2] = {reinterpret_cast<uint64_t>(&word), 42};
      HetLaunch launch = {kernel,    {2, 1, 1}, {32, 1, 1}, 16,        0,
                          {0, 0, 0}, 0,         0,          arguments, 12};
      ok(abi.enqueueLaunch(&queue, &launch, &status));
      abi.synchronize(&queue);
      stored |= word == 42;
      abi.unloadArtifact(kernel);
    }
    abi.releaseFinished(&finished);
  }

  const HetDeviceABI &abi;
  HetStatus status = {};
};

class SPIRVInjectionTest : public SPIRVDeviceTest,
                           public testing::WithParamInterface<int32_t> {};

/// What may fail with nothing to be said of it: giving things back, and what a device
/// or a kernel is asked for that has a plain answer instead.
bool isQuiet(const std::string &function) {
  return function.rfind("clRelease", 0) == 0 || function == "clGetDeviceInfo" ||
         function == "clGetKernelWorkGroupInfo" || function == "clGetProgramInfo";
}

TEST_P(SPIRVInjectionTest, EveryCallFails) {
  uint32_t count = 0;
  SPIRV_OK(abi->probe(&count, &status)); // opens the library, which is done once
  fake->reset();
  Life whole(*abi);
  whole.run();
  EXPECT_FALSE(whole.failed);
  EXPECT_TRUE(whole.stored);
  const int calls = fake->callCount;
  EXPECT_GT(calls, 40);
  std::set<std::string> failed;
  for (int call = 1; call <= calls; ++call) {
    fake->reset();
    fake->failingCall = call;
    fake->result = GetParam();
    Life life(*abi);
    life.run();
    SCOPED_TRACE("call " + std::to_string(call) + ": " + fake->failed);
    failed.insert(fake->failed);
    EXPECT_TRUE(life.failed || isQuiet(fake->failed));
    EXPECT_TRUE(life.failed || life.stored);
    EXPECT_EQ(fake->alive(), "");
    EXPECT_THAT(fake->misuses, testing::IsEmpty());
    if (HasFailure())
      return;
  }
  EXPECT_GT(failed.size(), 15u);
  fake->reset();
}

INSTANTIATE_TEST_SUITE_P(Results, SPIRVInjectionTest,
                         testing::Values(-5, -6, -30, -36, -54));

} // namespace
