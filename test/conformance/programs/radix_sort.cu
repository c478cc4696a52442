// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stable radix sort of several blocks, four bits a pass: each block counts
// the digits, one scans the counts, each places its elements by their rank
// among those of their digit, which ballots of the team tell.

#include "Inputs/check.h"
#include <algorithm>

constexpr unsigned digits = 16, threads = 128, teams = threads / 32, blocks = 5;

__device__ unsigned digitOf(unsigned key, unsigned shift) {
  return key >> shift & (digits - 1);
}

__global__ void count(const unsigned *keys, unsigned n, unsigned shift,
                      unsigned *counts) {
  __shared__ unsigned own[digits];
  if (threadIdx.x < digits)
    own[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  if (i < n)
    atomicAdd(&own[digitOf(keys[i], shift)], 1);
  __syncthreads();
  if (threadIdx.x < digits)
    counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

/// Each number becomes the sum of those before it.
__global__ void scan(unsigned *counts, unsigned n) {
  __shared__ unsigned sums[threads];
  const unsigned t = threadIdx.x, own = t < n ? counts[t] : 0;
  sums[t] = own;
  for (unsigned step = 1; step < threads; step *= 2) {
    __syncthreads();
    const unsigned left = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += left;
  }
  if (t < n)
    counts[t] = sums[t] - own;
}

__global__ void place(const unsigned *keys, const unsigned *values, unsigned n,
                      unsigned shift, const unsigned *starts, unsigned *keysOut,
                      unsigned *valuesOut) {
  __shared__ unsigned ofTeam[teams][digits];
  const unsigned i = blockIdx.x * threads + threadIdx.x,
                 team = threadIdx.x / 32, lane = threadIdx.x % 32;
  const bool has = i < n;
  unsigned key, digit;
  if (has) {
    key = keys[i];
    digit = digitOf(key, shift);
  }
  unsigned alike = __ballot_sync(0xffffffffu, has);
  for (unsigned bit = 1; bit < digits; bit *= 2) {
    const unsigned set = __ballot_sync(0xffffffffu, has && (digit & bit));
    alike &= digit & bit ? set : ~set;
  }
  if (lane < digits)
    ofTeam[team][lane] = 0;
  __syncwarp();
  const unsigned before = __popc(alike & ((1u << lane) - 1));
  if (has && before == 0)
    ofTeam[team][digit] = __popc(alike);
  __syncthreads();
  if (!has)
    return;
  unsigned to = starts[digit * gridDim.x + blockIdx.x] + before;
  for (unsigned other = 0; other < team; ++other)
    to += ofTeam[other][digit];
  keysOut[to] = key;
  valuesOut[to] = values[i];
}

int main() {
  const unsigned n = blocks * threads - 37;
  unsigned state = 7;
  std::vector<std::pair<unsigned, unsigned>> expected(n);
  check::Array<unsigned> keys(n), values(n), keysOut(n), valuesOut(n),
      counts(digits * blocks);
  for (unsigned i = 0; i < n; ++i) {
    expected[i] = {check::random(state) & 0xfff00ff0u, i}; // some are the same
    keys.host[i] = expected[i].first;
    values.host[i] = i;
  }
  keys.put();
  values.put();
  unsigned *from[2] = {keys, values}, *to[2] = {keysOut, valuesOut};
  for (unsigned shift = 0; shift < 32; shift += 4) {
    count<<<blocks, threads>>>(from[0], n, shift, counts);
    scan<<<1, threads>>>(counts, digits * blocks);
    place<<<blocks, threads>>>(from[0], from[1], n, shift, counts, to[0],
                               to[1]);
    std::swap(from, to);
  }
  keys.get();
  values.get();
  std::stable_sort(expected.begin(), expected.end(),
                   [](auto a, auto b) { return a.first < b.first; });
  for (unsigned i = 0; i < n; ++i) {
    CHECK_AT(i, keys.host[i], expected[i].first);
    CHECK_AT(i, values.host[i], expected[i].second);
  }
  return check::finish("radix_sort");
}
