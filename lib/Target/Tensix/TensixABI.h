/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The contract of lowering, the core's library (Core/, C for rv32) and the device.
 * Private to Target/Tensix. All numbers are little-endian; addresses of 32 bits are a
 * core's own, those of 64 bits are flat (docs/design/tensix.md).
 *
 * An artifact is one HetTensixArtifact, the kernel's name, why it is no code for the
 * vector unit, an image and constants. The
 * image is loaded at HET_TENSIX_IMAGE of every core that takes part in a launch.
 */
#ifndef HET_LIB_TARGET_TENSIX_TENSIXABI_H
#define HET_LIB_TARGET_TENSIX_TENSIXABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "HETTSX" and a version of these structures. */
#define HET_TENSIX_MAGIC 0x0004585354544548ull

/* A core's memory (L1). At 0 there is the jump to the image; the stack grows down from
   its top, and ends above the addresses that are no data. */
#define HET_TENSIX_LOWEST_DATA 0x1000u /* flat addresses below this are no data */
#define HET_TENSIX_STACK_TOP 0x10000u
#define HET_TENSIX_MAILBOX 0x10000u
#define HET_TENSIX_HOME 0x13000u
#define HET_TENSIX_IMAGE 0x14000u

typedef struct HetTensixArtifact {
  uint64_t magic;
  uint32_t variableCount;
  uint32_t nameBytes; /* without a NUL */
  uint32_t staticSharedBytes;
  uint32_t argumentBytes;
  uint32_t maxThreads; /* the source's launch bound; 0: none */
  uint32_t imageBytes;
  uint32_t memoryBytes;         /* of the image with what it holds only when it runs */
  uint32_t reasonBytes;         /* behind the name: why it is map A; map B has none */
  uint64_t frameBytesPerThread; /* threads are padded to a multiple of 32 */
  uint64_t frameBytesPerBlock;
  uint64_t layout; /* as HetParkingInfo's; 0: blocks are not suspended inside */
  /* A thread's, behind frameBytesPerBlock; for suspendable kernels. */
  uint64_t stateBytes;
  uint64_t constantsAddress; /* flat: of constants that lie in DRAM */
  uint64_t constantsBytes;   /* they stand behind the image */
} HetTensixArtifact;

/* Flat addresses of such constants: each kernel has a place of so many. */
#define HET_TENSIX_CONSTANTS 0x040000000000ull
#define HET_TENSIX_CONSTANTS_ALIGNMENT 0x10000ull
#define HET_TENSIX_CONSTANTS_PLACES 0x4000000ull

/* The image begins with this. */
typedef struct HetTensixImage {
  uint32_t jump;               /* an instruction: to the library's start */
  uint32_t zeroBegin, zeroEnd; /* addresses */
  uint32_t end;                /* address: of all that it needs */
} HetTensixImage;

/* Shared memory: the static objects, and behind them the dynamic one at a multiple of
   this; so is a block's memory and its frame. */
#define HET_TENSIX_ALIGNMENT 128u

/* Results of `het_tensix_run`; as HetHostBlock's. */
#define HET_TENSIX_ENDED 0xFFFFFFFFu
#define HET_TENSIX_DEADLOCK 0xFFFFFFFEu
#define HET_TENSIX_GAVE_WAY 0x7FFFFFFEu
#define HET_TENSIX_AT_CLUSTER 0x10000000u
/* For suspendable kernels: the block was suspended, its frame and its shared memory are
   its state. As a block's pc: go on from these. In the pc of a grid barrier that the
   block waits at: do not pass it, but suspend before it. */
#define HET_TENSIX_PARKED 0x7FFFFFFDu
#define HET_TENSIX_STAY 0x80000000u

/* One block that is under way, in its core's memory; a kernel's functions take it first.
 */
typedef struct HetTensixBlock {
  uint64_t services;  /* flat: HetServices */
  uint32_t arguments; /* packed, natural alignment */
  uint32_t variables; /* u64 each, flat */
  uint32_t shared;
  uint32_t sharedBytes;
  uint32_t frame;
  uint32_t dynamicSharedOffset;
  uint32_t blockDim[3];
  uint32_t gridDim[3];
  uint32_t blockId[3];
  uint32_t threadCount;
  uint32_t currentLane; /* before an assertion or a trap: linear in the block */
  uint32_t pc;
  uint32_t stand;       /* HET_TENSIX_PLACE_… */
  uint32_t wasParked;   /* its threads may stand anywhere: `het_tensix_resume` */
  uint32_t cooperative; /* of the launch: 1 or 0 */
  /* Of launches with clusters, whose blocks are in neighbouring places of one core. */
  uint32_t clusterDim[3];
  uint32_t clusterGiven;  /* 1 or 0 */
  uint32_t clusterShared; /* of its cluster's first place */
  uint32_t clusterStride; /* from one place to the next */
} HetTensixBlock;

enum {
  HET_TENSIX_PLACE_FREE = 0,
  HET_TENSIX_PLACE_RUNS = 1,
  HET_TENSIX_PLACE_AT_CLUSTER = 2, /* at its cluster's barrier */
  HET_TENSIX_PLACE_ARRIVED = 3,    /* at the grid's */
  HET_TENSIX_PLACE_PARKED = 4,
  HET_TENSIX_PLACE_KEPT = 5 /* its block was kept from going on (cooperative) */
};

/* Blocks of a launch that have not ended, one behind the other and alike. Items number
   all of them. */
typedef struct HetTensixRun {
  uint32_t end;   /* items up to and with these */
  uint32_t block; /* the first one's index */
  uint32_t state; /* the first one's number among states; HET_TENSIX_NO_STATE: none has
                     begun */
  uint32_t reserved;
} HetTensixRun;
#define HET_TENSIX_NO_STATE 0xFFFFFFFFu

/* Ways to suspend where the mailbox's `parking` is set. */
enum {
  HET_TENSIX_PARKS_NEVER = 0,
  HET_TENSIX_PARKS_INSIDE = 1,
  HET_TENSIX_PARKS_BETWEEN = 2 /* no block begins; those under way run to their end */
};

/* The state of a suspended block, as it is kept, and where it belongs. */
typedef struct HetTensixState {
  uint32_t bytes;        /* of a state */
  uint32_t threadsBytes; /* its beginning, which belongs `frameOffset` into the frame */
  uint32_t frameOffset;
  uint32_t staticOffset, staticBytes;   /* in a state; of static shared memory */
  uint32_t dynamicOffset, dynamicBytes; /* likewise */
} HetTensixState;

/* Flat addresses that are memory on the chip: [begin, end) lies at `dram`. */
typedef struct HetTensixRange {
  uint64_t begin, end;
  uint64_t dram; /* linear: page p of it is page p / banks of bank p % banks */
} HetTensixRange;

#define HET_TENSIX_PAGE_SHIFT 12u
#define HET_TENSIX_MOST_BANKS 12u
#define HET_TENSIX_MOST_CORES 160u
#define HET_TENSIX_MOST_RANGES 384u
#define HET_TENSIX_MOST_PLACES 64u

enum {
  HET_TENSIX_LOADED = 0,
  HET_TENSIX_RUNS = 1,
  HET_TENSIX_IDLE = 2, /* until `parking` is 0, or for ever */
  HET_TENSIX_DONE = 3,
  HET_TENSIX_FAULTED = 4
};

enum {
  HET_TENSIX_FAULT_NONE = 0,
  HET_TENSIX_FAULT_ASSERT = 1,
  HET_TENSIX_FAULT_TRAP = 2,
  HET_TENSIX_FAULT_ADDRESS = 3,
  HET_TENSIX_FAULT_FREE = 4,         /* of what malloc did not give */
  HET_TENSIX_FAULT_GRID_BARRIER = 5, /* in a launch that is not cooperative */
  HET_TENSIX_FAULT_BLOCK = 6,        /* faultDetail: what the block returned */
  HET_TENSIX_FAULT_ALIGNMENT = 7,    /* faultDetail: how many bytes */
  HET_TENSIX_FAULT_STACK = 8,
  HET_TENSIX_FAULT_CLUSTER = 9 /* some blocks are at its barrier, some at the grid's */
};

/* At HET_TENSIX_MAILBOX. Coordinates are y << 6 | x, of NoC 0. */
typedef struct HetTensixMailbox {
  /* Written by the host before the core starts. */
  uint32_t core, coreCount; /* of this launch; homes[core] is this one */
  uint32_t bankCount, rangeCount;
  uint32_t blockCount; /* that have not ended */
  uint32_t cooperative;
  uint32_t clusterBlocks; /* not 0: so many places have the blocks of a cluster */
  uint32_t placeCount;
  uint32_t firstPlace, placeBytes;    /* of each: HetTensixBlock, shared memory, frame */
  uint32_t sharedOffset, frameOffset; /* in a place */
  uint32_t memoryBytes;               /* of the core */
  uint32_t parks;                     /* HET_TENSIX_PARKS_… */
  uint32_t pollInterval;              /* operations between polls */
  uint32_t exchanges;   /* some memory is the host's: fences of the system ask it */
  uint64_t runs;        /* flat: HetTensixRun; 0: all blocks are to begin */
  uint64_t states;      /* flat: those that are given */
  HetTensixState form;  /* of each */
  HetTensixBlock block; /* what all blocks have in common */
  uint32_t banks[HET_TENSIX_MOST_BANKS];
  uint32_t homes[HET_TENSIX_MOST_CORES];
  HetTensixRange ranges[HET_TENSIX_MOST_RANGES];
  /* Written by the host at any time. */
  uint32_t parking;
  uint32_t answered; /* as many of `asked` */
  /* Written by the core. */
  uint32_t
      asked; /* fences so far at which host and chip are to see what the other wrote */
  uint32_t state; /* HET_TENSIX_… */
  uint32_t fault; /* HET_TENSIX_FAULT_… */
  uint64_t faultAddress;
  uint32_t faultDetail;
  uint32_t progress; /* changes where a block begins or ends, and at grid barriers */
  uint32_t current;  /* index of the block that runs */
  uint32_t currentPlace;
  uint32_t waiting; /* blocks that wait for others; where HET_TENSIX_PARKS_BETWEEN */
  /* Where that block is, since it was last entered. */
  uint32_t segment; /* the safe point it begins at */
  uint32_t team;    /* HET_TENSIX_ALL_TEAMS: the whole block */
  uint32_t lanes;   /* of the team */
} HetTensixMailbox;
#define HET_TENSIX_ALL_TEAMS 0xFFFFFFFFu
#define HET_TENSIX_NO_SEGMENT 0xFFFFFFFFu

/* At HET_TENSIX_HOME of every core: what other cores reach. Words that the network
   counts up begin at multiples of 16. */
#define HET_TENSIX_LOCKS 32u
typedef struct HetTensixLock {
  uint32_t next[4];
  uint32_t serving[4];
} HetTensixLock;

/* At the number'th grid barrier. With `stays` none may pass it: a block of the core has
   been suspended, or is about to be. */
#define HET_TENSIX_ARRIVAL(number, stays) ((number) << 1 | (stays))
#define HET_TENSIX_ALL_ENDED 0xFFFFFFFEu /* the core arrives no more */

typedef struct HetTensixHome {
  uint32_t nextBlock[4]; /* of core 0 */
  uint32_t arrivals[4];  /* HET_TENSIX_ARRIVAL at the last grid barrier */
  HetTensixLock locks[HET_TENSIX_LOCKS];
} HetTensixHome;

#ifdef __cplusplus
}
#endif

#endif
