/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The argument that --hetir-form-parkable adds to a kernel of a SIMT target: what the
 * kernel is told of its launch, and where it says which blocks it suspended. All numbers
 * are little-endian; addresses are of the device's memory.
 *
 * A suspendable kernel has two forms. The one with the kernel's own name is for launches
 * of which no block has begun (`before` is null). It has no entries in the middle, so a
 * compiler makes of it what it makes of a kernel that is not suspendable. The one with
 * HET_SUSPEND_RESUME behind the name is for any launch.
 *
 * A block reads its status in `before` when it begins. For each block that does not end,
 * the kernel writes the block's status plus 1 into `after`; the device clears `after`
 * first. `places` holds where each suspended block's state is. In a place that is not
 * taken all pcs are UINT32_MAX.
 */
#ifndef HET_DEVICEABI_SUSPENDRECORD_H
#define HET_DEVICEABI_SUSPENDRECORD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A block's status, with the values of TargetABI.h's HET_BLOCK_... */
enum { HET_SUSPEND_UNSTARTED = 0, HET_SUSPEND_SUSPENDED = 1, HET_SUSPEND_ENDED = 2 };

#define HET_SUSPEND_NO_PLACE 0xFFFFFFFFu

#define HET_SUSPEND_RESUME "$resume"

/* The flag has copies, which are written together, so that not all blocks poll one
   address: a block polls the copy of its number in x, modulo HET_SUSPEND_FLAGS. */
#define HET_SUSPEND_FLAGS 64u
#define HET_SUSPEND_FLAG_STRIDE 256u

/* Passed by value. */
typedef struct HetSuspendRecord {
  uint64_t flags;         /* u32s: not 0 once blocks are to stop */
  uint64_t before;        /* u8 of each block; null: none has begun */
  uint64_t after;         /* u8 of each block; 0: it has ended */
  uint64_t places;        /* u32 of each block: where its state is */
  uint64_t states;        /* aligned to 128 */
  uint64_t counts;        /* HetSuspendCounts */
  uint64_t placeBytes;    /* from one state to the next; a multiple of 128 */
  uint64_t sharedOffset;  /* in a state, of static shared objects; a multiple of 16 */
  uint64_t dynamicOffset; /* likewise, of dynamic shared memory */
  uint64_t dynamicBytes;
  uint64_t capacity;     /* how many places there are */
  uint64_t pollInterval; /* operations between polls, at least 1 */
} HetSuspendRecord;

/* In the device's memory. */
typedef struct HetSuspendCounts {
  uint32_t places; /* that are taken */
  uint32_t left;   /* blocks that saw the flag when they began */
  uint32_t grid;   /* the grid barrier's word, or what all blocks do; 0 at first */
} HetSuspendCounts;

#ifdef __cplusplus
}
#endif

#endif
