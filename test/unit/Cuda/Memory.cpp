// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation, copies, fills, and questions about pointers.

#include "Support.h"

#include <numeric>
#include <vector>

TEST(Memory, AllocateAndFree) {
  void *pointer = nullptr;
  CUDA_OK(cudaMalloc(&pointer, 1000));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 256, 0u);
  CUDA_FAILS(cudaErrorInvalidValue, cudaFree(static_cast<char *>(pointer) + 4));
  CUDA_OK(cudaFree(pointer));
  CUDA_OK(cudaFree(nullptr));
  int local = 0;
  CUDA_FAILS(cudaErrorInvalidValue, cudaFree(&local));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMalloc(nullptr, 4));
  CUDA_OK(cudaMalloc(&pointer, 0));
  EXPECT_EQ(pointer, nullptr);
  CUDA_FAILS(cudaErrorMemoryAllocation, cudaMalloc(&pointer, size_t(1) << 50));
}

TEST(Memory, CopyThereAndBack) {
  std::vector<int> from(1000), to(1000);
  std::iota(from.begin(), from.end(), 7);
  DeviceMemory<int> a(1000), b(1000);
  CUDA_OK(cudaMemcpy(a, from.data(), 4000, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(b, a, 4000, cudaMemcpyDeviceToDevice));
  CUDA_OK(cudaMemcpy(to.data(), b, 4000, cudaMemcpyDeviceToHost));
  EXPECT_EQ(from, to);
  std::fill(to.begin(), to.end(), 0);
  CUDA_OK(cudaMemcpy(to.data(), b, 4000, cudaMemcpyDefault));
  EXPECT_EQ(from, to);
  std::vector<int> copy(1000);
  CUDA_OK(cudaMemcpy(copy.data(), to.data(), 4000, cudaMemcpyHostToHost));
  EXPECT_EQ(copy, to);
}

TEST(Memory, CopyRefusesWhatIsWrong) {
  int host[4] = {};
  DeviceMemory<int> device(4);
  CUDA_FAILS(cudaErrorInvalidMemcpyDirection,
             cudaMemcpy(device, host, 4, static_cast<cudaMemcpyKind>(9)));
  CUDA_OK(cudaMemcpy(device, host, 0, static_cast<cudaMemcpyKind>(9)));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemcpy(host, device, 4, cudaMemcpyHostToDevice));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemcpy(device, host, size_t(1) << 30, cudaMemcpyHostToDevice));
}

TEST(Memory, CopyRows) {
  size_t pitch = 0;
  void *device = nullptr;
  CUDA_OK(cudaMallocPitch(&device, &pitch, 12, 5));
  EXPECT_EQ(pitch % 512, 0u);
  std::vector<int> from(15), to(15);
  std::iota(from.begin(), from.end(), 1);
  CUDA_OK(cudaMemcpy2D(device, pitch, from.data(), 12, 12, 5, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy2D(to.data(), 12, device, pitch, 12, 5, cudaMemcpyDeviceToHost));
  EXPECT_EQ(from, to);
  CUDA_FAILS(cudaErrorInvalidPitchValue,
             cudaMemcpy2D(device, pitch, from.data(), 8, 12, 2, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemset2D(device, pitch, 0xff, 4, 5));
  CUDA_OK(cudaMemcpy2D(to.data(), 12, device, pitch, 12, 5, cudaMemcpyDeviceToHost));
  EXPECT_EQ(to[3], -1);
  EXPECT_EQ(to[4], from[4]);
  CUDA_OK(cudaFree(device));
}

TEST(Memory, PitchesOfOneRowAndOfMore) {
  int row[16] = {1, 2, 3, 4};
  DeviceMemory<int> device(64);
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  CUDA_OK(cudaMallocArray(&array, &format, 16, 2));
  const auto copies = [&](size_t pitch, size_t rows) {
    const cudaError_t results[] = {
        cudaMemcpy2D(device, 64, row, pitch, 16, rows, cudaMemcpyHostToDevice),
        cudaMemcpy2D(device, pitch, row, 16, 16, rows, cudaMemcpyHostToDevice),
        cudaMemcpy2DToArray(array, 0, 0, row, pitch, 16, rows, cudaMemcpyHostToDevice),
        cudaMemcpy2DFromArray(row, pitch, array, 0, 0, 16, rows, cudaMemcpyDeviceToHost)};
    for (cudaError_t result : results)
      EXPECT_EQ(result, results[0]);
    (void)cudaGetLastError();
    return results[0];
  };
  // One row has no next one.
  EXPECT_EQ(copies(0, 1), cudaSuccess);
  EXPECT_EQ(copies(4, 1), cudaErrorInvalidValue);
  EXPECT_EQ(copies(16, 1), cudaSuccess);
  EXPECT_EQ(copies(0, 2), cudaErrorInvalidPitchValue);
  EXPECT_EQ(copies(4, 2), cudaErrorInvalidPitchValue);
  EXPECT_EQ(copies(16, 2), cudaSuccess);
  EXPECT_EQ(copies(0, 0), cudaSuccess);
  cudaMemcpy3DParms box = {};
  box.srcPtr = {row, 0, 4, 1};
  box.dstArray = array;
  box.extent = {4, 1, 1};
  box.kind = cudaMemcpyHostToDevice;
  CUDA_OK(cudaMemcpy3D(&box));
  box.srcPtr.pitch = 4;
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemcpy3D(&box));
  CUDA_OK(cudaMemset2D(device, 0, 0, 16, 1));
  CUDA_OK(cudaMemset2D(device, 4, 0, 16, 1));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemset2D(device, 4, 0, 16, 2));
  CUDA_OK(cudaFreeArray(array));
}

TEST(Memory, CopyBox) {
  cudaPitchedPtr device;
  CUDA_OK(cudaMalloc3D(&device, {16, 3, 2}));
  std::vector<int> from(24), to(24);
  std::iota(from.begin(), from.end(), 1);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = {from.data(), 16, 16, 3};
  copy.dstPtr = device;
  copy.extent = {16, 3, 2};
  copy.kind = cudaMemcpyHostToDevice;
  CUDA_OK(cudaMemcpy3D(&copy));
  copy.srcPtr = device;
  copy.dstPtr = {to.data(), 16, 16, 3};
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA_OK(cudaMemcpy3D(&copy));
  EXPECT_EQ(from, to);
  CUDA_OK(cudaFree(device.ptr));
}

TEST(Memory, Fill) {
  DeviceMemory<unsigned char> device(100);
  std::vector<unsigned char> host(100);
  CUDA_OK(cudaMemset(device, 0x5a, 100));
  CUDA_OK(cudaMemset(device + 10, 0, 10));
  CUDA_OK(cudaMemcpy(host.data(), device, 100, cudaMemcpyDeviceToHost));
  EXPECT_EQ(host[9], 0x5a);
  EXPECT_EQ(host[10], 0);
  EXPECT_EQ(host[20], 0x5a);
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemset(device, 0, size_t(1) << 30));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemset(nullptr, 0, 4));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemset(host.data(), 0, 4));
  CUDA_OK(cudaMemset(nullptr, 0, 0));
}

TEST(Memory, Pinned) {
  void *pinned = nullptr, *device = nullptr;
  CUDA_OK(cudaHostAlloc(&pinned, 4096, cudaHostAllocMapped));
  CUDA_OK(cudaHostGetDevicePointer(&device, pinned, 0));
  EXPECT_EQ(device, pinned);
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, pinned));
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  EXPECT_EQ(attributes.hostPointer, pinned);
  unsigned flags = 0;
  CUDA_OK(cudaHostGetFlags(&flags, pinned));
  EXPECT_TRUE(flags & cudaHostAllocMapped);
  CUDA_OK(cudaFreeHost(pinned));
  CUDA_OK(cudaFreeHost(nullptr));
  CUDA_FAILS(cudaErrorInvalidValue, cudaHostAlloc(&pinned, 16, 99));
  int local = 0;
  CUDA_FAILS(cudaErrorInvalidValue, cudaFreeHost(&local));
}

TEST(Memory, Registered) {
  std::vector<char> host(8192);
  void *device = nullptr;
  CUDA_OK(cudaHostRegister(host.data(), host.size(), cudaHostRegisterDefault));
  CUDA_FAILS(cudaErrorHostMemoryAlreadyRegistered,
             cudaHostRegister(host.data(), host.size(), 0));
  CUDA_OK(cudaHostGetDevicePointer(&device, host.data(), 0));
  EXPECT_EQ(device, host.data());
  CUDA_OK(cudaHostUnregister(host.data()));
  CUDA_FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(host.data()));
  CUDA_FAILS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, host.data(), 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaHostRegister(host.data(), 0, 0));
}

TEST(Memory, Managed) {
  int *managed = nullptr;
  CUDA_OK(cudaMallocManaged(reinterpret_cast<void **>(&managed), 64));
  managed[3] = 42;
  int value = 0;
  CUDA_OK(cudaMemcpy(&value, managed + 3, 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(value, 42);
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, managed));
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
  CUDA_OK(cudaMemPrefetchAsync(managed, 64, 0));
  CUDA_OK(cudaMemPrefetchAsync(managed, 64, cudaCpuDeviceId));
  CUDA_FAILS(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 64, 77));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemPrefetchAsync(managed, 128 << 20, 0));
  CUDA_OK(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, 0));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemAdvise(&value, 4, cudaMemAdviseSetReadMostly, 0));
  CUDA_OK(cudaFree(managed));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMallocManaged(reinterpret_cast<void **>(&managed), 16, 7));
}

TEST(Memory, WhosePointer) {
  DeviceMemory<int> device(4);
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, device + 1));
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.device, 0);
  EXPECT_EQ(attributes.devicePointer, device + 1);
  int local = 0;
  CUDA_OK(cudaPointerGetAttributes(&attributes, &local));
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(attributes.device, cudaInvalidDeviceId);
  EXPECT_EQ(attributes.hostPointer, &local);
}

TEST(Memory, Info) {
  size_t before = 0, total = 0, after = 0;
  CUDA_OK(cudaMemGetInfo(&before, &total));
  EXPECT_GT(before, 0u);
  EXPECT_LE(before, total);
  DeviceMemory<char> some(size_t(64) << 20);
  CUDA_OK(cudaMemGetInfo(&after, nullptr));
  EXPECT_LT(after, before);
}

TEST(Memory, StreamOrdered) {
  Stream stream;
  void *pointer = nullptr;
  CUDA_OK(cudaMallocAsync(&pointer, 256, stream));
  CUDA_OK(cudaMemsetAsync(pointer, 1, 256, stream));
  CUDA_OK(cudaFreeAsync(pointer, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  cudaMemPool_t pool = nullptr;
  CUDA_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  uint64_t threshold = 4096, read = 0;
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  CUDA_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read));
  EXPECT_EQ(read, threshold);
}

TEST(Memory, AdviceIsRememberedByRange) {
  char *managed = nullptr;
  CUDA_OK(
      cudaMallocManaged(reinterpret_cast<void **>(&managed), 1024, cudaMemAttachGlobal));
  auto ask = [&](cudaMemRangeAttribute attribute, size_t from, size_t size) {
    int value = -100;
    EXPECT_EQ(
        cudaMemRangeGetAttribute(&value, sizeof value, attribute, managed + from, size),
        cudaSuccess);
    return value;
  };
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, 0, 1024), 0);
  EXPECT_EQ(ask(cudaMemRangeAttributePreferredLocation, 0, 1024), cudaInvalidDeviceId);
  EXPECT_EQ(ask(cudaMemRangeAttributeLastPrefetchLocation, 0, 1024), cudaInvalidDeviceId);
  CUDA_OK(cudaMemAdvise(managed, 512, cudaMemAdviseSetReadMostly, 0));
  CUDA_OK(
      cudaMemAdvise(managed, 1024, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
  CUDA_OK(cudaMemAdvise(managed + 256, 512, cudaMemAdviseSetAccessedBy, 1));
  CUDA_OK(cudaMemPrefetchAsync(managed + 512, 512, 1, nullptr));
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, 0, 512), 1);
  EXPECT_EQ(ask(cudaMemRangeAttributeReadMostly, 511, 2), 0);
  EXPECT_EQ(ask(cudaMemRangeAttributePreferredLocation, 0, 1024), cudaCpuDeviceId);
  EXPECT_EQ(ask(cudaMemRangeAttributePreferredLocationType, 0, 1024),
            cudaMemLocationTypeHost);
  EXPECT_EQ(ask(cudaMemRangeAttributeAccessedBy, 256, 512), 1);
  EXPECT_EQ(ask(cudaMemRangeAttributeAccessedBy, 255, 512), cudaInvalidDeviceId);
  EXPECT_EQ(ask(cudaMemRangeAttributeLastPrefetchLocation, 512, 512), 1);
  EXPECT_EQ(ask(cudaMemRangeAttributeLastPrefetchLocationId, 600, 1), 1);

  int readMostly = -1, devices[3] = {};
  void *data[] = {&readMostly, devices};
  size_t sizes[] = {sizeof readMostly, sizeof devices};
  cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly,
                                        cudaMemRangeAttributeAccessedBy};
  CUDA_OK(cudaMemRangeGetAttributes(data, sizes, attributes, 2, managed + 256, 256));
  EXPECT_EQ(readMostly, 1);
  EXPECT_EQ(devices[0], 1);
  EXPECT_EQ(devices[1], cudaInvalidDeviceId);

  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemRangeGetAttribute(&readMostly, 3, cudaMemRangeAttributeReadMostly,
                                      managed, 4));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemRangeGetAttribute(&readMostly, 4, cudaMemRangeAttributeReadMostly,
                                      managed, 2048));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemRangeGetAttribute(&readMostly, 4, cudaMemRangeAttributeReadMostly,
                                      &readMostly, 4));
  CUDA_OK(cudaFree(managed));
}

TEST(Memory, BatchOfCopies) {
  DeviceMemory<int> device(2);
  int host[2] = {3, 4}, back[2] = {};
  int *address = device;
  void *to[] = {address, address + 1}, *from[] = {&host[0], &host[1]};
  void *home[] = {&back[0], &back[1]};
  size_t sizes[] = {4, 4}, firsts[] = {0}, failed = 0;
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  Stream stream;
  CUDA_OK(
      cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, firsts, 1, &failed, stream));
  CUDA_OK(
      cudaMemcpyBatchAsync(home, to, sizes, 2, &attributes, firsts, 1, &failed, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(back[0], 3);
  EXPECT_EQ(back[1], 4);
  to[1] = nullptr;
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes,
                                                         firsts, 1, &failed, stream));
  EXPECT_EQ(failed, 1u);
  firsts[0] = 1;
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes,
                                                         firsts, 1, &failed, stream));
}
