// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other file of files.cu.

#include "files.h"

__global__ void there(int *out, int value) { *out += value; }

static __global__ void ofOneName(int *out, int value) { *out += 100 * value; }

__device__ Kernel chosenThere = ofOneName;

__device__ void launchStatic(int *out) { ofOneName<<<1, 1>>>(out, 7); }

static __global__ void outer(int *out) { anywhere<int><<<1, 1>>>(out, 5); }

void launchFromThere(int *out) { outer<<<1, 1>>>(out); }
