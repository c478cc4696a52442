// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles that only some lanes reach: on both sides of a branch, in loops that
// lanes leave at different times, after an early return, in a called function.
// CUDA C++ Programming Guide: Warp Shuffle Functions.

#include "Inputs/check.h"

__global__ void bothSides(int *out) {
  int lane = threadIdx.x, value = lane * lane + 1;
  if (lane < 20) {
    value = __shfl_sync(0x000fffffu, value, (lane + 1) % 20);
  } else {
    value *= 3;
    value = __shfl_sync(0xfff00000u, value, lane == 31 ? 20 : lane + 1);
  }
  out[lane] = value;
}

__global__ void evenOdd(int *out) {
  int lane = threadIdx.x, value = 7 * lane;
  if (lane % 2)
    value = __shfl_xor_sync(0xaaaaaaaau, value, 2);
  else
    value = __shfl_xor_sync(0x55555555u, value, 4);
  out[lane] = value;
}

// Lane i makes i + 1 rounds; in round r the lanes r..31 take part.
__global__ void lanesLeave(int *out) {
  int lane = threadIdx.x, sum = 0;
  for (int round = 0; round <= lane; ++round) {
    unsigned mask = 0xffffffffu << round;
    sum += __shfl_sync(mask, lane * 10 + round,
                       31 - (lane + round) % (32 - round));
  }
  out[lane] = sum;
}

__global__ void afterReturn(int *out) {
  int lane = threadIdx.x;
  if (lane % 3 == 0)
    return;
  unsigned mask = 0;
  for (int i = 0; i < 32; ++i)
    mask |= i % 3 ? 1u << i : 0;
  int partner = lane % 3 == 1 ? lane + 1 : lane - 1;
  if (lane == 31) // its partner would be lane 32
    partner = 1;
  out[lane] = __shfl_sync(mask, 100 + lane, partner);
}

__device__ __noinline__ int rotate(unsigned mask, int value, int from) {
  return __shfl_sync(mask, value, from);
}
__global__ void called(int *out) {
  int lane = threadIdx.x, value = lane + 5;
  if (lane >= 16)
    value = rotate(0xffff0000u, value, 47 - lane);
  else if (lane >= 8)
    value = rotate(0x0000ff00u, value * 2, 23 - lane);
  else
    value = rotate(0x000000ffu, value * 3, 7 - lane);
  out[lane] = value;
}

static int expectLeave(int lane) {
  int sum = 0;
  for (int r = 0; r <= lane; ++r)
    sum += (31 - (lane + r) % (32 - r)) * 10 + r;
  return sum;
}
static int expectCalled(int lane) {
  return lane >= 16  ? 47 - lane + 5
         : lane >= 8 ? (23 - lane + 5) * 2
                     : (7 - lane + 5) * 3;
}

int main() {
  check::Array<int> out(32);
  bothSides<<<1, 32>>>(out);
  out.get();
  for (int i = 0; i < 32; ++i) {
    int from = i < 20 ? (i + 1) % 20 : i == 31 ? 20 : i + 1;
    CHECK_AT(i, out.host[i], (from * from + 1) * (i < 20 ? 1 : 3));
  }
  evenOdd<<<1, 32>>>(out);
  out.get();
  for (int i = 0; i < 32; ++i)
    CHECK_AT(i, out.host[i], 7 * (i % 2 ? i ^ 2 : i ^ 4));
  lanesLeave<<<1, 32>>>(out);
  out.get();
  for (int i = 0; i < 32; ++i)
    CHECK_AT(i, out.host[i], expectLeave(i));
  out.fill(-1);
  afterReturn<<<1, 32>>>(out);
  out.get();
  for (int i = 0; i < 32; ++i)
    CHECK_AT(i, out.host[i],
             i % 3 == 0   ? -1
             : i == 31    ? 101
             : i % 3 == 1 ? 101 + i
                          : 99 + i);
  called<<<1, 32>>>(out);
  out.get();
  for (int i = 0; i < 32; ++i)
    CHECK_AT(i, out.host[i], expectCalled(i));
  return check::finish("shuffle_divergent");
}
