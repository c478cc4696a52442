// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: the first forms of functions whose names lead to a later one. cuda.h has
// no way to them; programs that look them up by name, or were built long ago, do. Those
// that took addresses and sizes of 32 bits are there to be found, and refuse: CUDA 3.2
// replaced them, and no address of a device fits.

#include "Driver.h"

using namespace het::cuda;

#undef cuCtxCreate
#undef cuCtxDestroy
#undef cuCtxPopCurrent
#undef cuCtxPushCurrent
#undef cuDeviceGetUuid
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuEventDestroy
#undef cuGetProcAddress
#undef cuGraphicsResourceSetMapFlags
#undef cuIpcOpenMemHandle
#undef cuLinkAddData
#undef cuLinkAddFile
#undef cuLinkCreate
#undef cuMemHostRegister
#undef cuStreamBeginCapture
#undef cuStreamDestroy

#pragma GCC visibility push(default)
extern "C" {

CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device) {
  return cuCtxCreate_v2(context, flags, device);
}
CUresult cuCtxDestroy(CUcontext context) { return cuCtxDestroy_v2(context); }
CUresult cuCtxPopCurrent(CUcontext *context) { return cuCtxPopCurrent_v2(context); }
CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxPushCurrent_v2(context); }

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  return cuDeviceGetUuid_v2(uuid, device);
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return cuDevicePrimaryCtxRelease_v2(device);
}
CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return cuDevicePrimaryCtxReset_v2(device);
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

CUresult cuEventDestroy(CUevent event) { return cuEventDestroy_v2(event); }
CUresult cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }
/// Without a mode, a capture forbids what the global one does.
CUresult cuStreamBeginCapture(CUstream stream) {
  return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource, unsigned flags) {
  return cuGraphicsResourceSetMapFlags_v2(resource, flags);
}
CUresult cuMemHostRegister(void *memory, size_t size, unsigned flags) {
  return cuMemHostRegister_v2(memory, size, flags);
}
CUresult cuIpcOpenMemHandle(CUdeviceptr *memory, CUipcMemHandle handle, unsigned flags) {
  return cuIpcOpenMemHandle_v2(memory, handle, flags);
}

CUresult cuLinkCreate(unsigned count, CUjit_option *options, void **values,
                      CUlinkState *state) {
  return cuLinkCreate_v2(count, options, values, state);
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                       const char *name, unsigned count, CUjit_option *options,
                       void **values) {
  return cuLinkAddData_v2(state, type, data, size, name, count, options, values);
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
                       unsigned count, CUjit_option *options, void **values) {
  return cuLinkAddFile_v2(state, type, path, count, options, values);
}

CUresult cuGetProcAddress(const char *name, void **function, int version,
                          cuuint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

// Their arguments are never looked at.
#define HET_OF_32_BITS(function)                                                         \
  CUresult function##OfCuda31() __asm__(#function);                                      \
  CUresult function##OfCuda31() {                                                        \
    HET_NOT_SUPPORTED_DRIVER(#function ", the form of CUDA 3.1 with 32-bit addresses,"); \
  }
HET_OF_32_BITS(cuArray3DCreate)
HET_OF_32_BITS(cuArray3DGetDescriptor)
HET_OF_32_BITS(cuArrayCreate)
HET_OF_32_BITS(cuArrayGetDescriptor)
HET_OF_32_BITS(cuDeviceTotalMem)
HET_OF_32_BITS(cuGraphicsResourceGetMappedPointer)
HET_OF_32_BITS(cuMemAlloc)
HET_OF_32_BITS(cuMemAllocHost)
HET_OF_32_BITS(cuMemAllocPitch)
HET_OF_32_BITS(cuMemFree)
HET_OF_32_BITS(cuMemGetAddressRange)
HET_OF_32_BITS(cuMemGetInfo)
HET_OF_32_BITS(cuMemHostGetDevicePointer)
HET_OF_32_BITS(cuMemcpy2D)
HET_OF_32_BITS(cuMemcpy2DAsync)
HET_OF_32_BITS(cuMemcpy2DUnaligned)
HET_OF_32_BITS(cuMemcpy3D)
HET_OF_32_BITS(cuMemcpy3DAsync)
HET_OF_32_BITS(cuMemcpyAtoA)
HET_OF_32_BITS(cuMemcpyAtoD)
HET_OF_32_BITS(cuMemcpyAtoH)
HET_OF_32_BITS(cuMemcpyAtoHAsync)
HET_OF_32_BITS(cuMemcpyDtoA)
HET_OF_32_BITS(cuMemcpyDtoD)
HET_OF_32_BITS(cuMemcpyDtoDAsync)
HET_OF_32_BITS(cuMemcpyDtoH)
HET_OF_32_BITS(cuMemcpyDtoHAsync)
HET_OF_32_BITS(cuMemcpyHtoA)
HET_OF_32_BITS(cuMemcpyHtoAAsync)
HET_OF_32_BITS(cuMemcpyHtoD)
HET_OF_32_BITS(cuMemcpyHtoDAsync)
HET_OF_32_BITS(cuMemsetD16)
HET_OF_32_BITS(cuMemsetD2D16)
HET_OF_32_BITS(cuMemsetD2D32)
HET_OF_32_BITS(cuMemsetD2D8)
HET_OF_32_BITS(cuMemsetD32)
HET_OF_32_BITS(cuMemsetD8)
HET_OF_32_BITS(cuModuleGetGlobal)
HET_OF_32_BITS(cuTexRefGetAddress)
HET_OF_32_BITS(cuTexRefSetAddress)
#undef HET_OF_32_BITS
}
#pragma GCC visibility pop
