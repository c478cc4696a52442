// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC: CUDA source is compiled while a program runs. Functions are of any thread; those
// of one program are the caller's to order.
//
// A size includes the terminating null of a text. Who asks for a text gives memory of
// that size, which stays the caller's. Where a compilation has not made a thing, its size
// is 0 (of PTX 1), and nothing is written.
//
// Source: NVRTC documentation of CUDA 12.9.

#ifndef HET_NVRTC_H
#define HET_NVRTC_H
#define __NVRTC_H__

#ifdef __cplusplus
#include <cstdlib>
extern "C" {
#else
#include <stdlib.h>
#endif

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
  NVRTC_ERROR_PCH_CREATE = 15,
  NVRTC_ERROR_CANCELLED = 16,
  NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

/// The enumerator's name; "NVRTC_ERROR unknown" for another number. Static.
const char *nvrtcGetErrorString(nvrtcResult result);

/// The version of CUDA whose NVRTC this is.
nvrtcResult nvrtcVersion(int *major, int *minor);

nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs);
/// Fills in the numbers of architectures that options may name (80 of sm_80), ascending.
nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs);

/// Makes a program of source, which is copied, as are the headers. `name` is what
/// messages say, "default_program" where it is null or empty. `includeNames` are the
/// names by which the source includes `headers`.
nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name,
                               int numHeaders, const char *const *headers,
                               const char *const *includeNames);
/// Destroys the program and sets `*prog` to null.
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog);

/// Compiles the source. What it has to say is in the log, also where it fails.
nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions,
                                const char *const *options);

/// Text that cuModuleLoadData and linkers take. It declares kernels and variables as PTX,
/// and what runs is the package in its comments.
nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet);
nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx);

/// A package; where the architecture was a real one (sm_80).
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin);

/// Deprecated: sizes are 0.
nvrtcResult nvrtcGetNVVMSize(nvrtcProgram prog, size_t *nvvmSizeRet);
nvrtcResult nvrtcGetNVVM(nvrtcProgram prog, char *nvvm);

/// A package with relocatable code; with -dlto.
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *LTOIRSizeRet);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char *LTOIR);

/// There is none: the size is 0.
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *optixirSizeRet);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char *optixir);

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log);

/// Asks for the name of a kernel or a variable in what will be compiled. Kernels'
/// templates are instantiated by it.
nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *const name_expression);
/// That name, which the program owns until it is destroyed. The expression is given as it
/// was.
nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *const name_expression,
                                const char **lowered_name);

/// A number that is kept. Precompiled headers take none of the program's memory.
nvrtcResult nvrtcGetPCHHeapSize(size_t *ret);
nvrtcResult nvrtcSetPCHHeapSize(size_t size);
/// NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED: a source's own headers are not precompiled.
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog);
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t *size);

/// A function that is called now and then while the program is compiled. Anything but 0
/// cancels it (NVRTC_ERROR_CANCELLED).
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*callback)(void *, void *),
                                 void *payload);

#ifdef __cplusplus
} // extern "C"

#if !defined(NVRTC_GET_TYPE_NAME)
#define NVRTC_GET_TYPE_NAME 0
#endif
#if NVRTC_GET_TYPE_NAME
#include <cstring>
#include <cxxabi.h>
#include <string>
#include <typeinfo>

namespace __nv_internal_nvrtc {
template <class T> struct __het_wrapped {};
} // namespace __nv_internal_nvrtc

/// The name of a type as source has it, for name expressions.
static inline nvrtcResult nvrtcGetTypeName(const std::type_info &tinfo,
                                           std::string *result) {
  int status = 0;
  char *name = abi::__cxa_demangle(tinfo.name(), 0, 0, &status);
  if (status == 0 && name)
    *result = name;
  std::free(name);
  return status == 0    ? NVRTC_SUCCESS
         : status == -1 ? NVRTC_ERROR_OUT_OF_MEMORY
                        : NVRTC_ERROR_INTERNAL_ERROR;
}

template <class T> nvrtcResult nvrtcGetTypeName(std::string *result) {
  // A wrapper keeps references and const, which typeid drops.
  nvrtcResult error =
      nvrtcGetTypeName(typeid(__nv_internal_nvrtc::__het_wrapped<T>), result);
  if (error != NVRTC_SUCCESS)
    return error;
  const size_t first = result->find('<'), last = result->rfind('>');
  if (first == std::string::npos || last == std::string::npos)
    return NVRTC_ERROR_INTERNAL_ERROR;
  *result = result->substr(first + 1, last - first - 1);
  while (!result->empty() && (*result)[result->size() - 1] == ' ')
    result->erase(result->size() - 1);
  return NVRTC_SUCCESS;
}
#endif
#endif

#endif // HET_NVRTC_H
