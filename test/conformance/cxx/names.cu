// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels, functions and constants may have any name: of functions that a lowering
// makes, that code generation or C calls, and of OpenCL's.

#include "Inputs/check.h"

#define HELPER(name, factor)                                                             \
  extern "C" __device__ __noinline__ int name(int *values, int x) {                      \
    values[x & 3] += factor;                                                             \
    return x * factor + values[0];                                                       \
  }
HELPER(het_resume, 2)
HELPER(het_tensix_run, 3)
HELPER(het_null_run, 5)
HELPER(het_core_parking, 7)
HELPER(het_spirv_entry, 11)
HELPER(write, 13)
HELPER(bcmp, 17)
HELPER(__udivti3, 19)
HELPER(__truncdfhf2, 23)
HELPER(get_global_id, 29)
HELPER(barrier, 31)

// Mangled as OpenCL's own.
__device__ __noinline__ float mix(float a, float b, float c) { return a - b * c; }
__device__ __noinline__ float clamp(float a, float b, float c) { return a + b - c; }
__device__ __noinline__ int rotate(int a, int b) { return a - b; }

extern "C" {
__device__ const int het_host_services[4] = {40, 41, 42, 43};
__device__ int het_variables = 5;
}

__device__ __noinline__ int callAll(int *values, int x) {
  int sum = het_resume(values, x) + het_tensix_run(values, x) + het_null_run(values, x);
  sum += het_core_parking(values, x) + het_spirv_entry(values, x) + write(values, x);
  sum += bcmp(values, x) + __udivti3(values, x) + __truncdfhf2(values, x);
  return sum + get_global_id(values, x) + barrier(values, x);
}

/// The same on the host, by the formulas.
static int expectAll(int *values, int x) {
  int sum = 0;
  for (int factor : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31}) {
    values[x & 3] += factor;
    sum += x * factor + values[0];
  }
  return sum;
}

__device__ __forceinline__ void work(int *out, int *shared) {
  int values[4] = {1, 2, 3, 4}, t = threadIdx.x;
  shared[t] = callAll(values, t) + het_host_services[t & 3] + het_variables;
  __syncthreads();
  out[t] = shared[t ^ 1] + int(mix(t, 2, 3) + clamp(t, 5, 7)) + rotate(t, 3);
}

#define KERNEL(name)                                                                     \
  extern "C" __global__ void name(int *out) {                                            \
    __shared__ int shared[64];                                                           \
    work(out, shared);                                                                   \
  }
KERNEL(het_run)
KERNEL(het_kernel)
KERNEL(het_spirv_main)
KERNEL(get_local_size)
KERNEL(__divti3)

static int expected(int t) {
  int values[4] = {1, 2, 3, 4}, other = t ^ 1;
  const int there = expectAll(values, other) + 40 + (other & 3) + 5;
  return there + (t - 6) + (t + 5 - 7) + (t - 3);
}

int main() {
  for (auto kernel : {het_run, het_kernel, het_spirv_main, get_local_size, __divti3}) {
    check::Array<int> out(64);
    kernel<<<1, 64>>>(out);
    CUDA_DONE();
    out.get();
    for (int t = 0; t < 64; ++t)
      CHECK_EQ(out.host[t], expected(t));
  }
  return check::finish("names");
}
