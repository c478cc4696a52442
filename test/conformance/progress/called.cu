// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DOPTIMISED
// FLAGS: -G
//
// A lane polls for a later lane of its warp, and what looks at memory stands in a function
// that is not inlined, behind a pointer or in a virtual function; or the whole loop does.
// CUDA C++ Programming Guide: Independent Thread Scheduling.

#include "Inputs/check.h"

__device__ __noinline__ bool isSet(volatile int *flag) { return *flag != 0; }
__device__ __noinline__ bool isTaken(int *flag) { return atomicAdd(flag, 0) != 0; }
__device__ __noinline__ bool isSwapped(int *flag) { return atomicCAS(flag, 1, 2) != 0; }
__device__ __noinline__ bool isBehindFence(int *flag) {
  __threadfence();
  return *(volatile int *)flag != 0;
}
__device__ __noinline__ bool isSetFarAway(int *flag) { return isSet(flag); }
__device__ __noinline__ void await(int *flag) {
  while (!isSetFarAway(flag)) {
  }
}
// A loop once the compiler has made one of it.
__device__ __noinline__ int awaitAgain(volatile int *flag, int rounds) {
  return *flag ? rounds : awaitAgain(flag, rounds + 1);
}

typedef bool (*Look)(int *);
__device__ bool look(int *flag) { return isSet(flag); }
__device__ bool lookTwice(int *flag) { return isSet(flag) && isTaken(flag); }

struct Flag {
  int *place;
  __device__ explicit Flag(int *place) : place(place) {}
  __device__ virtual bool isUp() const = 0;
  __device__ virtual void raise() = 0;
};
struct Plain : Flag {
  using Flag::Flag;
  __device__ bool isUp() const override { return *(volatile int *)place != 0; }
  __device__ void raise() override { *(volatile int *)place = 1; }
};
struct Atomic : Flag {
  using Flag::Flag;
  __device__ bool isUp() const override { return atomicOr(place, 0) != 0; }
  __device__ void raise() override { atomicExch(place, 1); }
};

template <int way> __device__ void awaitBy(int *flag, int which) {
  if (way == 0) {
    while (!isSet(flag)) {
    }
  } else if (way == 1) {
    while (!isTaken(flag)) {
    }
  } else if (way == 2) {
    while (!isSwapped(flag)) {
    }
  } else if (way == 3) {
    while (!isBehindFence(flag)) {
    }
  } else if (way == 4) {
    await(flag);
  } else if (way == 5) {
    Look looks[] = {look, lookTwice, isTaken};
    while (!looks[which](flag)) {
    }
  } else {
    Plain plain(flag);
    Atomic atomic(flag);
    Flag *chosen = &plain;
    if (which)
      chosen = &atomic;
    while (!chosen->isUp()) {
    }
  }
}

// Each lane waits for the next one, the last one for nobody.
template <int way> __global__ void chain(int *flags, int *out, int which) {
  int lane = threadIdx.x, last = blockDim.x - 1;
  if (lane < last)
    awaitBy<way>(flags + lane + 1, which);
  __threadfence();
  out[lane] = lane == last ? 1 : out[lane + 1] + lane;
  __threadfence();
  atomicExch(flags + lane, 1);
}

__global__ void chainAgain(int *flags, int *out) {
  int lane = threadIdx.x, last = blockDim.x - 1;
  if (lane < last && awaitAgain(flags + lane + 1, 0) < 0)
    return;
  __threadfence();
  out[lane] = lane == last ? 1 : out[lane + 1] + lane;
  __threadfence();
  atomicExch(flags + lane, 1);
}

constexpr int threads = 48;

static void checkOut(check::Array<int> &out, int way) {
  out.get();
  int want = 1;
  for (int l = threads; l-- > 0;) {
    want += l == threads - 1 ? 0 : l;
    CHECK_AT(way * 100 + l, out.host[l], want);
  }
}

template <int way> static void run(int which = 0) {
  check::Array<int> flags(threads), out(threads);
  chain<way><<<1, threads>>>(flags, out, which);
  checkOut(out, way * 10 + which);
}

int main() {
  run<0>();
  run<1>();
  run<2>();
  run<3>();
  run<4>();
  for (int which = 1; which < 3; ++which) // 0: called_volatile.cu
    run<5>(which);
  for (int which = 0; which < 2; ++which)
    run<6>(which);
#ifdef OPTIMISED // -G keeps the recursion
  check::Array<int> flags(threads), out(threads);
  chainAgain<<<1, threads>>>(flags, out);
  checkOut(out, 100);
#endif
  return check::finish("called");
}
