/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The interface of a target to the runtime: two tables of C functions, each exported by a
 * shared object of its own (docs/spec/target-abi.md, normative).
 *
 *   het-<name>-device.so    const HetDeviceABI *hetDeviceABI(void)
 *   het-<name>-lowering.so  const HetLoweringABI *hetLoweringABI(void)
 *
 * The device part talks to the vendor's driver and links no LLVM; the lowering part is
 * opened when a kernel is not in the cache. Strings are UTF-8 and NUL-terminated,
 * sizes are bytes, times nanoseconds. A function that can fail takes a HetStatus,
 * fills it in and returns its code. Every function may be called from any thread.
 */
#ifndef HET_TARGET_TARGETABI_H
#define HET_TARGET_TARGETABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when a table changes; the runtime opens only its own version. */
#define HET_TARGET_ABI_VERSION 13u

enum {
  HET_OK = 0,
  HET_UNAVAILABLE = 1, /* not here: no such device, no memory, no file */
  HET_UNSUPPORTED = 2, /* the target does not do this (yet) */
  HET_INVALID = 3,     /* the caller's mistake */
  HET_INTERNAL = 4     /* the target's mistake */
};

typedef struct HetStatus {
  int32_t code;
  char message[1020]; /* NUL-terminated, empty where code is HET_OK */
} HetStatus;

typedef struct HetDevice HetDevice;
typedef struct HetQueue HetQueue;
typedef struct HetEvent HetEvent;
typedef struct HetArtifact HetArtifact;
typedef struct HetGraph HetGraph;
typedef struct HetNativeWork HetNativeWork;

/* Why a device can no longer be used. */
enum {
  HET_FAULT_NONE = 0,
  HET_FAULT_ASSERT = 1,          /* a kernel's assertion failed */
  HET_FAULT_TRAP = 2,            /* a kernel trapped */
  HET_FAULT_ILLEGAL_ADDRESS = 3, /* a kernel touched memory that is not there */
  HET_FAULT_DEADLOCK = 4,        /* threads wait for each other for ever */
  HET_FAULT_LOST = 5,            /* the device is gone */
  HET_FAULT_UNSUPPORTED = 6,     /* the launch can not run on this target */
  HET_FAULT_MISALIGNED_ADDRESS = 7,
  HET_FAULT_ILLEGAL_INSTRUCTION = 8
};

typedef struct HetDeviceProperties {
  char name[256];
  char arch[128];           /* part of the cache key: artifacts run on equal ones */
  char loweringVersion[64]; /* likewise */
  uint64_t totalMemory;
  uint64_t memoryGranularity; /* of mapMemory; a power of two */
  uint32_t processorCount;
  uint32_t clockKilohertz;
  uint32_t maxThreadsPerBlock;
  uint32_t maxBlockDim[3];
  uint32_t maxGridDim[3];
  uint32_t sharedBytesPerBlock;      /* without asking */
  uint32_t sharedBytesPerBlockOptIn; /* when asked for */
  uint32_t sharesHostMemory; /* host pointers are valid on it, and its on the host */
  uint32_t reservesWindow;   /* memory lies where the runtime says (mapMemory) */
  /* Properties that programs ask for in the words of CUDA's cudaDeviceProp; 0: not
     stated. */
  uint32_t capabilityMajor, capabilityMinor;
  uint32_t threadsPerProcessor;
  uint32_t blocksPerProcessor;
  uint32_t registersPerProcessor;
  uint32_t sharedBytesPerProcessor;
  uint32_t copyEngineCount;
  uint32_t memoryClockKilohertz;
  uint32_t memoryBusBits;
  uint32_t level2CacheBytes;
  uint32_t pciDomain, pciBus, pciDevice;
  uint32_t takesConstants; /* its lowering makes better code of them (`options`) */
  /* Kernels allocate from its driver's heap, unless they are suspendable. */
  uint32_t hasHeap;
  /* While a function of enqueueCall runs, loading an artifact may wait for it. */
  uint32_t loadsWaitForCalls;
  uint32_t mostClusterBlocks; /* 0: launches have no clusters */
} HetDeviceProperties;

/* Limits for setLimit, in bytes. */
enum {
  HET_LIMIT_STACK = 0,         /* of one thread */
  HET_LIMIT_PRINTF_BUFFER = 1, /* of the device */
  HET_LIMIT_HEAP = 2           /* of the device, where it `hasHeap` */
};

/* Role of a target's devices for a program that names none (HET_DEVICES unset). */
enum {
  HET_ROLE_ACCELERATOR = 0, /* all of them are its devices */
  HET_ROLE_FALLBACK = 1,    /* one is, if there is no accelerator */
  HET_ROLE_ON_REQUEST = 2   /* none is */
};

/* Facts about a kernel once it is loaded; 0: not stated. */
typedef struct HetArtifactInfo {
  uint32_t registers;  /* of one thread */
  uint32_t localBytes; /* of one thread */
  uint32_t maxThreadsPerBlock;
  uint32_t reserved;
} HetArtifactInfo;

/* Bytes that a plug-in made, until they are given back to it. */
typedef struct HetLowering {
  const uint8_t *data;
  size_t size;
  void *owner; /* the target's own */
} HetLowering;

/* One launch. Everything it points to is copied before enqueueLaunch returns. */
typedef struct HetLaunch {
  HetArtifact *artifact;
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t dynamicSharedBytes;
  uint32_t cooperative;  /* all blocks run at once and may meet at grid barriers */
  uint32_t cluster[3];   /* blocks of a cluster, which run at once and meet at its
                            barriers; 0: none of the kernel's code is about clusters */
  uint32_t clusterGiven; /* the program has said their size */
  uint32_t programmatic; /* it may begin before the launch in front of it has ended, for
                            its code waits for that (hetir.grid_dependency_wait) */
  const void *arguments; /* packed at natural alignment */
  size_t argumentBytes;
} HetLaunch;

/* How a block of a launch stands. */
enum {
  HET_BLOCK_UNSTARTED = 0,
  HET_BLOCK_PARKED = 1, /* its state is kept */
  HET_BLOCK_ENDED = 2
};

/* How a launch stands, in a form that names no device (docs/spec/hetckpt.md, State of a
   launch). The runtime's; a target changes it while the launch is carried out. */
typedef struct HetLaunchState {
  uint8_t *blocks; /* HET_BLOCK_... of each, x fastest; room for it in any case */
  uint64_t blockCount;
  uint64_t alike;  /* not 0: `blocks` says nothing, and all blocks stand as
                      HET_BLOCK_..., which is one less; so nobody goes through them */
  uint8_t *states; /* of the suspended blocks, in their order; null: there are none */
  uint64_t parkedCount;
  uint64_t stateBytes;   /* of each block's; given where parkedCount is not 0 */
  uint32_t pollInterval; /* operations of the simplest kind between polls, at most
                            HET_MOST_POLL_INTERVAL; given as 0, the target fills it in */
  uint32_t reserved;
  uint64_t parkingTime; /* nanoseconds from setParking until all blocks had stopped; 0:
                           not known, or none was parked inside */
  /* Makes room for so many bytes and sets `states`; what was there is gone. 0 where
     there is no memory. */
  int32_t (*resize)(struct HetLaunchState *, uint64_t bytes);
} HetLaunchState;

#define HET_USUAL_POLL_INTERVAL 8192u
#define HET_MOST_POLL_INTERVAL (1u << 20)

/* An artifact's description of its blocks' states. */
typedef struct HetParkingInfo {
  uint64_t layout; /* equal where states are alike; 0: blocks are not suspended inside */
  uint64_t threadBytes; /* of a thread: its pc, slots and local objects */
  uint32_t sharedBytes; /* of the static shared objects */
  uint32_t reserved;
} HetParkingInfo;

/* Action of a graph's node: the same as the enqueue function of its kind. */
enum {
  HET_NODE_EMPTY = 0, /* nothing: it joins others */
  HET_NODE_LAUNCH = 1,
  HET_NODE_COPY = 2,
  HET_NODE_FILL = 3,
  HET_NODE_CALL = 4,
  HET_NODE_SIGNAL = 5,
  HET_NODE_WAIT = 6,
  HET_NODE_NATIVE = 7 /* as enqueueNativeWork */
};

/* One node of a graph. Everything it points to is copied before createGraph returns. */
typedef struct HetGraphNode {
  uint32_t kind; /* HET_NODE_... */
  uint32_t dependencyCount;
  const uint32_t *dependencies; /* places in the list, before this one's */
  /* For each dependency of a launch on a launch, whether the later one may begin before
     the earlier one has ended, as HetLaunch::programmatic has it; null: none may. */
  const uint8_t *programmatic;
  union {
    HetLaunch launch;
    struct {
      uint64_t to, from;
      size_t toPitch, fromPitch, width, rows; /* as of enqueueCopyRows; none is 0 */
    } copy;
    struct {
      uint64_t to;
      size_t pitch, width, rows; /* bytes; none is 0 */
      uint32_t pattern, patternBytes;
    } fill;
    struct {
      void (*function)(void *);
      void *data;
    } call;
    HetEvent *event; /* of a signal and of a wait */
    HetNativeWork *native;
  } work;
} HetGraphNode;

/* Channels of a texture's elements. */
enum { HET_TEXTURE_SIGNED = 0, HET_TEXTURE_UNSIGNED = 1, HET_TEXTURE_FLOAT = 2 };

/* Coordinates beside a texture. */
enum {
  HET_TEXTURE_WRAP = 0,
  HET_TEXTURE_CLAMP = 1,
  HET_TEXTURE_MIRROR = 2,
  HET_TEXTURE_BORDER = 3
};

/* Memory of the device that its texture unit reads: rows of elements. */
typedef struct HetTexture {
  uint64_t base;
  uint64_t pitch; /* bytes from row to row */
  uint64_t width,
      rows; /* elements of a row; 0 rows: a line, whose elements have numbers */
  uint32_t bits, channels, kind; /* of a channel, of an element, HET_TEXTURE_... */
  uint32_t addressModes[2];
  uint32_t filters;    /* between elements */
  uint32_t normalized; /* coordinates are parts of the size */
  uint32_t asFloats;   /* integers are read as parts of the largest */
  uint32_t srgb;
  float border[4];
} HetTexture;

typedef struct HetDeviceABI {
  uint32_t abiVersion; /* HET_TARGET_ABI_VERSION */
  uint32_t size;       /* sizeof(HetDeviceABI) */
  const char *name;    /* of the target: "host" */
  uint32_t role;       /* HET_ROLE_... */
  uint32_t reserved;   /* 0 */

  /* How many devices there are; UINT32_MAX: as many separate ones as are asked for.
     HET_UNAVAILABLE says why there is none. */
  int32_t (*probe)(uint32_t *count, HetStatus *);
  int32_t (*open)(uint32_t ordinal, HetDevice **, HetStatus *);
  void (*close)(HetDevice *);
  int32_t (*properties)(HetDevice *, HetDeviceProperties *, HetStatus *);
  /* One of HET_FAULT_…; `status` (if not null) says more. Stays until close. */
  int32_t (*fault)(HetDevice *, HetStatus *status);

  /* Backs [address, address + size) of the runtime's window with memory, or takes it
     away. Both are multiples of the granularity. */
  int32_t (*mapMemory)(HetDevice *, uint64_t address, uint64_t size, HetStatus *);
  int32_t (*unmapMemory)(HetDevice *, uint64_t address, uint64_t size, HetStatus *);

  /* May be null where sharesHostMemory is 1. Memory that the device and the host reach
     at one address, which the target chooses. */
  int32_t (*allocateManaged)(HetDevice *, uint64_t size, uint64_t *address, HetStatus *);
  int32_t (*freeManaged)(HetDevice *, uint64_t address, HetStatus *);
  /* Likewise. Lets all devices of the target reach a range of the host's memory at its
     address, and copy it at full speed; and no longer. */
  int32_t (*pinMemory)(HetDevice *, uint64_t address, uint64_t size, HetStatus *);
  int32_t (*unpinMemory)(HetDevice *, uint64_t address, HetStatus *);

  /* One of HET_LIMIT_…; null: nothing is limited. */
  int32_t (*setLimit)(HetDevice *, uint32_t limit, uint64_t value, HetStatus *);

  /* A queue runs what is put into it in order, at some time after. */
  int32_t (*createQueue)(HetDevice *, HetQueue **, HetStatus *);
  void (*destroyQueue)(HetQueue *); /* waits for it first */
  int32_t (*enqueueCopy)(HetQueue *, uint64_t to, uint64_t from, size_t size,
                         HetStatus *);
  /* `rows` rows of `width` bytes, whose beginnings are a pitch apart. Null: the runtime
     copies row by row. */
  int32_t (*enqueueCopyRows)(HetQueue *, uint64_t to, size_t toPitch, uint64_t from,
                             size_t fromPitch, size_t width, size_t rows, HetStatus *);
  /* Writes `size` bytes of a pattern of 1, 2 or 4 bytes. */
  int32_t (*enqueueFill)(HetQueue *, uint64_t to, uint32_t pattern, uint32_t patternBytes,
                         size_t size, HetStatus *);
  int32_t (*enqueueLaunch)(HetQueue *, const HetLaunch *, HetStatus *);
  int32_t (*enqueueCall)(HetQueue *, void (*call)(void *), void *data, HetStatus *);
  int32_t (*enqueueSignal)(HetQueue *, HetEvent *, HetStatus *);
  int32_t (*enqueueWait)(HetQueue *, HetEvent *, HetStatus *);
  void (*synchronize)(HetQueue *);
  int32_t (*isIdle)(HetQueue *);

  /* An event is done when the latest signal put into a queue has been reached; a new
     one is done. A wait is for the latest signal at the time of enqueueWait. */
  int32_t (*createEvent)(HetDevice *, HetEvent **, HetStatus *);
  void (*destroyEvent)(HetEvent *);
  void (*waitEvent)(HetEvent *);
  int32_t (*isEventDone)(HetEvent *);
  /* From one event's latest signal to another's; both are done. */
  int32_t (*eventElapsed)(HetEvent *from, HetEvent *to, int64_t *nanoseconds,
                          HetStatus *);

  /* Makes an artifact of this target's lowering ready. `variables` are the addresses
     of the kernel's package variables, in the order of its index; copied. */
  int32_t (*loadArtifact)(HetDevice *, const uint8_t *data, size_t size,
                          const uint64_t *variables, size_t variableCount, HetArtifact **,
                          HetStatus *);
  void (*unloadArtifact)(HetArtifact *);
  /* Null: it never is. 1 where loading this artifact when the program first uses the
     device, before it is launched, saves time and changes nothing else. */
  int32_t (*loadsAhead)(HetDevice *, const uint8_t *data, size_t size);
  /* Null where nothing is known of it. */
  int32_t (*describeArtifact)(HetArtifact *, HetArtifactInfo *, HetStatus *);
  /* How many blocks of this shape one processor holds at once. Null: the runtime
     estimates it. */
  int32_t (*residentBlocks)(HetArtifact *, uint32_t threads, uint32_t dynamicSharedBytes,
                            uint32_t *blocks, HetStatus *);

  /* Null where there is nothing to do. Makes of what the lowering gave what is kept in
     the cache and loaded: the vendor's own form of it. */
  int32_t (*finishArtifact)(HetDevice *, const uint8_t *data, size_t size, HetLowering *,
                            HetStatus *);
  void (*releaseFinished)(HetLowering *);

  /* Null: it runs artifacts of its own `arch` alone. Whether it runs those that were
     lowered for another one, ahead of time: HET_UNSUPPORTED says why not; else `rank` is
     higher the better the code suits it. */
  int32_t (*rankArch)(HetDevice *, const char *arch, uint32_t *rank, HetStatus *);

  /* All five null where the runtime enqueues the nodes one by one. A graph is put into a
     queue as one piece of work, any number of times. HET_UNSUPPORTED: a node can not be
     in one. */
  int32_t (*createGraph)(HetDevice *, const HetGraphNode *nodes, size_t count,
                         HetGraph **, HetStatus *);
  /* Another launch for a node that is one, from the next enqueueGraph on. */
  int32_t (*setGraphLaunch)(HetGraph *, size_t node, const HetLaunch *, HetStatus *);
  /* The same for a node of native work, which must have the same parts. */
  int32_t (*setGraphNative)(HetGraph *, size_t node, HetNativeWork *, HetStatus *);
  int32_t (*enqueueGraph)(HetQueue *, HetGraph *, HetStatus *);
  void (*destroyGraph)(HetGraph *); /* also while it runs */

  /* All three null where a target can not suspend kernels (park, in this interface). From
     setParking(device, 1) until setParking(device, 0) no block of a suspendable launch
     begins, and those that run stop at their next safe points, if they have any. Does not
     wait. */
  void (*setParking)(HetDevice *, uint32_t on);
  /* For an artifact that was lowered with `parkable`. */
  int32_t (*describeParking)(HetArtifact *, HetParkingInfo *, HetStatus *);
  /* As enqueueLaunch, of such an artifact: goes on with the blocks as they stand, and is
     done when they have ended or the device parks. `state` stays until then. */
  int32_t (*enqueueParkable)(HetQueue *, const HetLaunch *, HetLaunchState *state,
                             HetStatus *);

  /* Null where the target's queues are no streams of a vendor's driver. Calls `work`
     before it returns, with the driver's stream behind the queue (ptx: a CUstream) and
     the device current on this thread: what `work` puts there is work of the queue. */
  int32_t (*enqueueNative)(HetQueue *, void (*work)(void *stream, void *data), void *data,
                           HetStatus *);

  /* All three null where enqueueNative is, or where the driver's streams can not record.
     Calls `work` as enqueueNative does, with a stream of its own that does nothing but
     record: what `work` puts there can be put into a queue any number of times.
     HET_UNSUPPORTED: it did what can not be recorded; then nothing of it is left. */
  int32_t (*recordNative)(HetDevice *, void (*work)(void *stream, void *data), void *data,
                          HetNativeWork **, HetStatus *);
  int32_t (*enqueueNativeWork)(HetQueue *, HetNativeWork *, HetStatus *);
  void (*destroyNativeWork)(HetNativeWork *); /* also while it runs */

  /* Both null where the device has no texture units. Makes a handle for
     hetir.texture_fetch, and takes it away once no kernel uses it. HET_UNSUPPORTED: the
     unit can not read such a texture. The memory stays mapped as long as the handle is
     used. */
  int32_t (*createTexture)(HetDevice *, const HetTexture *, uint64_t *handle,
                           HetStatus *);
  void (*destroyTexture)(HetDevice *, uint64_t handle);
} HetDeviceABI;

typedef struct HetLowerRequest {
  const uint8_t *code; /* hetIR bytecode of one kernel and what it calls */
  size_t codeSize;
  const char *kernel;
  const char *arch;    /* of the device's properties, or findArch's */
  const char *options; /* words separated by spaces; may be empty. `parkable`, for
                          enqueueParkable, or `parkable=N`: with about N operations
                          expected between polls; where the device takes constants:
                          block=X,Y,Z and argument=INDEX:BYTES; `interim`: made soon */
  const char *devicelibPath;
} HetLowerRequest;

/* How a kernel is lowered, for people; NUL-terminated. */
typedef struct HetExplanation {
  char form[128];   /* which of the target's ways; never empty */
  char reason[896]; /* why not a better one; empty: there is none */
} HetExplanation;

/* An architecture that a user has named; NUL-terminated. */
typedef struct HetArchitecture {
  char arch[1008]; /* for a request: the one spelling of all names that it has */
  char suffix[16]; /* of files with code for it, such as ".o" */
} HetArchitecture;

typedef struct HetLoweringABI {
  uint32_t abiVersion;
  uint32_t size;
  const char *name;
  const char *version; /* equals the device's loweringVersion */
  int32_t (*lower)(const HetLowerRequest *, HetLowering *, HetStatus *);
  void (*release)(HetLowering *);
  /* Null: all kernels are lowered in one way. Which way `lower` takes for that request,
     and why; fails where `lower` does. */
  int32_t (*explain)(const HetLowerRequest *, HetExplanation *, HetStatus *);
  /* Null: names are taken as they are. What architecture a name means, for lowering
     without a device; empty: the one that the target chooses. HET_INVALID says which
     there are. */
  int32_t (*findArch)(const char *name, HetArchitecture *, HetStatus *);
  /* Null: an artifact is such a file. The code in an artifact, as a file that other tools
     read. */
  int32_t (*extractCode)(const uint8_t *artifact, size_t size, HetLowering *,
                         HetStatus *);
} HetLoweringABI;

typedef const HetDeviceABI *(*HetDeviceEntry)(void);
typedef const HetLoweringABI *(*HetLoweringEntry)(void);

#ifdef __cplusplus
}
#endif

#endif
