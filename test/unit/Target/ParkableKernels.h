/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the kernels of ParkableKernels.c are told, and where a test can hold them: a
 * kernel that is held has begun, and does not end before the test has seen what it wanted
 * to see.
 */
#ifndef HET_TEST_TARGET_PARKABLEKERNELS_H
#define HET_TEST_TARGET_PARKABLEKERNELS_H

#include <stdint.h>

/* The second argument of `count` and `meet`. The kernel reads and writes it while it
   runs. */
struct Steps {
  uint32_t count; /* of each block; for `meet` rounds of `stepsOfARound` */
  /* At every so manieth step, from the first on, a block waits until it is parked; where
     it is resumed it goes on to the next. 0: nowhere. */
  uint32_t holdEvery;
  uint32_t held;     /* how many times blocks have come to such a step */
  uint32_t released; /* not 0: no block waits any more */
};

#ifdef __cplusplus
inline Steps makeSteps(uint32_t count, uint32_t holdEvery = 0) {
  return {count, holdEvery, 0, 0};
}
#endif

enum { stepsOfARound = 3 };

/* In the words that `chain` is given. A test sets the first in the last block's: it waits
   until it is parked. A block has the second in its own while it waits. */
#define CHAIN_HOLD 0x80000000u
#define CHAIN_HELD 0x40000000u

#endif /* HET_TEST_TARGET_PARKABLEKERNELS_H */
