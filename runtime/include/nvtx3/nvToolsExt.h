// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX, the annotations for profilers. Without a profiler attached they do
// nothing, which is what these functions do.

#ifndef HET_NVTX3_NVTOOLSEXT_H
#define HET_NVTX3_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING (-2)

typedef enum nvtxColorType_t {
  NVTX_COLOR_UNKNOWN = 0,
  NVTX_COLOR_ARGB = 1
} nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;

typedef union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

#define HET_NVTX static inline __attribute__((unused))
#define HET_NVTX_VOID(name, ...)                                                         \
  HET_NVTX void name(__VA_ARGS__) {}
#define HET_NVTX_INT(name, ...)                                                          \
  HET_NVTX int name(__VA_ARGS__) { return NVTX_NO_PUSH_POP_TRACKING; }
#define HET_NVTX_ID(name, ...)                                                           \
  HET_NVTX nvtxRangeId_t name(__VA_ARGS__) { return 0; }

HET_NVTX_VOID(nvtxInitialize, const void *reserved)
HET_NVTX_VOID(nvtxMarkEx, const nvtxEventAttributes_t *attributes)
HET_NVTX_VOID(nvtxMarkA, const char *message)
HET_NVTX_VOID(nvtxMarkW, const wchar_t *message)
HET_NVTX_ID(nvtxRangeStartEx, const nvtxEventAttributes_t *attributes)
HET_NVTX_ID(nvtxRangeStartA, const char *message)
HET_NVTX_ID(nvtxRangeStartW, const wchar_t *message)
HET_NVTX_VOID(nvtxRangeEnd, nvtxRangeId_t id)
HET_NVTX_INT(nvtxRangePushEx, const nvtxEventAttributes_t *attributes)
HET_NVTX_INT(nvtxRangePushA, const char *message)
HET_NVTX_INT(nvtxRangePushW, const wchar_t *message)
HET_NVTX_INT(nvtxRangePop, void)
HET_NVTX_VOID(nvtxNameCategoryA, uint32_t category, const char *message)
HET_NVTX_VOID(nvtxNameOsThreadA, uint32_t threadId, const char *message)
HET_NVTX_VOID(nvtxDomainMarkEx, nvtxDomainHandle_t domain,
              const nvtxEventAttributes_t *attributes)
HET_NVTX_ID(nvtxDomainRangeStartEx, nvtxDomainHandle_t domain,
            const nvtxEventAttributes_t *attributes)
HET_NVTX_VOID(nvtxDomainRangeEnd, nvtxDomainHandle_t domain, nvtxRangeId_t id)
HET_NVTX_INT(nvtxDomainRangePushEx, nvtxDomainHandle_t domain,
             const nvtxEventAttributes_t *attributes)
HET_NVTX_INT(nvtxDomainRangePop, nvtxDomainHandle_t domain)
HET_NVTX_VOID(nvtxDomainNameCategoryA, nvtxDomainHandle_t domain, uint32_t category,
              const char *message)
HET_NVTX_VOID(nvtxDomainDestroy, nvtxDomainHandle_t domain)
HET_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char *name) {
  (void)name;
  return 0;
}
HET_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain,
                                                      const char *string) {
  (void)domain;
  (void)string;
  return 0;
}
#undef HET_NVTX
#undef HET_NVTX_VOID
#undef HET_NVTX_INT
#undef HET_NVTX_ID

#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#endif // HET_NVTX3_NVTOOLSEXT_H
