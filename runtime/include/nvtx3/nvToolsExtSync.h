// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX's functions about locks of the program's own.

#ifndef HET_NVTX3_NVTOOLSEXTSYNC_H
#define HET_NVTX3_NVTOOLSEXTSYNC_H

#include "nvtx3/nvToolsExt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nvtxSyncUser *nvtxSyncUser_t;
typedef struct nvtxSyncUserAttributes_v0 {
  uint16_t version;
  uint16_t size;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxSyncUserAttributes_t;
#define NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxSyncUserAttributes_t))

HET_NVTX_VALUE(hetNvtxSync, 1, nvtxSyncUser_t, nvtxDomainSyncUserCreate,
               (nvtxDomainHandle_t domain, const nvtxSyncUserAttributes_t *attributes),
               (domain, attributes), NULL)
HET_NVTX_VOID(hetNvtxSync, 2, nvtxDomainSyncUserDestroy, (nvtxSyncUser_t handle),
              (handle))
HET_NVTX_VOID(hetNvtxSync, 3, nvtxDomainSyncUserAcquireStart, (nvtxSyncUser_t handle),
              (handle))
HET_NVTX_VOID(hetNvtxSync, 4, nvtxDomainSyncUserAcquireFailed, (nvtxSyncUser_t handle),
              (handle))
HET_NVTX_VOID(hetNvtxSync, 5, nvtxDomainSyncUserAcquireSuccess, (nvtxSyncUser_t handle),
              (handle))
HET_NVTX_VOID(hetNvtxSync, 6, nvtxDomainSyncUserReleasing, (nvtxSyncUser_t handle),
              (handle))

#ifdef __cplusplus
}
#endif

#endif // HET_NVTX3_NVTOOLSEXTSYNC_H
