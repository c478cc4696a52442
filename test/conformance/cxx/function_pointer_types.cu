// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers to functions whose parameters lie alike in memory and are passed differently,
// and calls of one type of which each knows something else about its arguments.
// CUDA C++ Programming Guide: Function Pointers.

#include "Inputs/check.h"

struct Six {
  int at[6];
};
using ByValue = int (*)(Six);
using ByPointer = int (*)(Six *);
using Signed = int (*)(signed char);
using Unsigned = int (*)(unsigned char);
using Read = int (*)(const int *);
using Store = void (*)(int *);

__device__ int addToCopy(Six six) {
  six.at[0] += 1;
  return six.at[0] + six.at[5];
}
__device__ int addInPlace(Six *six) {
  six->at[0] += 100;
  return six->at[0] + six->at[5];
}
__device__ int ofSigned(signed char value) { return value * 2; }
__device__ int ofUnsigned(unsigned char value) { return value * 2; }
__device__ int once(const int *p) { return p ? *p : -1; }
__device__ int twice(const int *p) { return p ? *p * 2 : -2; }
__device__ __attribute__((noreturn)) void end(int *p) {
  *p = 1;
  __trap();
  __builtin_unreachable();
}
__device__ void go(int *p) { *p = 2; }

__device__ ByValue byValues[1];
__device__ ByPointer byPointers[1];
__device__ Signed signeds[1];
__device__ Unsigned unsigneds[1];
__device__ Read reads[2];
__device__ Store stores[2];

__global__ void fill() {
  byValues[0] = addToCopy, byPointers[0] = addInPlace;
  signeds[0] = ofSigned, unsigneds[0] = ofUnsigned;
  reads[0] = once, reads[1] = twice;
  stores[0] = end, stores[1] = go;
}

__global__ void valueFirst(int *out, Six *six, int i) {
  out[0] = byValues[i](*six), out[1] = six->at[0];
  out[2] = byPointers[i](six), out[3] = six->at[0];
}
__global__ void pointerFirst(int *out, Six *six, int i) {
  out[4] = byPointers[i](six), out[5] = six->at[0];
  out[6] = byValues[i](*six), out[7] = six->at[0];
}
__global__ void others(int *out, int i) {
  int local = 5 + i;
  out[8] = signeds[i - 1](static_cast<signed char>(out[20]));
  out[9] = unsigneds[i - 1](static_cast<unsigned char>(out[20]));
  out[10] = reads[i](&local);
  out[11] = reads[i](nullptr);
  if (i == 7) {
    stores[0](out);
    __builtin_unreachable();
  }
  stores[i](out + 12);
  out[13] = 3;
}

int main() {
  check::Array<int> out(21);
  check::Array<Six> six(1);
  six.host[0] = {{1, 2, 3, 4, 5, 6}};
  six.put();
  out.host[20] = -3;
  out.put();
  fill<<<1, 1>>>();
  valueFirst<<<1, 1>>>(out, six, 0);
  pointerFirst<<<1, 1>>>(out, six, 0);
  others<<<1, 1>>>(out, 1);
  out.get();
  const int expected[14] = {8, 1, 107, 101, 207, 201, 208, 201, -6, 506, 12, -2, 2, 3};
  for (int i = 0; i < 14; ++i)
    CHECK_AT(i, out.host[i], expected[i]);
  return check::finish("function_pointer_types");
}
