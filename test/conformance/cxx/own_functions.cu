// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_50
// FLAGS: -arch=sm_60
// FLAGS: -arch=sm_61
// FLAGS: -arch=sm_75
// FLAGS: -arch=sm_80
// FLAGS: -arch=sm_90
//
// Functions that CUDA declares from some architecture on. Programs for an older one define
// them themselves, by the same names, for device code only.
// CUDA C++ Programming Guide: Atomic Functions, Warp Reduce Functions.
// not timed: nothing waits

#include "Inputs/check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#if defined(__CUDA_ARCH__)
template <class T, class Bits, class Add>
__device__ T addByExchange(T *address, T value, Add add) {
  Bits seen = *(volatile Bits *)address, before;
  do {
    before = seen;
    T sum = add(*(T *)&before, value);
    seen = atomicCAS((Bits *)address, before, *(Bits *)&sum);
  } while (seen != before);
  return *(T *)&before;
}
#if __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *address, double value) {
  return addByExchange<double, unsigned long long>(
      address, value, [](double a, double b) { return a + b; });
}
// Not what CUDA's returns
__device__ void atomicAdd(__half2 *address, __half2 value) {
  addByExchange<__half2, unsigned>(address, value,
                                   [](__half2 a, __half2 b) { return __hadd2(a, b); });
}
#endif
#if __CUDA_ARCH__ < 610
__device__ int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8)
    c += (signed char)(a >> i) * (signed char)(b >> i);
  return c;
}
#endif
#if __CUDA_ARCH__ < 700
__device__ void atomicAdd(__half *address, __half value) {
  // One thread adds at a time here.
  *address = __hadd(*address, value);
}
__device__ void __nanosleep(unsigned) {}
#endif
#if __CUDA_ARCH__ < 800
__device__ unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  unsigned sum = 0;
  for (int lane = 0; lane < 32; ++lane)
    sum += __shfl_sync(mask, value, lane);
  return sum;
}
#endif
#if __CUDA_ARCH__ < 900
__device__ float2 atomicAdd(float2 *address, float2 value) {
  return make_float2(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}
#endif
#endif

struct Sums {
  double wide;
  float2 pair;
  __half2 halves;
  __half half;
  __nv_bfloat16 brain;
  int dot;
  unsigned lanes;
};

__global__ void add(Sums *sums) {
  const unsigned t = threadIdx.x;
  atomicAdd(&sums->wide, 0.5);
  atomicAdd(&sums->pair, make_float2(1, (float)t));
  atomicAdd(&sums->halves, __floats2half2_rn(1, 2));
  atomicAdd(&sums->brain, __float2bfloat16(2.0f)); // declared for each architecture
  __nanosleep(1);
  const unsigned lanes = __reduce_add_sync(~0u, t);
  if (t)
    return;
  atomicAdd(&sums->half, __float2half(3.0f));
  sums->dot = __dp4a(0x01ff0203, 0x04050607, 100);
  sums->lanes = lanes;
}

int main() {
  check::Array<Sums> sums(1);
  sums.host[0] = Sums{};
  sums.put();
  add<<<1, 32>>>(sums);
  sums.get();
  const Sums &s = sums.host[0];
  CHECK_EQ(s.wide, 16.0);
  CHECK_EQ(s.pair.x, 32.0f);
  CHECK_EQ(s.pair.y, 496.0f);
  CHECK_EQ(__low2float(s.halves), 32.0f);
  CHECK_EQ(__high2float(s.halves), 64.0f);
  CHECK_EQ(__half2float(s.half), 3.0f);
  CHECK_EQ(__bfloat162float(s.brain), 64.0f);
  CHECK_EQ(s.dot, 100 + 3 * 7 + 2 * 6 - 5 + 4);
  CHECK_EQ(s.lanes, 496u);
  return check::finish("own_functions");
}
