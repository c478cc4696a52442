// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One lane divides by what it has and gives the others its quotient; they divide by zero,
// and nobody looks at what that gives. In whatever way the zero comes to the division,
// the condition that chose the lane holds: what stands behind it is done once.
// CUDA C++ Programming Guide: Warp Shuffle Functions. PTX ISA: div (by zero: a value that
// is not specified).

#include "Inputs/check.h"

constexpr unsigned everyone = 0xffffffffu;
struct Fraction {
  int upper, lower;
};

__device__ int atLeader(int *count, int k) {
  atomicAdd(count, 1);
  return k;
}
__device__ void setIf(bool is, int *to, int value) {
  *to = 0;
  if (is)
    *to = value;
}
__device__ int over(const int &lower) { return 100 / lower; }

enum { Pointer, Member, Sum, Product, Vector, Capture, Element, Reference, Remainder, Ways };

/// 100 / k in the leader, by each of the ways. `k` is 5.
template <int way> __device__ int quotient(bool leads, int *count, int k) {
  if (way == Pointer) {
    int lower;
    setIf(leads, &lower, k);
    if (leads)
      atomicAdd(count, 1);
    return 100 / lower;
  }
  if (way == Member || way == Vector) {
    Fraction fraction = {100, 0};
    int2 pair = make_int2(100, 0);
    if (leads)
      fraction.lower = pair.y = atLeader(count, k);
    return way == Member ? fraction.upper / fraction.lower : pair.x / pair.y;
  }
  if (way == Element) {
    int both[2] = {100, 0};
    if (leads)
      both[1] = atLeader(count, k);
    return both[0] / both[1];
  }
  int lower = 0;
  auto captured = [&](int upper) { return upper / lower; };
  if (leads)
    lower = atLeader(count, k);
  if (way == Sum)
    return 200 / (lower + lower);
  if (way == Product)
    return 200 / (lower * 2);
  if (way == Capture)
    return captured(100);
  if (way == Reference)
    return over(lower);
  return 20 + 100 % (lower & 15);
}

template <int way> __device__ void run(int *counts, int *out, int k) {
  int mine = quotient<way>(threadIdx.x == 3, counts + way, k);
  out[32 * way + threadIdx.x] = __shfl_sync(everyone, mine, 3);
  if constexpr (way + 1 < Ways)
    run<way + 1>(counts, out, k);
}

__global__ void divide(int *counts, int *out, int k) { run<0>(counts, out, k); }

/// A divisor that is zero at the launch: the threads go on.
__global__ void byArgument(int *out, int upper, int lower) {
  int gone = upper / lower + upper % lower;
  out[threadIdx.x] = threadIdx.x == 40 ? gone : 7;
}

int main() {
  check::Array<int> counts(Ways), out(32 * Ways), plain(32);
  divide<<<1, 32>>>(counts, out, 5);
  counts.get();
  out.get();
  for (int way = 0; way < Ways; ++way)
    CHECK_AT(way, counts.host[way], 1);
  for (int i = 0; i < 32 * Ways; ++i)
    CHECK_AT(i, out.host[i], 20);
  byArgument<<<1, 32>>>(plain, 3, 0);
  plain.get();
  for (int i = 0; i < 32; ++i)
    CHECK_AT(i, plain.host[i], 7);
  return check::finish("divided_lanes");
}
