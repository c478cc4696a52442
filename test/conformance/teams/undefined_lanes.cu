// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that only some lanes have go through every exchange, and what the
// others bring is not looked at: a condition that only one lane meets stays
// one. Work is counted with atomics, so that a lane which does another's work
// is seen.

#include "Inputs/check.h"
#include <cooperative_groups.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

constexpr unsigned everyone = 0xffffffffu;
constexpr int giver = 5; // the lane that has the value
enum { Ways = 16 };

template <class T> __host__ __device__ T make(int n) { return (T)n; }
template <> __host__ __device__ __half make(int n) {
  return __float2half((float)n);
}

template <class T> __device__ T byValue(T value) {
  return __shfl_sync(everyone, value, giver);
}
template <class T> __device__ T byReference(const T &value) {
  return __shfl_sync(everyone, value, giver);
}
template <class T> __device__ __noinline__ T called(T value) {
  return byValue(value);
}
template <class T> struct Pair {
  int number;
  T value;
};
template <class T> __device__ T inStruct(Pair<T> pair) {
  return __shfl_sync(everyone, pair.value, giver);
}
template <class T> __device__ T ofStruct(T value) {
  Pair<T> pair = {1, value};
  return inStruct(pair);
}
template <class T> __device__ T byLambda(T value) {
  auto give = [](T v) { return __shfl_sync(everyone, v, giver); };
  return give(value);
}
template <class T> __device__ void setIf(bool has, T &to, T value) {
  if (has)
    to = value;
}

/// `expression` gives all lanes of `lanes` what the giver has in `value`.
#define GIVE(way, lanes, expression)                                           \
  {                                                                            \
    T value;                                                                   \
    if (lane == giver)                                                         \
      value = make<T>(atomicAdd(&taken[way], 1) + way + 1);                    \
    T got = expression;                                                        \
    out[way * 32 + lane] = (lanes) >> lane & 1 ? got : make<T>(0);             \
  }

template <class T> __global__ void give(int *taken, T *out) {
  const int lane = threadIdx.x;
  GIVE(0, everyone, __shfl_sync(everyone, value, giver))
  GIVE(1, 1u << (giver + 3), __shfl_up_sync(everyone, value, 3))
  GIVE(2, 1u << (giver - 2), __shfl_down_sync(everyone, value, 2))
  GIVE(3, 1u << (giver ^ 9), __shfl_xor_sync(everyone, value, 9))
  GIVE(4, everyone, byValue(value))
  GIVE(5, everyone, byReference(value))
  GIVE(6, everyone, called(value))
  GIVE(7, everyone, ofStruct(value))
  GIVE(8, everyone, byLambda(value))
  GIVE(9, everyone,
       cg::tiled_partition<32>(cg::this_thread_block()).shfl(value, giver))
  GIVE(10, everyone, cg::coalesced_threads().shfl(value, giver))
  GIVE(11, 0xffu, __shfl_sync(everyone, value, giver, 8)) {
    Pair<T> pair;
    T list[3];
    if (lane == giver)
      pair.value = list[1] = make<T>(atomicAdd(&taken[12], 1) + 13);
    out[12 * 32 + lane] = byValue(pair.value);
    out[13 * 32 + lane] = byValue(list[1]);
  }
  {
    T value;
    setIf(lane == giver, value, make<T>(15));
    out[14 * 32 + lane] = byValue(value);
  }
}

template <class T> static void testGiving() {
  check::Array<int> taken(Ways);
  check::Array<T> out(15 * 32);
  give<T><<<1, 32>>>(taken, out);
  out.get();
  taken.get();
  for (int way = 0; way < 13; ++way)
    CHECK_AT(way, taken.host[way], 1);
  const unsigned lanes[15] = {everyone, 1u << 8,  1u << 3,  1u << 12, everyone,
                              everyone, everyone, everyone, everyone, everyone,
                              everyone, 0xffu,    everyone, everyone, everyone};
  for (int i = 0; i < 15 * 32; ++i) {
    int way = i / 32, value = way == 13 ? 13 : way + 1;
    CHECK_AT(i, out.host[i], make<T>(lanes[way] >> i % 32 & 1 ? value : 0));
  }
}

/// The forms without a mask, and the instruction itself.
__global__ void giveAsBefore(int *taken, int *out) {
  using T = int;
  const int lane = threadIdx.x;
  GIVE(0, everyone, __shfl(value, giver))
  GIVE(1, 1u << (giver + 3), __shfl_up(value, 3))
  GIVE(2, 1u << (giver - 2), __shfl_down(value, 2))
  GIVE(3, 1u << (giver ^ 9), __shfl_xor(value, 9))
  int value;
  if (lane == giver)
    value = atomicAdd(&taken[4], 1) + 5;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;"
               : "=r"(value)
               : "r"(value), "r"(giver));
  out[4 * 32 + lane] = value;
}

static void testGivingAsBefore() {
  check::Array<int> taken(Ways), out(5 * 32);
  giveAsBefore<<<1, 32>>>(taken, out);
  out.get();
  taken.get();
  const unsigned lanes[5] = {everyone, 1u << 8, 1u << 3, 1u << 12, everyone};
  for (int way = 0; way < 5; ++way)
    CHECK_AT(way, taken.host[way], 1);
  for (int i = 0; i < 5 * 32; ++i)
    CHECK_AT(i, out.host[i], lanes[i / 32] >> i % 32 & 1 ? i / 32 + 1 : 0);
}

/// Of each result only what the lanes with a value gave is looked at.
__global__ void ask(int *taken, unsigned *out) {
  const int lane = threadIdx.x;
  const bool has = lane % 3 == 1;
  const unsigned having = __ballot_sync(everyone, has);
  bool yes;
  int value, from;
  long long wide;
  if (has) {
    yes = atomicAdd(&taken[lane], 1) == 0 && lane > 8;
    value = lane & 2;
    wide = (long long)(lane & 4) << 40;
    from = (lane + 3) & 31;
  }
  unsigned results[9] = {
      __ballot_sync(everyone, yes) & having,
      __any_sync(everyone, has && yes) != 0,
      __all_sync(everyone, !has || yes) != 0,
      __match_any_sync(everyone, value) & having,
      __match_any_sync(everyone, wide) & having,
      __reduce_add_sync(everyone, has ? (unsigned)value : 1u),
      (unsigned)__syncthreads_count(has && yes),
      (unsigned)__shfl_sync(everyone, lane * 7, from),
      (unsigned)(__syncthreads_or(has && yes) != 0)};
  for (int i = 0; i < 9; ++i)
    out[i * 32 + lane] = has ? results[i] : 0;
}

static void testAsking() {
  check::Array<int> taken(32);
  check::Array<unsigned> out(9 * 32);
  ask<<<1, 32>>>(taken, out);
  out.get();
  taken.get();
  unsigned yes = 0, sum = 0, alike[2] = {}, alikeWide[2] = {};
  for (int lane = 0; lane < 32; ++lane) {
    const bool has = lane % 3 == 1;
    CHECK_AT(lane, taken.host[lane], (int)has);
    yes |= has && lane > 8 ? 1u << lane : 0;
    sum += has ? lane & 2 : 1;
    alike[lane >> 1 & 1] |= has ? 1u << lane : 0;
    alikeWide[lane >> 2 & 1] |= has ? 1u << lane : 0;
  }
  for (int lane = 1; lane < 32; lane += 3) {
    const unsigned expected[9] = {yes,
                                  1,
                                  0,
                                  alike[lane >> 1 & 1],
                                  alikeWide[lane >> 2 & 1],
                                  sum,
                                  (unsigned)__builtin_popcount(yes),
                                  ((lane + 3) & 31) * 7u,
                                  1};
    for (int i = 0; i < 9; ++i)
      CHECK_AT(i * 32 + lane, out.host[i * 32 + lane], expected[i]);
  }
}

__device__ int takeIf(bool has, int *taken) {
  if (has)
    return atomicAdd(taken, 1) + 40;
}

/// What lanes without a value compute with it makes no difference to others.
__global__ void compute(int *taken, int *out, int n) {
  const int lane = threadIdx.x;
  out[lane] = byValue(takeIf(lane == giver, &taken[0]));

  int divisor, count = 0;
  if (lane == giver)
    divisor = atomicAdd(&taken[1], 1) + 3;
  if (lane == giver)
    count = atomicAdd(&taken[2], 1) + 4;
  out[32 + lane] = byValue(n / divisor) * 1000 + byValue(n % count);

  float x;
  if (lane == giver)
    x = atomicAdd(&taken[3], 1) + 2.0f;
  out[64 + lane] = byValue((int)(exp2f(x) + sqrtf(x * 8) + floorf(x)));

  int item, kind = 7;
  if (lane == giver)
    item = atomicAdd(&taken[4], 1) + 1;
  if (item > n)
    kind = 8;
  switch (item) {
  case 1:
    kind += 20;
    break;
  case 2:
    kind += 30;
    break;
  }
  out[96 + lane] = byValue(kind);
}

static void testComputing() {
  check::Array<int> taken(Ways), out(128);
  compute<<<1, 32>>>(taken, out, 100);
  out.get();
  taken.get();
  for (int i = 0; i < 5; ++i)
    CHECK_AT(i, taken.host[i], 1);
  const int expected[4] = {40, 33 * 1000 + 0, 4 + 4 + 2, 27};
  for (int i = 0; i < 128; ++i)
    CHECK_AT(i, out.host[i], expected[i / 32]);
}

/// One lane takes the next item for everyone, until there are none.
__global__ void fetch(int *next, int n, int *seen) {
  const int lane = threadIdx.x % 32;
  int item;
  if (lane == 0)
    item = atomicAdd(next, 1);
  item = __shfl_sync(everyone, item, 0);
  while (item < n) {
    atomicAdd(&seen[item], 1);
    if (lane == 0)
      item = atomicAdd(next, 1);
    item = __shfl_sync(everyone, item, 0);
  }
}

static void testFetching() {
  const int items = 50, teams = 6;
  check::Array<int> next(1), seen(items);
  fetch<<<teams / 2, 64>>>(next, items, seen);
  next.get();
  seen.get();
  CHECK_EQ(next.host[0], items + teams);
  for (int i = 0; i < items; ++i)
    CHECK_AT(i, seen.host[i], 32);
}

int main() {
  testGiving<int>();
  testGiving<double>();
  testGiving<__half>();
  testGivingAsBefore();
  testAsking();
  testComputing();
  testFetching();
  return check::finish("undefined_lanes");
}
