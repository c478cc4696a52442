// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's functions that allocate, copy and fill memory.

#include "Driver.h"

#include "../Copy.h"
#include "../Memory.h"

using namespace het::cuda;
using namespace het::cuda::driver;

CUresult cuMemGetInfo_v2(size_t *free, size_t *total) try {
  return through([&] { return cudaMemGetInfo(free, total); });
}
HET_CATCH

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size) try {
  if (!address || !size)
    return CUDA_ERROR_INVALID_VALUE;
  void *pointer = nullptr;
  CUresult result = through([&] { return cudaMalloc(&pointer, size); });
  *address = addressOf(pointer);
  return result;
}
HET_CATCH

CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width,
                            size_t height, unsigned element) try {
  if (!address || !pitch || !width || !height ||
      (element != 4 && element != 8 && element != 16))
    return CUDA_ERROR_INVALID_VALUE;
  void *pointer = nullptr;
  CUresult result =
      through([&] { return cudaMallocPitch(&pointer, pitch, width, height); });
  *address = addressOf(pointer);
  return result;
}
HET_CATCH

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned flags) try {
  if (!address || !size)
    return CUDA_ERROR_INVALID_VALUE;
  void *pointer = nullptr;
  CUresult result = through([&] { return cudaMallocManaged(&pointer, size, flags); });
  *address = addressOf(pointer);
  return result;
}
HET_CATCH

CUresult cuMemFree_v2(CUdeviceptr address) try {
  return through([&] { return cudaFree(pointerOf(address)); });
}
HET_CATCH

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size,
                                 CUdeviceptr address) try {
  if (CUresult error = requireContext())
    return error;
  MemoryRange range = findMemory(pointerOf(address));
  if (range.kind == MemoryKind::Unknown)
    return CUDA_ERROR_NOT_FOUND;
  if (base)
    *base = addressOf(range.base);
  if (size)
    *size = range.size;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuMemAllocHost_v2(void **pointer, size_t size) try {
  return through([&] { return cudaMallocHost(pointer, size); });
}
HET_CATCH

CUresult cuMemHostAlloc(void **pointer, size_t size, unsigned flags) try {
  return through([&] { return cudaHostAlloc(pointer, size, flags); });
}
HET_CATCH

CUresult cuMemFreeHost(void *pointer) try {
  return through([&] { return cudaFreeHost(pointer); });
}
HET_CATCH

CUresult cuMemHostRegister_v2(void *pointer, size_t size, unsigned flags) try {
  return through([&] { return cudaHostRegister(pointer, size, flags); });
}
HET_CATCH

CUresult cuMemHostUnregister(void *pointer) try {
  return through([&] { return cudaHostUnregister(pointer); });
}
HET_CATCH

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *host,
                                      unsigned flags) try {
  if (!address)
    return CUDA_ERROR_INVALID_VALUE;
  void *pointer = nullptr;
  CUresult result =
      through([&] { return cudaHostGetDevicePointer(&pointer, host, flags); });
  *address = addressOf(pointer);
  return result;
}
HET_CATCH

CUresult cuMemHostGetFlags(unsigned *flags, void *host) try {
  return through([&] { return cudaHostGetFlags(flags, host); });
}
HET_CATCH

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream) try {
  if (!address)
    return CUDA_ERROR_INVALID_VALUE;
  void *pointer = nullptr;
  CUresult result = through([&] { return cudaMallocAsync(&pointer, size, stream); });
  *address = addressOf(pointer);
  return result;
}
HET_CATCH

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size, CUmemoryPool pool,
                                 CUstream stream) try {
  if (!address)
    return CUDA_ERROR_INVALID_VALUE;
  void *pointer = nullptr;
  CUresult result =
      through([&] { return cudaMallocFromPoolAsync(&pointer, size, pool, stream); });
  *address = addressOf(pointer);
  return result;
}
HET_CATCH

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) try {
  return through([&] { return cudaFreeAsync(pointerOf(address), stream); });
}
HET_CATCH

// Copies.

static CUresult copy(void *to, const void *from, size_t size, cudaMemcpyKind kind) {
  return through([&] { return cudaMemcpy(to, from, size, kind); });
}

static CUresult copy(void *to, const void *from, size_t size, cudaMemcpyKind kind,
                     CUstream stream) {
  return through([&] { return cudaMemcpyAsync(to, from, size, kind, stream); });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) try {
  return copy(pointerOf(to), pointerOf(from), size, cudaMemcpyDefault);
}
HET_CATCH

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size,
                       CUstream stream) try {
  return copy(pointerOf(to), pointerOf(from), size, cudaMemcpyDefault, stream);
}
HET_CATCH

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size) try {
  return copy(pointerOf(to), from, size, cudaMemcpyHostToDevice);
}
HET_CATCH

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size,
                              CUstream stream) try {
  return copy(pointerOf(to), from, size, cudaMemcpyHostToDevice, stream);
}
HET_CATCH

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size) try {
  return copy(to, pointerOf(from), size, cudaMemcpyDeviceToHost);
}
HET_CATCH

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size,
                              CUstream stream) try {
  return copy(to, pointerOf(from), size, cudaMemcpyDeviceToHost, stream);
}
HET_CATCH

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size) try {
  return copy(pointerOf(to), pointerOf(from), size, cudaMemcpyDeviceToDevice);
}
HET_CATCH

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size,
                              CUstream stream) try {
  return copy(pointerOf(to), pointerOf(from), size, cudaMemcpyDeviceToDevice, stream);
}
HET_CATCH

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext,
                      size_t size) try {
  return cuMemcpyDtoD_v2(to, from, size);
}
HET_CATCH

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext,
                           size_t size, CUstream stream) try {
  return cuMemcpyDtoDAsync_v2(to, from, size, stream);
}
HET_CATCH

// Fills.

static CUresult fill(CUdeviceptr to, size_t pitch, uint32_t value, uint32_t element,
                     size_t width, size_t height, CUstream stream) {
  return through([&] {
    FillOperation operation;
    operation.to = {static_cast<char *>(pointerOf(to)), pitch, 0};
    operation.value = value;
    operation.elementSize = element;
    operation.width = width;
    operation.height = height;
    cudaError_t error = checkFill(operation);
    return error ? error : submitFill(stream, operation, Wait::No);
  });
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) try {
  return fill(to, 0, value, 1, count, 1, nullptr);
}
HET_CATCH

CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) try {
  return fill(to, 0, value, 2, count, 1, nullptr);
}
HET_CATCH

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) try {
  return fill(to, 0, value, 4, count, 1, nullptr);
}
HET_CATCH

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                         CUstream stream) try {
  return fill(to, 0, value, 1, count, 1, stream);
}
HET_CATCH

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                          CUstream stream) try {
  return fill(to, 0, value, 2, count, 1, stream);
}
HET_CATCH

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count,
                          CUstream stream) try {
  return fill(to, 0, value, 4, count, 1, stream);
}
HET_CATCH

CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                         size_t height) try {
  return fill(to, pitch, value, 1, width, height, nullptr);
}
HET_CATCH

CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value,
                          size_t width, size_t height) try {
  return fill(to, pitch, value, 2, width, height, nullptr);
}
HET_CATCH

CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                          size_t height) try {
  return fill(to, pitch, value, 4, width, height, nullptr);
}
HET_CATCH

CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value,
                           size_t width, size_t height, CUstream stream) try {
  return fill(to, pitch, value, 1, width, height, stream);
}
HET_CATCH

CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value,
                            size_t width, size_t height, CUstream stream) try {
  return fill(to, pitch, value, 2, width, height, stream);
}
HET_CATCH

CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                            size_t height, CUstream stream) try {
  return fill(to, pitch, value, 4, width, height, stream);
}
HET_CATCH

// Managed memory. The numbers of the two APIs are the same.

CUresult cuMemAdvise(CUdeviceptr address, size_t count, CUmem_advise advice,
                     CUdevice device) try {
  return through([&] {
    return cudaMemAdvise(pointerOf(address), count, static_cast<cudaMemoryAdvise>(advice),
                         device);
  });
}
HET_CATCH

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t count, CUdevice device,
                            CUstream stream) try {
  return through(
      [&] { return cudaMemPrefetchAsync(pointerOf(address), count, device, stream); });
}
HET_CATCH

CUresult cuMemRangeGetAttributes(void **data, size_t *sizes,
                                 CUmem_range_attribute *attributes, size_t number,
                                 CUdeviceptr address, size_t count) try {
  return through([&] {
    return cudaMemRangeGetAttributes(
        data, sizes, reinterpret_cast<cudaMemRangeAttribute *>(attributes), number,
        pointerOf(address), count);
  });
}
HET_CATCH

CUresult cuMemRangeGetAttribute(void *data, size_t size, CUmem_range_attribute attribute,
                                CUdeviceptr address, size_t count) try {
  return cuMemRangeGetAttributes(&data, &size, &attribute, 1, address, count);
}
HET_CATCH
