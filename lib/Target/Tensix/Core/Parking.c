/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Launches that can be suspended: which blocks are left, the states of those that were
 * suspended, and what cores tell each other at grid barriers, which all pass or none.
 */
#include "Core.h"

static u32 passed; /* grid barriers */
static u32 stays;  /* at the one behind them, which this core has come to */

/* The run of an item. A core's items ascend. */
static const HetTensixRun *runOf(u32 item, u32 *first) {
  static u32 number, begin;
  for (;;) {
    const HetTensixRun *run =
        het_core_read(MAILBOX->runs + number * sizeof(HetTensixRun),
                      sizeof(HetTensixRun));
    *first = begin;
    if (item < run->end)
      return run;
    begin = run->end;
    ++number;
  }
}

u32 hetBlockOf(u32 item, u32 *state) {
  *state = HET_TENSIX_NO_STATE;
  if (!MAILBOX->runs)
    return item;
  u32 first;
  const HetTensixRun *run = runOf(item, &first);
  if (run->state != HET_TENSIX_NO_STATE)
    *state = run->state + (item - first);
  return run->block + (item - first);
}

void hetTakeUp(HetTensixBlock *block, u32 number) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  volatile HetTensixState *state = &mailbox->form;
  u64 from = mailbox->states + (u64)number * state->bytes;
  het_core_copy(block->frame + state->frameOffset, from, state->threadsBytes);
  het_core_copy(block->shared, from + state->staticOffset, state->staticBytes);
  het_core_copy(block->shared + block->dynamicSharedOffset, from + state->dynamicOffset,
                state->dynamicBytes);
  block->wasParked = 1;
  block->pc = HET_TENSIX_PARKED;
}

u32 het_core_parking(void) {
  hetForget();
  return MAILBOX->parking;
}

u32 het_core_poll_interval(void) { return MAILBOX->pollInterval; }

u32 hetIsToPark(void) {
  return MAILBOX->parks != HET_TENSIX_PARKS_NEVER && het_core_parking();
}

/* Where a block has been suspended, or was kept from beginning, `parking` is set. What a
   core says of a barrier must stay until all have read it: one that has passed it says so
   by its next arrival, or by having no blocks left. */
u32 hetPassesGridBarrier(void) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  u32 number = passed + 1;
  stays = mailbox->parks == HET_TENSIX_PARKS_INSIDE && het_core_parking();
  HOME->arrivals[0] = HET_TENSIX_ARRIVAL(number, stays);
  u32 any = 0;
  for (u32 core = 0; core < mailbox->coreCount; ++core) {
    u32 there;
    do
      there = hetNocReadWord(mailbox->homes[core], HOME_ADDRESS(arrivals));
    while (there >> 1 < number);
    any |= there == HET_TENSIX_ARRIVAL(number, 1);
  }
  if (any)
    stays = 1;
  else
    passed = number;
  return !any;
}

void hetLeaveGrid(u32 anyParked) {
  if (!anyParked)
    HOME->arrivals[0] = HET_TENSIX_ALL_ENDED;
  else if (!stays)
    HOME->arrivals[0] = HET_TENSIX_ARRIVAL(passed + 1, 1);
}
