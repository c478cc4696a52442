/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The heap of a device's kernels (malloc and free), in the device's memory
 * (docs/spec/target-abi.md, Heap). The runtime makes it; kernels use it through the
 * device library's functions, on every target alike, so that it moves with the memory.
 */
#ifndef HET_DEVICEABI_HEAP_H
#define HET_DEVICEABI_HEAP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a package's variable of the kind `heap` is. All zero: an empty heap. Addresses and
   sizes are multiples of 16. */
typedef struct HetHeap {
  uint64_t begin; /* the address of the first chunk; chunks lie one behind the other */
  uint64_t bytes;
  uint64_t used; /* of them, from the beginning, chunks that were given out */
  uint64_t next; /* the offset of the chunk where the last search ended, or `used` */
  uint32_t lock; /* held by one thread, which stands at no safe point */
  uint32_t reserved[7];
} HetHeap;

/* Before each piece of memory. */
typedef struct HetHeapChunk {
  uint64_t bytes; /* with this header */
  uint32_t mark;  /* HET_HEAP_... */
  uint32_t reserved;
} HetHeapChunk;

#define HET_HEAP_USED 0x55534544u
#define HET_HEAP_FREE 0x46524545u

/* The variable's name, which no program can give its own. */
#define HET_HEAP_NAME "het.heap"

#ifdef __cplusplus
}
#endif

#endif
