/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A team of 32 lanes on one core, or split over several, which exchange words through the
 * memory of a home core (docs/design/tensix.md, A team on several cores). Parameters: how
 * many cores, which of them, the home, what to do, how often, and how many steps of work
 * each lane has in between. Says the result, how often it asked whether all have come, and
 * its requests but those.
 */
#include "Core.h"

#define LANES 32u
/* At home. A core is never two exchanges ahead of another, so two places for words do. */
#define WORDS 0xA000u
#define ARRIVED 0xA200u

enum { REDUCE = 0, VOTE = 1 };

static volatile u32 mine[LANES] __attribute__((aligned(128)));
static volatile u32 all[LANES] __attribute__((aligned(128)));
static u32 cores, self, home, count, exchanges, asked, requests;

/* Words [first, first + number) of `mine` become everybody's `all`, of which `total` are
   wanted. */
static void exchange(u32 first, u32 number, u32 total) {
  const u32 place = WORDS + exchanges++ % 2 * sizeof(all);
  hetNocWrite(mine + first, home, place + 4 * first, 4 * number);
  hetNocWait();
  hetNocCount(home, ARRIVED);
  while (hetNocReadWord(home, ARRIVED) < exchanges * cores)
    ++asked;
  hetNocRead(home, place, all, 4 * total);
  requests += 4; /* the last question was no vain one */
}

static u32 work(u32 value, u32 steps) {
  for (u32 i = 0; i < steps; ++i)
    value = value * 1664525u + 1013904223u;
  return value;
}

/* Each lane gets the sum of all. */
static void reduce(u32 *values) {
  for (u32 mask = LANES / 2; mask; mask /= 2) {
    const u32 first = self * count;
    const u32 isNear = mask < count; /* the other lane is this core's too */
    volatile u32 *to = isNear ? all : mine;
    for (u32 i = 0; i < count; ++i)
      to[first + i] = values[i];
    if (!isNear)
      exchange(first, count, LANES);
    for (u32 i = 0; i < count; ++i)
      values[i] += all[(first + i) ^ mask];
  }
}

static u32 anyLane(u32 one) {
  if (cores == 1)
    return one;
  mine[self] = one;
  exchange(self, 1, cores);
  u32 any = 0;
  for (u32 i = 0; i < cores; ++i)
    any |= all[i];
  return any;
}

/* Collatz' steps of each lane, until none has more. */
static u32 walk(u32 *values) {
  u32 steps = 0, more;
  do {
    more = 0;
    for (u32 i = 0; i < count; ++i)
      if (values[i] > 1) {
        values[i] = values[i] & 1 ? 3 * values[i] + 1 : values[i] / 2;
        ++steps;
        more |= values[i] > 1;
      }
  } while (anyLane(more));
  return steps;
}

void program(volatile u32 *parameters) {
  hetNocStart();
  cores = parameters[0];
  self = parameters[1];
  home = parameters[2];
  count = LANES / cores;
  u32 values[LANES], result = 0;
  for (u32 i = 0; i < count; ++i)
    values[i] = 27 + self * count + i;
  for (u32 round = 0; round < parameters[4]; ++round) {
    for (u32 i = 0; i < count; ++i)
      values[i] = work(values[i], parameters[5]);
    if (parameters[3] == REDUCE)
      reduce(values);
    else
      result += walk(values);
  }
  for (u32 i = 0; i < count; ++i)
    result = parameters[3] == REDUCE ? result ^ values[i] * (self * count + i + 1) : result;
  parameters[16] = result;
  parameters[17] = asked;
  parameters[18] = requests;
}
