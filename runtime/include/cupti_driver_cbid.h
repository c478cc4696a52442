// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPTI's numbers for functions of the driver API: those that are called back.

#ifndef HET_CUPTI_DRIVER_CBID_H
#define HET_CUPTI_DRIVER_CBID_H

typedef enum CUpti_driver_api_trace_cbid {
  CUPTI_DRIVER_TRACE_CBID_INVALID = 0,
  CUPTI_DRIVER_TRACE_CBID_cuInit = 1,
  CUPTI_DRIVER_TRACE_CBID_cuDriverGetVersion = 2,
  CUPTI_DRIVER_TRACE_CBID_cuDeviceGet = 3,
  CUPTI_DRIVER_TRACE_CBID_cuDeviceGetCount = 4,
  CUPTI_DRIVER_TRACE_CBID_cuDeviceGetName = 5,
  CUPTI_DRIVER_TRACE_CBID_cuDeviceGetAttribute = 9,
  CUPTI_DRIVER_TRACE_CBID_cuCtxGetDevice = 16,
  CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize = 17,
  CUPTI_DRIVER_TRACE_CBID_cuModuleLoad = 18,
  CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData = 19,
  CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx = 20,
  CUPTI_DRIVER_TRACE_CBID_cuModuleUnload = 22,
  CUPTI_DRIVER_TRACE_CBID_cuModuleGetFunction = 23,
  CUPTI_DRIVER_TRACE_CBID_cuEventCreate = 118,
  CUPTI_DRIVER_TRACE_CBID_cuEventRecord = 119,
  CUPTI_DRIVER_TRACE_CBID_cuEventQuery = 120,
  CUPTI_DRIVER_TRACE_CBID_cuEventSynchronize = 121,
  CUPTI_DRIVER_TRACE_CBID_cuStreamCreate = 124,
  CUPTI_DRIVER_TRACE_CBID_cuStreamQuery = 125,
  CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize = 126,
  CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async = 216,
  CUPTI_DRIVER_TRACE_CBID_cuMemsetD16Async = 218,
  CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async = 220,
  CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2 = 243,
  CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2 = 245,
  CUPTI_DRIVER_TRACE_CBID_cuMemsetD8_v2 = 249,
  CUPTI_DRIVER_TRACE_CBID_cuMemsetD16_v2 = 250,
  CUPTI_DRIVER_TRACE_CBID_cuMemsetD32_v2 = 251,
  CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2 = 276,
  CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2 = 277,
  CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2 = 278,
  CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2 = 279,
  CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2 = 280,
  CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2 = 281,
  CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent = 295,
  CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent = 304,
  CUPTI_DRIVER_TRACE_CBID_cuMemcpy = 305,
  CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync = 306,
  CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel = 307,
  CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel = 477,
  CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch = 514,
  CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc = 527,
  CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx = 652,
  CUPTI_DRIVER_TRACE_CBID_FORCE_INT = 0x7fffffff
} CUpti_driver_api_trace_cbid;

#endif // HET_CUPTI_DRIVER_CBID_H
