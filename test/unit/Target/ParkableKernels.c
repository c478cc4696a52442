/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Kernels for the host device that can be parked, written by hand as those of
 * HostKernels.c. KERNEL names the one of a shared object, LAYOUT is 0 where its blocks
 * are not parked inside.
 */
#include "ParkableKernels.h"
#include "../../../lib/Target/Host/HostABI.h"

#define STATIC_SHARED 40
#define FRAME_PER_BLOCK 128
/* In the frame: 16 bytes of slots a thread, 8 of nothing, 8 of local objects. */
#define SLOTS 16
#define LOCALS 8
#define FRAME_PER_THREAD 32

/* A block's frame, taken apart. */
struct Frame {
  uint32_t *pcs, *steps;
  uint64_t *sums, *locals;
};

static struct Frame frameOf(const HetHostBlock *block) {
  uint64_t padded = (block->threadCount + 31) / 32 * 32;
  uint8_t *base = block->frame + FRAME_PER_BLOCK;
  struct Frame frame = {(uint32_t *)base, (uint32_t *)(base + 4 * padded),
                        (uint64_t *)(base + 8 * padded),
                        (uint64_t *)(base + SLOTS * padded)};
  return frame;
}

static int isParking(const HetHostBlock *block) {
  return LAYOUT && __atomic_load_n(block->parking, __ATOMIC_RELAXED) != 0;
}

/* All threads stand at this point. */
static uint32_t park(HetHostBlock *block, uint32_t point) {
  struct Frame frame = frameOf(block);
  for (uint32_t lane = 0; lane < block->threadCount; ++lane)
    frame.pcs[lane] = point;
  return HET_HOST_PARKED;
}

/* Whether a block waits where it stands. `from` is 0 where it has just come there,
   otherwise how it came back. */
static int isHeld(const HetHostBlock *block, struct Steps *steps, uint32_t from) {
  if (!LAYOUT || !steps->holdEvery || frameOf(block).steps[0] % steps->holdEvery ||
      from == HET_HOST_PARKED)
    return 0;
  if (from == 0)
    __atomic_fetch_add(&steps->held, 1, __ATOMIC_SEQ_CST);
  return !__atomic_load_n(&steps->released, __ATOMIC_SEQ_CST);
}

/* Gives way to other blocks, without using up the processor. */
static uint32_t giveWay(const HetHostBlock *block) {
  block->services->sleep(20000);
  return HET_HOST_GAVE_WAY;
}

static void begin(HetHostBlock *block) {
  struct Frame frame = frameOf(block);
  uint32_t *dynamic = (uint32_t *)(block->shared + block->dynamicSharedOffset);
  *(uint32_t *)block->shared = 0;
  for (uint32_t lane = 0; lane < block->threadCount; ++lane) {
    frame.steps[lane] = 0;
    frame.sums[lane] = block->blockId[0] * 1000 + lane;
    frame.locals[lane] = lane;
    dynamic[lane] = lane;
  }
}

/* One step of all threads, through all the memory that a block has. */
static void step(HetHostBlock *block) {
  struct Frame frame = frameOf(block);
  uint32_t *dynamic = (uint32_t *)(block->shared + block->dynamicSharedOffset);
  for (uint32_t lane = 0; lane < block->threadCount; ++lane) {
    frame.sums[lane] = frame.sums[lane] * 6364136223846793005u + frame.steps[lane] +
                       *(uint32_t *)block->shared;
    frame.locals[lane] ^= frame.sums[lane] >> 7;
    dynamic[lane] += (uint32_t)frame.locals[lane];
    ++frame.steps[lane];
  }
  ++*(uint32_t *)block->shared;
  block->services->sleep(20000);
}

static uint64_t resultOf(const HetHostBlock *block, uint32_t lane) {
  struct Frame frame = frameOf(block);
  const uint32_t *dynamic =
      (const uint32_t *)(block->shared + block->dynamicSharedOffset);
  return frame.sums[lane] ^ frame.locals[lane] ^ dynamic[lane] ^
         *(uint32_t *)block->shared;
}

/* (uint64_t *out, struct Steps *steps, uint32_t *begun): each block counts its
   beginning. */
__attribute__((unused)) static uint32_t count(HetHostBlock *block, uint32_t pc) {
  uint64_t *out = ((uint64_t *const *)block->arguments)[0];
  struct Steps *steps = ((struct Steps *const *)block->arguments)[1];
  uint32_t *begun = ((uint32_t *const *)block->arguments)[2];
  if (pc == 0) {
    __atomic_fetch_add(&begun[block->blockId[0]], 1, __ATOMIC_RELAXED);
    begin(block);
  }
  for (uint32_t from = pc; frameOf(block).steps[0] < steps->count; from = 0) {
    int held = isHeld(block, steps, from);
    if (isParking(block))
      return park(block, 1);
    if (held)
      return giveWay(block);
    step(block);
  }
  for (uint32_t lane = 0; lane < block->threadCount; ++lane)
    out[block->blockId[0] * block->threadCount + lane] = resultOf(block, lane);
  return HET_HOST_ENDED;
}

/* (uint64_t *out, struct Steps *rounds, uint32_t *arrived, uint32_t *wrong): rounds
   between grid barriers; each sees that all blocks have arrived at the last. */
__attribute__((unused)) static uint32_t meet(HetHostBlock *block, uint32_t pc) {
  uint64_t *out = ((uint64_t *const *)block->arguments)[0];
  struct Steps *rounds = ((struct Steps *const *)block->arguments)[1];
  uint32_t *arrived = ((uint32_t *const *)block->arguments)[2];
  uint32_t *wrong = ((uint32_t *const *)block->arguments)[3];
  enum { atBarrier = 2 };
  struct Frame frame = frameOf(block);
  uint32_t from = pc == HET_HOST_PARKED || pc == HET_HOST_GAVE_WAY ? pc : 0;
  if (pc == (atBarrier | HET_HOST_STAY))
    return park(block, atBarrier);
  if (pc == HET_HOST_PARKED && frame.pcs[0] == atBarrier)
    return atBarrier;
  if (pc == 0)
    begin(block);
  if (pc == atBarrier) {
    uint32_t round = frame.steps[0] / stepsOfARound - 1;
    if (__atomic_load_n(&arrived[round], __ATOMIC_SEQ_CST) != block->gridDim[0])
      __atomic_fetch_add(wrong, 1, __ATOMIC_SEQ_CST);
  }
  for (; frame.steps[0] != rounds->count * stepsOfARound; from = 0) {
    int held = isHeld(block, rounds, from);
    if (isParking(block))
      return park(block, 1);
    if (held)
      return giveWay(block);
    /* Some blocks take longer. */
    if (block->blockId[0] % 3 == 0)
      block->services->sleep(100000);
    step(block);
    if (frame.steps[0] % stepsOfARound == 0) {
      __atomic_fetch_add(&arrived[frame.steps[0] / stepsOfARound - 1], 1,
                         __ATOMIC_SEQ_CST);
      return atBarrier;
    }
  }
  for (uint32_t lane = 0; lane < block->threadCount; ++lane)
    out[block->blockId[0] * block->threadCount + lane] = resultOf(block, lane);
  return HET_HOST_ENDED;
}

/* (uint32_t *ready): each block but the last waits for the one behind it. */
__attribute__((unused)) static uint32_t chain(HetHostBlock *block, uint32_t pc) {
  uint32_t *ready = ((uint32_t *const *)block->arguments)[0];
  uint32_t own = block->blockId[0], hold = CHAIN_HOLD | CHAIN_HELD;
  int waits;
  block->services->sleep(20000);
  if (own + 1 < block->gridDim[0])
    waits = !(__atomic_load_n(&ready[own + 1], __ATOMIC_ACQUIRE) & ~hold);
  else
    waits = (ready[own] & CHAIN_HOLD) && pc != HET_HOST_PARKED;
  if (waits) {
    __atomic_fetch_or(&ready[own], CHAIN_HELD, __ATOMIC_SEQ_CST);
    return isParking(block) ? park(block, 1) : HET_HOST_GAVE_WAY;
  }
  __atomic_store_n(&ready[own], (ready[own] & ~hold) + 1, __ATOMIC_RELEASE);
  return HET_HOST_ENDED;
}

/* The two ways in: each takes only what is its own. */
static uint32_t runKernel(HetHostBlock *block, uint32_t pc) {
  if (pc == HET_HOST_PARKED)
    block->services->trap(block);
  return KERNEL(block, pc);
}

__attribute__((unused)) static uint32_t resumeKernel(HetHostBlock *block, uint32_t pc) {
  if (pc == 0)
    block->services->trap(block);
  return KERNEL(block, pc);
}

__attribute__((visibility("default")))
const HetHostKernel het_kernel = {HET_HOST_ABI_VERSION,
                                  STATIC_SHARED,
                                  16,
                                  VARIABLES,
                                  FRAME_PER_THREAD,
                                  FRAME_PER_BLOCK,
                                  runKernel,
                                  "_Z4testPi",
#if LAYOUT
                                  LAYOUT,
                                  SLOTS + LOCALS,
                                  resumeKernel
#else
                                  0,
                                  0,
                                  0
#endif
};
