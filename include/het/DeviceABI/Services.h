/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Requests that kernels leave in memory for the host to carry out, where a target has no
 * driver or process for them to call: output, failed assertions. Kernels write them by
 * Target/Support/Lowering/ServiceCode.h; the host reads them by
 * Target/Support/ServiceRecords.h.
 */
#ifndef HET_DEVICEABI_SERVICES_H
#define HET_DEVICEABI_SERVICES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  HET_SERVICE_FAULT_NONE = 0,
  HET_SERVICE_FAULT_ASSERT = 1,
  HET_SERVICE_FAULT_TRAP = 2,
  HET_SERVICE_FAULT_FREE = 3, /* of what malloc did not give */
  HET_SERVICE_FAULT_STACK = 4 /* recursion too deep */
};

/* What kernels leave for the host, one for each queue or launch. */
typedef struct HetServices {
  uint32_t fault; /* HET_SERVICE_FAULT_…; the first one stays */
  uint32_t reserved;
  uint64_t output; /* address: records (HetServiceRecord), one behind the other */
  uint64_t outputBytes;
  uint64_t outputUsed; /* may be above outputBytes: what does not fit is lost */
  uint64_t wideLock;   /* address: u32, of all atomics of 128 bits; may be 0 where they
                          need none */
  uint64_t clock;      /* nanoseconds; the host sets it forward, each reader by one */
} HetServices;

enum { HET_SERVICE_PRINTF = 1, HET_SERVICE_ASSERT = 2 };

/* One call of printf or one failed assertion. Behind it:
     printf   the format with its NUL, at a multiple of 8 the packed arguments, then
              the text of each %s that is not null, with its NUL;
     assert   message, file and function, each with its NUL.
   Records begin at multiples of 8. */
typedef struct HetServiceRecord {
  uint32_t kind;
  uint32_t bytes; /* of the whole record */
  uint32_t formatBytes;
  uint32_t argumentBytes;
  uint32_t line;
  uint32_t thread[3];
  uint32_t block[3];
  uint32_t reserved;
} HetServiceRecord;

#ifdef __cplusplus
}
#endif

#endif
