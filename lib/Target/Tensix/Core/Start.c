/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The image's head, the way into it, and the blocks of a launch: this core takes the
 * next one where it has a place free, and goes on with those that wait in turn.
 */
#include "Core.h"

void hetMain(void);
void (*hetAtEnd)(void);

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

/* Notes progress for the host: blocks that begin or end, barriers of more blocks passed. */
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

/* Called by a kernel that finds no room on the stack. */
_Noreturn void het_core_overflow(void) { hetStop(HET_TENSIX_FAULT_STACK, 0, 0); }

void het_core_trap(HetTensixBlock *block, u32 fault) {
  hetStop(fault, 0, block->currentLane);
}

static HetTensixBlock *placeAt(u32 number) {
  return (HetTensixBlock *)(MAILBOX->firstPlace + number * MAILBOX->placeBytes);
}

/* The next item of the launch: their count, or more, where there is none left. Where
   there are clusters, one is a cluster. In a cooperative launch a place, or a cluster's
   places, have their own. */
static u32 takeItem(u32 place) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  if (mailbox->cooperative)
    return mailbox->core + place * mailbox->coreCount;
  if (mailbox->coreCount == 1)
    return HOME->nextBlock[0]++;
  return hetNocCount(mailbox->homes[0], HOME_ADDRESS(nextBlock));
}

static void placeInGrid(HetTensixBlock *block, u32 index) {
  u32 row = index / block->gridDim[0];
  block->blockId[0] = index % block->gridDim[0];
  block->blockId[1] = row % block->gridDim[1];
  block->blockId[2] = row / block->gridDim[1];
}

static void placeInCluster(HetTensixBlock *block, u32 number, u32 rank) {
  for (u32 dim = 0; dim < 3; ++dim) {
    u32 size = block->clusterDim[dim], clusters = block->gridDim[dim] / size;
    block->blockId[dim] = number % clusters * size + rank % size;
    number /= clusters;
    rank /= size;
  }
}

/* Makes a place a block's that begins, whose index is not there yet. */
static void prepare(HetTensixBlock *block) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  volatile u32 *from = (volatile u32 *)&mailbox->block;
  u32 *to = (u32 *)block;
  for (u32 i = 0; i < sizeof(HetTensixBlock) / 4; ++i)
    to[i] = from[i];
  block->shared = (u32)block + mailbox->sharedOffset;
  block->frame = (u32)block + mailbox->frameOffset;
  block->stand = HET_TENSIX_PLACE_RUNS;
  block->pc = 0;
}

static void begin(HetTensixBlock *block, u32 item) {
  u32 state = HET_TENSIX_NO_STATE;
  prepare(block);
  placeInGrid(block, hetBlockOf(item, &state));
  if (state != HET_TENSIX_NO_STATE)
    hetTakeUp(block, state);
  goOn();
}

static u32 indexOf(const HetTensixBlock *block) {
  return (block->blockId[2] * block->gridDim[1] + block->blockId[1]) *
             block->gridDim[0] +
         block->blockId[0];
}

/* Goes on with a block until it ends, parks or waits. */
static void run(HetTensixBlock *block, u32 place) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  mailbox->current = indexOf(block);
  mailbox->currentPlace = place;
  mailbox->segment = HET_TENSIX_NO_SEGMENT;
  u32 result = block->wasParked && het_tensix_resume
                   ? het_tensix_resume(block, block->pc)
                   : het_tensix_run(block, block->pc);
  block->pc = result;
  if (result == HET_TENSIX_ENDED || result == HET_TENSIX_PARKED) {
    block->stand =
        result == HET_TENSIX_ENDED ? HET_TENSIX_PLACE_FREE : HET_TENSIX_PLACE_PARKED;
    goOn();
  } else if (result == HET_TENSIX_GAVE_WAY) {
    het_core_fence();
  } else if (result & 0x80000000u) {
    hetStop(HET_TENSIX_FAULT_BLOCK, 0, result);
  } else if (result & HET_TENSIX_AT_CLUSTER) {
    block->stand = HET_TENSIX_PLACE_AT_CLUSTER;
  } else {
    if (!mailbox->cooperative)
      hetStop(HET_TENSIX_FAULT_GRID_BARRIER, 0, 0);
    block->stand = HET_TENSIX_PLACE_ARRIVED;
  }
}

static u32 anyParked(void) {
  u32 any = 0;
  for (u32 place = 0; place < MAILBOX->placeCount; ++place)
    any |= placeAt(place)->stand >= HET_TENSIX_PLACE_PARKED;
  return any;
}

/* All blocks of this core that have neither ended nor been suspended stand there. */
static void meetAtGrid(void) {
  het_core_fence();
  u32 passes = hetPassesGridBarrier();
  for (u32 place = 0; place < MAILBOX->placeCount; ++place) {
    HetTensixBlock *block = placeAt(place);
    if (block->stand != HET_TENSIX_PLACE_ARRIVED)
      continue;
    block->stand = HET_TENSIX_PLACE_RUNS;
    block->pc |= passes ? 0 : HET_TENSIX_STAY;
  }
  goOn();
}

/* Gives a free place the next block. False: there is none, or none is to begin. */
static u32 fill(HetTensixBlock *block, u32 place, u32 *mayBegin) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  const u32 isKept = hetIsToPark();
  if (!*mayBegin || (isKept && !mailbox->cooperative))
    return 0;
  u32 item = takeItem(place);
  if (item >= mailbox->blockCount) {
    *mayBegin &= mailbox->cooperative;
    return 0;
  }
  if (isKept)
    block->stand = HET_TENSIX_PLACE_KEPT;
  else
    begin(block, item);
  return !isKept;
}

/* How many places from `first` on, a cluster's, have blocks that stand so. */
static u32 count(u32 first, u32 stand) {
  u32 found = 0;
  for (u32 rank = 0; rank < MAILBOX->clusterBlocks; ++rank)
    found += placeAt(first + rank)->stand == stand;
  return found;
}

/* Begins the next cluster, in the places from `first` on. */
static void beginCluster(u32 first, u32 *mayBegin) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  const u32 blocks = mailbox->clusterBlocks;
  const u32 number = takeItem(first / blocks);
  if (number * blocks >= mailbox->blockCount) {
    *mayBegin &= mailbox->cooperative;
    return;
  }
  for (u32 rank = 0; rank < blocks; ++rank) {
    HetTensixBlock *block = placeAt(first + rank);
    prepare(block);
    placeInCluster(block, number, rank);
    block->clusterShared = placeAt(first)->shared;
    goOn();
  }
}

/* The blocks of a cluster pass its barrier where all that have not ended stand there. */
static void meetInCluster(u32 first) {
  if (!count(first, HET_TENSIX_PLACE_AT_CLUSTER) || count(first, HET_TENSIX_PLACE_RUNS))
    return;
  if (count(first, HET_TENSIX_PLACE_ARRIVED))
    hetStop(HET_TENSIX_FAULT_CLUSTER, 0, 0);
  het_core_fence();
  for (u32 rank = 0; rank < MAILBOX->clusterBlocks; ++rank) {
    HetTensixBlock *block = placeAt(first + rank);
    if (block->stand == HET_TENSIX_PLACE_AT_CLUSTER)
      block->stand = HET_TENSIX_PLACE_RUNS;
  }
  goOn();
}

/* Before a turn of all places: lets clusters pass their barriers and begins new ones. */
static void prepareClusters(u32 *mayBegin) {
  const u32 blocks = MAILBOX->clusterBlocks;
  for (u32 first = 0; first < MAILBOX->placeCount; first += blocks) {
    if (*mayBegin && count(first, HET_TENSIX_PLACE_FREE) == blocks)
      beginCluster(first, mayBegin);
    meetInCluster(first);
  }
}

/* One turn of all places. Returns whether any block is under way. */
static u32 runPlaces(u32 *mayBegin) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  u32 running = 0, arrived = 0, atCluster = 0;
  const u32 areTogether = mailbox->cooperative || mailbox->clusterBlocks;
  if (mailbox->clusterBlocks)
    prepareClusters(mayBegin);
  for (u32 place = 0; place < mailbox->placeCount; ++place) {
    HetTensixBlock *block = placeAt(place);
    do {
      if (block->stand == HET_TENSIX_PLACE_FREE &&
          (mailbox->clusterBlocks || !fill(block, place, mayBegin)))
        break;
      if (block->stand == HET_TENSIX_PLACE_RUNS)
        run(block, place);
    } while (block->stand == HET_TENSIX_PLACE_FREE && !areTogether);
    running += block->stand == HET_TENSIX_PLACE_RUNS;
    arrived += block->stand == HET_TENSIX_PLACE_ARRIVED;
    atCluster += block->stand == HET_TENSIX_PLACE_AT_CLUSTER;
  }
  if (mailbox->cooperative)
    *mayBegin = 0;
  mailbox->waiting = running;
  if (arrived && !running && !atCluster)
    meetAtGrid();
  return running + arrived + atCluster || (mailbox->clusterBlocks && *mayBegin);
}

/* Nothing is under way, and blocks that have not begun stay so unless the host lets them,
   since another core's wait for them. It ends the launch where all cores are idle. */
static u32 goesOnLater(u32 mayBegin) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  if (mailbox->parks != HET_TENSIX_PARKS_BETWEEN || !mayBegin)
    return 0;
  het_core_fence();
  mailbox->state = HET_TENSIX_IDLE;
  while (het_core_parking())
    ;
  mailbox->state = HET_TENSIX_RUNS;
  return 1;
}

void hetMain(void) {
  hetForget();
  volatile HetTensixMailbox *mailbox = MAILBOX;
  mailbox->state = HET_TENSIX_RUNS;
  hetNocStart();
  for (u32 place = 0; place < mailbox->placeCount; ++place)
    placeAt(place)->stand = HET_TENSIX_PLACE_FREE;
  u32 mayBegin = 1;
  while (runPlaces(&mayBegin) || goesOnLater(mayBegin))
    ;
  het_core_fence();
  hetLeaveGrid(anyParked());
  if (hetAtEnd)
    hetAtEnd();
  mailbox->state = HET_TENSIX_DONE;
  for (;;)
    ;
}
