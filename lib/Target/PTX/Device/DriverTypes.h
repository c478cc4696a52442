// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and numbers of NVIDIA's driver API, as far as the device needs them, declared
// after its public reference (docs.nvidia.com/cuda/cuda-driver-api). The layouts are the
// driver's binary interface and never change under one symbol name.

#ifndef HET_LIB_TARGET_PTX_DEVICE_DRIVERTYPES_H
#define HET_LIB_TARGET_PTX_DEVICE_DRIVERTYPES_H

#include <cstddef>
#include <cstdint>

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUmemGenericAllocationHandle = unsigned long long;
using CUcontext = struct HetCudaContext *;
using CUmodule = struct HetCudaModule *;
using CUfunction = struct HetCudaFunction *;
using CUstream = struct HetCudaStream *;
using CUevent = struct HetCudaEvent *;
using CUarray = struct HetCudaArray *;
using CUgraph = struct HetCudaGraph *;
using CUgraphNode = struct HetCudaGraphNode *;
using CUgraphExec = struct HetCudaGraphExec *;
using CUhostFn = void (*)(void *);

// Results.
inline constexpr CUresult CUDA_SUCCESS = 0;
inline constexpr CUresult CUDA_ERROR_INVALID_VALUE = 1;
inline constexpr CUresult CUDA_ERROR_OUT_OF_MEMORY = 2;
inline constexpr CUresult CUDA_ERROR_DEINITIALIZED = 4;
inline constexpr CUresult CUDA_ERROR_DEVICE_UNAVAILABLE = 46;
inline constexpr CUresult CUDA_ERROR_NO_DEVICE = 100;
inline constexpr CUresult CUDA_ERROR_INVALID_CONTEXT = 201;
inline constexpr CUresult CUDA_ERROR_ECC_UNCORRECTABLE = 214;
inline constexpr CUresult CUDA_ERROR_UNSUPPORTED_LIMIT = 215;
inline constexpr CUresult CUDA_ERROR_INVALID_PTX = 218;
inline constexpr CUresult CUDA_ERROR_NVLINK_UNCORRECTABLE = 220;
inline constexpr CUresult CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221;
inline constexpr CUresult CUDA_ERROR_JIT_COMPILATION_DISABLED = 223;
inline constexpr CUresult CUDA_ERROR_CONTAINED = 226;
inline constexpr CUresult CUDA_ERROR_NOT_FOUND = 500;
inline constexpr CUresult CUDA_ERROR_NOT_READY = 600;
inline constexpr CUresult CUDA_ERROR_ILLEGAL_ADDRESS = 700;
inline constexpr CUresult CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701;
inline constexpr CUresult CUDA_ERROR_LAUNCH_TIMEOUT = 702;
inline constexpr CUresult CUDA_ERROR_CONTEXT_IS_DESTROYED = 709;
inline constexpr CUresult CUDA_ERROR_ASSERT = 710;
inline constexpr CUresult CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712;
inline constexpr CUresult CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713;
inline constexpr CUresult CUDA_ERROR_HARDWARE_STACK_ERROR = 714;
inline constexpr CUresult CUDA_ERROR_ILLEGAL_INSTRUCTION = 715;
inline constexpr CUresult CUDA_ERROR_MISALIGNED_ADDRESS = 716;
inline constexpr CUresult CUDA_ERROR_INVALID_ADDRESS_SPACE = 717;
inline constexpr CUresult CUDA_ERROR_INVALID_PC = 718;
inline constexpr CUresult CUDA_ERROR_LAUNCH_FAILED = 719;
inline constexpr CUresult CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720;
inline constexpr CUresult CUDA_ERROR_INVALID_CLUSTER_SIZE = 912;
inline constexpr CUresult CUDA_ERROR_NOT_SUPPORTED = 801;
/// Of these two and those between them each is about a stream that records.
inline constexpr CUresult CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900;
inline constexpr CUresult CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908;
inline constexpr CUresult CUDA_ERROR_EXTERNAL_DEVICE = 911;
inline constexpr CUresult CUDA_ERROR_UNKNOWN = 999;

// Device attributes.
inline constexpr int CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1;
inline constexpr int CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2;
inline constexpr int CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5;
inline constexpr int CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8;
inline constexpr int CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13;
inline constexpr int CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16;
inline constexpr int CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33;
inline constexpr int CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34;
inline constexpr int CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36;
inline constexpr int CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37;
inline constexpr int CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38;
inline constexpr int CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39;
inline constexpr int CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40;
inline constexpr int CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50;
inline constexpr int CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75;
inline constexpr int CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76;
inline constexpr int CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81;
inline constexpr int CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82;
inline constexpr int CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97;
inline constexpr int CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102;
inline constexpr int CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106;

// Memory.
inline constexpr unsigned CU_MEM_ATTACH_GLOBAL = 1;
inline constexpr unsigned CU_MEMHOSTALLOC_PORTABLE = 1;
inline constexpr unsigned CU_MEMHOSTREGISTER_PORTABLE = 1;
inline constexpr unsigned CU_MEMHOSTREGISTER_DEVICEMAP = 2;
inline constexpr int CU_MEM_ALLOCATION_TYPE_PINNED = 1;
inline constexpr int CU_MEM_LOCATION_TYPE_DEVICE = 1;
inline constexpr int CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3;
inline constexpr int CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0;
inline constexpr int CU_MEMORYTYPE_UNIFIED = 4;

struct CUmemLocation {
  int type;
  int id;
};

struct CUmemAllocationProp {
  int type;
  int requestedHandleTypes;
  CUmemLocation location;
  void *win32HandleMetaData;
  struct {
    unsigned char compressionType;
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
};
static_assert(sizeof(CUmemAllocationProp) == 32);

struct CUmemAccessDesc {
  CUmemLocation location;
  int flags;
};
static_assert(sizeof(CUmemAccessDesc) == 12);

/// One side of a CUDA_MEMCPY2D.
struct CUDA_MEMCPY2D_SIDE {
  size_t xInBytes;
  size_t y;
  int memoryType;
  const void *host;
  CUdeviceptr device; ///< also of unified memory
  CUarray array;
  size_t pitch;
};
struct CUDA_MEMCPY2D {
  CUDA_MEMCPY2D_SIDE src, dst;
  size_t WidthInBytes;
  size_t Height;
};
static_assert(sizeof(CUDA_MEMCPY2D) == 128);

// Textures.
using CUtexObject = unsigned long long;
inline constexpr int CU_RESOURCE_TYPE_LINEAR = 2;
inline constexpr int CU_RESOURCE_TYPE_PITCH2D = 3;
inline constexpr int CU_AD_FORMAT_UNSIGNED_INT8 = 1; ///< Then those of 16 and 32 bits.
inline constexpr int CU_AD_FORMAT_SIGNED_INT8 = 8;
inline constexpr int CU_AD_FORMAT_HALF = 0x10;
inline constexpr int CU_AD_FORMAT_FLOAT = 0x20;
inline constexpr unsigned CU_TRSF_READ_AS_INTEGER = 1;
inline constexpr unsigned CU_TRSF_NORMALIZED_COORDINATES = 2;
inline constexpr unsigned CU_TRSF_SRGB = 0x10;

struct CUDA_RESOURCE_DESC {
  int resType;
  union {
    struct {
      CUdeviceptr devPtr;
      int format;
      unsigned numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      CUdeviceptr devPtr;
      int format;
      unsigned numChannels;
      size_t width, height, pitchInBytes;
    } pitch2D;
    int reserved[32];
  } res;
  unsigned flags;
};
static_assert(sizeof(CUDA_RESOURCE_DESC) == 144);

struct CUDA_TEXTURE_DESC {
  int addressMode[3];
  int filterMode; ///< 1: linear
  unsigned flags;
  unsigned maxAnisotropy;
  int mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
};
static_assert(sizeof(CUDA_TEXTURE_DESC) == 104);

// Contexts, streams, events.
inline constexpr int CU_LIMIT_STACK_SIZE = 0;
inline constexpr int CU_LIMIT_PRINTF_FIFO_SIZE = 1;
inline constexpr int CU_LIMIT_MALLOC_HEAP_SIZE = 2;
inline constexpr unsigned CU_STREAM_NON_BLOCKING = 1;
inline constexpr unsigned CU_STREAM_WAIT_VALUE_GEQ = 0;
inline constexpr int CU_STREAM_CAPTURE_MODE_RELAXED = 2;
inline constexpr unsigned CU_EVENT_DEFAULT = 0;
inline constexpr unsigned CU_EVENT_DISABLE_TIMING = 2;

// Code.
inline constexpr int CU_JIT_INFO_LOG_BUFFER = 3;
inline constexpr int CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4;
inline constexpr int CU_JIT_ERROR_LOG_BUFFER = 5;
inline constexpr int CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6;
inline constexpr int CU_JIT_OPTIMIZATION_LEVEL = 7;
inline constexpr int CU_JIT_GENERATE_LINE_INFO = 13;
inline constexpr int CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0;
inline constexpr int CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1;
inline constexpr int CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3;
inline constexpr int CU_FUNC_ATTRIBUTE_NUM_REGS = 4;
inline constexpr int CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8;
inline constexpr int CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14;

// Launches.
inline constexpr int CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2;
inline constexpr int CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4;
inline constexpr int CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6;

struct CUlaunchAttribute {
  int id;
  char pad[4];
  union {
    char reserved[64];
    int cooperative;
    int programmaticStreamSerializationAllowed;
    struct {
      unsigned x, y, z;
    } clusterDim;
  } value;
};
static_assert(sizeof(CUlaunchAttribute) == 72);

struct CUlaunchConfig {
  unsigned gridDim[3];
  unsigned blockDim[3];
  unsigned sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
};
static_assert(sizeof(CUlaunchConfig) == 56);

// Graphs.
inline constexpr int CU_GRAPH_NODE_TYPE_MEM_ALLOC = 10;
inline constexpr int CU_GRAPH_NODE_TYPE_MEM_FREE = 11;
inline constexpr uint8_t CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC = 1;
inline constexpr uint8_t CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC = 1;

struct CUgraphEdgeData {
  uint8_t from_port, to_port, type;
  uint8_t reserved[5];
};
static_assert(sizeof(CUgraphEdgeData) == 8);

/// One side of a CUDA_MEMCPY3D.
struct CUDA_MEMCPY3D_SIDE {
  size_t xInBytes, y, z, lod;
  int memoryType;
  const void *host;
  CUdeviceptr device; ///< also of unified memory
  CUarray array;
  void *reserved;
  size_t pitch, height;
};
struct CUDA_MEMCPY3D {
  CUDA_MEMCPY3D_SIDE src, dst;
  size_t WidthInBytes;
  size_t Height;
  size_t Depth;
};
static_assert(sizeof(CUDA_MEMCPY3D) == 200);

struct CUDA_MEMSET_NODE_PARAMS {
  CUdeviceptr dst;
  size_t pitch;
  unsigned value;
  unsigned elementSize;
  size_t width; ///< in elements
  size_t height;
};
static_assert(sizeof(CUDA_MEMSET_NODE_PARAMS) == 40);

struct CUDA_HOST_NODE_PARAMS {
  CUhostFn fn;
  void *userData;
};

/// Parameters of the functions that end in _v2. Either `func` or `kern` is null, and a
/// null context is the current one.
struct CUDA_KERNEL_NODE_PARAMS {
  CUfunction func;
  unsigned gridDim[3];
  unsigned blockDim[3];
  unsigned sharedMemBytes;
  void **kernelParams;
  void **extra;
  void *kern;
  CUcontext ctx;
};
static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS) == 72);

#endif // HET_LIB_TARGET_PTX_DEVICE_DRIVERTYPES_H
