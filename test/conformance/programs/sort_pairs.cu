// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block sorts keys with their values in shared memory: bitonic sort, odd-even
// merge sort, and odd-even transposition, up and down, in blocks of several
// sizes. Batcher, Sorting networks and their applications, AFIPS 1968.

#include "Inputs/check.h"
#include <algorithm>

__device__ void order(unsigned &a, unsigned &x, unsigned &b, unsigned &y,
                      unsigned up) {
  if ((a > b) == up) {
    unsigned t = a;
    a = b;
    b = t;
    t = x;
    x = y;
    y = t;
  }
}

template <unsigned n> struct Table {
  unsigned key[n], value[n];
  __device__ void order(unsigned i, unsigned j, unsigned up) {
    ::order(key[i], value[i], key[j], value[j], up);
  }
};

template <unsigned n> __device__ void bitonic(Table<n> &table, unsigned up) {
  const unsigned t = threadIdx.x;
  for (unsigned size = 2; size < n; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned i = 2 * t - (t & (stride - 1));
      table.order(i, i + stride, (t & (size / 2)) != 0);
    }
  for (unsigned stride = n / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const unsigned i = 2 * t - (t & (stride - 1));
    table.order(i, i + stride, up);
  }
}

template <unsigned n>
__device__ void oddEvenMerge(Table<n> &table, unsigned up) {
  const unsigned t = threadIdx.x;
  for (unsigned size = 2; size <= n; size *= 2) {
    unsigned stride = size / 2;
    const unsigned rank = t & (stride - 1);
    __syncthreads();
    unsigned i = 2 * t - (t & (stride - 1));
    table.order(i, i + stride, up);
    for (stride /= 2; stride > 0; stride /= 2) {
      __syncthreads();
      i = 2 * t - (t & (stride - 1));
      if (rank >= stride)
        table.order(i - stride, i, up);
    }
  }
}

template <unsigned n>
__device__ void transposition(Table<n> &table, unsigned up) {
  const unsigned i = 2 * threadIdx.x;
  for (unsigned round = 0; round < n; ++round) {
    __syncthreads();
    if (i + (round & 1) + 1 < n)
      table.order(i + (round & 1), i + (round & 1) + 1, up);
  }
}

/// Two elements a thread.
template <unsigned n>
__global__ void sort(const unsigned *in, unsigned *out, int network,
                     unsigned up) {
  __shared__ Table<n> table;
  for (unsigned i = threadIdx.x; i < n; i += n / 2) {
    table.key[i] = in[i];
    table.value[i] = i;
  }
  if (network == 0)
    bitonic(table, up);
  else if (network == 1)
    oddEvenMerge(table, up);
  else
    transposition(table, up);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < n; i += n / 2) {
    out[i] = table.key[i];
    out[n + i] = table.value[i];
  }
}

template <unsigned n> static void test() {
  unsigned state = n;
  std::vector<unsigned> keys(n);
  for (unsigned i = 0; i < n; ++i)
    keys[i] = check::random(state) / n * n + i; // no two are the same
  check::Array<unsigned> in(keys), out(2 * n);
  std::sort(keys.begin(), keys.end());
  for (int network = 0; network < 3; ++network)
    for (unsigned up = 0; up < 2; ++up) {
      sort<n><<<1, n / 2>>>(in, out, network, up);
      out.get();
      for (unsigned i = 0; i < n; ++i) {
        CHECK_AT(network * 10000 + i, out.host[i], keys[up ? i : n - 1 - i]);
        CHECK_AT(network * 10000 + i, in.host[out.host[n + i] % n],
                 out.host[i]);
      }
    }
}

int main() {
  test<8>();
  test<32>();
  test<64>();
  test<512>();
  return check::finish("sort_pairs");
}
