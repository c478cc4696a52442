// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures and arrays that lanes exchange word by word, padding included, and that a
// block reduces by value: {bool, long}, one in another, arrays of bytes, pairs.
// CUDA C++ Programming Guide: Warp Shuffle Functions.

#include "Inputs/check.h"

struct Flagged {
  bool valid;
  long value;
};
struct Nested {
  char kind;
  Flagged inner;
  short tail[3];
};
struct Bytes {
  unsigned char at[13];
};
template <class T> struct Pair {
  T first;
  double second;
};

// Words that hold nothing but padding are undefined, and go the same way.
template <class T> __device__ T fromLane(const T &value, int lane) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned in[words], out[words];
  T result;
  memcpy(in, &value, sizeof(T));
  for (int i = 0; i < words; ++i)
    out[i] = __shfl_sync(~0u, in[i], lane);
  memcpy(&result, out, sizeof(T));
  return result;
}
template <class T> __device__ T fromBelow(const T &value, int distance) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned in[words] = {}, out[words];
  T result;
  memcpy(in, &value, sizeof(T));
  for (int i = 0; i < words; ++i)
    out[i] = __shfl_down_sync(~0u, in[i], distance);
  memcpy(&result, out, sizeof(T));
  return result;
}

__host__ __device__ Flagged better(const Flagged &a, const Flagged &b) {
  if (a.valid && b.valid)
    return {true, a.value < b.value ? a.value : b.value};
  return a.valid ? a : b;
}
__device__ Flagged reduceBlock(Flagged value) {
  __shared__ Flagged ofTeam[32];
  for (int distance = 16; distance > 0; distance /= 2)
    value = better(value, fromBelow(value, distance));
  if (threadIdx.x % 32 == 0)
    ofTeam[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / 32 ? ofTeam[threadIdx.x] : Flagged{false, 0};
    for (int distance = 16; distance > 0; distance /= 2)
      value = better(value, fromBelow(value, distance));
  }
  return value;
}
__host__ __device__ Flagged flaggedAt(int i) { return {i % 3 == 1, 1000000007l * (i * 37 % 101)}; }
__host__ __device__ Nested nestedAt(int i) {
  return {char(i), flaggedAt(i), {short(i), short(-i), short(i * i)}};
}
__host__ __device__ Bytes bytesAt(int i) {
  Bytes bytes;
  for (int k = 0; k < 13; ++k)
    bytes.at[k] = i * k + 1;
  return bytes;
}

__global__ void exchange(long *out, int rotation) {
  const int t = threadIdx.x, from = (t + rotation) % 32;
  const Flagged flagged = fromLane(flaggedAt(t), from);
  const Nested nested = fromLane(nestedAt(t), from);
  const Bytes bytes = fromLane(bytesAt(t), from);
  const Pair<Bytes> pair = fromLane(Pair<Bytes>{bytesAt(t), t * 0.5}, from);
  long sum = flagged.valid + 3 * flagged.value + nested.kind + 5 * nested.inner.value +
             7 * nested.inner.valid + 11 * nested.tail[2] + 13 * nested.tail[1];
  for (int k = 0; k < 13; ++k)
    sum += bytes.at[k] * (k + 17) + pair.first.at[k] * (k + 31);
  out[t] = sum + long(pair.second * 2);
}
__global__ void reduce(const int *keys, Flagged *out) {
  const Flagged least = reduceBlock(flaggedAt(keys[blockIdx.x * blockDim.x + threadIdx.x]));
  if (threadIdx.x == 0)
    out[blockIdx.x].valid = least.valid, out[blockIdx.x].value = least.value;
}

int main() {
  check::Array<long> out(32);
  exchange<<<1, 32>>>(out, 5);
  out.get();
  for (int t = 0; t < 32; ++t) {
    const int i = (t + 5) % 32;
    const Nested nested = nestedAt(i);
    const Bytes bytes = bytesAt(i);
    long sum = flaggedAt(i).valid + 3 * flaggedAt(i).value + nested.kind +
               5 * nested.inner.value + 7 * nested.inner.valid + 11 * nested.tail[2] +
               13 * nested.tail[1];
    for (int k = 0; k < 13; ++k)
      sum += bytes.at[k] * (k + 17) + bytes.at[k] * (k + 31);
    CHECK_AT(t, out.host[t], sum + i);
  }
  constexpr int blocks = 3, threads = 128;
  check::Array<int> keys(blocks * threads);
  check::Array<Flagged> least(blocks);
  unsigned state = 5;
  for (int &key : keys.host)
    key = check::random(state) % 10000;
  keys.put();
  reduce<<<blocks, threads>>>(keys, least);
  least.get();
  for (int b = 0; b < blocks; ++b) {
    Flagged expected = {false, 0};
    for (int t = 0; t < threads; ++t)
      expected = better(expected, flaggedAt(keys.host[b * threads + t]));
    CHECK_AT(b, least.host[b].valid, expected.valid);
    CHECK_AT(b, least.host[b].value, expected.value);
  }
  return check::finish("shuffle_structures");
}
