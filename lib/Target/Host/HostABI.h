/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The contract between kernels lowered for the host and the host device. Private to
 * Target/Host: Lowering generates code against it, Device fills it in.
 *
 * An artifact is an ELF shared object with no undefined symbols but libc's and
 * libm's. It exports one object, `const HetHostKernel het_kernel`.
 */
#ifndef HET_LIB_TARGET_HOST_HOSTABI_H
#define HET_LIB_TARGET_HOST_HOSTABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HET_HOST_ABI_VERSION 11u

/* At the beginning of a device's `arch`: code for this very processor. Others are spelled
   as Lowering/Machine.h says, of the words in Lowering/Features.def. */
#define HET_HOST_NATIVE "native-"

/* At the end of a device's `arch`: every kernel takes the scheduled form, in which all
   team operations go through memory (HET_HOST_TEAMS=scratch; for tests). */
#define HET_HOST_SCRATCH_TEAMS "-scratch"

/* Results of `run` when the block has ended, when its threads wait for each other for
   ever, and when all of them wait for something in memory that another block may write:
   go on later, with that value as pc. Another value with the highest bit set: see
   Support/BarrierFaults.h. Any other value: the block waits at its cluster's barrier,
   which a bit says, or without that bit at the grid's; go on with that pc. */
#define HET_HOST_ENDED 0xFFFFFFFFu
#define HET_HOST_DEADLOCK 0xFFFFFFFEu
#define HET_HOST_GAVE_WAY 0x7FFFFFFEu
#define HET_HOST_AT_CLUSTER 0x10000000u

/* For suspendable kernels. `run` and `resume` return this where the block was suspended:
   its frame and its shared memory are its state. As the pc of `resume`: go on from these.
   In the pc of a grid barrier that the block waits at: do not pass it, but suspend before
   it. */
#define HET_HOST_PARKED 0x7FFFFFFDu
#define HET_HOST_STAY 0x80000000u

struct HetHostBlock;

/* Services of the host's process for a kernel. assertFail and trap do not return:
   artifacts have no destructors, so the stack may be unwound by longjmp. */
typedef struct HetHostServices {
  int32_t (*printf)(struct HetHostBlock *, const char *format, const void *arguments);
  void (*assertFail)(struct HetHostBlock *, const char *message, const char *file,
                     uint32_t line, const char *function);
  void (*trap)(struct HetHostBlock *);
  /* After each free. */
  void (*noteFree)(struct HetHostBlock *, const void *pointer, uint32_t isFreed);
  uint64_t (*clock)(int32_t kind); /* 0, 1: cycles, 2: nanoseconds */
  void (*sleep)(uint32_t nanoseconds);
} HetHostServices;

/* One block while it runs. */
typedef struct HetHostBlock {
  const void *arguments; /* packed, natural alignment */
  void **variables;      /* addresses of package variables, by kernel's index */
  uint8_t *shared;       /* static, then dynamic; aligned to 128 */
  uint8_t *frame;        /* frameBytesPerBlock + frameBytesPerThread * padded
                            threads; aligned to 128; docs/spec/hetir.md */
  const HetHostServices *services;
  void *launch; /* the device's own */
  uint32_t dynamicSharedOffset;
  uint32_t dynamicSharedBytes;
  uint32_t blockDim[3];
  uint32_t gridDim[3];
  uint32_t blockId[3];
  uint32_t threadCount;
  uint32_t currentLane; /* set before assertFail and trap: linear in the block */
  const void *stackTop; /* what the kernel puts on the stack lies below */
  /* Not 0: suspend; may change at any time. Of suspendable kernels. */
  const uint32_t *parking;
  uint32_t pollInterval; /* operations between polls. Of suspendable kernels */
  uint32_t cooperative;  /* of the launch: 1 or 0 */
  /* Of launches with clusters. The shared memory of the cluster's blocks begins at equal
     distances. */
  uint32_t clusterDim[3];
  uint32_t clusterGiven;  /* 1 or 0 */
  uint8_t *clusterShared; /* of the first one */
  uint32_t clusterStride;
} HetHostBlock;

typedef struct HetHostKernel {
  uint32_t abiVersion;
  uint32_t staticSharedBytes;
  uint32_t sharedAlignment;
  uint32_t variableCount;
  uint64_t frameBytesPerThread; /* threads are padded to a multiple of 32 */
  uint64_t frameBytesPerBlock;
  /* Runs one block from `pc` (0: its beginning). */
  uint32_t (*run)(HetHostBlock *block, uint32_t pc);
  const char *name; /* mangled, for messages */
  /* For a suspendable kernel whose blocks can be suspended inside; else 0 and null. The
     state of a block's threads lies in its frame, behind frameBytesPerBlock. */
  uint64_t layout;     /* as HetParkingInfo's */
  uint64_t stateBytes; /* of a thread */
  /* As `run`, for blocks whose threads may stand anywhere. */
  uint32_t (*resume)(HetHostBlock *block, uint32_t pc);
  /* 1: both are run with MXCSR's FTZ and DAZ. */
  uint32_t flushes;
} HetHostKernel;

#ifdef __cplusplus
}
#endif

#endif
