// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions of another file: called, inlined, given templates; with barriers and
// shuffles inside. Static functions of one name stay apart, inline ones and kernels of
// templates are one.
// CUDA Compiler Driver NVCC: Using Separate Compilation in CUDA.
// FLAGS: -rdc=true
// FLAGS: -rdc=true -G
// FLAGS: -rdc=true -use_fast_math
// ALSO: Inputs/functions.cu

#include "Inputs/check.h"
#include "Inputs/functions.h"

static __device__ int tag() { return 1; }

__global__ void callAll(int *out) {
  int i = threadIdx.x;
  out[i] = blockSum(i + 1) + lanesSum(1) * 1000 + tag() * 100000 + otherTag() * 10000000;
}

// Its loop is another file's, with this file's function in it.
__global__ void iterate(long long *out) {
  out[threadIdx.x] = collatz(threadIdx.x + 1);
}

__global__ void onlyHere(int *out) { out[threadIdx.x] = twice(int(threadIdx.x)); }

__device__ long long step(long long n) { return n % 2 ? 3 * n + 1 : n / 2; }

static long long expectedSteps(long long n) {
  long long count = 0;
  for (; n != 1; ++count)
    n = n % 2 ? 3 * n + 1 : n / 2;
  return count;
}

int main() {
  constexpr int n = 64;
  check::Array<int> out(n);
  callAll<<<1, n>>>(out);
  out.get();
  for (int i = 0; i < n; ++i)
    CHECK_AT(i, out.host[i], n * (n + 1) / 2 + 32 * 1000 + 100000 + 2 * 10000000);

  check::Array<long long> steps(n);
  iterate<<<1, n>>>(steps);
  steps.get();
  for (int i = 0; i < n; ++i)
    CHECK_AT(i, steps.host[i], expectedSteps(i + 1));

  onlyHere<<<1, n>>>(out);
  add<int><<<1, n>>>(out, 5);
  addThere(out, n);
  out.get();
  for (int i = 0; i < n; ++i)
    CHECK_AT(i, out.host[i], 2 * i + 5 + 7);

  CHECK_EQ(staticKernelThere(out), 2);
  staticKernel<<<1, 1>>>(out);
  CHECK_EQ(out.get()[0], 1);
  return check::finish("separate/functions");
}
