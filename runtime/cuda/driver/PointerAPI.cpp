// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: questions about addresses.

#include "Driver.h"

#include "../Memory.h"

using namespace het::cuda;
using namespace het::cuda::driver;

/// The primary context of the device that has the memory.
static CUcontext contextOf(const MemoryRange &range) {
  CUcontext current = currentContext();
  if (current && current->device.ordinal == range.device)
    return current;
  CUcontext primary = nullptr;
  if (cuDevicePrimaryCtxRetain(&primary, range.device) == CUDA_SUCCESS)
    cuDevicePrimaryCtxRelease(range.device);
  return primary;
}

/// A number of the allocation that none has after it.
static unsigned long long numberOf(const MemoryRange &range) {
  return addressOf(range.base);
}

static CUresult find(CUpointer_attribute attribute, CUdeviceptr address,
                     const MemoryRange &range, void *data) {
  const auto give = [&](auto what) {
    *static_cast<decltype(what) *>(data) = what;
    return CUDA_SUCCESS;
  };
  const bool isHosts = range.kind == MemoryKind::Pinned;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    return give(contextOf(range));
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    return give(unsigned(isHosts ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE));
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    return give(address);
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    return range.kind == MemoryKind::Device ? CUDA_ERROR_INVALID_VALUE
                                            : give(pointerOf(address));
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    return give(unsigned(isWaited(range)));
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
  case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
    return give(numberOf(range));
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    return give(unsigned(range.kind == MemoryKind::Managed));
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    return give(range.device);
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    return give(addressOf(range.base));
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
  case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    return give(range.size);
  case CU_POINTER_ATTRIBUTE_MAPPED:
    return give(1u);
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
    return give(0u);
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    return give(0ull);
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    return give(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    return give(poolOf(pointerOf(address)));
  case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute,
                               CUdeviceptr address) try {
  if (CUresult error = requireContext())
    return error;
  MemoryRange range = findMemory(pointerOf(address));
  if (!data || range.kind == MemoryKind::Unknown)
    return CUDA_ERROR_INVALID_VALUE;
  return find(attribute, address, range, data);
}
HET_CATCH

/// The answer for memory that nobody has allocated here.
static CUresult findNothing(CUpointer_attribute attribute, void *data) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
  case CU_POINTER_ATTRIBUTE_MAPPED:
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    *static_cast<unsigned *>(data) = 0;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *static_cast<int *>(data) = CU_DEVICE_INVALID;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
    return CUDA_ERROR_NOT_SUPPORTED;
  default:
    if (attribute < CU_POINTER_ATTRIBUTE_CONTEXT ||
        attribute > CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE)
      return CUDA_ERROR_INVALID_VALUE;
    *static_cast<void **>(data) = nullptr; // all of them have eight bytes
    return CUDA_SUCCESS;
  }
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes,
                                void **data, CUdeviceptr address) try {
  if (CUresult error = requireContext())
    return error;
  if (!count || !attributes || !data)
    return CUDA_ERROR_INVALID_VALUE;
  MemoryRange range = findMemory(pointerOf(address));
  for (unsigned index = 0; index < count; ++index) {
    if (!data[index])
      return CUDA_ERROR_INVALID_VALUE;
    CUresult error = range.kind == MemoryKind::Unknown
                         ? findNothing(attributes[index], data[index])
                         : find(attributes[index], address, range, data[index]);
    if (error == CUDA_ERROR_INVALID_VALUE &&
        attributes[index] == CU_POINTER_ATTRIBUTE_HOST_POINTER)
      error = findNothing(attributes[index], data[index]);
    if (error)
      return error;
  }
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                               CUdeviceptr address) try {
  if (CUresult error = requireContext())
    return error;
  const MemoryRange range = findMemory(pointerOf(address));
  if (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS ||
      range.kind != MemoryKind::Device)
    return CUDA_ERROR_INVALID_VALUE;
  setWaited(range, *static_cast<const unsigned *>(value) != 0);
  return CUDA_SUCCESS;
}
HET_CATCH

/// No device here has a dma-buf of its memory, as its attribute says.
CUresult cuMemGetHandleForAddressRange(void *handle, CUdeviceptr address, size_t size,
                                       CUmemRangeHandleType type,
                                       unsigned long long) try {
  if (CUresult error = requireContext())
    return error;
  const MemoryRange range = findMemory(pointerOf(address));
  const size_t offset = address - addressOf(range.base);
  if (!handle || !size || type != CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD ||
      range.kind != MemoryKind::Device || size > range.size - offset)
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_ERROR_NOT_SUPPORTED;
}
HET_CATCH
