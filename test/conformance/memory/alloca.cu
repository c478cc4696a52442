// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS:
// FLAGS: -G
//
// alloca of a constant size: in a kernel, in functions that are inlined or not, behind a
// condition, in a loop whose rounds do not look at each other's objects, and across
// barriers.
// CUDA C++ Programming Guide: Dynamic Global Memory Allocation and Operations, alloca.

#include "Inputs/check.h"

constexpr int size = 16;

__device__ __noinline__ int reversed(const int *in, int i) {
  int *p = (int *)alloca(size * sizeof(int));
  for (int k = 0; k < size; ++k)
    p[size - 1 - k] = in[k];
  return p[i];
}

template <class T> __device__ T turned(const T *in, int n, int i) {
  if (n > size)
    return in[0];
  T *p = static_cast<T *>(__builtin_alloca(sizeof(T) * size));
  for (int k = 0; k < n; ++k)
    p[k] = in[(k + i) % n];
  T sum = 0;
  for (const T *at = p; at != p + n; ++at)
    sum = sum * 3 + *at;
  return sum;
}

__global__ void kernel(const int *in, long long *out, int n) {
  __shared__ int shared[64];
  const int i = threadIdx.x;
  int *own = (int *)alloca(size * sizeof(int));
  for (int k = 0; k < size; ++k)
    own[k] = in[k] + i;
  shared[i] = own[i % size];
  __syncthreads();
  long long sum = reversed(own, i % size) + shared[(i + 1) % 64];
  for (int round = 0; round < n; ++round) {
    int *p = (int *)alloca(size * sizeof(int));
    for (int k = 0; k < size; ++k)
      p[k] = own[k] * round;
    __syncthreads();
    shared[i] = p[(i + round) % size];
    __syncthreads();
    sum = sum * 5 + turned(p, size - round % 2, i) + shared[(i + round) % 64];
  }
  if (i & 1) {
    char *bytes = (char *)alloca(40);
    for (int k = 0; k < 40; ++k)
      bytes[k] = (char)(sum >> k);
    sum ^= bytes[i % 40];
  }
  out[i] = sum;
}

// The same on the host, all threads in step.
static std::vector<long long> expected(const std::vector<int> &in, int n) {
  std::vector<long long> sums(64);
  std::vector<int> shared(64);
  auto own = [&](int i, int k) { return in[k] + i; };
  auto turned = [&](int i, int round) {
    const int count = size - round % 2;
    int sum = 0;
    for (int k = 0; k < count; ++k)
      sum = (int)((unsigned)sum * 3u + (unsigned)(own(i, (k + i) % count) * round));
    return sum;
  };
  for (int i = 0; i < 64; ++i)
    shared[i] = own(i, i % size);
  for (int i = 0; i < 64; ++i)
    sums[i] = own(i, size - 1 - i % size) + shared[(i + 1) % 64];
  for (int round = 0; round < n; ++round) {
    for (int i = 0; i < 64; ++i)
      shared[i] = own(i, (i + round) % size) * round;
    for (int i = 0; i < 64; ++i)
      sums[i] = sums[i] * 5 + turned(i, round) + shared[(i + round) % 64];
  }
  for (int i = 1; i < 64; i += 2)
    sums[i] ^= (char)(sums[i] >> (i % 40));
  return sums;
}

int main() {
  std::vector<int> values(size);
  unsigned state = 7;
  for (int &value : values)
    value = check::random(state) % 10;
  const int rounds = 9;
  check::Array<int> in(values);
  check::Array<long long> out(64);
  kernel<<<1, 64>>>(in, out, rounds);
  out.get();
  const std::vector<long long> want = expected(values, rounds);
  for (int i = 0; i < 64; ++i)
    CHECK_AT(i, out.host[i], want[i]);
  return check::finish("alloca");
}
