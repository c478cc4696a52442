// A header may declare the function behind assert() itself, as CUDA's own libraries do where
// NDEBUG keeps <assert.h> from it; and assert() works before and after.
// REQUIRES: hetcc, host
// RUN: hetcc %s -o %t && env HET_DEVICES=host %t 2>&1 | FileCheck %s
// RUN: hetcc -DNDEBUG %s -o %t.release && env HET_DEVICES=host %t.release 2>&1 | FileCheck %s
// CHECK: before: 0
// CHECK: thread: [5,0,0] Assertion `direct` failed.
// CHECK: after: 710
#include <cassert>
#include <cstdio>

extern "C" {
__host__ __device__ void __assert_fail(const char *, const char *, unsigned int, const char *) noexcept
    __attribute__((__noreturn__));
}

__host__ __device__ int checked(int x) {
  assert(x < 300);
  return x;
}

__global__ void raise(int *values) {
  if (checked(values[threadIdx.x]) > 100)
    __assert_fail("direct", __FILE__, __LINE__, __func__);
  values[threadIdx.x]++;
}

int main() {
  int *values;
  cudaMallocManaged(&values, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i)
    values[i] = checked(i);
  raise<<<1, 32>>>(values);
  std::fprintf(stderr, "before: %d\n", cudaDeviceSynchronize());
  values[5] = 200;
  raise<<<1, 32>>>(values);
  std::fprintf(stderr, "after: %d\n", cudaDeviceSynchronize());
}
