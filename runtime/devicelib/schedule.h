/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Types and numbers shared by the scheduler (schedule.c) and a block's barriers
 * (barriers.c).
 */
#ifndef HET_DEVICELIB_SCHEDULE_H
#define HET_DEVICELIB_SCHEDULE_H

#include "teams.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef uint8_t u8;

/* The thing that a lane waits for at a point; the numbers of ScheduleSegments.cpp.
   Numbers from WAIT_TEAM on: a team operation; operations that can be carried out
   together (those of a kind, wherever they stand in the code) have the same number. */
enum {
  WAIT_NOTHING,
  WAIT_ACTIVE_LANES,
  WAIT_BARRIER, /* number 0, of the whole block */
  WAIT_BARRIER_AND,
  WAIT_BARRIER_OR,
  WAIT_BARRIER_COUNT,
  WAIT_GRID_BARRIER,
  WAIT_OTHERS,
  WAIT_NAMED,         /* a barrier by number, of the whole block */
  WAIT_NAMED_COUNTED, /* a barrier by number, of a count of threads */
  WAIT_ARRIVE,        /* likewise, but only until the team has arrived */
  WAIT_POLL,          /* WAIT_BARRIER where a block is suspended at these alone */
  WAIT_CLUSTER_BARRIER,
  WAIT_TEAM = 16,
};

/* The mark in a lane's pc that it has passed what it waited for. */
#define RELEASED 0x80000000u

static inline u32 waitOf(u32 pc, const u8 *waits) {
  u32 wait = pc & RELEASED ? WAIT_NOTHING : waits[pc];
  return wait == WAIT_POLL ? WAIT_BARRIER : wait;
}

/* Whether other blocks must come before a lane passes what it waits for. */
static inline u32 isOfMoreBlocks(u32 wait) {
  return wait == WAIT_GRID_BARRIER || wait == WAIT_CLUSTER_BARRIER;
}

/* The predicates of a barrier that have been given. */
typedef struct {
  u32 present, yes;
} Predicates;

/* The result for a lane that waited at a barrier of this kind. */
static inline u32 reductionOf(Predicates predicates, u32 wait) {
  return wait == WAIT_BARRIER_COUNT ? predicates.yes
         : wait == WAIT_BARRIER_AND ? (u32)(predicates.yes == predicates.present)
                                    : (u32)(predicates.yes != 0);
}

/* A barrier of a block, from the first arrival until it is complete; the layout of
   ScheduleSegments.cpp, which clears all HET_BARRIERS of them where a block begins. */
typedef struct {
  u32 arrived;  /* threads, by whole teams */
  u32 expected; /* threads, or WHOLE_BLOCK; 0: nobody has arrived */
  u32 waiting;  /* the teams that have arrived and wait, a bit each */
  u32 came;     /* the teams that have arrived */
} Barrier;

#define HET_BARRIERS 16u

/* A block whose threads meet at barriers by number. */
typedef struct {
  u32 *pcs;
  u64 threads;
  const u8 *waits, *predicates;
  u32 *results;
  const u32 *numbers, *counts; /* of the barrier where each lane stands */
  Barrier *barriers;
} Meetings;

/* Lets teams arrive and threads pass. Returns WAIT_BARRIER if a thread can go on,
   WAIT_GRID_BARRIER or WAIT_CLUSTER_BARRIER if every one waits at that, WAIT_NOTHING,
   or a HET_BARRIER_FAULT. */
u32 __het_meet(const Meetings *block);

/* Why threads wait for ever that wait at a barrier; HET_DEADLOCK if none does. */
u32 __het_missing(const Meetings *block);

#endif
