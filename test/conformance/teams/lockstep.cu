// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS:
// FLAGS: -G
//
// Programs from before Volta, whose lanes exchange values through volatile shared memory
// with nothing between: a reduction's last steps and a scan's, in the kernel itself, in
// functions that are not inlined, and behind pointers and virtual functions; and lanes
// that pack values under conditions of their own, to be copied in fours by their
// neighbours, where each warp takes another way. CUDA leaves them undefined now; here they are as meant (docs/design/progress-of-lanes.md).
// M. Harris: Optimizing Parallel Reduction in CUDA.

#include "Inputs/check.h"

constexpr int threads = 128;

__device__ __noinline__ void lastWarp(volatile int *sums, int t) {
  sums[t] += sums[t + 32];
  sums[t] += sums[t + 16];
  sums[t] += sums[t + 8];
  sums[t] += sums[t + 4];
  sums[t] += sums[t + 2];
  sums[t] += sums[t + 1];
}

// One step, and a function around it.
__device__ __noinline__ void step(volatile int *sums, int t, int by) {
  sums[t] += sums[t + by];
}
__device__ __noinline__ void inSteps(volatile int *sums, int t) {
  step(sums, t, 32);
  step(sums, t, 16);
  step(sums, t, 8);
  step(sums, t, 4);
  step(sums, t, 2);
  step(sums, t, 1);
}

// Where the store and the load are in different functions.
__device__ __noinline__ int get(volatile int *from) { return *from; }
__device__ __noinline__ void put(volatile int *to, int value) { *to = value; }
__device__ __noinline__ void getAndPut(volatile int *sums, int t) {
  for (int by = 32; by > 0; by /= 2)
    put(sums + t, get(sums + t) + get(sums + t + by));
}

struct Reducer {
  __device__ virtual void last(volatile int *sums, int t) const = 0;
};
struct InOne : Reducer {
  __device__ void last(volatile int *sums, int t) const override { lastWarp(sums, t); }
};
struct InSteps : Reducer {
  __device__ void last(volatile int *sums, int t) const override { inSteps(sums, t); }
};

typedef void (*Last)(volatile int *, int);

template <int way> __global__ void reduce(const int *in, int *out, int which) {
  __shared__ int sums[threads];
  int t = threadIdx.x;
  sums[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  if (t < 64)
    sums[t] += sums[t + 64];
  __syncthreads();
  if (t < 32) {
    if (way == 0) {
      lastWarp(sums, t);
    } else if (way == 1) {
      inSteps(sums, t);
    } else if (way == 2) {
      getAndPut(sums, t);
    } else if (way == 3) {
      Last lasts[] = {lastWarp, inSteps, getAndPut};
      lasts[which](sums, t);
    } else {
      InOne one;
      InSteps steps;
      const Reducer *reducer = &one;
      if (which)
        reducer = &steps;
      reducer->last(sums, t);
    }
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}

// By ever fewer threads: not even the accesses are volatile, and those that are done
// come to no further barrier.
template <int by> struct Fewer {
  static __device__ void run(int *sums, int *out) {
    if (by > 16)
      __syncthreads();
    if (threadIdx.x < by) {
      sums[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + by];
      Fewer<by / 2>::run(sums, out);
    }
  }
};
template <> struct Fewer<0> {
  static __device__ void run(int *sums, int *out) { out[blockIdx.x] = sums[0]; }
};
__global__ void reduceByFewer(const int *in, int *out) {
  __shared__ int sums[threads];
  sums[threadIdx.x] = in[blockIdx.x * threads + threadIdx.x];
  Fewer<threads / 2>::run(sums, out);
}

// No barrier and no team operation at all.
__global__ void scan(const int *in, int *out) {
  __shared__ volatile int sums[64];
  int lane = threadIdx.x, i = lane + 32;
  sums[lane] = 0;
  sums[i] = in[lane];
  sums[i] += sums[i - 1];
  sums[i] += sums[i - 2];
  sums[i] += sums[i - 4];
  sums[i] += sums[i - 8];
  sums[i] += sums[i - 16];
  out[lane] = sums[i];
}

// The zeros of the upper half lie where the lower half's sums come to stand.
__global__ void scanOverZeros(const int *in, int *out) {
  __shared__ volatile int sums[48];
  int lane = threadIdx.x, i = lane + 16, sum = in[lane];
  sums[i - 16] = 0;
  sums[i] = sum;
  for (int by = 1; by < 32; by *= 2)
    sums[i] = sum = sum + sums[i - by];
  out[lane] = sum;
}

__device__ __noinline__ void scanStep(volatile int *sums, int i, int by) {
  sums[i] += sums[i - by];
}
__global__ void scanInSteps(const int *in, int *out) {
  __shared__ int sums[64];
  int lane = threadIdx.x, i = lane + 32;
  volatile int *places = sums;
  places[lane] = 0;
  places[i] = in[lane];
  for (int by = 1; by < 32; by *= 2)
    scanStep(sums, i, by);
  out[lane] = places[i];
}

// Packs the odd ones of each warp's values. Which warp it is, and so where its lanes go, no
// compiler knows.
__global__ void pack(const int *in, const int *counts, int warps, int4 *out) {
  __shared__ int4 buffers[2 * 64];
  int warp = threadIdx.x >> 5, lane = threadIdx.x & 31, kept = 0;
  int *words = (int *)(buffers + warp * 64);
  if (blockIdx.x * 2 + warp >= warps)
    return;
  in += (blockIdx.x * 2 + warp) * 1024;
  out += (blockIdx.x * 2 + warp) * 256 + lane;
  for (int left = counts[blockIdx.x * 2 + warp]; left--; in += 32) {
    int value = in[lane];
    unsigned odd = __ballot_sync(~0u, value & 1);
    if (value & 1)
      words[kept + __popc(odd & ((1u << lane) - 1))] = value;
    kept += __popc(odd);
    if (kept > 128) {
      *out = ((int4 *)words)[lane];
      ((int4 *)words)[lane] = ((int4 *)words)[32 + lane];
      out += 32;
      kept -= 128;
    }
  }
  if (kept) {
    for (int i = kept + lane; i < 128; i += 32)
      words[i] = 0;
    *out = ((int4 *)words)[lane];
  }
}

constexpr int blocks = 5;

template <class Launch> static void checkSums(check::Array<int> &in, int place, Launch launch) {
  check::Array<int> out(blocks);
  launch(out);
  out.get();
  for (int b = 0; b < blocks; ++b) {
    int want = 0;
    for (int t = 0; t < threads; ++t)
      want += in.host[b * threads + t];
    CHECK_AT(place + b, out.host[b], want);
  }
}

template <int way> static void checkReduce(check::Array<int> &in, int which) {
  checkSums(in, way * 1000 + which * 100,
            [&](int *out) { reduce<way><<<blocks, threads>>>(in, out, which); });
}

static void checkPack() {
  constexpr int warps = 3, each = 1024;
  check::Array<int> in(warps * each), counts(warps), out(warps * each);
  unsigned state = 2;
  for (int &value : in.host)
    value = (int)(check::random(state) % 1000);
  for (int w = 0; w < warps; ++w)
    counts.host[w] = 9 * w + 5;
  in.put();
  counts.put();
  out.fill(0);
  pack<<<(warps + 1) / 2, 64>>>(in, counts, warps, (int4 *)(int *)out);
  out.get();
  for (int w = 0; w < warps; ++w) {
    int n = w * each;
    for (int i = w * each; i < w * each + counts.host[w] * 32; ++i)
      if (in.host[i] & 1) {
        CHECK_AT(n, out.host[n], in.host[i]);
        ++n;
      }
    for (; n < (w + 1) * each; ++n)
      CHECK_AT(n, out.host[n], 0);
  }
}

int main() {
  checkPack();
  check::Array<int> in(blocks * threads);
  unsigned state = 1;
  for (int &value : in.host)
    value = (int)(check::random(state) % 1000);
  in.put();
  checkReduce<0>(in, 0);
  checkReduce<1>(in, 0);
  checkReduce<2>(in, 0);
  for (int which = 0; which < 3; ++which)
    checkReduce<3>(in, which);
  for (int which = 0; which < 2; ++which)
    checkReduce<4>(in, which);
  checkSums(in, 9000, [&](int *out) { reduceByFewer<<<blocks, threads>>>(in, out); });

  check::Array<int> out(32);
  for (auto kernel : {scan, scanInSteps, scanOverZeros}) {
    out.fill(0);
    kernel<<<1, 32>>>(in, out);
    out.get();
    int want = 0;
    for (int l = 0; l < 32; ++l) {
      want += in.host[l];
      CHECK_AT(l, out.host[l], want);
    }
  }
  return check::finish("lockstep");
}
