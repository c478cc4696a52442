/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Shared by the parts of the device library that run a block's threads on a machine
 * without teams of its own (docs/spec/hetir.md, Frame). Arrays are indexed by the
 * lane's number in the block.
 */
#ifndef HET_DEVICELIB_TEAMS_H
#define HET_DEVICELIB_TEAMS_H

#include <stdint.h>

#define HET_TEAM 32u
#define HET_ENDED 0xFFFFFFFFu
#define HET_DEADLOCK 0xFFFFFFFEu
#define HET_GRID_BARRIER 0x6FFFFFFFu
#define HET_CLUSTER_BARRIER 0x7FFFFFFFu /* the mark of Segments.h, clusterBit */
#define HET_GAVE_WAY 0x7FFFFFFEu
#define HET_PARKED 0x7FFFFFFDu
#define HET_STAY 0x80000000u /* in a pc: park there */

/* Faults at a barrier of a block, as a kernel returns them; the numbers of
   lib/Target/Support/BarrierFaults.h. Bits 28 to 30: the kind; 24 to 27: the barrier's
   number; below: one number, or two of 12 bits, cut off at the largest. */
#define HET_BARRIER_FAULT(kind, number, rest)                                            \
  (0x80000000u | (kind) << 28 | (number) << 24 | (rest))
#define HET_CUT(value, most) ((value) < (most) ? (value) : (most))
#define HET_BARRIER_TWO(kind, number, a, b)                                              \
  HET_BARRIER_FAULT(kind, number, HET_CUT(a, 0xFFFu) << 12 | HET_CUT(b, 0xFFFu))
#define HET_BARRIER_MISSING(number, arrived, expected)                                   \
  HET_BARRIER_TWO(0u, number, arrived, expected)
#define HET_BARRIER_COUNTS(number, one, other) HET_BARRIER_TWO(1u, number, one, other)
#define HET_BARRIER_COUNT(number, count)                                                 \
  HET_BARRIER_FAULT(2u, number, HET_CUT(count, 0xFFFFFFu))
#define HET_BARRIER_NUMBER(number) HET_BARRIER_FAULT(3u, 0u, HET_CUT(number, 0xFFFFFFu))

#define HET_ALL_LANES 0xFFFFFFFFu
#define HET_ALWAYS_INLINE __attribute__((always_inline))
#define HET_INLINE static inline __attribute__((always_inline))

/* The lanes of a team that exist and, where pcs is given, have not ended. */
HET_INLINE uint32_t hetLanesOf(uint32_t team, uint64_t threads, const uint32_t *pcs) {
  uint64_t left = threads - (uint64_t)team * HET_TEAM;
  uint32_t exist = left >= HET_TEAM ? 0xFFFFFFFFu : (1u << left) - 1u;
  if (!pcs)
    return exist;
  uint32_t lanes = 0;
  for (uint32_t l = 0; l < HET_TEAM && l < left; ++l)
    lanes |= (uint32_t)(pcs[team * HET_TEAM + l] != HET_ENDED) << l;
  return lanes;
}

#endif
