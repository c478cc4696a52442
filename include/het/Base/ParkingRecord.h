/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a parkable kernel of a SIMT target is told of its launch, and what it tells: the
 * argument that --hetir-form-parkable adds. All numbers are little-endian; addresses are
 * of the device's memory.
 *
 * A kernel that is parked inside has two forms. Its own name is that of the form for
 * launches of which no block has begun, whose `before` is null: it has no ways in, and so
 * a compiler makes of it what it makes of a kernel that is not parked. With
 * HET_PARKING_RESUME behind the name it is the form for any launch.
 *
 * A block that begins finds in `before` how it stands. Of the blocks that do not end, the
 * kernel writes into `after` how they stand then, plus 1; the device sets all of it to 0
 * first. `places` are those of parked blocks; the threads' pcs of a
 * place that is not taken are UINT32_MAX.
 */
#ifndef HET_BASE_PARKINGRECORD_H
#define HET_BASE_PARKINGRECORD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As TargetABI.h's HET_BLOCK_.... */
enum { HET_PARKING_UNSTARTED = 0, HET_PARKING_PARKED = 1, HET_PARKING_ENDED = 2 };

#define HET_PARKING_NO_PLACE 0xFFFFFFFFu

#define HET_PARKING_RESUME "$resume"

/* The flag has copies, which are written together, so that not all blocks look at one
   place: a block looks at that of its number in x, modulo HET_PARKING_FLAGS. */
#define HET_PARKING_FLAGS 64u
#define HET_PARKING_FLAG_STRIDE 256u

/* Passed by value. */
typedef struct HetParkingRecord {
  uint64_t flags;         /* u32s: not 0 from when on blocks are to stop */
  uint64_t before;        /* u8 of each block; null: none has begun */
  uint64_t after;         /* u8 of each block; 0: it has ended */
  uint64_t places;        /* u32 of each block: where its state is */
  uint64_t states;        /* aligned to 128 */
  uint64_t counts;        /* HetParkingCounts */
  uint64_t placeBytes;    /* from one state to the next; a multiple of 128 */
  uint64_t sharedOffset;  /* in a state, of static shared objects; of 16 a multiple */
  uint64_t dynamicOffset; /* likewise, of dynamic shared memory */
  uint64_t dynamicBytes;
  uint64_t capacity;     /* how many places there are */
  uint64_t pollInterval; /* operations between polls, at least 1 */
} HetParkingRecord;

/* In the device's memory. */
typedef struct HetParkingCounts {
  uint32_t places; /* that are taken */
  uint32_t left;   /* blocks that saw the flag when they began */
  uint32_t grid;   /* the grid barrier's word, or what all blocks do; 0 at first */
} HetParkingCounts;

#ifdef __cplusplus
}
#endif

#endif
