// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of functions of the runtime API, as CUPTI's callbacks see them.

#ifndef HET_GENERATED_CUDA_RUNTIME_API_META_H
#define HET_GENERATED_CUDA_RUNTIME_API_META_H

#include <cuda_runtime_api.h>

typedef struct cudaDriverGetVersion_v3020_params_st {
  int *driverVersion;
} cudaDriverGetVersion_v3020_params;

typedef struct cudaRuntimeGetVersion_v3020_params_st {
  int *runtimeVersion;
} cudaRuntimeGetVersion_v3020_params;

typedef struct cudaGetDeviceCount_v3020_params_st {
  int *count;
} cudaGetDeviceCount_v3020_params;

typedef struct cudaFuncGetAttributes_v3020_params_st {
  struct cudaFuncAttributes *attr;
  const void *func;
} cudaFuncGetAttributes_v3020_params;

typedef struct cudaSetDevice_v3020_params_st {
  int device;
} cudaSetDevice_v3020_params;

typedef struct cudaGetDevice_v3020_params_st {
  int *device;
} cudaGetDevice_v3020_params;

typedef struct cudaSetDeviceFlags_v3020_params_st {
  unsigned int flags;
} cudaSetDeviceFlags_v3020_params;

typedef struct cudaMalloc_v3020_params_st {
  void **devPtr;
  size_t size;
} cudaMalloc_v3020_params;

typedef struct cudaMallocPitch_v3020_params_st {
  void **devPtr;
  size_t *pitch;
  size_t width;
  size_t height;
} cudaMallocPitch_v3020_params;

typedef struct cudaFree_v3020_params_st {
  void *devPtr;
} cudaFree_v3020_params;

typedef struct cudaMallocHost_v3020_params_st {
  void **ptr;
  size_t size;
} cudaMallocHost_v3020_params;

typedef struct cudaFreeHost_v3020_params_st {
  void *ptr;
} cudaFreeHost_v3020_params;

typedef struct cudaHostAlloc_v3020_params_st {
  void **pHost;
  size_t size;
  unsigned int flags;
} cudaHostAlloc_v3020_params;

typedef struct cudaHostGetDevicePointer_v3020_params_st {
  void **pDevice;
  void *pHost;
  unsigned int flags;
} cudaHostGetDevicePointer_v3020_params;

typedef struct cudaHostGetFlags_v3020_params_st {
  unsigned int *pFlags;
  void *pHost;
} cudaHostGetFlags_v3020_params;

typedef struct cudaMemGetInfo_v3020_params_st {
  size_t *free;
  size_t *total;
} cudaMemGetInfo_v3020_params;

typedef struct cudaMemcpy_v3020_params_st {
  void *dst;
  const void *src;
  size_t count;
  enum cudaMemcpyKind kind;
} cudaMemcpy_v3020_params;

typedef struct cudaMemcpy2D_v3020_params_st {
  void *dst;
  size_t dpitch;
  const void *src;
  size_t spitch;
  size_t width;
  size_t height;
  enum cudaMemcpyKind kind;
} cudaMemcpy2D_v3020_params;

typedef struct cudaMemcpyToSymbol_v3020_params_st {
  const void *symbol;
  const void *src;
  size_t count;
  size_t offset;
  enum cudaMemcpyKind kind;
} cudaMemcpyToSymbol_v3020_params;

typedef struct cudaMemcpyFromSymbol_v3020_params_st {
  void *dst;
  const void *symbol;
  size_t count;
  size_t offset;
  enum cudaMemcpyKind kind;
} cudaMemcpyFromSymbol_v3020_params;

typedef struct cudaMemcpyAsync_v3020_params_st {
  void *dst;
  const void *src;
  size_t count;
  enum cudaMemcpyKind kind;
  cudaStream_t stream;
} cudaMemcpyAsync_v3020_params;

typedef struct cudaMemcpy2DAsync_v3020_params_st {
  void *dst;
  size_t dpitch;
  const void *src;
  size_t spitch;
  size_t width;
  size_t height;
  enum cudaMemcpyKind kind;
  cudaStream_t stream;
} cudaMemcpy2DAsync_v3020_params;

typedef struct cudaMemcpyToSymbolAsync_v3020_params_st {
  const void *symbol;
  const void *src;
  size_t count;
  size_t offset;
  enum cudaMemcpyKind kind;
  cudaStream_t stream;
} cudaMemcpyToSymbolAsync_v3020_params;

typedef struct cudaMemcpyFromSymbolAsync_v3020_params_st {
  void *dst;
  const void *symbol;
  size_t count;
  size_t offset;
  enum cudaMemcpyKind kind;
  cudaStream_t stream;
} cudaMemcpyFromSymbolAsync_v3020_params;

typedef struct cudaMemset_v3020_params_st {
  void *devPtr;
  int value;
  size_t count;
} cudaMemset_v3020_params;

typedef struct cudaMemset2D_v3020_params_st {
  void *devPtr;
  size_t pitch;
  int value;
  size_t width;
  size_t height;
} cudaMemset2D_v3020_params;

typedef struct cudaMemsetAsync_v3020_params_st {
  void *devPtr;
  int value;
  size_t count;
  cudaStream_t stream;
} cudaMemsetAsync_v3020_params;

typedef struct cudaMemset2DAsync_v3020_params_st {
  void *devPtr;
  size_t pitch;
  int value;
  size_t width;
  size_t height;
  cudaStream_t stream;
} cudaMemset2DAsync_v3020_params;

typedef struct cudaGetSymbolAddress_v3020_params_st {
  void **devPtr;
  const void *symbol;
} cudaGetSymbolAddress_v3020_params;

typedef struct cudaGetSymbolSize_v3020_params_st {
  size_t *size;
  const void *symbol;
} cudaGetSymbolSize_v3020_params;

typedef struct cudaStreamCreate_v3020_params_st {
  cudaStream_t *pStream;
} cudaStreamCreate_v3020_params;

typedef struct cudaStreamSynchronize_v3020_params_st {
  cudaStream_t stream;
} cudaStreamSynchronize_v3020_params;

typedef struct cudaStreamQuery_v3020_params_st {
  cudaStream_t stream;
} cudaStreamQuery_v3020_params;

typedef struct cudaEventCreate_v3020_params_st {
  cudaEvent_t *event;
} cudaEventCreate_v3020_params;

typedef struct cudaEventCreateWithFlags_v3020_params_st {
  cudaEvent_t *event;
  unsigned int flags;
} cudaEventCreateWithFlags_v3020_params;

typedef struct cudaEventRecord_v3020_params_st {
  cudaEvent_t event;
  cudaStream_t stream;
} cudaEventRecord_v3020_params;

typedef struct cudaEventDestroy_v3020_params_st {
  cudaEvent_t event;
} cudaEventDestroy_v3020_params;

typedef struct cudaEventSynchronize_v3020_params_st {
  cudaEvent_t event;
} cudaEventSynchronize_v3020_params;

typedef struct cudaEventQuery_v3020_params_st {
  cudaEvent_t event;
} cudaEventQuery_v3020_params;

typedef struct cudaEventElapsedTime_v3020_params_st {
  float *ms;
  cudaEvent_t start;
  cudaEvent_t end;
} cudaEventElapsedTime_v3020_params;

typedef struct cudaMemset3D_v3020_params_st {
  struct cudaPitchedPtr pitchedDevPtr;
  int value;
  struct cudaExtent extent;
} cudaMemset3D_v3020_params;

typedef struct cudaMemset3DAsync_v3020_params_st {
  struct cudaPitchedPtr pitchedDevPtr;
  int value;
  struct cudaExtent extent;
  cudaStream_t stream;
} cudaMemset3DAsync_v3020_params;

typedef struct cudaMemcpy3D_v3020_params_st {
  const struct cudaMemcpy3DParms *p;
} cudaMemcpy3D_v3020_params;

typedef struct cudaMemcpy3DAsync_v3020_params_st {
  const struct cudaMemcpy3DParms *p;
  cudaStream_t stream;
} cudaMemcpy3DAsync_v3020_params;

typedef struct cudaStreamWaitEvent_v3020_params_st {
  cudaStream_t stream;
  cudaEvent_t event;
  unsigned int flags;
} cudaStreamWaitEvent_v3020_params;

typedef struct cudaMemcpyPeer_v4000_params_st {
  void *dst;
  int dstDevice;
  const void *src;
  int srcDevice;
  size_t count;
} cudaMemcpyPeer_v4000_params;

typedef struct cudaMemcpyPeerAsync_v4000_params_st {
  void *dst;
  int dstDevice;
  const void *src;
  int srcDevice;
  size_t count;
  cudaStream_t stream;
} cudaMemcpyPeerAsync_v4000_params;

typedef struct cudaLaunchKernel_v7000_params_st {
  const void *func;
  dim3 gridDim;
  dim3 blockDim;
  void **args;
  size_t sharedMem;
  cudaStream_t stream;
} cudaLaunchKernel_v7000_params;

typedef struct cudaLaunchCooperativeKernel_v9000_params_st {
  const void *func;
  dim3 gridDim;
  dim3 blockDim;
  void **args;
  size_t sharedMem;
  cudaStream_t stream;
} cudaLaunchCooperativeKernel_v9000_params;

typedef struct cudaLaunchHostFunc_v10000_params_st {
  cudaStream_t stream;
  cudaHostFn_t fn;
  void *userData;
} cudaLaunchHostFunc_v10000_params;

typedef struct cudaGraphLaunch_v10000_params_st {
  cudaGraphExec_t graphExec;
  cudaStream_t stream;
} cudaGraphLaunch_v10000_params;

typedef struct cudaStreamIsCapturing_v10000_params_st {
  cudaStream_t stream;
  enum cudaStreamCaptureStatus *pCaptureStatus;
} cudaStreamIsCapturing_v10000_params;

typedef struct cudaGraphUpload_v10000_params_st {
  cudaGraphExec_t graphExec;
  cudaStream_t stream;
} cudaGraphUpload_v10000_params;

typedef struct cudaGraphInstantiateWithFlags_v11040_params_st {
  cudaGraphExec_t *pGraphExec;
  cudaGraph_t graph;
  unsigned long long flags;
} cudaGraphInstantiateWithFlags_v11040_params;

typedef struct cudaLaunchKernelExC_v11060_params_st {
  const cudaLaunchConfig_t *config;
  const void *func;
  void **args;
} cudaLaunchKernelExC_v11060_params;

typedef struct cudaGraphInstantiateWithParams_v12000_params_st {
  cudaGraphExec_t *pGraphExec;
  cudaGraph_t graph;
  cudaGraphInstantiateParams *instantiateParams;
} cudaGraphInstantiateWithParams_v12000_params;

#endif // HET_GENERATED_CUDA_RUNTIME_API_META_H
