// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of functions of the driver API, as CUPTI's callbacks see them.

#ifndef HET_GENERATED_CUDA_META_H
#define HET_GENERATED_CUDA_META_H

#include <cuda.h>

typedef struct cuInit_params_st {
  unsigned int Flags;
} cuInit_params;

typedef struct cuDriverGetVersion_params_st {
  int *driverVersion;
} cuDriverGetVersion_params;

typedef struct cuDeviceGet_params_st {
  CUdevice *device;
  int ordinal;
} cuDeviceGet_params;

typedef struct cuDeviceGetCount_params_st {
  int *count;
} cuDeviceGetCount_params;

typedef struct cuDeviceGetName_params_st {
  char *name;
  int len;
  CUdevice dev;
} cuDeviceGetName_params;

typedef struct cuDeviceGetAttribute_params_st {
  int *pi;
  CUdevice_attribute attrib;
  CUdevice dev;
} cuDeviceGetAttribute_params;

typedef struct cuCtxGetDevice_params_st {
  CUdevice *device;
} cuCtxGetDevice_params;

typedef struct cuModuleLoad_params_st {
  CUmodule *module;
  const char *fname;
} cuModuleLoad_params;

typedef struct cuModuleLoadData_params_st {
  CUmodule *module;
  const void *image;
} cuModuleLoadData_params;

typedef struct cuModuleLoadDataEx_params_st {
  CUmodule *module;
  const void *image;
  unsigned int numOptions;
  CUjit_option *options;
  void **optionValues;
} cuModuleLoadDataEx_params;

typedef struct cuModuleUnload_params_st {
  CUmodule hmod;
} cuModuleUnload_params;

typedef struct cuModuleGetFunction_params_st {
  CUfunction *hfunc;
  CUmodule hmod;
  const char *name;
} cuModuleGetFunction_params;

typedef struct cuEventCreate_params_st {
  CUevent *phEvent;
  unsigned int Flags;
} cuEventCreate_params;

typedef struct cuEventRecord_params_st {
  CUevent hEvent;
  CUstream hStream;
} cuEventRecord_params;

typedef struct cuEventQuery_params_st {
  CUevent hEvent;
} cuEventQuery_params;

typedef struct cuEventSynchronize_params_st {
  CUevent hEvent;
} cuEventSynchronize_params;

typedef struct cuStreamCreate_params_st {
  CUstream *phStream;
  unsigned int Flags;
} cuStreamCreate_params;

typedef struct cuStreamQuery_params_st {
  CUstream hStream;
} cuStreamQuery_params;

typedef struct cuStreamSynchronize_params_st {
  CUstream hStream;
} cuStreamSynchronize_params;

typedef struct cuMemsetD8Async_params_st {
  CUdeviceptr dstDevice;
  unsigned char uc;
  size_t N;
  CUstream hStream;
} cuMemsetD8Async_params;

typedef struct cuMemsetD16Async_params_st {
  CUdeviceptr dstDevice;
  unsigned short us;
  size_t N;
  CUstream hStream;
} cuMemsetD16Async_params;

typedef struct cuMemsetD32Async_params_st {
  CUdeviceptr dstDevice;
  unsigned int ui;
  size_t N;
  CUstream hStream;
} cuMemsetD32Async_params;

typedef struct cuMemAlloc_v2_params_st {
  CUdeviceptr *dptr;
  size_t bytesize;
} cuMemAlloc_v2_params;

typedef struct cuMemFree_v2_params_st {
  CUdeviceptr dptr;
} cuMemFree_v2_params;

typedef struct cuMemsetD8_v2_params_st {
  CUdeviceptr dstDevice;
  unsigned char uc;
  size_t N;
} cuMemsetD8_v2_params;

typedef struct cuMemsetD16_v2_params_st {
  CUdeviceptr dstDevice;
  unsigned short us;
  size_t N;
} cuMemsetD16_v2_params;

typedef struct cuMemsetD32_v2_params_st {
  CUdeviceptr dstDevice;
  unsigned int ui;
  size_t N;
} cuMemsetD32_v2_params;

typedef struct cuMemcpyHtoD_v2_params_st {
  CUdeviceptr dstDevice;
  const void *srcHost;
  size_t ByteCount;
} cuMemcpyHtoD_v2_params;

typedef struct cuMemcpyHtoDAsync_v2_params_st {
  CUdeviceptr dstDevice;
  const void *srcHost;
  size_t ByteCount;
  CUstream hStream;
} cuMemcpyHtoDAsync_v2_params;

typedef struct cuMemcpyDtoH_v2_params_st {
  void *dstHost;
  CUdeviceptr srcDevice;
  size_t ByteCount;
} cuMemcpyDtoH_v2_params;

typedef struct cuMemcpyDtoHAsync_v2_params_st {
  void *dstHost;
  CUdeviceptr srcDevice;
  size_t ByteCount;
  CUstream hStream;
} cuMemcpyDtoHAsync_v2_params;

typedef struct cuMemcpyDtoD_v2_params_st {
  CUdeviceptr dstDevice;
  CUdeviceptr srcDevice;
  size_t ByteCount;
} cuMemcpyDtoD_v2_params;

typedef struct cuMemcpyDtoDAsync_v2_params_st {
  CUdeviceptr dstDevice;
  CUdeviceptr srcDevice;
  size_t ByteCount;
  CUstream hStream;
} cuMemcpyDtoDAsync_v2_params;

typedef struct cuStreamWaitEvent_params_st {
  CUstream hStream;
  CUevent hEvent;
  unsigned int Flags;
} cuStreamWaitEvent_params;

typedef struct cuCtxGetCurrent_params_st {
  CUcontext *pctx;
} cuCtxGetCurrent_params;

typedef struct cuMemcpy_params_st {
  CUdeviceptr dst;
  CUdeviceptr src;
  size_t ByteCount;
} cuMemcpy_params;

typedef struct cuMemcpyAsync_params_st {
  CUdeviceptr dst;
  CUdeviceptr src;
  size_t ByteCount;
  CUstream hStream;
} cuMemcpyAsync_params;

typedef struct cuLaunchKernel_params_st {
  CUfunction f;
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  CUstream hStream;
  void **kernelParams;
  void **extra;
} cuLaunchKernel_params;

typedef struct cuLaunchCooperativeKernel_params_st {
  CUfunction f;
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  CUstream hStream;
  void **kernelParams;
} cuLaunchCooperativeKernel_params;

typedef struct cuGraphLaunch_params_st {
  CUgraphExec hGraphExec;
  CUstream hStream;
} cuGraphLaunch_params;

typedef struct cuLaunchHostFunc_params_st {
  CUstream hStream;
  CUhostFn fn;
  void *userData;
} cuLaunchHostFunc_params;

typedef struct cuLaunchKernelEx_params_st {
  const CUlaunchConfig *config;
  CUfunction f;
  void **kernelParams;
  void **extra;
} cuLaunchKernelEx_params;

#endif // HET_GENERATED_CUDA_META_H
