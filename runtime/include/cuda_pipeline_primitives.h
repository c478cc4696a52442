// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies to shared memory that a thread waits for later, in C.
// CUDA C++ Programming Guide: Pipeline Primitives Interface.

#ifndef HET_CUDA_PIPELINE_PRIMITIVES_H
#define HET_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_awbarrier_primitives.h"

#if defined(__CUDACC__)

#define HET_INLINE static __device__ __inline__ __attribute__((always_inline, unused))
#define HET_COPY(cache, bytes)                                                           \
  asm volatile("cp.async." cache ".shared.global [%0], [%1], " bytes ", %2;"             \
               :                                                                         \
               : "r"((uint32_t)__cvta_generic_to_shared(to)),                            \
                 "l"(__cvta_generic_to_global(from)), "r"(given)                         \
               : "memory")

// `size` is 4, 8 or 16, and both are aligned to it; the last `zeros` bytes become 0.
HET_INLINE void __pipeline_memcpy_async(void *__restrict__ to,
                                        const void *__restrict__ from, size_t size,
                                        size_t zeros = 0) {
  const uint32_t given = (uint32_t)(size - zeros);
  switch (size) {
  case 4:
    HET_COPY("ca", "4");
    break;
  case 8:
    HET_COPY("ca", "8");
    break;
  case 16:
    HET_COPY("cg", "16");
    break;
  default:
    __trap();
  }
}

HET_INLINE void __pipeline_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits for all copies but those of the last `count` groups, of which the instruction
// takes a constant number: to wait for more is no fault.
HET_INLINE void __pipeline_wait_prior(size_t count) {
#define HET_WAIT(number)                                                                 \
  case number:                                                                           \
    asm volatile("cp.async.wait_group " #number ";" ::: "memory");                       \
    break
  switch (count < 8 ? count : 8) {
    HET_WAIT(0);
    HET_WAIT(1);
    HET_WAIT(2);
    HET_WAIT(3);
    HET_WAIT(4);
    HET_WAIT(5);
    HET_WAIT(6);
    HET_WAIT(7);
    HET_WAIT(8);
  }
#undef HET_WAIT
}

// The barrier expects one arrival more, which comes when the copies are done.
HET_INLINE void __pipeline_arrive_on(__mbarrier_t *barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];"
               :
               : "r"((uint32_t)__cvta_generic_to_shared(barrier))
               : "memory");
}

#undef HET_COPY
#undef HET_INLINE

#endif // __CUDACC__
#endif // HET_CUDA_PIPELINE_PRIMITIVES_H
