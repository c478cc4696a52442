/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Services that a kernel in SPIR-V does for itself where other targets have a driver or
 * a process to call. It is compiled to bitcode that names no machine and is linked into
 * the kernels that call it. Addresses are generic unless they say GLOBAL.
 */
#include "../../Support/Lowering/ServiceCode.h"
#include "../SPIRVArtifact.h"

#define SERVICE(launch) ((Services *)(launch)->services)

typedef GLOBAL const HetSpirvLaunch Launch;

u32 __het_spirv_has_fault(Launch *launch) {
  return __atomic_load_n(&SERVICE(launch)->fault, __ATOMIC_RELAXED);
}

void __het_spirv_trap(Launch *launch) {
  setFault(SERVICE(launch), HET_SERVICE_FAULT_TRAP);
}

void __het_spirv_stack_overflow(Launch *launch) {
  setFault(SERVICE(launch), HET_SERVICE_FAULT_STACK);
}

void __het_spirv_assert(Launch *launch, const char *message, const char *file, u32 line,
                        const char *function, u32 thread, u32 blockX, u32 blockY,
                        u32 blockZ) {
  u32 row = thread / launch->blockDim[0];
  Position place = {thread % launch->blockDim[0], row % launch->blockDim[1],
                    row / launch->blockDim[1]};
  Position block = {blockX, blockY, blockZ};
  recordAssertion(SERVICE(launch), message, file, line, function, place, block);
}

int32_t __het_spirv_printf(Launch *launch, const char *format, const char *arguments) {
  return recordOutput(SERVICE(launch), format, arguments);
}

/* Goes forward at each reading, so that no two of them are equal. */
u64 __het_spirv_clock(Launch *launch) {
  return __atomic_fetch_add(&SERVICE(launch)->clock, (u64)1, __ATOMIC_RELAXED);
}

/* Exchanges the 16 bytes at `place` if they are as expected, or in any case. What was
   there goes to `found`. The lock is held for a few instructions, by kernels whose
   work-items make progress (segmented ones). */
u32 __het_spirv_exchange_wide(Launch *launch, u64 *place, u32 always, u64 expectedLow,
                              u64 expectedHigh, u64 low, u64 high, u64 *found) {
  GLOBAL u32 *lock = (GLOBAL u32 *)SERVICE(launch)->wideLock;
  while (__atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE))
    ;
  volatile u64 *words = place;
  found[0] = words[0];
  found[1] = words[1];
  u32 exchanges = always | (found[0] == expectedLow && found[1] == expectedHigh);
  if (exchanges) {
    words[0] = low;
    words[1] = high;
  }
  __atomic_store_n(lock, 0u, __ATOMIC_RELEASE);
  return exchanges;
}

void __het_spirv_note_free(Launch *launch, u32 isFreed) {
  if (!isFreed)
    setFault(SERVICE(launch), HET_SERVICE_FAULT_FREE);
}
