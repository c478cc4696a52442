// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hundreds of shuffles in a row, as of unrolled loops over registers: the code between
// them is alike, but for the registers, for an offset in shared memory or for a constant.
// All lanes come to those of one kernel, half a warp to the other's.

#include "Inputs/check.h"

constexpr int count = 24, threads = 64;

template <int lanes>
__device__ void transform(unsigned mask, int lane, int (&values)[count], int *row) {
#pragma unroll
  for (int step = 1; step < lanes; step *= 2)
#pragma unroll
    for (int i = 0; i < count; ++i) {
      int other = __shfl_xor_sync(mask, values[i], step);
      values[i] = lane & step ? other - values[i] : values[i] + other;
    }
#pragma unroll
  for (int i = 0; i < count; ++i)
    values[i] += __shfl_sync(mask, values[i] ^ (i * 5), (lane + i) % lanes);
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (lane == 3)
      row[i] = values[i];
    __syncwarp(mask);
    values[i] = values[i] * 3 + row[i];
  }
}

template <int lanes> __global__ void kernel(const int *in, int *out) {
  __shared__ int rows[threads / 32][count];
  int thread = threadIdx.x, lane = thread % 32, values[count];
#pragma unroll
  for (int i = 0; i < count; ++i)
    values[i] = in[i * threads + thread];
  if (lane < lanes)
    transform<lanes>(lanes == 32 ? ~0u : (1u << lanes % 32) - 1, lane, values,
                     rows[thread / 32]);
#pragma unroll
  for (int i = 0; i < count; ++i)
    out[i * threads + thread] = values[i];
}

/// What becomes of the lanes' values of one register.
static void expect(int lanes, int i, int *values) {
  int before[32];
  auto keep = [&] { memcpy(before, values, sizeof before); };
  for (int step = 1; step < lanes; step *= 2) {
    keep();
    for (int lane = 0; lane < lanes; ++lane)
      values[lane] = lane & step ? before[lane ^ step] - before[lane]
                                 : before[lane] + before[lane ^ step];
  }
  keep();
  for (int lane = 0; lane < lanes; ++lane)
    values[lane] += before[(lane + i) % lanes] ^ (i * 5);
  keep();
  for (int lane = 0; lane < lanes; ++lane)
    values[lane] = before[lane] * 3 + before[3];
}

template <int lanes> static void test(check::Array<int> &in) {
  check::Array<int> out(count * threads);
  kernel<lanes><<<1, threads>>>(in, out);
  out.get();
  for (int i = 0; i < count; ++i)
    for (int warp = 0; warp < threads / 32; ++warp) {
      int first = i * threads + warp * 32, values[32];
      memcpy(values, &in.host[first], sizeof values);
      expect(lanes, i, values);
      for (int lane = 0; lane < 32; ++lane)
        CHECK_AT(first + lane, out.host[first + lane], values[lane]);
    }
}

int main() {
  check::Array<int> in(count * threads);
  for (int i = 0; i < count * threads; ++i)
    in.host[i] = (i * 37) % 1009 - 500;
  in.put();
  test<32>(in);
  test<16>(in);
  return check::finish("unrolled_shuffles");
}
