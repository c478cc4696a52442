/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The image's head, the way into it, and the blocks of a launch: this core takes the
 * next one where it has a place free, and goes on with those that wait in turn.
 */
#include "Core.h"

void hetMain(void);

/* The first word jumps over the head. Addresses are the linker's. */
__asm__(".section .head, \"ax\"\n"
        ".globl hetHead\n"
        "hetHead:\n"
        "  j hetStart\n"
        "  .word hetZeroBegin, hetZeroEnd, hetEnd\n"
        "hetStart:\n"
        "  lui sp, 0x10\n"
        "  lui t0, %hi(hetZeroBegin)\n"
        "  addi t0, t0, %lo(hetZeroBegin)\n"
        "  lui t1, %hi(hetZeroEnd)\n"
        "  addi t1, t1, %lo(hetZeroEnd)\n"
        "1: bgeu t0, t1, 2f\n"
        "  sw zero, 0(t0)\n"
        "  addi t0, t0, 4\n"
        "  j 1b\n"
        "2: j hetMain\n"
        ".text\n");
_Static_assert(HET_TENSIX_STACK_TOP == 0x10000u, "the stack's top is in hetStart");

/* What the host takes for progress: blocks that begin or end, grid barriers passed. */
static void goOn(void) {
  static u32 progress;
  MAILBOX->progress = ++progress;
}

void hetStop(u32 fault, u64 address, u32 detail) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  het_core_fence();
  mailbox->fault = fault;
  mailbox->faultAddress = address;
  mailbox->faultDetail = detail;
  mailbox->state = HET_TENSIX_FAULTED;
  for (;;)
    ;
}

/* Of a kernel that finds no room on the stack. */
_Noreturn void het_core_overflow(void) { hetStop(HET_TENSIX_FAULT_STACK, 0, 0); }

void het_core_trap(HetTensixBlock *block, u32 fault) {
  hetStop(fault, 0, block->currentLane);
}

static HetTensixBlock *placeAt(u32 number) {
  return (HetTensixBlock *)(MAILBOX->firstPlace + number * MAILBOX->placeBytes);
}

/* The next block of the grid: their count, or more, where there is none left. In a
   cooperative launch a place has its own. */
static u32 takeBlock(u32 place) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  if (mailbox->cooperative)
    return mailbox->core + place * mailbox->coreCount;
  if (mailbox->coreCount == 1)
    return HOME->nextBlock[0]++;
  return hetNocCount(mailbox->homes[0], HOME_ADDRESS(nextBlock));
}

static void begin(HetTensixBlock *block, u32 index) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  volatile u32 *from = (volatile u32 *)&mailbox->block;
  u32 *to = (u32 *)block;
  for (u32 i = 0; i < sizeof(HetTensixBlock) / 4; ++i)
    to[i] = from[i];
  u32 row = index / block->gridDim[0];
  block->blockId[0] = index % block->gridDim[0];
  block->blockId[1] = row % block->gridDim[1];
  block->blockId[2] = row / block->gridDim[1];
  block->shared = (u32)block + mailbox->sharedOffset;
  block->frame = (u32)block + mailbox->frameOffset;
  block->stand = HET_TENSIX_PLACE_RUNS;
  block->pc = 0;
  goOn();
}

static u32 indexOf(const HetTensixBlock *block) {
  return (block->blockId[2] * block->gridDim[1] + block->blockId[1]) *
             block->gridDim[0] +
         block->blockId[0];
}

/* Goes on with a block until it ends or waits. */
static void run(HetTensixBlock *block, u32 place) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  mailbox->current = indexOf(block);
  mailbox->currentPc = block->pc;
  mailbox->currentPlace = place;
  u32 result = het_tensix_run(block, block->pc);
  block->pc = result;
  if (result == HET_TENSIX_ENDED) {
    block->stand = HET_TENSIX_PLACE_FREE;
    goOn();
  } else if (result == HET_TENSIX_GAVE_WAY) {
    het_core_fence();
  } else if (result & 0x80000000u) {
    hetStop(HET_TENSIX_FAULT_BLOCK, 0, result);
  } else {
    if (!mailbox->cooperative)
      hetStop(HET_TENSIX_FAULT_GRID_BARRIER, 0, 0);
    block->stand = HET_TENSIX_PLACE_ARRIVED;
  }
}

/* Every core counts its arrivals; one that is done has arrived for ever. */
static void passGridBarrier(void) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  het_core_fence();
  u32 wanted = ++HOME->arrivals[0];
  for (u32 core = 0; core < mailbox->coreCount; ++core)
    while (hetNocReadWord(mailbox->homes[core], HOME_ADDRESS(arrivals)) < wanted)
      ;
  for (u32 place = 0; place < mailbox->placeCount; ++place)
    if (placeAt(place)->stand == HET_TENSIX_PLACE_ARRIVED)
      placeAt(place)->stand = HET_TENSIX_PLACE_RUNS;
  goOn();
}

/* One turn of all places. Returns whether any block is under way. */
static u32 runPlaces(u32 *mayBegin) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  u32 running = 0, arrived = 0;
  for (u32 place = 0; place < mailbox->placeCount; ++place) {
    HetTensixBlock *block = placeAt(place);
    do {
      if (block->stand == HET_TENSIX_PLACE_FREE) {
        u32 index = *mayBegin ? takeBlock(place) : mailbox->blockCount;
        if (index >= mailbox->blockCount) {
          *mayBegin &= mailbox->cooperative;
          break;
        }
        begin(block, index);
      }
      if (block->stand == HET_TENSIX_PLACE_RUNS)
        run(block, place);
    } while (block->stand == HET_TENSIX_PLACE_FREE && !mailbox->cooperative);
    running += block->stand == HET_TENSIX_PLACE_RUNS;
    arrived += block->stand == HET_TENSIX_PLACE_ARRIVED;
  }
  if (mailbox->cooperative)
    *mayBegin = 0;
  if (arrived && !running)
    passGridBarrier();
  return running + arrived;
}

void hetMain(void) {
  hetForget();
  volatile HetTensixMailbox *mailbox = MAILBOX;
  mailbox->state = HET_TENSIX_RUNS;
  hetNocStart();
  for (u32 place = 0; place < mailbox->placeCount; ++place)
    placeAt(place)->stand = HET_TENSIX_PLACE_FREE;
  u32 mayBegin = 1;
  while (runPlaces(&mayBegin))
    ;
  het_core_fence();
  HOME->arrivals[0] = 0xFFFFFFFFu;
  mailbox->state = HET_TENSIX_DONE;
  for (;;)
    ;
}
