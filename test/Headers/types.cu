// The sizes, alignments and values that CUDA's binary interface fixes.
//
// DEFINE: %{cuda} = clang++ -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib
// DEFINE: %{arch} = --cuda-gpu-arch=sm_90 -Xclang -target-sdk-version=12.9
// DEFINE: %{ours} = -isystem %het_src/runtime/include -include __het_cuda_prelude.h
// RUN: %{cuda} %{arch} %{ours} -Werror -fsyntax-only %s

#include <cuda.h>
#include <stddef.h>

#define LAYOUT(type, size, alignment)                                          \
  static_assert(sizeof(type) == size && alignof(type) == alignment, #type)
LAYOUT(char1, 1, 1);
LAYOUT(char2, 2, 2);
LAYOUT(char3, 3, 1);
LAYOUT(char4, 4, 4);
LAYOUT(ushort3, 6, 2);
LAYOUT(short4, 8, 8);
LAYOUT(int2, 8, 8);
LAYOUT(int3, 12, 4);
LAYOUT(uint4, 16, 16);
LAYOUT(long1, 8, 8);
LAYOUT(long2, 16, 16);
LAYOUT(longlong4, 32, 16);
LAYOUT(float2, 8, 8);
LAYOUT(float3, 12, 4);
LAYOUT(float4, 16, 16);
LAYOUT(double1, 8, 8);
LAYOUT(double2, 16, 16);
LAYOUT(double3, 24, 8);
LAYOUT(double4, 32, 16);
LAYOUT(dim3, 12, 4);
LAYOUT(cudaIpcMemHandle_t, 64, 1);
LAYOUT(cudaMemcpy3DParms, 160, 8);
LAYOUT(cudaPointerAttributes, 24, 8);
LAYOUT(cudaResourceDesc, 64, 8);
LAYOUT(cudaLaunchAttribute, 72, 8);
LAYOUT(CUDA_MEMCPY2D, 128, 8);
LAYOUT(CUDA_MEMCPY3D, 200, 8);
LAYOUT(cudaDeviceProp, 1032, 8);
static_assert(offsetof(cudaDeviceProp, totalGlobalMem) == 288, "");
static_assert(offsetof(cudaDeviceProp, major) == 360, "");
static_assert(offsetof(cudaDeviceProp, multiProcessorCount) == 388, "");

static_assert(cudaErrorMemoryAllocation == 2 && cudaErrorNotSupported == 801 &&
                  cudaErrorUnknown == 999 && CUDA_ERROR_OUT_OF_MEMORY == 2 &&
                  CUDA_ERROR_LAUNCH_FAILED == 719,
              "errors");
static_assert(cudaDevAttrMultiProcessorCount == 16 &&
                  cudaDevAttrComputeCapabilityMajor == 75 &&
                  cudaDevAttrMaxSharedMemoryPerBlockOptin == 97 &&
                  CU_DEVICE_ATTRIBUTE_WARP_SIZE == 10 &&
                  CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED == 102,
              "attributes");
static_assert(cudaDeviceNumaConfigNone == 0 && cudaDeviceNumaConfigNumaNode == 1 &&
                  CU_DEVICE_NUMA_CONFIG_NONE == 0 && CU_DEVICE_NUMA_CONFIG_NUMA_NODE == 1 &&
                  CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_MEMOPS == 2 &&
                  CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES == 200,
              "values of attributes");
static_assert(CUDART_VERSION == 12090 && CUDA_VERSION == 12090 &&
                  __CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ == 9,
              "version");
#ifdef __CUDA_ARCH__
static_assert(__CUDA_ARCH__ == 900, "");
#endif
