/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Kernels for the host device, written by hand against HostABI.h as the lowering
 * would generate them. Each is built into a shared object of its own, with the
 * macro KERNEL naming it, VARIABLES their number, and FLUSHES what its header says.
 */
#include "../../../lib/Target/Host/HostABI.h"

#include <signal.h>

#define FRAME_PER_THREAD 16
#define FRAME_PER_BLOCK 64

static uint64_t blockIndex(const HetHostBlock *block) {
  return block->blockId[0] +
         (uint64_t)block->gridDim[0] *
             (block->blockId[1] +
              (uint64_t)block->gridDim[1] * block->blockId[2]);
}

/* (int *out): out[global thread] = its number, through shared memory. */
__attribute__((unused)) static uint32_t numbers(HetHostBlock *block,
                                                uint32_t pc) {
  int *out = *(int *const *)block->arguments;
  int *shared = (int *)(block->shared + block->dynamicSharedOffset);
  for (uint32_t lane = 0; lane < block->threadCount; ++lane)
    shared[lane] = (int)(blockIndex(block) * block->threadCount + lane);
  for (uint32_t lane = 0; lane < block->threadCount; ++lane)
    out[shared[lane]] = shared[lane];
  (void)pc;
  return HET_HOST_ENDED;
}

/* (int *rounds, int *last): meets at the grid barrier three times; every block
   counts its rounds in its frame, and sees all blocks' counts of the round before. */
__attribute__((unused)) static uint32_t cooperate(HetHostBlock *block,
                                                  uint32_t pc) {
  int *rounds = ((int *const *)block->arguments)[0];
  int *wrong = ((int *const *)block->arguments)[1];
  int *mine = (int *)block->frame;
  if (pc == 0)
    *mine = 0;
  for (uint32_t other = 0; other < block->gridDim[0]; ++other)
    if (__atomic_load_n(&rounds[other], __ATOMIC_SEQ_CST) < (int)pc)
      __atomic_fetch_add(wrong, 1, __ATOMIC_SEQ_CST);
  if (*mine != (int)pc)
    __atomic_fetch_add(wrong, 1, __ATOMIC_SEQ_CST);
  ++*mine;
  __atomic_fetch_add(&rounds[block->blockId[0]], 1, __ATOMIC_SEQ_CST);
  return pc == 3 ? HET_HOST_ENDED : pc + 1;
}

/* Prints what device printf is asked for most. */
__attribute__((unused)) static uint32_t print(HetHostBlock *block, uint32_t pc) {
  struct {
    int32_t number;
    int32_t width;
    double real;
    const char *text;
    int64_t big;
    uint32_t letter;
    uint32_t rest;
  } arguments = {-7, 6, 2.5, "text", 1LL << 40, 'c', 255};
  int32_t count = block->services->printf(
      block, "%d|%*.2f|%-6s|%lld|%c|%#x|%%\n", &arguments);
  if (count < 0)
    block->services->trap(block);
  (void)pc;
  return HET_HOST_ENDED;
}

__attribute__((unused)) static uint32_t assertion(HetHostBlock *block,
                                                  uint32_t pc) {
  block->currentLane = 37;
  block->services->assertFail(block, "x < 4", "file.cu", 12, "void k(int)");
  (void)pc;
  return HET_HOST_ENDED;
}

__attribute__((unused)) static uint32_t trap(HetHostBlock *block, uint32_t pc) {
  block->services->trap(block);
  (void)pc;
  return HET_HOST_ENDED;
}

/* (int *address): writes there. */
__attribute__((unused)) static uint32_t store(HetHostBlock *block, uint32_t pc) {
  **(volatile int *const *)block->arguments = 1;
  (void)pc;
  return HET_HOST_ENDED;
}

/* (int *number): sends its thread this signal. */
__attribute__((unused)) static uint32_t sends(HetHostBlock *block, uint32_t pc) {
  raise(**(int *const *)block->arguments);
  (void)pc;
  return HET_HOST_ENDED;
}

__attribute__((unused)) static uint32_t deadlock(HetHostBlock *block,
                                                 uint32_t pc) {
  (void)block, (void)pc;
  return HET_HOST_DEADLOCK;
}

/* (uint32_t *result): whose threads cannot pass a barrier. */
__attribute__((unused)) static uint32_t barrier(HetHostBlock *block, uint32_t pc) {
  (void)pc;
  return **(uint32_t *const *)block->arguments;
}

/* (int *out): services, and two package variables. */
__attribute__((unused)) static uint32_t system_(HetHostBlock *block,
                                                uint32_t pc) {
  int *out = *(int *const *)block->arguments;
  block->services->noteFree(block, out, 1);
  out[0] = 42;
  uint64_t before = block->services->clock(2);
  block->services->sleep(1000000);
  out[1] = block->services->clock(2) - before >= 1000000;
  /* The second variable points to the third element of the first. */
  int **pointer = block->variables[1];
  out[2] = **pointer;
  out[3] = ((int *)block->variables[0])[0]++;
  (void)pc;
  return HET_HOST_ENDED;
}

/* (unsigned *out): the processor's mode, and after a service. Then it traps. */
__attribute__((unused)) static uint32_t flushing(HetHostBlock *block, uint32_t pc) {
  unsigned *out = *(unsigned *const *)block->arguments;
  struct {
    double least;
  } arguments = {0x1p-1074};
  out[0] = __builtin_ia32_stmxcsr();
  block->services->printf(block, "%a", &arguments);
  out[1] = __builtin_ia32_stmxcsr();
  block->services->trap(block);
  (void)pc;
  return HET_HOST_ENDED;
}

__attribute__((visibility("default"))) const HetHostKernel het_kernel = {
    HET_HOST_ABI_VERSION, 128, 16, VARIABLES, FRAME_PER_THREAD, FRAME_PER_BLOCK, KERNEL,
    "_Z4testPi", 0, 0, 0, FLUSHES};
