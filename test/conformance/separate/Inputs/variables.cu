// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other file of separate/variables.

#include "Inputs/check.h"
#include "variables.h"

__device__ int theirs[4] = {100, 200, 300, 400};
__constant__ int constants[3] = {5, 6, 7};
__managed__ int managed = 70;
__device__ int *toMine = &mine[3];
static __device__ int apart = 50;

static __global__ void read(int *out) {
  out[0] = mine[1];
  out[1] = ++apart;
  out[2] = ++counter<int>();
  out[3] = ++inlineCounter();
}

void readThere(int *out) { read<<<1, 1>>>(out); }

int apartThere() {
  int value = 0;
  CUDA(cudaMemcpyFromSymbol(&value, apart, sizeof value));
  return value;
}

void setMineThere(int value) {
  CUDA(cudaMemcpyToSymbol(mine, &value, sizeof value, sizeof value));
}

void *addressThere() {
  void *address = nullptr;
  CUDA(cudaGetSymbolAddress(&address, theirs));
  return address;
}
