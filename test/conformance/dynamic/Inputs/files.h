// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What files.cu and Inputs/files.cu share.

#ifndef CONFORMANCE_DYNAMIC_FILES_H
#define CONFORMANCE_DYNAMIC_FILES_H

__global__ void there(int *out, int value);
template <typename T> __global__ void anywhere(T *out, T value) { *out += value; }

typedef void (*Kernel)(int *, int);
extern __device__ Kernel chosenThere;
__device__ void launchStatic(int *out);
void launchFromThere(int *out);

#endif // CONFORMANCE_DYNAMIC_FILES_H
