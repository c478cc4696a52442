/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The barriers of a block by number (docs/spec/hetir-ops.md, hetir.barrier). They are
 * asked where no lane of the block can run: arrivals are then taken in the order of the
 * teams, which is as good as any, since nobody can tell when a thread came that waits.
 */
#include "schedule.h"

#define WHOLE_BLOCK 0xFFFFFFFFu

static u32 paddedThreads(const Meetings *block) {
  return (u32)(block->threads + HET_TEAM - 1) / HET_TEAM * HET_TEAM;
}

static u32 isAtBarrier(u32 wait) {
  return (wait >= WAIT_BARRIER && wait <= WAIT_BARRIER_COUNT) ||
         (wait >= WAIT_NAMED && wait <= WAIT_ARRIVE);
}

static u32 numberOf(const Meetings *block, u64 thread, u32 wait) {
  return wait >= WAIT_NAMED ? block->numbers[thread] : 0;
}

static u32 countOf(const Meetings *block, u64 thread, u32 wait) {
  if (wait < WAIT_NAMED_COUNTED)
    return WHOLE_BLOCK;
  u32 count = block->counts[thread];
  if (count == WHOLE_BLOCK)
    return count - 1; // as wrong
  return count == paddedThreads(block) ? WHOLE_BLOCK : count;
}

/* Threads came to one barrier that say different things of it. */
static u32 contradiction(const Meetings *block, u32 number, u32 one, u32 other) {
  one = one == WHOLE_BLOCK ? paddedThreads(block) : one;
  other = other == WHOLE_BLOCK ? paddedThreads(block) : other;
  return HET_BARRIER_COUNTS(number, one, other);
}

static u32 lanesOf(const Meetings *block, u32 team) {
  return hetLanesOf(team, block->threads, block->pcs);
}

/* The teams that have ended, a bit each. */
static u32 endedTeams(const Meetings *block) {
  u32 ended = 0, teams = paddedThreads(block) / HET_TEAM;
  for (u32 team = 0; team < teams; ++team)
    ended |= (u32)(lanesOf(block, team) == 0) << team;
  return ended;
}

static u32 isComplete(const Meetings *block, const Barrier *barrier, u32 ended) {
  if (barrier->expected != WHOLE_BLOCK)
    return barrier->expected && barrier->arrived >= barrier->expected;
  u32 missing = (u32)__builtin_popcount(ended & ~barrier->came);
  return barrier->arrived + missing * HET_TEAM >= paddedThreads(block);
}

static u32 reduces(u32 wait) {
  return wait >= WAIT_BARRIER_AND && wait <= WAIT_BARRIER_COUNT;
}

/* The predicates given at barrier 0. */
static Predicates predicatesOf(const Meetings *block) {
  Predicates found = {0, 0};
  for (u64 t = 0; t < block->threads; ++t) {
    if (block->pcs[t] == HET_ENDED ||
        !reduces(waitOf(block->pcs[t], block->waits)))
      continue;
    ++found.present;
    found.yes += block->predicates[t] != 0;
  }
  return found;
}

/* Lets the threads pass that wait at a complete barrier, which is new again then. */
static void pass(const Meetings *block, u32 number) {
  Barrier *barrier = &block->barriers[number];
  Predicates predicates = {0, 0};
  if (number == 0)
    predicates = predicatesOf(block);
  for (u64 t = 0; t < block->threads; ++t) {
    if (!(barrier->waiting >> t / HET_TEAM & 1u)) {
      t += HET_TEAM - 1; // the next team
      continue;
    }
    u32 wait = waitOf(block->pcs[t], block->waits);
    if (block->pcs[t] == HET_ENDED || !isAtBarrier(wait) ||
        numberOf(block, t, wait) != number)
      continue;
    if (reduces(wait))
      block->results[t] = reductionOf(predicates, wait);
    block->pcs[t] |= RELEASED;
  }
  *barrier = (Barrier){0, 0, 0, 0};
}

/* Whether all lanes of a team that have not ended stand at one barrier; `fault`: what
   is wrong with what they say of it. */
static u32 standsAtBarrier(const Meetings *block, u32 team, u32 lanes, u32 *number,
                           u32 *count, u32 *fault) {
  u64 first = (u64)team * HET_TEAM + (u32)__builtin_ctz(lanes);
  u32 wait = waitOf(block->pcs[first], block->waits);
  if (!isAtBarrier(wait))
    return 0;
  *number = numberOf(block, first, wait);
  *count = countOf(block, first, wait);
  if (*number >= HET_BARRIERS)
    *fault = HET_BARRIER_NUMBER(*number);
  else if (*count != WHOLE_BLOCK && (*count == 0 || *count % HET_TEAM != 0))
    *fault = HET_BARRIER_COUNT(*number, *count);
  for (u32 rest = lanes & (lanes - 1); rest; rest &= rest - 1) {
    u64 t = (u64)team * HET_TEAM + (u32)__builtin_ctz(rest);
    wait = waitOf(block->pcs[t], block->waits);
    if (!isAtBarrier(wait) || numberOf(block, t, wait) != *number)
      return 0;
    if (!*fault && countOf(block, t, wait) != *count)
      *fault = contradiction(block, *number, *count, countOf(block, t, wait));
  }
  return 1;
}

/* A team arrives; whether a thread of it goes on. */
static u32 arrive(const Meetings *block, u32 team, u32 lanes, u32 number, u32 count) {
  Barrier *barrier = &block->barriers[number];
  u32 *pcs = block->pcs + (u64)team * HET_TEAM, goesOn = 0;
  barrier->expected = count;
  barrier->arrived += HET_TEAM;
  barrier->came |= 1u << team;
  for (u32 rest = lanes; rest; rest &= rest - 1) {
    u32 lane = (u32)__builtin_ctz(rest);
    if (waitOf(pcs[lane], block->waits) != WAIT_ARRIVE) {
      barrier->waiting |= 1u << team;
      continue;
    }
    pcs[lane] |= RELEASED;
    goesOn = 1;
  }
  return goesOn;
}

/* Where the block's threads wait for other blocks, all at one kind of barrier; else
   WAIT_NOTHING. */
static u32 waitsForBlocks(const Meetings *block) {
  u32 kind = WAIT_NOTHING;
  for (u64 t = 0; t < block->threads; ++t) {
    if (block->pcs[t] == HET_ENDED)
      continue;
    u32 wait = waitOf(block->pcs[t], block->waits);
    if (!isOfMoreBlocks(wait) || (kind != WAIT_NOTHING && kind != wait))
      return WAIT_NOTHING;
    kind = wait;
  }
  return kind;
}

u32 __het_meet(const Meetings *block) {
  u32 ended = endedTeams(block), passed = 0;
  u32 teams = paddedThreads(block) / HET_TEAM;
  for (u32 team = 0; team < teams; ++team) {
    u32 lanes = lanesOf(block, team), number, count, fault = 0;
    if (!lanes || !standsAtBarrier(block, team, lanes, &number, &count, &fault))
      continue;
    if (fault)
      return fault;
    const Barrier *barrier = &block->barriers[number];
    if (barrier->waiting >> team & 1u)
      continue; // it has arrived
    if (barrier->expected && barrier->expected != count)
      return contradiction(block, number, barrier->expected, count);
    passed |= arrive(block, team, lanes, number, count);
    if (isComplete(block, barrier, ended)) {
      passed |= barrier->waiting != 0;
      pass(block, number);
    }
  }
  for (u32 number = 0; number < HET_BARRIERS; ++number)
    if (isComplete(block, &block->barriers[number], ended)) { // the last ones ended
      passed |= block->barriers[number].waiting != 0;
      pass(block, number);
    }
  if (passed)
    return WAIT_BARRIER;
  return waitsForBlocks(block);
}

u32 __het_missing(const Meetings *block) {
  u32 found = HET_BARRIERS, count = 0, present = 0, alive = 0;
  for (u64 t = 0; t < block->threads; ++t) {
    if (block->pcs[t] == HET_ENDED)
      continue;
    ++alive;
    u32 wait = waitOf(block->pcs[t], block->waits);
    if (!isAtBarrier(wait))
      continue;
    u32 number = numberOf(block, t, wait);
    if (number >= HET_BARRIERS)
      return HET_BARRIER_NUMBER(number);
    if (found == HET_BARRIERS) {
      found = number;
      count = countOf(block, t, wait);
    }
    u32 isCounted = block->barriers[number].waiting >> t / HET_TEAM & 1u;
    present += number == found && (count == WHOLE_BLOCK || !isCounted);
  }
  if (found == HET_BARRIERS)
    return HET_DEADLOCK;
  const Barrier *barrier = &block->barriers[found];
  if (count != WHOLE_BLOCK)
    return HET_BARRIER_MISSING(found, barrier->arrived + present, count);
  u32 gone = HET_TEAM * (u32)__builtin_popcount(barrier->came & ~barrier->waiting);
  return HET_BARRIER_MISSING(found, present + gone, alive);
}
