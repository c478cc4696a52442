// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvJitLink's functions under names of ours, to which those of all versions lead
// (JitLinkNames.cpp).

#ifndef HET_RUNTIME_RTC_JITLINK_H
#define HET_RUNTIME_RTC_JITLINK_H

#define NVJITLINK_NO_INLINE
#pragma GCC visibility push(default)
#include "nvJitLink.h"
#pragma GCC visibility pop

namespace het::rtc {

nvJitLinkResult jitLinkCreate(nvJitLinkHandle *handle, uint32_t count,
                              const char **options);
nvJitLinkResult jitLinkDestroy(nvJitLinkHandle *handle);
nvJitLinkResult jitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType type,
                               const void *data, size_t size, const char *name);
nvJitLinkResult jitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type,
                               const char *path);
nvJitLinkResult jitLinkComplete(nvJitLinkHandle handle);
nvJitLinkResult jitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult jitLinkGetLinkedCubin(nvJitLinkHandle handle, void *to);
nvJitLinkResult jitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult jitLinkGetLinkedPtx(nvJitLinkHandle handle, char *to);
nvJitLinkResult jitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult jitLinkGetErrorLog(nvJitLinkHandle handle, char *to);
nvJitLinkResult jitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult jitLinkGetInfoLog(nvJitLinkHandle handle, char *to);

} // namespace het::rtc

#endif // HET_RUNTIME_RTC_JITLINK_H
