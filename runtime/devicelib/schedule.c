/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The scheduler of a block whose threads may stand at different safe points
 * (lib/Transforms/Segments/ScheduleSegments.cpp generates the loop around it). It says which
 * segment runs next and for which lanes of which team, or which team operation.
 *
 * A lane that has passed what it waited for (its team operation has been carried out,
 * its barrier is complete) carries the mark RELEASED in its pc until it runs again.
 */
#include "schedule.h"

/* Bases of the numbers that __het_schedule_next returns for a team operation: plus its
   WAIT_ number, or, where the lanes are all at one point, plus that point, whose segment
   follows. */
#define OPERATION 0x40000000u
#define OPERATION_AT 0x20000000u

/* How often a block goes on by itself where each of its lanes waits for others, until
   other blocks get a turn. */
#define PATIENCE 64u

/* One block's state, beside the pcs; the layout of ScheduleSegments.cpp. */
typedef struct {
  u32 team, lanes; /* the choice */
  u32 idle;        /* rounds in which all lanes waited for others */
  u32 made;        /* choices since it was begun or resumed; counted to 1 */
} Schedule;

/* Where a block begins, nobody has arrived at its barriers. */
void __het_barriers_begin(u32 pc, Barrier *barriers) {
  for (u32 number = 0; pc == 0 && number < HET_BARRIERS; ++number)
    barriers[number] = (Barrier){0, 0, 0, 0};
}

/* Begins a block (pc 0), or goes on with it behind the barrier of the grid or of the
   cluster, where it has given way to other blocks, where it was suspended (its pcs are
   those of its lanes), or, to suspend it, before the grid barrier. */
void __het_schedule_begin(u32 pc, u32 *pcs, u64 threads, const u8 *waits,
                          Schedule *schedule) {
  schedule->team = schedule->lanes = schedule->idle = 0;
  schedule->made = pc == (HET_GRID_BARRIER | HET_STAY);
  u32 passes = pc == HET_GRID_BARRIER      ? WAIT_GRID_BARRIER
               : pc == HET_CLUSTER_BARRIER ? WAIT_CLUSTER_BARRIER
                                           : WAIT_NOTHING;
  for (u64 t = 0; t < threads; ++t)
    if (pc == 0)
      pcs[t] = 0;
    else if (passes != WAIT_NOTHING && pcs[t] != HET_ENDED &&
             waits[pcs[t] & ~RELEASED] == passes)
      pcs[t] |= RELEASED;
}

/* The lanes of a team that stand at `pc`, whether or not they are released. */
static u32 lanesAt(const u32 *pcs, u32 lanes, u32 pc) {
  u32 found = 0;
  for (u32 l = 0; l < HET_TEAM; ++l)
    found |= (u32)(pcs[l] == pc) << l;
  return found & lanes;
}

/* The lanes of a team that can run and are at the lowest pc: lanes that are behind catch
   up first. */
static u32 runnable(const u32 *pcs, u32 lanes, const u8 *waits, u32 *pc) {
  u32 lowest = HET_ENDED, ready = 0;
  for (u32 l = 0; l < HET_TEAM; ++l) {
    if (!(lanes >> l & 1u) || waitOf(pcs[l], waits) != WAIT_NOTHING)
      continue;
    u32 at = pcs[l] & ~RELEASED;
    if (at < lowest) {
      lowest = at;
      ready = 0;
    }
    ready |= (u32)(at == lowest) << l;
  }
  *pc = lowest;
  return ready;
}

/* The lanes of a team that wait at operations of this kind. */
static u32 waitingAt(const u32 *pcs, u32 lanes, const u8 *waits, u32 wait) {
  u32 found = 0;
  for (u32 l = 0; l < HET_TEAM; ++l)
    found |= (u32)((lanes >> l & 1u) && waitOf(pcs[l], waits) == wait) << l;
  return found;
}

static u32 haveOneMask(u32 lanes, const u32 *masks) {
  u32 mask = masks[__builtin_ctz(lanes)], others = 0;
  for (u32 l = 0; l < HET_TEAM; ++l)
    others |= (u32)(masks[l] != mask) << l;
  return !(others & lanes);
}

/* The lanes of `here` whose partners have all come (or ended): all that a lane's mask
   names, itself among them, are here with the same mask. */
static u32 withPartners(u32 here, u32 lanes, const u32 *masks) {
  u32 complete = 0;
  for (u32 rest = here; rest;) {
    u32 mask = masks[__builtin_ctz(rest)], same = 0;
    for (u32 l = 0; l < HET_TEAM; ++l)
      same |= (u32)((rest >> l & 1u) && masks[l] == mask) << l;
    if (!(same & ~mask) && !(mask & lanes & ~same))
      complete |= same;
    rest &= ~same;
  }
  return complete;
}

/* Lanes that can carry out a team operation, and the operation; 0: there are none. */
static u32 completeTeamOperation(const u32 *pcs, u32 lanes, const u8 *waits,
                                 const u32 *masks, u32 *operation) {
  for (u32 rest = lanes; rest;) {
    u32 wait = waitOf(pcs[__builtin_ctz(rest)], waits);
    u32 here = waitingAt(pcs, lanes, waits, wait);
    u32 complete = wait >= WAIT_TEAM ? withPartners(here, lanes, masks) : 0;
    *operation = wait;
    if (complete)
      return complete;
    rest &= ~here;
  }
  return 0;
}

/* As completeTeamOperation, where masks name lanes that come with other masks, or not
   the lane that gives them, which CUDA leaves undefined: lanes go on together that wait at one kind of operation and
   name only such lanes, or that no lane of the team can join. Lanes that may still
   come are waited for. */
static u32 undefinedTeamOperation(const u32 *pcs, u32 lanes, const u8 *waits,
                                  const u32 *masks, u32 *operation) {
  if (waitingAt(pcs, lanes, waits, WAIT_OTHERS))
    return 0;
  for (u32 rest = lanes; rest;) {
    u32 wait = waitOf(pcs[__builtin_ctz(rest)], waits);
    u32 here = waitingAt(pcs, lanes, waits, wait), complete = 0;
    rest &= ~here;
    if (wait < WAIT_TEAM)
      continue;
    *operation = wait;
    if (here == lanes)
      return here;
    for (u32 l = 0; l < HET_TEAM; ++l)
      complete |= (u32)((here >> l & 1u) && !(masks[l] & lanes & ~here)) << l;
    if (complete)
      return complete;
  }
  return 0;
}

static u32 activeLanes(const u32 *pcs, u32 lanes, const u8 *waits, u32 *pc) {
  for (u32 l = 0; l < HET_TEAM; ++l)
    if ((lanes >> l & 1u) && waitOf(pcs[l], waits) == WAIT_ACTIVE_LANES) {
      *pc = pcs[l];
      return lanesAt(pcs, lanes, pcs[l]);
    }
  return 0;
}

static void release(u32 *pcs, u32 lanes) {
  for (u32 l = 0; l < HET_TEAM; ++l)
    pcs[l] |= (lanes >> l & 1u) ? RELEASED : 0;
}

/* As runnable, of lanes that have passed what they waited for. */
static u32 passed(const u32 *pcs, u32 lanes, u32 *pc) {
  u32 lowest = HET_ENDED, ready = 0;
  for (u32 l = 0; l < HET_TEAM; ++l)
    if ((lanes >> l & 1u) && (pcs[l] & RELEASED) && pcs[l] < lowest)
      lowest = pcs[l];
  for (u32 l = 0; l < HET_TEAM; ++l)
    ready |= (u32)(pcs[l] == lowest) << l;
  *pc = lowest & ~RELEASED;
  return lowest == HET_ENDED ? 0 : ready & lanes;
}

/* Chooses what comes next for a team: as __het_schedule_next, or HET_ENDED. */
static u32 chooseInTeam(u32 *pcs, u32 lanes, const u8 *waits, const u32 *masks,
                        u32 *chosen) {
  u32 first = lanes ? (u32)__builtin_ctz(lanes) : 0;
  u32 next = pcs[first];
  if (lanes && lanesAt(pcs, lanes, next) == lanes) { // the usual case: all together
    u32 wait = waitOf(next, waits);
    *chosen = lanes;
    if (wait == WAIT_NOTHING)
      return next & ~RELEASED;
    if (wait == WAIT_ACTIVE_LANES || (wait >= WAIT_TEAM && haveOneMask(lanes, masks)))
      return OPERATION_AT | next;
    if (wait < WAIT_TEAM)
      return HET_ENDED;
    // With other masks some may be rounds of a loop behind: these go on first.
  }
  if ((*chosen = runnable(pcs, lanes, waits, &next)))
    return next;
  u32 operation = WAIT_ACTIVE_LANES;
  *chosen = completeTeamOperation(pcs, lanes, waits, masks, &operation);
  if (!*chosen) {
    operation = WAIT_ACTIVE_LANES;
    *chosen = activeLanes(pcs, lanes, waits, &next);
  }
  if (!*chosen)
    *chosen = undefinedTeamOperation(pcs, lanes, waits, masks, &operation);
  if (!*chosen)
    return HET_ENDED;
  release(pcs, *chosen);
  return OPERATION | operation;
}

static u32 isOfBlock(u32 wait) {
  return wait >= WAIT_BARRIER && wait <= WAIT_BARRIER_COUNT;
}

/* Lets all threads pass their barrier where every one that has not ended waits at
   one of the block; carries out its reduction. Returns what they waited at, which may be
   one barrier of more blocks, or WAIT_NOTHING. */
static u32 passBarrier(const Meetings *block) {
  u32 kind = WAIT_NOTHING;
  Predicates predicates = {0, 0};
  for (u64 t = 0; t < block->threads; ++t) {
    if (block->pcs[t] == HET_ENDED)
      continue;
    u32 wait = waitOf(block->pcs[t], block->waits);
    if (!isOfBlock(wait) && !isOfMoreBlocks(wait))
      return WAIT_NOTHING;
    if (kind != WAIT_NOTHING && kind != wait && !(isOfBlock(kind) && isOfBlock(wait)))
      return WAIT_NOTHING;
    kind = wait;
    ++predicates.present;
    predicates.yes += block->predicates[t] != 0;
  }
  if (!isOfBlock(kind))
    return kind;
  for (u64 t = 0; t < block->threads; ++t) {
    if (block->pcs[t] == HET_ENDED)
      continue;
    u32 waited = waitOf(block->pcs[t], block->waits);
    if (waited != WAIT_BARRIER)
      block->results[t] = reductionOf(predicates, waited);
    block->pcs[t] |= RELEASED;
  }
  return kind;
}

/* Why a block cannot go on whose threads wait at barriers of the whole block only. */
static u32 missingAtBarrier(const Meetings *block) {
  u32 present = 0, alive = 0;
  for (u64 t = 0; t < block->threads; ++t) {
    if (block->pcs[t] == HET_ENDED)
      continue;
    u32 wait = waitOf(block->pcs[t], block->waits);
    present += isOfBlock(wait);
    ++alive;
  }
  return present ? HET_BARRIER_MISSING(0u, present, alive) : HET_DEADLOCK;
}

/* Lets all lanes go on that wait for what others do in memory; whether there are
   any. */
static u32 passOthers(u32 *pcs, u64 threads, const u8 *waits) {
  u32 any = 0;
  for (u64 t = 0; t < threads; ++t)
    if (pcs[t] != HET_ENDED && waitOf(pcs[t], waits) == WAIT_OTHERS) {
      pcs[t] |= RELEASED;
      any = 1;
    }
  return any;
}

/* The body of __het_schedule_next; `byNumber`: threads meet at barriers by number. */
HET_INLINE u32 chooseInBlock(const Meetings *block, const u32 *masks,
                             Schedule *schedule, u32 byNumber) {
  u32 *pcs = block->pcs;
  u64 threads = block->threads;
  const u8 *waits = block->waits;
  u32 teams = (u32)((threads + HET_TEAM - 1) / HET_TEAM), team = schedule->team;
  for (;;) {
    u32 anyAlive = 0;
    for (u32 turn = 0; turn < teams; ++turn) {
      team = team + 1 < teams ? team + 1 : 0;
      u32 *teamPcs = pcs + team * HET_TEAM;
      u32 chosen, lanes = hetLanesOf(team, threads, pcs);
      anyAlive |= lanes;
      u32 next =
          chooseInTeam(teamPcs, lanes, waits, masks + team * HET_TEAM, &chosen);
      if (next != HET_ENDED) {
        schedule->team = team;
        schedule->lanes = chosen;
        return next;
      }
    }
    if (!anyAlive)
      return HET_ENDED;
    u32 passed = byNumber ? __het_meet(block) : passBarrier(block);
    if (isOfMoreBlocks(passed))
      return passed == WAIT_GRID_BARRIER ? HET_GRID_BARRIER : HET_CLUSTER_BARRIER;
    if (passed > WAIT_TEAM)
      return passed; // a fault
    if (passed != WAIT_NOTHING)
      continue;
    if (!passOthers(pcs, threads, waits))
      return byNumber ? __het_missing(block) : missingAtBarrier(block);
    if (++schedule->idle >= PATIENCE)
      return HET_GAVE_WAY;
  }
}

/* Chooses what to do next and puts the team and its lanes in `schedule`: returns the
   point whose segment to run, or the team operation to carry out (OPERATION).
   Teams take turns. HET_ENDED: the block has ended. HET_DEADLOCK and HET_BARRIER_…:
   lanes wait for lanes that wait elsewhere. HET_GRID_BARRIER,
   HET_CLUSTER_BARRIER: every thread waits at that. HET_GAVE_WAY: all wait for what only other blocks can do. */
u32 __het_schedule_next(u32 *pcs, u64 threads, const u8 *waits,
                        const u32 *masks, const u8 *predicates, u32 *results,
                        Schedule *schedule) {
  const Meetings block = {pcs, threads, waits, predicates, results, 0, 0, 0};
  return chooseInBlock(&block, masks, schedule, 0);
}

/* The same where threads meet at barriers by number. */
u32 __het_schedule_next_by_number(u32 *pcs, u64 threads, const u8 *waits,
                                  const u32 *masks, const u8 *predicates,
                                  u32 *results, Schedule *schedule,
                                  const u32 *numbers, const u32 *counts,
                                  Barrier *barriers) {
  const Meetings block = {pcs,     threads, waits,  predicates,
                          results, numbers, counts, barriers};
  return chooseInBlock(&block, masks, schedule, 1);
}

/* The same where blocks can be suspended. Where `parking` is not 0 lanes that have passed
   what they waited for go on to their next points, and when none is left the choice is
   HET_PARKED: every lane stands before what its point is. One choice is made in any case:
   so a block that is suspended all the time comes to its end. */
u32 __het_schedule_next_or_park(u32 *pcs, u64 threads, const u8 *waits,
                                const u32 *masks, const u8 *predicates,
                                u32 *results, Schedule *schedule, u32 parking) {
  if (!parking || !schedule->made) {
    schedule->made = 1;
    return __het_schedule_next(pcs, threads, waits, masks, predicates, results,
                               schedule);
  }
  u32 teams = (u32)((threads + HET_TEAM - 1) / HET_TEAM), pc, anyAlive = 0;
  for (u32 team = 0; team < teams; ++team) {
    u32 lanes = hetLanesOf(team, threads, pcs);
    u32 chosen = passed(pcs + team * HET_TEAM, lanes, &pc);
    anyAlive |= lanes;
    if (!chosen)
      continue;
    schedule->team = team;
    schedule->lanes = chosen;
    return pc;
  }
  return anyAlive ? HET_PARKED : HET_ENDED;
}

/* The same where a block is suspended only when all lanes that have not ended stand at a
   poll, which they come to together. */
u32 __het_schedule_next_or_park_at_poll(u32 *pcs, u64 threads, const u8 *waits,
                                        const u32 *masks, const u8 *predicates,
                                        u32 *results, Schedule *schedule, u32 parking) {
  u32 parks = parking && schedule->made, anyAlive = 0;
  for (u64 t = 0; parks && t < threads; ++t)
    if (pcs[t] != HET_ENDED) {
      anyAlive = 1;
      parks = !(pcs[t] & RELEASED) && waits[pcs[t]] == WAIT_POLL;
    }
  if (parks && anyAlive)
    return HET_PARKED;
  schedule->made = 1;
  return __het_schedule_next(pcs, threads, waits, masks, predicates, results, schedule);
}
