/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the SPIR-V lowering and the SPIR-V device agree on. Private to Target/SPIRV.
 *
 * An artifact is one HetSpirvArtifact, then the kernel's name, then the code: a SPIR-V
 * module as the lowering gives it, or the program that the driver made of it
 * (finishArtifact). All numbers are little-endian.
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

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "HETSPV" and a version of these structures. */
#define HET_SPIRV_MAGIC 0x0003565053544548ull

/* Part of every artifact's cache key: change it with any change of the lowering that
   makes old artifacts wrong or slow. */
#define HET_SPIRV_LOWERING_VERSION "9"

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
  uint32_t maxThreads; /* the source's launch bound; 0: none */
  uint32_t reserved;
  uint64_t frameBytesPerThread; /* threads are padded to a multiple of 32 */
  uint64_t frameBytesPerBlock;
  uint64_t layout;     /* as HetParkingInfo's; 0: blocks are not parked inside */
  uint64_t stateBytes; /* of a thread, behind frameBytesPerBlock; of parkable kernels */
  uint64_t codeBytes;
} HetSpirvArtifact;

/* Shared memory: the static objects, and behind them the dynamic one at a multiple of
   this. */
#define HET_SPIRV_SHARED_ALIGNMENT 128u
/* Behind them, in native kernels, is scratch: as many bytes for the block, and (split)
   these for each thread, whose number is padded to a multiple of 32. */
#define HET_SPIRV_SCRATCH_BYTES 8u
#define HET_SPIRV_MOST_SCRATCH (HET_SPIRV_SHARED_ALIGNMENT + 1024 * HET_SPIRV_SCRATCH_BYTES)

/* One launch, in memory that the device reads. */
typedef struct HetSpirvLaunch {
  uint64_t arguments; /* address: packed, natural alignment */
  uint64_t variables; /* address: the addresses of the package's variables */
  uint64_t blocks;    /* address: HetSpirvBlock for each work-item (segmented) */
  uint64_t services;  /* address: HetSpirvServices */
  uint64_t parking;   /* address: u32, not 0: park; may change at any time */
  uint32_t blockDim[3];
  uint32_t gridDim[3];
  uint32_t threadCount;
  uint32_t dynamicSharedOffset;
  uint32_t dynamicSharedBytes;
  uint32_t argumentBytes;
  uint32_t scratchOffset; /* in the block's shared memory (native) */
  uint32_t reserved;
} HetSpirvLaunch;

/* What a segmented kernel returns as a block's pc when the block has ended, when its
   threads wait for each other for ever, and when all of them wait for something in
   memory that another block may write. Another value with the highest bit set: see
   Support/BarrierFaults.h. Any other value: it waits at the grid barrier. */
#define HET_SPIRV_ENDED 0xFFFFFFFFu
#define HET_SPIRV_DEADLOCK 0xFFFFFFFEu
#define HET_SPIRV_GAVE_WAY 0x7FFFFFFEu

/* Of a parkable kernel: the block has parked, its frame and its shared memory are its
   state. As a block's pc: go on from these. In the pc of a grid barrier that the block
   waits at: do not pass it, but park before it. */
#define HET_SPIRV_PARKED 0x7FFFFFFDu
#define HET_SPIRV_STAY 0x80000000u

/* One block of a segmented kernel; a cache line. */
typedef struct HetSpirvBlock {
  uint64_t shared; /* address: static, then dynamic; aligned to 128 */
  uint64_t frame;  /* address; docs/spec/hetir.md; aligned to 128 */
  uint32_t pc;     /* 0: its beginning */
  uint32_t blockId[3];
  uint32_t currentLane; /* before an assertion or a trap: linear in the block */
  uint32_t wasParked;   /* its threads may stand anywhere */
  uint32_t reserved[6];
} HetSpirvBlock;

enum {
  HET_SPIRV_FAULT_NONE = 0,
  HET_SPIRV_FAULT_ASSERT = 1,
  HET_SPIRV_FAULT_TRAP = 2,
  HET_SPIRV_FAULT_FREE = 3, /* of what malloc did not give */
  HET_SPIRV_FAULT_STACK = 4 /* recursion too deep */
};

/* malloc's chunks, one behind the other from `begin`; one for each device. */
typedef struct HetSpirvHeap {
  uint64_t begin; /* address */
  uint64_t bytes;
  uint64_t used; /* of them, chunks that were ever given out */
  uint32_t lock;
  uint32_t wideLock; /* of all atomics of 128 bits */
} HetSpirvHeap;

/* What kernels leave for the host, one for each queue. */
typedef struct HetSpirvServices {
  uint32_t fault; /* HET_SPIRV_FAULT_…; the first one stays */
  uint32_t reserved;
  uint64_t output; /* address: records (HetSpirvRecord), one behind the other */
  uint64_t outputBytes;
  uint64_t outputUsed; /* may be above outputBytes: what does not fit is lost */
  uint64_t heap;       /* address: HetSpirvHeap */
  uint64_t clock;      /* nanoseconds; the host sets it forward, each reader by one */
} HetSpirvServices;

enum { HET_SPIRV_PRINTF = 1, HET_SPIRV_ASSERT = 2 };

/* One call of printf or one failed assertion. Behind it:
     printf   the format with its NUL, at a multiple of 8 the packed arguments, then
              the text of each %s that is not null, with its NUL;
     assert   message, file and function, each with its NUL.
   Records begin at multiples of 8. */
typedef struct HetSpirvRecord {
  uint32_t kind;
  uint32_t bytes; /* of the whole record */
  uint32_t formatBytes;
  uint32_t argumentBytes;
  uint32_t line;
  uint32_t thread[3];
  uint32_t block[3];
  uint32_t reserved;
} HetSpirvRecord;

/* Before each piece of the heap; a multiple of 16. */
typedef struct HetSpirvChunk {
  uint64_t bytes; /* with this header */
  uint32_t mark;  /* HET_SPIRV_CHUNK_… */
  uint32_t reserved;
} HetSpirvChunk;

#define HET_SPIRV_CHUNK_USED 0x55534544u
#define HET_SPIRV_CHUNK_FREE 0x46524545u

#ifdef __cplusplus
}
#endif

#endif
