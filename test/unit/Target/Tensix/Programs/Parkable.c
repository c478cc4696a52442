/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A kernel by hand, with the core's library: what ParkingTest.cpp launches. Each thread
 * has a pc and a word in the frame, each block four words of static shared memory, and
 * dynamic shared memory.
 */
#include "Core.h"

enum { COUNT = 0, MEET = 1, AWAIT_LAST = 2 };
enum { FRAME_OF_BLOCK = 128, BEFORE_BARRIER = 4, AT_BARRIER = 5 };

typedef struct {
  u64 out;   /* a word of each block: its result */
  u64 begun; /* likewise: how often it has begun */
  u64 held;  /* likewise: how often it has come to where it waits; then a word that is not
                0 when blocks wait no more */
  u32 steps, kind;
  u32 holdEvery; /* behind every so manieth step a block waits until it is parked; 0:
                    never */
} Arguments;

static void put(u64 address, u32 value) {
  *(u32 *)het_core_place(address, 4) = value;
  het_core_fence();
}

static u32 get(u64 address) { return *(const u32 *)het_core_read_fresh(address, 4); }

/* Every word of the state takes part in it. */
static void step(HetTensixBlock *block, u32 *words) {
  u32 *own = (u32 *)block->shared;
  u32 *dynamic = (u32 *)(block->shared + block->dynamicSharedOffset);
  for (u32 i = 0; i < block->threadCount; ++i)
    words[i] = words[i] * 1664525u + own[i % 4] + dynamic[0];
  own[words[0] % 4] += words[block->threadCount - 1];
  dynamic[0] ^= own[1];
}

/* Its neighbours have come to this round, and none has passed the next. */
static void checkRound(HetTensixBlock *block, const Arguments *arguments, u32 round) {
  for (u32 i = 1; i < 4; ++i)
    if (get(arguments->out + 4 * ((block->blockId[0] + i) % block->gridDim[0])) - round >
        1)
      hetStop(HET_TENSIX_FAULT_TRAP, 0, 0);
}

/* Says where it is, and waits for the others. */
static u32 meet(const Arguments *arguments, u32 index, u32 round, u32 *pc) {
  put(arguments->out + 4 * index, round);
  *pc = AT_BARRIER;
  return AT_BARRIER;
}

static u32 isToPark(void) {
  return MAILBOX->parks == HET_TENSIX_PARKS_INSIDE && het_core_parking();
}

/* Until the block is parked, or the test lets it go on. */
static void hold(const HetTensixBlock *block, const Arguments *arguments) {
  u64 own = arguments->held + 4 * block->blockId[0];
  put(own, get(own) + 1);
  while (!isToPark() && !get(arguments->held + 4 * block->gridDim[0]))
    ;
}

/* Of a grid whose blocks meet, the first waits for all of them. */
static int isHeld(const HetTensixBlock *block, const Arguments *arguments, u32 count) {
  return arguments->holdEvery && count % arguments->holdEvery == 0 &&
         count < arguments->steps && (arguments->kind != MEET || block->blockId[0] == 0);
}

static u32 awaitLast(HetTensixBlock *block, const Arguments *arguments, u32 pc) {
  u32 last = block->gridDim[0] - 1, index = block->blockId[0];
  if (pc == 0 && index != last) {
    put(arguments->begun + 4 * index, 1);
    hold(block, arguments);
  }
  if (index == last)
    put(arguments->begun + 4 * last, 1);
  else if (!get(arguments->begun + 4 * last))
    return HET_TENSIX_GAVE_WAY;
  put(arguments->out + 4 * index, index + 1);
  return HET_TENSIX_ENDED;
}

u32 het_tensix_run(HetTensixBlock *block, u32 pc) {
  const Arguments *arguments = (const Arguments *)block->arguments;
  u32 index = block->blockId[0];
  u32 *pcs = (u32 *)(block->frame + FRAME_OF_BLOCK);
  u32 *words = pcs + (block->threadCount + 31) / 32 * 32;
  u32 *count = (u32 *)(block->shared + block->dynamicSharedOffset) + 1;
  if (arguments->kind == AWAIT_LAST)
    return awaitLast(block, arguments, pc);
  if (pc == 0) {
    put(arguments->begun + 4 * index, get(arguments->begun + 4 * index) + 1);
    for (u32 i = 0; i < block->threadCount; ++i)
      words[i] = index * 77 + i;
    for (u32 i = 0; i < 4; ++i)
      ((u32 *)block->shared)[i] = i + index;
    count[-1] = count[0] = 0;
  }
  if (pc == (AT_BARRIER | HET_TENSIX_STAY))
    return HET_TENSIX_PARKED;
  if (pc == HET_TENSIX_PARKED && pcs[0] == AT_BARRIER)
    return AT_BARRIER; /* arrives again */
  if (pc == HET_TENSIX_PARKED && pcs[0] == BEFORE_BARRIER)
    return meet(arguments, index, *count, pcs);
  if (pc == AT_BARRIER)
    checkRound(block, arguments, *count);
  while (*count < arguments->steps) {
    step(block, words);
    ++*count;
    if (arguments->kind == MEET) {
      /* The others wait for the first core. */
      for (volatile u32 i = 0; i < 200 && MAILBOX->core == 0; ++i)
        ;
      pcs[0] = BEFORE_BARRIER;
      if (isHeld(block, arguments, *count)) {
        hold(block, arguments);
        return isToPark() ? HET_TENSIX_PARKED : meet(arguments, index, *count, pcs);
      }
      if (MAILBOX->core == 1 && isToPark()) /* which so does not come there */
        return HET_TENSIX_PARKED;
      return meet(arguments, index, *count, pcs);
    }
    pcs[0] = 1;
    if (isHeld(block, arguments, *count))
      hold(block, arguments);
    if (isToPark())
      return HET_TENSIX_PARKED;
  }
  put(arguments->out + 4 * index, arguments->kind == MEET ? *count : words[0] ^ words[1]);
  return HET_TENSIX_ENDED;
}
