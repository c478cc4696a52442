// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory without an address, addresses without memory, and putting them together.

#include "DriverSupport.h"

#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

CUmemAllocationProp propertiesOf(int device, int handles = CU_MEM_HANDLE_TYPE_NONE) {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = static_cast<CUmemAllocationHandleType>(handles);
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  return properties;
}

struct VirtualMemory : Driver {
  void SetUp() override {
    Driver::SetUp();
    ASSERT_EQ(cuMemGetAllocationGranularity(&granule, &properties,
                                            CU_MEM_ALLOC_GRANULARITY_MINIMUM),
              CUDA_SUCCESS);
  }

  CUdeviceptr reserve(size_t granules, size_t alignment = 0) const {
    CUdeviceptr address = 0;
    EXPECT_EQ(cuMemAddressReserve(&address, granules * granule, alignment, 0, 0),
              CUDA_SUCCESS);
    return address;
  }

  CUmemGenericAllocationHandle create(size_t granules = 1) const {
    CUmemGenericAllocationHandle handle = 0;
    EXPECT_EQ(cuMemCreate(&handle, granules * granule, &properties, 0), CUDA_SUCCESS);
    return handle;
  }

  static unsigned firstOf(CUdeviceptr address) {
    unsigned value = 0;
    EXPECT_EQ(cuMemcpyDtoH(&value, address, 4), CUDA_SUCCESS);
    return value;
  }

  CUmemAllocationProp properties = propertiesOf(0);
  size_t granule = 0;
};

} // namespace

/// The way of a vector that grows without moving.
TEST_F(VirtualMemory, GrowsInPlace) {
  const CUdeviceptr base = reserve(4);
  for (size_t part = 0; part < 2; ++part) {
    const CUmemGenericAllocationHandle handle = create();
    CU_OK(cuMemMap(base + part * granule, granule, 0, handle, 0));
    CU_OK(cuMemRelease(handle)); // the mapping keeps it
    const CUmemAccessDesc access = {properties.location,
                                    CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CU_OK(cuMemSetAccess(base + part * granule, granule, &access, 1));
  }
  // One copy over both.
  CU_OK(cuMemsetD32(base, 7, 2 * granule / 4));
  std::vector<unsigned> host(2 * granule / 4);
  CU_OK(cuMemcpyDtoH(host.data(), base, 2 * granule));
  EXPECT_EQ(host.back(), 7u);
  CUdeviceptr start = 0;
  size_t size = 0;
  CU_OK(cuMemGetAddressRange(&start, &size, base + granule + 4));
  EXPECT_EQ(start, base);
  EXPECT_EQ(size, 2 * granule);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(base, 7, 2 * granule / 4 + 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFree(base)); // it is not cuMemAlloc's
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(base, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(base, 4 * granule)); // has memory
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(base, granule / 2));
  CU_OK(cuMemUnmap(base, 2 * granule));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(base, granule));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(base, granule)); // not all of it
  CU_OK(cuMemAddressFree(base, 4 * granule));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(base, 4 * granule));
}

TEST_F(VirtualMemory, MovesToOtherAddresses) {
  const CUdeviceptr first = reserve(1), second = reserve(2);
  const CUmemGenericAllocationHandle handle = create();
  CU_OK(cuMemMap(first, granule, 0, handle, 0));
  CU_OK(cuMemsetD32(first, 11, 4));
  CU_OK(cuMemUnmap(first, granule));
  CU_OK(cuMemMap(second + granule, granule, 0, handle, 0));
  EXPECT_EQ(firstOf(second + granule), 11u);
  CU_OK(cuMemUnmap(second + granule, granule));
  CU_OK(cuMemRelease(handle));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemRelease(handle));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemMap(first, granule, 0, handle, 0));
  CU_OK(cuMemAddressFree(first, granule));
  CU_OK(cuMemAddressFree(second, 2 * granule));
}

TEST_F(VirtualMemory, HasHandlesWhileItIsMapped) {
  const CUdeviceptr base = reserve(1);
  const CUmemGenericAllocationHandle handle = create();
  CUmemGenericAllocationHandle same = 0;
  CU_OK(cuMemMap(base, granule, 0, handle, 0));
  CU_OK(cuMemRetainAllocationHandle(&same, reinterpret_cast<void *>(base + 8)));
  EXPECT_EQ(same, handle);
  CU_OK(cuMemRelease(handle));
  CUmemAllocationProp found = {};
  CU_OK(cuMemGetAllocationPropertiesFromHandle(&found, handle));
  EXPECT_EQ(found.location.id, 0);
  CU_OK(cuMemRelease(handle));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMemGetAllocationPropertiesFromHandle(&found, handle));
  CU_OK(cuMemRetainAllocationHandle(&same, reinterpret_cast<void *>(base)));
  CU_OK(cuMemRelease(same));
  CU_OK(cuMemUnmap(base, granule));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMemRetainAllocationHandle(&same, reinterpret_cast<void *>(base)));
  CU_OK(cuMemAddressFree(base, granule));
}

TEST_F(VirtualMemory, AccessIsAsItWasSet) {
  const CUdeviceptr base = reserve(1);
  const CUmemGenericAllocationHandle handle = create();
  CU_OK(cuMemMap(base, granule, 0, handle, 0));
  const CUmemLocation there = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
  unsigned long long flags = 9;
  CU_OK(cuMemGetAccess(&flags, &there, base));
  EXPECT_EQ(flags, 0u);
  CUmemAccessDesc list[] = {
      {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE},
      {there, CU_MEM_ACCESS_FLAGS_PROT_READ},
  };
  CU_OK(cuMemSetAccess(base, granule, list, 2));
  CU_OK(cuMemGetAccess(&flags, &there, base));
  EXPECT_EQ(flags, unsigned(CU_MEM_ACCESS_FLAGS_PROT_READ));
  CU_OK(cuMemGetAccess(&flags, &properties.location, base));
  EXPECT_EQ(flags, unsigned(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  list[1].location.id = 9;
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, cuMemSetAccess(base, granule, list, 2));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(base, granule, nullptr, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(base, 2 * granule, list, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemGetAccess(nullptr, &there, base));
  list[0].location.type = CU_MEM_LOCATION_TYPE_HOST;
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED, cuMemSetAccess(base, granule, list, 1));
  CU_OK(cuMemUnmap(base, granule));
  CU_OK(cuMemRelease(handle));
  CU_OK(cuMemAddressFree(base, granule));
}

TEST_F(VirtualMemory, RefusesWhatDoesNotFit) {
  CUdeviceptr address = 0;
  CUmemGenericAllocationHandle handle = 0;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(nullptr, granule, 0, 0, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, 0, 0, 0, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, granule + 1, 0, 0, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, granule, 3, 0, 0));
  CU_FAILS(CUDA_ERROR_OUT_OF_MEMORY,
           cuMemAddressReserve(&address, granule << 40, 0, 0, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, granule / 2, &properties, 0));
  CU_FAILS(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&handle, granule << 30, &properties, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, granule, nullptr, 0));
  CUmemAllocationProp wrong = propertiesOf(9);
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, cuMemCreate(&handle, granule, &wrong, 0));
  wrong = propertiesOf(0, CU_MEM_HANDLE_TYPE_FABRIC);
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&handle, granule, &wrong, 0));
  wrong.location.type = CU_MEM_LOCATION_TYPE_HOST;
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&handle, granule, &wrong, 0));
  size_t size = 0;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMemGetAllocationGranularity(
               &size, &properties, static_cast<CUmemAllocationGranularity_flags>(5)));
  const CUdeviceptr base = reserve(2, 64 * granule);
  EXPECT_EQ(base % (64 * granule), 0u);
  handle = create(2);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemMap(base, 4 * granule, 0, handle, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemMap(base + 8, granule, 0, handle, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemMap(base + granule, 2 * granule, 0, handle, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemMap(16 * granule, 2 * granule, 0, handle, 0));
  CU_OK(cuMemMap(base, 2 * granule, 0, handle, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemMap(base, 2 * granule, 0, create(2), 0));
  wrong = propertiesOf(1);
  CU_OK(cuMemCreate(&handle, granule, &wrong, 0));
  const CUdeviceptr other = reserve(1);
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(other, granule, 0, handle, 0));
  CU_OK(cuMemRelease(handle));
  CU_OK(cuMemUnmap(base, 2 * granule));
  int value = 0;
  CU_OK(cuDeviceGetAttribute(&value,
                             CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  EXPECT_EQ(value, 1);
}

TEST_F(VirtualMemory, GoesWithAReset) {
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaFree(nullptr), cudaSuccess);
  const CUmemAllocationProp there = propertiesOf(1);
  CUmemGenericAllocationHandle handle = 0;
  const CUdeviceptr base = reserve(1);
  CU_OK(cuMemCreate(&handle, granule, &there, 0));
  CU_OK(cuMemMap(base, granule, 0, handle, 0));
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(base, granule));
  CU_FAILS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemMap(base, granule, 0, handle, 0));
  CU_OK(cuMemRelease(handle));
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

/// Only while the device keeps its memory where it is.
struct SharedMemory : VirtualMemory {
  void SetUp() override {
    VirtualMemory::SetUp();
    int value = 0;
    ASSERT_EQ(
        cuDeviceGetAttribute(
            &value, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0),
        CUDA_SUCCESS);
    if (!value) {
      CUmemGenericAllocationHandle handle = 0;
      properties = propertiesOf(0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
      CU_FAILS(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&handle, granule, &properties, 0));
      GTEST_SKIP() << "the device moves, so its memory is not to be shared";
    }
    properties = propertiesOf(0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  }
};

TEST_F(SharedMemory, IsMappedTwice) {
  const CUdeviceptr base = reserve(2);
  const CUmemGenericAllocationHandle handle = create();
  CU_OK(cuMemMap(base, granule, 0, handle, 0));
  CU_OK(cuMemMap(base + granule, granule, 0, handle, 0)); // a ring
  CU_OK(cuMemsetD32(base + granule - 4, 5, 2));
  EXPECT_EQ(firstOf(base), 5u);
  CU_OK(cuMemUnmap(base, 2 * granule));
  CU_OK(cuMemRelease(handle));
  CU_OK(cuMemAddressFree(base, 2 * granule));
}

TEST_F(SharedMemory, IsExportedByDescriptor) {
  const CUmemGenericAllocationHandle handle = create();
  CUmemGenericAllocationHandle imported = 0;
  int descriptor = -1;
  CU_OK(cuMemExportToShareableHandle(&descriptor, handle,
                                     CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  CU_OK(cuMemImportFromShareableHandle(
      &imported, reinterpret_cast<void *>(static_cast<uintptr_t>(descriptor)),
      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  close(descriptor);
  const CUdeviceptr base = reserve(1), again = reserve(1);
  CU_OK(cuMemMap(base, granule, 0, handle, 0));
  CU_OK(cuMemMap(again, granule, 0, imported, 0));
  CU_OK(cuMemsetD32(base, 13, 1));
  EXPECT_EQ(firstOf(again), 13u);
  CU_FAILS(
      CUDA_ERROR_INVALID_VALUE,
      cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_FABRIC, 0));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE,
           cuMemImportFromShareableHandle(&imported, nullptr,
                                          CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  CU_OK(cuMemUnmap(base, granule));
  CU_OK(cuMemUnmap(again, granule));
  CU_OK(cuMemRelease(handle));
  CU_OK(cuMemRelease(imported));
}
