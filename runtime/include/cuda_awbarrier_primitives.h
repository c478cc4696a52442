// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in shared memory, in C: a thread arrives and waits at two places.
// CUDA C++ Programming Guide: Memory Barrier Primitives Interface.

#ifndef HET_CUDA_AWBARRIER_PRIMITIVES_H
#define HET_CUDA_AWBARRIER_PRIMITIVES_H

#include <stddef.h>
#include <stdint.h>

#if defined(__CUDACC__)

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

#define HET_INLINE static __device__ __inline__ __attribute__((always_inline, unused))
#define HET_BARRIER_ADDRESS(barrier) ((uint32_t)__cvta_generic_to_shared(barrier))

HET_INLINE uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1; }

HET_INLINE void __mbarrier_init(__mbarrier_t *barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;"
               :
               : "r"(HET_BARRIER_ADDRESS(barrier)), "r"(count)
               : "memory");
}

HET_INLINE void __mbarrier_inval(__mbarrier_t *barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];"
               :
               : "r"(HET_BARRIER_ADDRESS(barrier))
               : "memory");
}

HET_INLINE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(HET_BARRIER_ADDRESS(barrier))
               : "memory");
  return token;
}

HET_INLINE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(HET_BARRIER_ADDRESS(barrier))
               : "memory");
  return token;
}

HET_INLINE bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
  uint32_t done;
  asm volatile(
      "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done)
      : "r"(HET_BARRIER_ADDRESS(barrier)), "l"(token)
      : "memory");
  return done;
}

HET_INLINE bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity) {
  uint32_t done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; "
               "selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(HET_BARRIER_ADDRESS(barrier)), "r"((uint32_t)parity)
               : "memory");
  return done;
}

// A test that may wait for so many nanoseconds need not.
HET_INLINE bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token,
                                    uint32_t) {
  return __mbarrier_test_wait(barrier, token);
}
HET_INLINE bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity, uint32_t) {
  return __mbarrier_test_wait_parity(barrier, parity);
}

HET_INLINE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  uint32_t count;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

#undef HET_BARRIER_ADDRESS
#undef HET_INLINE

#endif // __CUDACC__
#endif // HET_CUDA_AWBARRIER_PRIMITIVES_H
