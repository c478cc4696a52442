// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program sees of a device that can not be opened again after a reset, and of one
// that has no queue left.

#include "FakeDevice.h"
#include "FakeTarget.h"
#include "het/Package/PackageWriter.h"

#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <functional>
#include <gtest/gtest.h>
#include <thread>
#include <utility>

using namespace het;

namespace {

/// The environment that the runtime finds, set before anything asks for it.
struct TestEnvironment {
  TestEnvironment() {
    setenv("HET_CACHE_SIZE", "0", 1);
    setenv("HET_TARGET_PATH", HET_TEST_FAKE_TARGET, 1);
    setenv("HET_LOWERING_PROCESS", "0", 1);
    setenv("HET_DEVICES", "fake", 1);
    for (const char *other : {"HET_LOG", "HET_SPECIALISE", "HET_PRELOAD"})
      unsetenv(other);
  }
};
const TestEnvironment testEnvironment;

FakeFaults &faults() {
  return *het::test::fakeFunction<FakeFaultsFunction>(
      HET_TEST_FAKE_TARGET "/het-fake-device.so", "hetFakeFaults")();
}

Bytes makePackage() {
  PackageWriter writer("tests of faults");
  KernelInfo kernel;
  kernel.name = kernel.displayName = "plain";
  const Bytes code = {'p'};
  EXPECT_TRUE(writer.addKernel(kernel, code).ok());
  Result<Bytes> bytes = writer.finish();
  EXPECT_TRUE(bytes.ok()) << bytes.status().text();
  return bytes.ok() ? bytes.take() : Bytes();
}

TEST(FaultsTest, ADeviceThatIsNotOpenedAgainIsLost) {
  const Bytes package = makePackage();
  void *memory = nullptr, *none = nullptr;
  cudaStream_t stream = nullptr;
  CUmodule module = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  faults().refusesToOpen = true;
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(cudaDeviceReset(), cudaErrorDevicesUnavailable);
    cudaPointerAttributes attributes = {};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, memory), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
    EXPECT_EQ(cudaMalloc(&none, 16), cudaErrorDevicesUnavailable);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorDevicesUnavailable);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaErrorDevicesUnavailable);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorContextIsDestroyed);
    EXPECT_EQ(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4096),
              cudaErrorDevicesUnavailable);
    EXPECT_EQ(cuModuleLoadData(&module, package.data()),
              static_cast<CUresult>(cudaErrorDevicesUnavailable));
  }
  faults().refusesToOpen = false;
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
  EXPECT_EQ(cudaMemset(memory, 0, 16), cudaSuccess);
  EXPECT_EQ(cuModuleLoadData(&module, package.data()), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

/// Each call asks whether there is a fault, and another thread's reset may clear it then:
/// a call that is refused says so, and does not go on as if it had not been.
TEST(FaultsTest, AFaultThatIsClearedDuringACall) {
  static const char stub = 0;
  void *memory = nullptr, *made = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaArray_t array = nullptr;
  const auto format = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindSigned);
  ASSERT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
  const std::pair<const char *, std::function<cudaError_t()>> calls[] = {
      {"malloc", [&] { return cudaMalloc(&made, 16); }},
      {"pinned", [&] { return cudaMallocHost(&made, 16); }},
      {"array", [&] { return cudaMallocArray(&array, &format, 8, 8); }},
      {"ordered", [&] { return cudaMallocAsync(&made, 16, nullptr); }},
      {"stream", [&] { return cudaStreamCreate(&stream); }},
      {"event", [&] { return cudaEventCreate(&event); }},
      {"fill", [&] { return cudaMemsetAsync(memory, 0, 16, nullptr); }},
      {"own stream", [&] { return cudaMemsetAsync(memory, 0, 16, cudaStreamPerThread); }},
      {"call", [] { return cudaLaunchHostFunc(nullptr, [](void *) {}, nullptr); }},
      {"launch", [] { return cudaLaunchKernel(&stub, 1, 1, nullptr, 0, nullptr); }},
      {"wait", [] { return cudaStreamSynchronize(nullptr); }},
      {"wait for all", [] { return cudaDeviceSynchronize(); }},
      {"peer", [] { return cudaDeviceDisablePeerAccess(0); }},
      {"limit", [] { return cudaDeviceSetLimit(cudaLimitStackSize, 4096); }},
  };
  for (const auto &[name, call] : calls) {
    faults().faultsLeft = 1;
    EXPECT_EQ(call(), cudaErrorLaunchFailure) << name;
    faults().faultsLeft = 0;
  }
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST(FaultsTest, AThreadsOwnStreamThatCanNotBeMade) {
  ASSERT_EQ(cudaFree(nullptr), cudaSuccess);
  faults().refusesQueues = true;
  std::thread([] {
    EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  }).join();
  faults().refusesQueues = false;
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
}

} // namespace
