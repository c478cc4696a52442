// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a reset of a device takes with it: CUDA documents that it destroys all allocations
// of the device's primary context, also those of the host's memory.

#include "Support.h"

#include <cuda.h>

#include <cerrno>
#include <functional>
#include <sys/mman.h>
#include <vector>

namespace {

cudaMemoryType typeOf(const void *pointer) {
  cudaPointerAttributes attributes = {};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
  return attributes.type;
}

/// Whether the process has a page there.
bool isMapped(const void *pointer) {
  const auto page = reinterpret_cast<uintptr_t>(pointer) / 4096 * 4096;
  return msync(reinterpret_cast<void *>(page), 4096, MS_ASYNC) == 0 || errno != ENOMEM;
}

/// Memory that a reset has taken is nobody's, for each function that asks.
void expectGone(void *pinned) {
  void *device = nullptr;
  unsigned flags = 0;
  EXPECT_EQ(typeOf(pinned), cudaMemoryTypeUnregistered);
  CUDA_FAILS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, pinned, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaHostGetFlags(&flags, pinned));
  CUDA_FAILS(cudaErrorInvalidValue, cudaFreeHost(pinned));
  CUDA_FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(pinned));
}

} // namespace

TEST(Resets, PinnedMemoryGoesHoweverItWasMade) {
  constexpr size_t size = size_t(256) << 20;
  const std::function<cudaError_t(void **)> ways[] = {
      [](void **pointer) { return cudaMallocHost(pointer, size); },
      [](void **pointer) { return cudaHostAlloc(pointer, size, cudaHostAllocPortable); },
      [](void **pointer) {
        return static_cast<cudaError_t>(cuMemAllocHost(pointer, size));
      },
      [](void **pointer) {
        return static_cast<cudaError_t>(cuMemHostAlloc(pointer, size, 0));
      },
  };
  for (const auto &make : ways) {
    CUDA_OK(cudaFree(nullptr));
    void *pinned = nullptr;
    CUDA_OK(make(&pinned));
    auto *middle = static_cast<char *>(pinned) + size / 2;
    *middle = 1;
    CUDA_OK(cudaDeviceReset());
    // Threads that are started meanwhile have their stacks at the ends of such a hole.
    EXPECT_FALSE(isMapped(middle));
    expectGone(pinned);
    EXPECT_EQ(typeOf(middle), cudaMemoryTypeUnregistered);
  }
}

TEST(Resets, RegisteredMemoryIsTheProgramsAgain) {
  std::vector<char> memory(10000, 7);
  for (int times = 0; times < 3; ++times) {
    CUDA_OK(cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterMapped));
    EXPECT_EQ(typeOf(memory.data()), cudaMemoryTypeHost);
    CUDA_OK(cudaDeviceReset());
    expectGone(memory.data());
    EXPECT_EQ(memory.back(), 7);
  }
  CUDA_OK(cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterMapped));
  CUDA_OK(cudaHostUnregister(memory.data()));
}

TEST(Resets, AnotherDevicesPinnedMemoryStays) {
  void *own = nullptr, *other = nullptr;
  CUDA_OK(cudaSetDevice(1));
  CUDA_OK(cudaMallocHost(&other, 100));
  CUDA_OK(cudaSetDevice(0));
  CUDA_OK(cudaMallocHost(&own, 100));
  CUDA_OK(cudaDeviceReset());
  EXPECT_EQ(typeOf(own), cudaMemoryTypeUnregistered);
  EXPECT_EQ(typeOf(other), cudaMemoryTypeHost);
  static_cast<char *>(other)[99] = 1;
  DeviceMemory<char> memory(100);
  CUDA_OK(cudaMemcpy(memory, other, 100, cudaMemcpyHostToDevice));
  CUDA_OK(cudaFreeHost(other));
}

/// Of another device's stream, which may use it as any.
TEST(Resets, PinnedMemoryIsWaitedFor) {
  int *pinned = nullptr;
  CUDA_OK(cudaMallocHost(reinterpret_cast<void **>(&pinned), sizeof(int)));
  *pinned = 5;
  CUDA_OK(cudaSetDevice(1));
  {
    DeviceMemory<int> memory(1);
    Stream stream;
    Gate gate(stream);
    CUDA_OK(cudaMemcpyAsync(memory, pinned, sizeof(int), cudaMemcpyHostToDevice, stream));
    std::thread reset([] { EXPECT_EQ(cudaDeviceReset(), cudaSuccess); });
    std::this_thread::yield();
    gate.open();
    reset.join();
    int read = 0;
    CUDA_OK(cudaStreamSynchronize(stream));
    CUDA_OK(cudaMemcpy(&read, memory, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT_EQ(read, 5);
  }
  CUDA_OK(cudaSetDevice(0));
}

TEST(Resets, ThePrimaryContextIsNotActive) {
  unsigned flags = 0;
  int active = -1;
  auto state = [&] {
    active = -1;
    EXPECT_EQ(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
    return active;
  };
  CUDA_OK(cudaFree(nullptr));
  EXPECT_EQ(state(), 1);
  for (int times = 0; times < 2; ++times) {
    CUDA_OK(cudaDeviceReset());
    EXPECT_EQ(state(), 0);
  }
  // "Any subsequent API call to this device will reinitialize the device."
  CUDA_OK(cudaFree(nullptr));
  EXPECT_EQ(state(), 1);
  CUDA_OK(cudaDeviceReset());
  std::thread([] { CUDA_OK(cudaFree(nullptr)); }).join();
  EXPECT_EQ(state(), 1);
  CUDA_OK(cudaDeviceReset());
  CUcontext context = nullptr;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  EXPECT_EQ(state(), 1);
  ASSERT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  EXPECT_EQ(state(), 0);
}
