// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lanes do to memory in loops that they leave apart: addresses that only lanes in the
// loop may use, stores that others must not do, objects of each thread's own, atomics, and
// exchanges through shared memory between such loops.
// CUDA C++ Programming Guide: SIMT Architecture, Memory Hierarchy.

#include "Inputs/check.h"

// A lane that is not to load has no address to load from.
__global__ void nullForOthers(const int *data, int *out, int rounds) {
  int t = threadIdx.x;
  const int *mine = t % 3 == 1 ? data + t : nullptr;
  int *there = t % 5 == 2 ? out + t : nullptr;
  int sum = 0;
  for (int i = 0; i < rounds + t % 4; ++i) {
    if (mine)
      sum += mine[i];
    if (there && i % 2)
      *there += i;
    if (!mine && i > t % 9)
      break;
  }
  if (!there)
    out[t] = sum;
}

// Bytes and halfwords, and numbers of 64 bits, next to those of other lanes.
__global__ void narrow(unsigned char *bytes, short *halves, long long *wide, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    if (bytes[i] & 1)
      bytes[i] = bytes[i] * 3;
    for (int j = i; j < i + (i & 3); ++j)
      halves[i] += (short)(halves[i] + j);
    if (i % 7 == 5)
      continue;
    wide[i] = wide[i] * 5 + bytes[i];
  }
}

// An index that wraps between neighbouring lanes.
__global__ void wraps(const int *data, int *out, unsigned start, unsigned size) {
  int t = threadIdx.x, sum = 0;
  for (unsigned i = start + t, n = 0; n < 5u + t % 2; ++n, i += 32)
    sum = sum * 3 + data[(unsigned short)i % size];
  out[t] = sum;
}

// An array of each thread's own, written at places that differ.
__global__ void ownArrays(const int *data, int *out, int count) {
  int own[16] = {};
  int t = threadIdx.x;
  for (int i = t; i < count; i += blockDim.x) {
    own[data[i] & 15] += i;
    if (own[3] > 400)
      break;
  }
  int sum = 0;
  for (int i = 0; i < 16; ++i)
    sum = sum * 31 + own[i];
  out[t] = sum;
}

// Each round that a lane has counts once.
__global__ void counts(const int *data, unsigned *bins, unsigned *total, int count) {
  __shared__ unsigned local[32];
  if (threadIdx.x < 32)
    local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    int value = data[i];
    while (value > 0) {
      atomicAdd(&local[value & 31], 1u);
      value >>= 3;
    }
    if (data[i] % 13 == 0)
      atomicAdd(total, (unsigned)i);
  }
  __syncthreads();
  if (threadIdx.x < 32)
    bins[threadIdx.x] = local[threadIdx.x];
}

// Rounds of all threads with a loop of each thread's own inside, and its neighbours' sums.
__global__ void exchange(const int *data, int *out, int rounds) {
  extern __shared__ int box[];
  int t = threadIdx.x, n = blockDim.x, x = data[t];
  for (int r = 0; r < rounds; ++r) {
    int sum = 0;
    for (int i = 0; i < (x & 7); ++i)
      sum += i ^ x;
    box[t] = sum + x;
    __syncthreads();
    int j = t, hops = 0;
    while (box[j] % 3 != 0 && hops < 6) {
      j = (j + 1) % n;
      ++hops;
    }
    x = (box[j] + hops) & 0xffff;
    __syncthreads();
    if (t % 4 == 3)
      for (int i = 0; i < hops; ++i)
        x ^= i << 2;
  }
  out[t] = x;
}

static void checkNull(const std::vector<int> &data) {
  for (int n : {1, 30, 64, 100}) {
    check::Array<int> in(data.size()), out(n);
    in.host = data;
    in.put();
    out.put();
    nullForOthers<<<1, n>>>(in, out, 6);
    out.get();
    for (int t = 0; t < n; ++t) {
      int sum = 0, there = 0;
      for (int i = 0; i < 6 + t % 4; ++i) {
        sum += t % 3 == 1 ? data[t + i] : 0;
        there += t % 5 == 2 && i % 2 ? i : 0;
        if (t % 3 != 1 && i > t % 9)
          break;
      }
      CHECK_AT(t, out.host[t], t % 5 == 2 ? there : sum);
    }
  }
}

static void checkNarrow() {
  constexpr int count = 1003;
  check::Array<unsigned char> bytes(count);
  check::Array<short> halves(count);
  check::Array<long long> wide(count);
  for (int i = 0; i < count; ++i) {
    bytes.host[i] = i * 7;
    halves.host[i] = i * 11;
    wide.host[i] = i * 1234567890123ll;
  }
  std::vector<unsigned char> b = bytes.host;
  std::vector<short> h = halves.host;
  std::vector<long long> w = wide.host;
  bytes.put();
  halves.put();
  wide.put();
  narrow<<<1, 96>>>(bytes, halves, wide, count);
  bytes.get();
  halves.get();
  wide.get();
  for (int i = 0; i < count; ++i) {
    b[i] = b[i] & 1 ? b[i] * 3 : b[i];
    for (int j = i; j < i + (i & 3); ++j)
      h[i] += (short)(h[i] + j);
    w[i] = i % 7 == 5 ? w[i] : (long long)((unsigned long long)w[i] * 5 + b[i]);
    CHECK_AT(i, bytes.host[i], b[i]);
    CHECK_AT(i, halves.host[i], h[i]);
    CHECK_AT(i, wide.host[i], w[i]);
  }
}

static void checkOthers(const std::vector<int> &data) {
  constexpr int n = 96;
  check::Array<int> in(data.size()), out(n);
  in.host = data;
  in.put();
  wraps<<<1, n>>>(in, out, 65536u - 40, 1000);
  out.get();
  for (int t = 0; t < n; ++t) {
    int sum = 0;
    for (unsigned i = 65536u - 40 + t, r = 0; r < 5u + t % 2; ++r, i += 32)
      sum = (int)(sum * 3u + data[(unsigned short)i % 1000]);
    CHECK_AT(t, out.host[t], sum);
  }
  ownArrays<<<1, n>>>(in, out, 1000);
  out.get();
  for (int t = 0; t < n; ++t) {
    unsigned own[16] = {}, sum = 0;
    for (int i = t; i < 1000; i += n) {
      own[data[i] & 15] += i;
      if (own[3] > 400)
        break;
    }
    for (unsigned value : own)
      sum = sum * 31 + value;
    CHECK_AT(t, out.host[t], (int)sum);
  }
  check::Array<unsigned> bins(32), total(1);
  total.put();
  counts<<<1, n>>>(in, bins, total, 1000);
  bins.get();
  total.get();
  std::vector<unsigned> want(33);
  for (int i = 0; i < 1000; ++i) {
    for (int value = data[i]; value > 0; value >>= 3)
      ++want[value & 31];
    want[32] += data[i] % 13 == 0 ? i : 0;
  }
  for (int i = 0; i < 32; ++i)
    CHECK_AT(i, bins.host[i], want[i]);
  CHECK_EQ(total.host[0], want[32]);
}

static void checkExchange(const std::vector<int> &data) {
  for (int n : {1, 5, 32, 77, 128}) {
    check::Array<int> in(data.size()), out(n);
    in.host = data;
    in.put();
    exchange<<<1, n, n * sizeof(int)>>>(in, out, 9);
    out.get();
    std::vector<int> x(data.begin(), data.begin() + n), box(n);
    for (int r = 0; r < 9; ++r) {
      for (int t = 0; t < n; ++t) {
        box[t] = x[t];
        for (int i = 0; i < (x[t] & 7); ++i)
          box[t] += i ^ x[t];
      }
      for (int t = 0; t < n; ++t) {
        int j = t, hops = 0;
        for (; box[j] % 3 != 0 && hops < 6; ++hops)
          j = (j + 1) % n;
        x[t] = (box[j] + hops) & 0xffff;
        for (int i = 0; t % 4 == 3 && i < hops; ++i)
          x[t] ^= i << 2;
      }
    }
    for (int t = 0; t < n; ++t)
      CHECK_AT(n * 1000 + t, out.host[t], x[t]);
  }
}

int main() {
  std::vector<int> data(1100);
  unsigned state = 99;
  for (int &value : data)
    value = (state = state * 1664525u + 1013904223u) >> 17;
  checkNull(data);
  checkNarrow();
  checkOthers(data);
  checkExchange(data);
  return check::finish("loops_and_memory");
}
