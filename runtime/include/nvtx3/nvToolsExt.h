// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX, the annotations for profilers: `hetrun --profile` shows them
// (docs/design/tools.md).

#ifndef HET_NVTX3_NVTOOLSEXT_H
#define HET_NVTX3_NVTOOLSEXT_H

#include "__het/nvtx_injection.h"

#ifdef __cplusplus
extern "C" {
#endif

HET_NVTX_VOID(hetNvtxCore, 1, nvtxMarkEx, (const nvtxEventAttributes_t *attributes),
              (attributes))
HET_NVTX_VOID(hetNvtxCore, 2, nvtxMarkA, (const char *message), (message))
HET_NVTX_VOID(hetNvtxCore, 3, nvtxMarkW, (const wchar_t *message), (message))
HET_NVTX_VALUE(hetNvtxCore, 4, nvtxRangeId_t, nvtxRangeStartEx,
               (const nvtxEventAttributes_t *attributes), (attributes), 0)
HET_NVTX_VALUE(hetNvtxCore, 5, nvtxRangeId_t, nvtxRangeStartA, (const char *message),
               (message), 0)
HET_NVTX_VALUE(hetNvtxCore, 6, nvtxRangeId_t, nvtxRangeStartW, (const wchar_t *message),
               (message), 0)
HET_NVTX_VOID(hetNvtxCore, 7, nvtxRangeEnd, (nvtxRangeId_t id), (id))
HET_NVTX_VALUE(hetNvtxCore, 8, int, nvtxRangePushEx,
               (const nvtxEventAttributes_t *attributes), (attributes),
               NVTX_NO_PUSH_POP_TRACKING)
HET_NVTX_VALUE(hetNvtxCore, 9, int, nvtxRangePushA, (const char *message), (message),
               NVTX_NO_PUSH_POP_TRACKING)
HET_NVTX_VALUE(hetNvtxCore, 10, int, nvtxRangePushW, (const wchar_t *message), (message),
               NVTX_NO_PUSH_POP_TRACKING)
HET_NVTX_VALUE(hetNvtxCore, 11, int, nvtxRangePop, (void), (), NVTX_NO_PUSH_POP_TRACKING)
HET_NVTX_VOID(hetNvtxCore, 12, nvtxNameCategoryA, (uint32_t category, const char *name),
              (category, name))
HET_NVTX_VOID(hetNvtxCore, 13, nvtxNameCategoryW,
              (uint32_t category, const wchar_t *name), (category, name))
HET_NVTX_VOID(hetNvtxCore, 14, nvtxNameOsThreadA, (uint32_t thread, const char *name),
              (thread, name))
HET_NVTX_VOID(hetNvtxCore, 15, nvtxNameOsThreadW, (uint32_t thread, const wchar_t *name),
              (thread, name))
HET_NVTX_VOID(hetNvtxCore2, 1, nvtxDomainMarkEx,
              (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes),
              (domain, attributes))
HET_NVTX_VALUE(hetNvtxCore2, 2, nvtxRangeId_t, nvtxDomainRangeStartEx,
               (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes),
               (domain, attributes), 0)
HET_NVTX_VOID(hetNvtxCore2, 3, nvtxDomainRangeEnd,
              (nvtxDomainHandle_t domain, nvtxRangeId_t id), (domain, id))
HET_NVTX_VALUE(hetNvtxCore2, 4, int, nvtxDomainRangePushEx,
               (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes),
               (domain, attributes), NVTX_NO_PUSH_POP_TRACKING)
HET_NVTX_VALUE(hetNvtxCore2, 5, int, nvtxDomainRangePop, (nvtxDomainHandle_t domain),
               (domain), NVTX_NO_PUSH_POP_TRACKING)
HET_NVTX_VALUE(hetNvtxCore2, 6, nvtxResourceHandle_t, nvtxDomainResourceCreate,
               (nvtxDomainHandle_t domain, nvtxResourceAttributes_t *attributes),
               (domain, attributes), NULL)
HET_NVTX_VOID(hetNvtxCore2, 7, nvtxDomainResourceDestroy, (nvtxResourceHandle_t resource),
              (resource))
HET_NVTX_VOID(hetNvtxCore2, 8, nvtxDomainNameCategoryA,
              (nvtxDomainHandle_t domain, uint32_t category, const char *name),
              (domain, category, name))
HET_NVTX_VOID(hetNvtxCore2, 9, nvtxDomainNameCategoryW,
              (nvtxDomainHandle_t domain, uint32_t category, const wchar_t *name),
              (domain, category, name))
HET_NVTX_VALUE(hetNvtxCore2, 10, nvtxStringHandle_t, nvtxDomainRegisterStringA,
               (nvtxDomainHandle_t domain, const char *string), (domain, string), NULL)
HET_NVTX_VALUE(hetNvtxCore2, 11, nvtxStringHandle_t, nvtxDomainRegisterStringW,
               (nvtxDomainHandle_t domain, const wchar_t *string), (domain, string), NULL)
HET_NVTX_VALUE(hetNvtxCore2, 12, nvtxDomainHandle_t, nvtxDomainCreateA,
               (const char *name), (name), NULL)
HET_NVTX_VALUE(hetNvtxCore2, 13, nvtxDomainHandle_t, nvtxDomainCreateW,
               (const wchar_t *name), (name), NULL)
HET_NVTX_VOID(hetNvtxCore2, 14, nvtxDomainDestroy, (nvtxDomainHandle_t domain), (domain))
HET_NVTX_VOID(hetNvtxCore2, 15, nvtxInitialize, (const void *reserved), (reserved))

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#endif

#endif // HET_NVTX3_NVTOOLSEXT_H
