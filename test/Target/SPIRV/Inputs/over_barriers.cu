// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread has computed before a barrier is its own behind it: signs, vectors,
// structures, pointers, numbers of all sizes, what atomics and functions return.
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>

struct Parts {
  int a;
  double b;
  short c[3];
};

__device__ __noinline__ unsigned position() { return threadIdx.x * 77; }

template <int K> __device__ auto compute(unsigned x, unsigned *words) {
  float y = __int_as_float((x & 0x7fffff) | 0x40000000);
  if constexpr (K == 0)
    return -y;
  else if constexpr (K == 1)
    return -(float)x;
  else if constexpr (K == 2)
    return -(double)y;
  else if constexpr (K == 3)
    return __hneg(__half(y));
  else if constexpr (K == 4)
    return -floorf(y * 100);
  else if constexpr (K == 5)
    return make_float4(-y, y, -y * 2, y + 1);
  else if constexpr (K == 6)
    return Parts{int(x), -(double)y, {short(x), short(x >> 3), 3}};
  else if constexpr (K == 7)
    return (x & 4) != 0;
  else if constexpr (K == 8)
    return words + (x & 15);
  else if constexpr (K == 9)
    return atomicExch(words + (x & 255), x);
  else if constexpr (K == 10)
    return position();
  else
    return -sinf(-y);
}

template <int K, class T> __global__ void over(T *results, const unsigned *in, unsigned *words) {
  T value = compute<K>(in[threadIdx.x], words);
  __syncthreads();
  results[threadIdx.x] = value;
}

template <int K, class T> __global__ void plain(T *results, const unsigned *in, unsigned *words) {
  results[threadIdx.x] = compute<K>(in[threadIdx.x], words);
}

static unsigned *in, *words;
static char *results, *expected;

template <class T> void run(void (*kernel)(T *, const unsigned *, unsigned *), char *to, int threads) {
  memset(to, 0, 8192);
  for (int i = 0; i < 256; ++i)
    words[i] = i * 77;
  kernel<<<1, threads>>>((T *)to, in, words);
  cudaDeviceSynchronize();
}

template <int K, class T> void compare() {
  for (int threads : {1, 31, 64, 200}) {
    run(over<K, T>, results, threads);
    run(plain<K, T>, expected, threads);
    if (memcmp(results, expected, threads * sizeof(T)))
      printf("wrong: %d, %d threads\n", K, threads);
  }
}

int main() {
  cudaMallocManaged(&in, 1024);
  cudaMallocManaged(&words, 1024);
  cudaMallocManaged(&results, 8192);
  cudaMallocManaged(&expected, 8192);
  for (unsigned i = 0; i < 256; ++i)
    in[i] = (i * 167) % 256 + i * 2654435712u;
  compare<0, float>();
  compare<1, float>();
  compare<2, double>();
  compare<3, __half>();
  compare<4, float>();
  compare<5, float4>();
  compare<6, Parts>();
  compare<7, bool>();
  compare<8, unsigned *>();
  compare<9, unsigned>();
  compare<10, unsigned>();
  compare<11, float>();
  printf("compared: %s\n", cudaGetErrorString(cudaGetLastError()));
}
