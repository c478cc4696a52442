// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc takes beyond C++: a macro that stands for a pragma, a dependent
// template name without `template`, a default argument on an out-of-line member
// of a partial specialisation, and placement new with no header.

__device__ int *makeFirst(void *memory) { return new (memory) int(41); }

#include "Inputs/check.h"

#define UNROLL #pragma unroll
#define UNROLL_TWICE #pragma unroll 2
#define ONLY_IN_TEXT "#pragma unroll"

template <typename To, typename From> struct Cast {
  template <int n> __device__ static void copy(To *to, const From *from) {
    UNROLL
    for (int i = 0; i < n; ++i)
      to[i] = (To)from[i];
  }
  template <int n> __device__ int count(const From *from) const {
    int sum = 0;
    UNROLL_TWICE
    for (int i = 0; i < n; ++i)
      sum += from[i];
    return sum;
  }
  template <typename Other> __device__ static int size() {
    return sizeof(Other);
  }
};

template <int n, typename To, typename From>
__device__ int use(To *to, const From *from) {
  Cast<To, From>::copy<n>(to, from);
  Cast<To, From> cast;
  return cast.count<n>(from) + Cast<To, From>::size<To>();
}

template <typename T, int n> struct Adder;
template <typename T> struct Adder<T, 2> {
  __host__ __device__ T add(T a, T b) const;
};
template <typename T>
__host__ __device__ T Adder<T, 2>::add(T a, T b = 1) const {
  return a + b;
}

__global__ void kernel(float *to, const int *from, int *out) {
  out[0] = use<4>(to, from);
  out[1] = Adder<int, 2>().add(3, 4);
#pragma unroll(2)
  for (int i = 0; i < 4; ++i)
    out[2] += from[i];
  alignas(int) char memory[sizeof(int)];
  out[3] = *makeFirst(memory);
}

int main() {
  float *to;
  int *from, *out;
  CUDA(cudaMallocManaged(&to, 4 * sizeof *to));
  CUDA(cudaMallocManaged(&from, 4 * sizeof *from));
  CUDA(cudaMallocManaged(&out, 4 * sizeof *out));
  for (int i = 0; i < 4; ++i) {
    from[i] = i + 1;
    out[i] = 0;
  }
  kernel<<<1, 1>>>(to, from, out);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i)
    CHECK_AT(i, to[i], (float)(i + 1));
  CHECK_EQ(out[0], 10 + (int)sizeof(float));
  CHECK_EQ(out[1], 7);
  CHECK_EQ(out[2], 10);
  CHECK_EQ(out[3], 41);
  CHECK_EQ(ONLY_IN_TEXT[0], '#');
  return check::finish("nvcc_dialect");
}
