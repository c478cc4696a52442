// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: memory pools. The two APIs' structures and numbers are the same.

#include "Driver.h"

using namespace het::cuda;
using namespace het::cuda::driver;

static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps));
static_assert(sizeof(CUmemAccessDesc) == sizeof(cudaMemAccessDesc));
static_assert(sizeof(CUmemPoolPtrExportData) == sizeof(cudaMemPoolPtrExportData));

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) try {
  return initialised() ? convert(cudaDeviceGetDefaultMemPool(pool, device))
                       : CUDA_ERROR_NOT_INITIALIZED;
}
HET_CATCH

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) try {
  return initialised() ? convert(cudaDeviceGetMemPool(pool, device))
                       : CUDA_ERROR_NOT_INITIALIZED;
}
HET_CATCH

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) try {
  return initialised() ? convert(cudaDeviceSetMemPool(device, pool))
                       : CUDA_ERROR_NOT_INITIALIZED;
}
HET_CATCH

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) try {
  return through([&] {
    return cudaMemPoolCreate(pool,
                             reinterpret_cast<const cudaMemPoolProps *>(properties));
  });
}
HET_CATCH

CUresult cuMemPoolDestroy(CUmemoryPool pool) try {
  return through([&] { return cudaMemPoolDestroy(pool); });
}
HET_CATCH

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t kept) try {
  return through([&] { return cudaMemPoolTrimTo(pool, kept); });
}
HET_CATCH

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute,
                               void *value) try {
  return through([&] {
    return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value);
  });
}
HET_CATCH

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute,
                               void *value) try {
  return through([&] {
    return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value);
  });
}
HET_CATCH

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *list,
                            size_t count) try {
  return through([&] {
    return cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc *>(list),
                                count);
  });
}
HET_CATCH

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool,
                            CUmemLocation *location) try {
  return through([&] {
    return cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags *>(flags), pool,
                                reinterpret_cast<cudaMemLocation *>(location));
  });
}
HET_CATCH

CUresult cuMemPoolExportToShareableHandle(void *handle, CUmemoryPool pool,
                                          CUmemAllocationHandleType type,
                                          unsigned long long flags) try {
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] {
    return cudaMemPoolExportToShareableHandle(
        handle, pool, static_cast<cudaMemAllocationHandleType>(type), 0);
  });
}
HET_CATCH

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *handle,
                                            CUmemAllocationHandleType type,
                                            unsigned long long flags) try {
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] {
    return cudaMemPoolImportFromShareableHandle(
        pool, handle, static_cast<cudaMemAllocationHandleType>(type), 0);
  });
}
HET_CATCH

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *data, CUdeviceptr address) try {
  return through([&] {
    return cudaMemPoolExportPointer(reinterpret_cast<cudaMemPoolPtrExportData *>(data),
                                    pointerOf(address));
  });
}
HET_CATCH

CUresult cuMemPoolImportPointer(CUdeviceptr *address, CUmemoryPool pool,
                                CUmemPoolPtrExportData *data) try {
  if (!address)
    return CUDA_ERROR_INVALID_VALUE;
  void *pointer = nullptr;
  CUresult result = through([&] {
    return cudaMemPoolImportPointer(&pointer, pool,
                                    reinterpret_cast<cudaMemPoolPtrExportData *>(data));
  });
  *address = addressOf(pointer);
  return result;
}
HET_CATCH
