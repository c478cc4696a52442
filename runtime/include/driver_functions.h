// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes structures of the runtime API: make_cudaPitchedPtr, make_cudaPos,
// make_cudaExtent.

#ifndef HET_DRIVER_FUNCTIONS_H
#define HET_DRIVER_FUNCTIONS_H
#define __DRIVER_FUNCTIONS_H__

#include "driver_types.h"

static __inline__ __host__ struct cudaPitchedPtr
make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz) {
  struct cudaPitchedPtr s = {d, p, xsz, ysz};
  return s;
}

static __inline__ __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos p = {x, y, z};
  return p;
}

static __inline__ __host__ struct cudaExtent make_cudaExtent(size_t w, size_t h,
                                                             size_t d) {
  struct cudaExtent e = {w, h, d};
  return e;
}

#endif // HET_DRIVER_FUNCTIONS_H
