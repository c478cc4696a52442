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

/* For Vulkan, whose own operations of 32 bits are not exact. Numbers of 64 bits hold what
   decides how a result of 32 bits is rounded: where one is not exact, its lowest bit is
   made odd, towards the exact one, and is rounded as that would be. */
typedef union {
  double number;
  u64 bits;
} Double;

static float roundToward(Double near, int isLess, int isMore) {
  if (isLess | isMore) {
    if (!(near.bits & 1))
      near.bits += isMore == (near.number > 0) ? 1 : (u64)-1;
  }
  return (float)near.number;
}

/* The product is exact; what the sum leaves is Knuth's. */
float __het_spirv_fma(float a, float b, float c) {
  const double product = (double)a * b, other = c;
  const Double sum = {product + other};
  const double part = sum.number - product;
  const double rest = (product - (sum.number - part)) + (other - part);
  return roundToward(sum, rest < 0, rest > 0);
}

/* Whether there is nothing to round: a zero, an infinity, not a number. */
static int isFinal(double number) {
  return !(__builtin_fabs(number) > 0 && __builtin_fabs(number) < __builtin_inf());
}

/* Without its lowest bits, to nearest. */
static Double shorten(double number, u32 bits) {
  Double result = {number};
  result.bits = (result.bits + ((u64)1 << (bits - 1))) & ~(((u64)1 << bits) - 1);
  return result;
}

/* 28 bits of the quotient times the divisor are exact, and so is the rest. */
float __het_spirv_divide(float a, float b) {
  const double quotient = (double)a / b;
  if (isFinal(quotient))
    return (float)quotient;
  const Double head = shorten(quotient, 25);
  const double rest = b < 0 ? head.number * b - a : a - head.number * b;
  return roundToward(head, rest < 0, rest > 0);
}

/* The square of the root's first 26 bits is exact, and so is the rest. */
float __het_spirv_root(float a) {
  const double root = __builtin_elementwise_sqrt((double)a);
  if (isFinal(root))
    return (float)root;
  const Double head = shorten(root, 27);
  const double rest = a - head.number * head.number;
  return roundToward(head, rest < 0, rest > 0);
}

void __het_spirv_note_free(Launch *launch, u32 isFreed) {
  if (!isFreed)
    setFault(SERVICE(launch), HET_SERVICE_FAULT_FREE);
}
