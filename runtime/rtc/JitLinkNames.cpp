// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of nvJitLink's functions: programs that were compiled against version 12.N
// call `__nvJitLinkCreate_12_N`.

#include "JitLink.h"

using namespace het::rtc;

#define VERSIONS(ONE, name, parameters, arguments)                                       \
  ONE(nvJitLink##name, name, parameters, arguments)                                      \
  ONE(__nvJitLink##name##_12_0, name, parameters, arguments)                             \
  ONE(__nvJitLink##name##_12_1, name, parameters, arguments)                             \
  ONE(__nvJitLink##name##_12_2, name, parameters, arguments)                             \
  ONE(__nvJitLink##name##_12_3, name, parameters, arguments)                             \
  ONE(__nvJitLink##name##_12_4, name, parameters, arguments)                             \
  ONE(__nvJitLink##name##_12_5, name, parameters, arguments)                             \
  ONE(__nvJitLink##name##_12_6, name, parameters, arguments)                             \
  ONE(__nvJitLink##name##_12_7, name, parameters, arguments)                             \
  ONE(__nvJitLink##name##_12_8, name, parameters, arguments)                             \
  ONE(__nvJitLink##name##_12_9, name, parameters, arguments)                             \
  ONE(__nvJitLink##name##_13_0, name, parameters, arguments)                             \
  ONE(__nvJitLink##name##_13_1, name, parameters, arguments)
#define DEFINE(symbol, name, parameters, arguments)                                      \
  extern "C" __attribute__((visibility("default"))) nvJitLinkResult symbol parameters {  \
    return jitLink##name arguments;                                                      \
  }

VERSIONS(DEFINE, Create, (nvJitLinkHandle * handle, uint32_t count, const char **options),
         (handle, count, options))
VERSIONS(DEFINE, Destroy, (nvJitLinkHandle * handle), (handle))
VERSIONS(DEFINE, AddData,
         (nvJitLinkHandle handle, nvJitLinkInputType type, const void *data, size_t size,
          const char *name),
         (handle, type, data, size, name))
VERSIONS(DEFINE, AddFile,
         (nvJitLinkHandle handle, nvJitLinkInputType type, const char *path),
         (handle, type, path))
VERSIONS(DEFINE, Complete, (nvJitLinkHandle handle), (handle))
VERSIONS(DEFINE, GetLinkedCubinSize, (nvJitLinkHandle handle, size_t *size),
         (handle, size))
VERSIONS(DEFINE, GetLinkedCubin, (nvJitLinkHandle handle, void *to), (handle, to))
VERSIONS(DEFINE, GetLinkedPtxSize, (nvJitLinkHandle handle, size_t *size), (handle, size))
VERSIONS(DEFINE, GetLinkedPtx, (nvJitLinkHandle handle, char *to), (handle, to))
VERSIONS(DEFINE, GetErrorLogSize, (nvJitLinkHandle handle, size_t *size), (handle, size))
VERSIONS(DEFINE, GetErrorLog, (nvJitLinkHandle handle, char *to), (handle, to))
VERSIONS(DEFINE, GetInfoLogSize, (nvJitLinkHandle handle, size_t *size), (handle, size))
VERSIONS(DEFINE, GetInfoLog, (nvJitLinkHandle handle, char *to), (handle, to))

nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor) {
  if (!major || !minor)
    return NVJITLINK_ERROR_NULL_INPUT;
  *major = 12;
  *minor = 9;
  return NVJITLINK_SUCCESS;
}
