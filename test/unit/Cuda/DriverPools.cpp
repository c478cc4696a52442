// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's memory pools.

#include "DriverSupport.h"

TEST_F(Driver, MemoryPools) {
  CUmemoryPool pool = nullptr, standard = nullptr, found = nullptr;
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CU_OK(cuMemPoolCreate(&pool, &properties));
  CU_OK(cuDeviceGetDefaultMemPool(&standard, 0));
  CU_OK(cuDeviceSetMemPool(0, pool));
  CU_OK(cuDeviceGetMemPool(&found, 0));
  EXPECT_EQ(found, pool);
  CU_OK(cuDeviceSetMemPool(0, standard));
  CUdeviceptr memory = 0;
  CU_OK(cuMemAllocFromPoolAsync(&memory, 1 << 20, pool, nullptr));
  CUmemoryPool owner = nullptr;
  CU_OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory));
  EXPECT_EQ(owner, pool);
  cuuint64_t used = 0, threshold = 1 << 30;
  CU_OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT_EQ(used, 1u << 20);
  CU_OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  CU_OK(cuMemFreeAsync(memory, nullptr));
  CU_OK(cuStreamSynchronize(nullptr));
  CU_OK(cuMemPoolTrimTo(pool, 0));
  CU_OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &used));
  EXPECT_EQ(used, 0u);
  CUmemLocation there = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
  CUmemAccessDesc access = {there, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  CU_OK(cuMemPoolSetAccess(pool, &access, 1));
  CU_OK(cuMemPoolGetAccess(&flags, pool, &there));
  EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CU_OK(cuMemPoolDestroy(pool));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(standard));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolCreate(nullptr, &properties));
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetDefaultMemPool(&pool, 7));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolTrimTo(nullptr, 0));
}
