// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hash table with open addressing: threads insert and count keys, a team
// looks a key up together, 32 places at a time, and lanes take turns with keys
// of their own.

#include "Inputs/check.h"
#include <map>

constexpr unsigned places = 1024, n = 900, none = 0xffffffffu,
                   everyone = 0xffffffffu;

__host__ __device__ unsigned hashOf(unsigned key) {
  key *= 0x9e3779b1u;
  return (key ^ key >> 15) % places;
}

__global__ void insert(const unsigned *keys, unsigned *table,
                       unsigned *counts) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (unsigned at = hashOf(keys[i]);; at = (at + 1) % places) {
    const unsigned there = atomicCAS(&table[at], none, keys[i]);
    if (there == none || there == keys[i]) {
      atomicAdd(&counts[at], 1);
      return;
    }
  }
}

/// How often a key is in the table; the same key for all lanes.
__device__ unsigned countOf(unsigned key, const unsigned *table,
                            const unsigned *counts) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned start = hashOf(key);; start += 32) {
    const unsigned at = (start + lane) % places, there = table[at];
    const unsigned found = __ballot_sync(everyone, there == key),
                   empty = __ballot_sync(everyone, there == none);
    if (found && (!empty || __ffs((int)found) < __ffs((int)empty))) {
      unsigned count;
      if (there == key)
        count = counts[at];
      return __shfl_sync(everyone, count, __ffs((int)found) - 1);
    }
    if (empty)
      return 0;
  }
}

__global__ void lookUp(const unsigned *keys, const unsigned *table,
                       const unsigned *counts, unsigned *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  bool waits = i < n;
  unsigned key;
  if (waits)
    key = keys[i];
  while (unsigned left = __ballot_sync(everyone, waits)) {
    const int turn = __ffs((int)left) - 1;
    const unsigned count =
        countOf(__shfl_sync(everyone, key, turn), table, counts);
    if (threadIdx.x % 32 == turn) {
      out[i] = count;
      waits = false;
    }
  }
}

int main() {
  check::Array<unsigned> keys(n), table(places), counts(places), out(n);
  std::map<unsigned, unsigned> expected;
  unsigned state = 5;
  for (unsigned i = 0; i < n; ++i) {
    keys.host[i] = check::random(state) % 600;
    ++expected[keys.host[i]];
  }
  keys.put();
  table.fill(none);
  insert<<<8, 128>>>(keys, table, counts);
  for (unsigned i = 0; i < n; i += 3)
    keys.host[i] = check::random(state) % 900;
  keys.put();
  lookUp<<<8, 128>>>(keys, table, counts, out);
  out.get();
  for (unsigned i = 0; i < n; ++i) {
    auto found = expected.find(keys.host[i]);
    CHECK_AT(i, out.host[i], found == expected.end() ? 0u : found->second);
  }
  return check::finish("hash_table");
}
