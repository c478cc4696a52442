// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The four shuffles for every type that they are declared for, at widths 2 to
// 32, with sources inside and outside of the segment.
// CUDA C++ Programming Guide: Warp Shuffle Functions.

#include "Inputs/check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> __global__ void shuffle(T *out, const T *in, int by, int w) {
  int lane = threadIdx.x;
  T value = in[lane];
  out[lane] = __shfl_sync(0xffffffffu, value, by + lane / 3, w);
  out[32 + lane] = __shfl_up_sync(0xffffffffu, value, by, w);
  out[64 + lane] = __shfl_down_sync(0xffffffffu, value, by, w);
  out[96 + lane] = __shfl_xor_sync(0xffffffffu, value, by, w);
}

// The lane whose value a lane gets, by the guide's rules.
static int source(int which, int lane, int by, int width) {
  int base = lane & ~(width - 1), rank = lane & (width - 1);
  if (which == 0)
    return base + ((by + lane / 3) & (width - 1));
  if (which == 1)
    return rank - by >= 0 ? lane - by : lane;
  if (which == 2)
    return rank + by < width ? lane + by : lane;
  // xor may reach earlier segments, never later ones.
  int to = lane ^ by;
  return to < base + width ? to : lane;
}

template <class T> static void test(const std::vector<T> &values) {
  check::Array<T> in(values), out(128);
  for (int width = 2; width <= 32; width *= 2)
    for (int by = 0; by < 32; by += by < 4 ? 1 : 7) {
      shuffle<<<1, 32>>>((T *)out, (const T *)(T *)in, by, width);
      out.get();
      for (int i = 0; i < 128; ++i)
        CHECK_AT(i + 1000 * by + 100000 * width, out.host[i],
                 values[source(i / 32, i % 32, by, width)]);
    }
}

template <class T> static void testNumbers(T step) {
  std::vector<T> values(32);
  for (int i = 0; i < 32; ++i)
    values[i] = (T)((T)(i + 1) * step);
  test(values);
}

int main() {
  testNumbers<int>(-70000001);
  testNumbers<unsigned>(123456789u);
  testNumbers<long>(0x123456789abcdL);
  testNumbers<unsigned long>(0xf23456789abcdefUL);
  testNumbers<long long>(-0x123456789abcdLL);
  testNumbers<unsigned long long>(0xf123456789abcdefULL);
  testNumbers<float>(1.37f);
  testNumbers<double>(-3.0000000000001);
  std::vector<__half> halves(32);
  std::vector<__half2> pairs(32);
  std::vector<__nv_bfloat16> bfloats(32);
  for (int i = 0; i < 32; ++i) {
    halves[i] = __float2half(0.37f * i);
    pairs[i] = __floats2half2_rn(1.5f * i, -0.3f * i);
    bfloats[i] = __float2bfloat16(7.1f * i);
  }
  test(halves);
  test(pairs);
  test(bfloats);
  return check::finish("shuffle_types");
}
