/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The contract between the SPIR-V lowering and the SPIR-V device. Private to
 * Target/SPIRV.
 *
 * An artifact is one HetSpirvArtifact, then the kernel's name, then the code: a SPIR-V
 * module as the lowering gives it, or the program that the driver made of it
 * (finishArtifact). All numbers are little-endian. For Vulkan the bytes of the constants
 * that the module reads lie behind it; behind those the places (u64) of words in them to
 * which their address is to be added, and the number of these (u64).
 *
 * The module has one kernel, HET_SPIRV_ENTRY, in one of two forms:
 *
 *   native     a work-group is a block and a work-item a thread. Its arguments are a
 *              HetSpirvLaunch (global) and the block's shared memory (local). With
 *              HET_SPIRV_FLAT the work-items of a group lie in one dimension, in the
 *              order of hetIR's linear index, and sub-groups of 32 are teams; with
 *              HET_SPIRV_SPLIT several sub-groups of 8 or 16 are one, and exchange
 *              values through local memory.
 *   segmented  a work-item is a whole block, cut into segments (docs/spec/hetir.md,
 *              Frame), and takes a HetSpirvLaunch. It stops where the block has ended,
 *              or waits for others; the device starts it again at its pc.
 */
#ifndef HET_LIB_TARGET_SPIRV_SPIRVARTIFACT_H
#define HET_LIB_TARGET_SPIRV_SPIRVARTIFACT_H

#include "het/DeviceABI/Services.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "HETSPV" and a version of these structures. */
#define HET_SPIRV_MAGIC 0x0005565053544548ull

#define HET_SPIRV_ENTRY "het_kernel"

enum { HET_SPIRV_MODULE = 0, HET_SPIRV_PROGRAM = 1 };

#define HET_SPIRV_SEGMENTED 1u
#define HET_SPIRV_FLAT 2u
#define HET_SPIRV_SPLIT 4u /* with FLAT: a team is several sub-groups */
#define HET_SPIRV_CLOCK 8u /* reads the clock */

typedef struct HetSpirvArtifact {
  uint64_t magic;
  uint32_t form; /* HET_SPIRV_MODULE or HET_SPIRV_PROGRAM */
  uint32_t variableCount;
  uint32_t nameBytes; /* without a NUL */
  uint32_t staticSharedBytes;
  uint32_t flags;
  uint32_t argumentBytes;
  uint32_t maxThreads;    /* the source's launch bound; 0: none */
  uint32_t constantBytes; /* of the code, at its end: what lies where a push constant says
                             (Vulkan) */
  uint64_t frameBytesPerThread; /* threads are padded to a multiple of 32 */
  uint64_t frameBytesPerBlock;
  uint64_t layout; /* as HetParkingInfo's; 0: blocks are not suspended inside */
  /* A thread's, behind frameBytesPerBlock; for suspendable kernels. */
  uint64_t stateBytes;
  uint64_t codeBytes;
} HetSpirvArtifact;

/* Shared memory: the static objects, and behind them the dynamic one at a multiple of
   this. */
#define HET_SPIRV_SHARED_ALIGNMENT 128u
/* Behind them, in native kernels, is scratch: as many bytes for the block, and (split)
   these for each thread, whose number is padded to a multiple of 32. Before them as many
   bytes may be left out, for what a driver gives is aligned by the kernel itself. */
#define HET_SPIRV_SCRATCH_BYTES 8u
#define HET_SPIRV_MOST_SCRATCH                                                           \
  (2 * HET_SPIRV_SHARED_ALIGNMENT + 1024 * HET_SPIRV_SCRATCH_BYTES)

/* One launch, in memory that the device reads. */
typedef struct HetSpirvLaunch {
  uint64_t arguments; /* address: packed, natural alignment */
  uint64_t variables; /* address: the addresses of the package's variables */
  uint64_t blocks;    /* address: HetSpirvBlock for each work-item (segmented) */
  uint64_t services;  /* address: HetServices */
  uint64_t parking;   /* address: u32, not 0: park; may change at any time */
  uint32_t blockDim[3];
  uint32_t gridDim[3];
  uint32_t threadCount;
  uint32_t dynamicSharedOffset;
  uint32_t dynamicSharedBytes;
  uint32_t argumentBytes;
  uint32_t scratchOffset; /* in the block's shared memory (native) */
  uint32_t pollInterval;  /* operations between polls. Of suspendable kernels */
  uint32_t cooperative;   /* 1 or 0 */
  uint32_t clusterDim[3]; /* of launches with clusters */
  uint32_t clusterGiven;  /* 1 or 0 */
  uint32_t clusterStride; /* from one block's shared memory to that of the next one of its
                             cluster */
} HetSpirvLaunch;

/* What a launch pushes through Vulkan. */
typedef struct HetVulkanPushed {
  uint64_t launch;        /* address: HetSpirvLaunch */
  uint64_t constants;     /* address: the artifact's constants */
  uint32_t firstGroup[3]; /* of the grid, in this dispatch */
  uint32_t zero;          /* is 0 */
} HetVulkanPushed;

/* Results of a segmented kernel as a block's pc when the block has ended, when its
   threads wait for each other for ever, and when all of them wait for something in memory
   that another block may write. Another value with the highest bit set: see
   Support/BarrierFaults.h. Any other value: it waits at its cluster's barrier, which a
   bit says, or without that bit at the grid's. */
#define HET_SPIRV_ENDED 0xFFFFFFFFu
#define HET_SPIRV_DEADLOCK 0xFFFFFFFEu
#define HET_SPIRV_GAVE_WAY 0x7FFFFFFEu
#define HET_SPIRV_AT_CLUSTER 0x10000000u

/* For suspendable kernels: the block was suspended, its frame and its shared memory are
   its state. As a block's pc: go on from these. In the pc of a grid barrier that the
   block waits at: do not pass it, but suspend before it. */
#define HET_SPIRV_PARKED 0x7FFFFFFDu
#define HET_SPIRV_STAY 0x80000000u

/* One block of a segmented kernel; a cache line. */
typedef struct HetSpirvBlock {
  uint64_t shared; /* address: static, then dynamic; aligned to 128 */
  uint64_t frame;  /* address; docs/spec/hetir.md; aligned to 128 */
  uint32_t pc;     /* 0: its beginning */
  uint32_t blockId[3];
  uint32_t currentLane;   /* before an assertion or a trap: linear in the block */
  uint32_t wasParked;     /* its threads may stand anywhere */
  uint64_t clusterShared; /* address: the shared memory of its cluster's first block */
  uint32_t reserved[4];
} HetSpirvBlock;

#ifdef __cplusplus
}
#endif

#endif
