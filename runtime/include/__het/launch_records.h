/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The launches that kernels make, in the device's memory: kernels leave records by the
 * functions of device_runtime.h, and the runtime carries them out when the grid has ended
 * (docs/design/device-launch.md). C, since both sides are compiled against it. Numbers
 * are little-endian; addresses are of the device's memory.
 */
#ifndef HET_LAUNCH_RECORDS_H
#define HET_LAUNCH_RECORDS_H

enum {
  HET_RECORD_NONE = 0, /* reserved, and not used */
  HET_RECORD_LAUNCH = 1,
  HET_RECORD_COPY = 2,
  HET_RECORD_FILL = 3,
  HET_RECORD_GRAPH = 4, /* `kernel` is the executable graph's handle */
  HET_RECORD_END = 5    /* of a graph; the runtime's own */
};

enum {
  HET_RECORD_ARGUMENTS = 128, /* bytes of them in the record itself */
  HET_MOST_ARGUMENTS = 4096,  /* what CUDA lets a child's parameters take */
  HET_LAUNCH_ERRORS = 1024,
  HET_LAUNCH_ATTRIBUTES = 160,
  HET_NO_ATTRIBUTE = -2147483647, /* no such attribute */
  HET_NO_ERROR_TEXT = 0x7FFFFFFF  /* ends the list of them */
};

/* One launch, copy or fill. */
struct HetLaunchRecord {
  unsigned int kind;         /* HET_RECORD_...; written last */
  unsigned int tail;         /* 1: behind everything else of the grid that made it */
  unsigned long long order;  /* among the records of that grid: lower ones first */
  unsigned long long kernel; /* its number (het/Package/KernelInfo.h) */
  unsigned int grid[3];
  unsigned int block[3];
  unsigned int dynamicSharedBytes;
  unsigned int argumentBytes; /* above HET_RECORD_ARGUMENTS: they lie in `large` */
  unsigned long long graph;   /* of which it is a part; 0: of none */
  unsigned int reserved[16];
  unsigned char arguments[HET_RECORD_ARGUMENTS]; /* or a HetCopyRecord */
};

/* Planes of rows. A fill has an element's bytes and the number of elements in a row. */
struct HetCopyRecord {
  unsigned long long to, from;
  unsigned long long toPitch, fromPitch, toSlice, fromSlice;
  unsigned long long width, height, depth;
  unsigned int value, elementBytes;
};

/* The last error of one thread. */
struct HetLaunchError {
  unsigned long long thread; /* its number in the grid, plus 1; 0: nobody's */
  unsigned int error;
  unsigned int reserved;
};

/* An error's name and sentence: where they begin, from the beginning of the list. */
struct HetErrorText {
  unsigned int code, name, text;
};

/* What a package's variable of the kind `launches` is. One grid uses it at a time: the
   runtime runs those that may launch one after another. */
struct HetLaunches {
  unsigned long long records; /* address of `limit` HetLaunchRecord */
  unsigned long long large;   /* address of `limit` pieces of HET_MOST_ARGUMENTS */
  unsigned int limit;
  unsigned int sorted;  /* records below are those still to be done, the next one last */
  unsigned int used;    /* records that were given out; may be above `limit` */
  unsigned int handles; /* streams and events that kernels have made */
  unsigned int errorCount; /* failures of the running grid */
  unsigned int otherError; /* the last one of those that found no place in `errors` */
  unsigned int device;     /* its number in the process */
  unsigned int deviceCount;
  unsigned int maxThreads, maxSharedBytes;
  unsigned int maxBlock[3], maxGrid[3];
  unsigned long long errorTexts; /* address of a list of HetErrorText, and the texts */
  unsigned long long graph;      /* of which the running grid is a part; 0: of none */
  struct HetLaunchError errors[HET_LAUNCH_ERRORS];
  int attributes[HET_LAUNCH_ATTRIBUTES]; /* by cudaDeviceAttr */
};

#endif
