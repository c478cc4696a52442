// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvJitLink: device code is linked while a program runs.
//
// A size includes the terminating null of a text. Who asks for contents gives memory of
// that size, which stays the caller's.
//
// Source: nvJitLink documentation of CUDA 12.9.

#ifndef HET_NVJITLINK_H
#define HET_NVJITLINK_H
#define nvJitLink_INCLUDED__

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  NVJITLINK_SUCCESS = 0,
  NVJITLINK_ERROR_UNRECOGNIZED_OPTION = 1,
  NVJITLINK_ERROR_MISSING_ARCH = 2,
  NVJITLINK_ERROR_INVALID_INPUT = 3,
  NVJITLINK_ERROR_PTX_COMPILE = 4,
  NVJITLINK_ERROR_NVVM_COMPILE = 5,
  NVJITLINK_ERROR_INTERNAL = 6,
  NVJITLINK_ERROR_THREADPOOL = 7,
  NVJITLINK_ERROR_UNRECOGNIZED_INPUT = 8,
  NVJITLINK_ERROR_FINALIZE = 9,
  NVJITLINK_ERROR_NULL_INPUT = 10,
  NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS = 11,
  NVJITLINK_ERROR_INCORRECT_INPUT_TYPE = 12,
  NVJITLINK_ERROR_ARCH_MISMATCH = 13,
  NVJITLINK_ERROR_OUTDATED_LIBRARY = 14,
  NVJITLINK_ERROR_MISSING_FATBIN = 15,
  NVJITLINK_ERROR_UNRECOGNIZED_ARCH = 16,
  NVJITLINK_ERROR_UNSUPPORTED_ARCH = 17,
  NVJITLINK_ERROR_LTO_NOT_ENABLED = 18
} nvJitLinkResult;

typedef enum {
  NVJITLINK_INPUT_NONE = 0,
  NVJITLINK_INPUT_CUBIN = 1,
  NVJITLINK_INPUT_PTX,
  NVJITLINK_INPUT_LTOIR,
  NVJITLINK_INPUT_FATBIN,
  NVJITLINK_INPUT_OBJECT,
  NVJITLINK_INPUT_LIBRARY,
  NVJITLINK_INPUT_INDEX,
  NVJITLINK_INPUT_ANY = 10
} nvJitLinkInputType;

typedef struct nvJitLink *nvJitLinkHandle;

// A program asks for the version that it was compiled against.
#ifndef NVJITLINK_NO_INLINE
#define nvJitLinkCreate __nvJitLinkCreate_12_9
#define nvJitLinkDestroy __nvJitLinkDestroy_12_9
#define nvJitLinkAddData __nvJitLinkAddData_12_9
#define nvJitLinkAddFile __nvJitLinkAddFile_12_9
#define nvJitLinkComplete __nvJitLinkComplete_12_9
#define nvJitLinkGetLinkedCubinSize __nvJitLinkGetLinkedCubinSize_12_9
#define nvJitLinkGetLinkedCubin __nvJitLinkGetLinkedCubin_12_9
#define nvJitLinkGetLinkedPtxSize __nvJitLinkGetLinkedPtxSize_12_9
#define nvJitLinkGetLinkedPtx __nvJitLinkGetLinkedPtx_12_9
#define nvJitLinkGetErrorLogSize __nvJitLinkGetErrorLogSize_12_9
#define nvJitLinkGetErrorLog __nvJitLinkGetErrorLog_12_9
#define nvJitLinkGetInfoLogSize __nvJitLinkGetInfoLogSize_12_9
#define nvJitLinkGetInfoLog __nvJitLinkGetInfoLog_12_9
#endif

/// Begins a link. Of the options "-arch=sm_NN" must be there.
nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t numOptions,
                                const char **options);
/// Destroys the handle and sets `*handle` to null.
nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle);

/// Adds an input, which is copied. `name` is for messages and may be null.
nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType inputType,
                                 const void *data, size_t size, const char *name);
nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType inputType,
                                 const char *fileName);

/// Links what was added.
nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle);

/// The package that was linked.
nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin);

/// The same in a text (nvrtcGetPTX); with the options "-lto" and "-ptx".
nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *ptx);

/// 0 where there is nothing to say.
nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log);
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log);

/// The version of CUDA whose nvJitLink this is.
nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // HET_NVJITLINK_H
