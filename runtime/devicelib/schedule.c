/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The scheduler of a block whose threads may stand at different safe points
 * (lib/Transforms/ScheduleSegments.cpp generates the loop around it). It says which
 * segment runs next and for which lanes of which team; a lane whose barrier has
 * been passed carries the mark RELEASED in its pc.
 */
#include "teams.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef uint8_t u8;

/* What a lane waits for at a point; the numbers of ScheduleSegments.cpp. */
enum {
  WAIT_NOTHING,
  WAIT_TEAM_MASK,
  WAIT_ACTIVE_LANES,
  WAIT_BARRIER,
  WAIT_BARRIER_AND,
  WAIT_BARRIER_OR,
  WAIT_BARRIER_COUNT,
  WAIT_GRID_BARRIER,
};

#define RELEASED 0x80000000u

/* Begins a block (pc 0), or goes on with it behind the grid barrier it waits at. */
void __het_schedule_begin(u32 pc, u32 *pcs, u64 threads, const u8 *waits) {
  for (u64 t = 0; t < threads; ++t)
    if (pc == 0)
      pcs[t] = 0;
    else if (pcs[t] != HET_ENDED && waits[pcs[t]] == WAIT_GRID_BARRIER)
      pcs[t] |= RELEASED;
}

static int mayRun(u32 pc, const u8 *waits) {
  return pc != HET_ENDED && ((pc & RELEASED) || waits[pc] == WAIT_NOTHING);
}

/* The lanes of a team that stand at `pc`. */
static u32 lanesAt(const u32 *pcs, u32 lanes, u32 pc) {
  u32 found = 0;
  for (u32 l = 0; l < HET_TEAM; ++l)
    found |= (u32)((lanes >> l & 1u) && pcs[l] == pc) << l;
  return found;
}

/* Of the lanes of a team that can run, those at the lowest pc. */
static u32 runnable(const u32 *pcs, u32 lanes, const u8 *waits, u32 *pc) {
  u32 lowest = HET_ENDED;
  for (u32 l = 0; l < HET_TEAM; ++l)
    if ((lanes >> l & 1u) && mayRun(pcs[l], waits) && pcs[l] < lowest)
      lowest = pcs[l];
  *pc = lowest;
  return lowest == HET_ENDED ? 0 : lanesAt(pcs, lanes, lowest);
}

/* Lanes at a team operation all of whose partners have come (or ended). */
static u32 completeTeamOperation(const u32 *pcs, u32 lanes, const u8 *waits,
                                 const u32 *masks, u32 *pc) {
  for (u32 l = 0; l < HET_TEAM; ++l) {
    if (!(lanes >> l & 1u) || waits[pcs[l]] != WAIT_TEAM_MASK)
      continue;
    // The whole team is here: whatever the masks say, nobody else will come.
    if (lanesAt(pcs, lanes, pcs[l]) == lanes) {
      *pc = pcs[l];
      return lanes;
    }
    u32 partners = lanes & (masks[l] | 1u << l);
    u32 here = lanesAt(pcs, partners, pcs[l]);
    if (here == partners) {
      *pc = pcs[l];
      return here;
    }
  }
  for (u32 l = 0; l < HET_TEAM; ++l)
    if ((lanes >> l & 1u) && waits[pcs[l]] == WAIT_ACTIVE_LANES) {
      *pc = pcs[l];
      return lanesAt(pcs, lanes, pcs[l]);
    }
  return 0;
}

/* Lets all threads pass their barrier where every one that has not ended waits at
   one; carries out its reduction. Returns what they waited at, or WAIT_NOTHING. */
static u32 passBarrier(u32 *pcs, u64 threads, const u8 *waits,
                       const u8 *predicates, u32 *results) {
  u32 kind = WAIT_NOTHING, present = 0, yes = 0;
  for (u64 t = 0; t < threads; ++t) {
    if (pcs[t] == HET_ENDED)
      continue;
    kind = waits[pcs[t]];
    if (kind < WAIT_BARRIER)
      return WAIT_NOTHING;
    ++present;
    yes += predicates[t] != 0;
  }
  if (kind == WAIT_NOTHING || kind == WAIT_GRID_BARRIER)
    return kind;
  for (u64 t = 0; t < threads; ++t) {
    if (pcs[t] == HET_ENDED)
      continue;
    u32 waited = waits[pcs[t]];
    if (waited != WAIT_BARRIER)
      results[t] = waited == WAIT_BARRIER_COUNT ? yes
                   : waited == WAIT_BARRIER_AND ? (u32)(yes == present)
                                                : (u32)(yes != 0);
    pcs[t] |= RELEASED;
  }
  return kind;
}

/* Chooses the next segment to run: returns its point and puts the team and its lanes
   in `choice`. Teams take turns, beginning behind the one of the last choice. HET_ENDED: the block has ended. HET_DEADLOCK: lanes wait for lanes that
   wait elsewhere. HET_GRID_BARRIER: every thread waits at the grid
   barrier. */
u32 __het_schedule_next(u32 *pcs, u64 threads, const u8 *waits,
                        const u32 *masks, const u8 *predicates, u32 *results,
                        u32 *choice) {
  for (;;) {
    u32 anyAlive = 0, teams = (u32)((threads + HET_TEAM - 1) / HET_TEAM);
    for (u32 turn = 1; turn <= teams; ++turn) {
      u32 team = (choice[0] + turn) % teams;
      u32 *teamPcs = pcs + team * HET_TEAM;
      u32 lanes = hetLanesOf(team, threads, pcs);
      u32 pc, ready = runnable(teamPcs, lanes, waits, &pc);
      if (!ready)
        ready = completeTeamOperation(teamPcs, lanes, waits,
                                      masks + team * HET_TEAM, &pc);
      anyAlive |= lanes;
      if (ready) {
        choice[0] = team;
        choice[1] = ready;
        return pc & ~RELEASED;
      }
    }
    if (!anyAlive)
      return HET_ENDED;
    u32 passed = passBarrier(pcs, threads, waits, predicates, results);
    if (passed == WAIT_NOTHING)
      return HET_DEADLOCK;
    if (passed == WAIT_GRID_BARRIER)
      return HET_GRID_BARRIER;
  }
}
