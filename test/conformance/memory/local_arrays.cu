// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local memory: arrays with indices known only at run time, of structures, and
// passed by pointer; recursion with an array in each frame.
// CUDA C++ Programming Guide: Local Memory; __device__ functions (recursion).

#include "Inputs/check.h"

struct Item {
  short key;
  double value;
};
__host__ __device__ inline void sort(Item *items, int n) {
  for (int i = 1; i < n; ++i)
    for (int j = i; j > 0 && items[j].key < items[j - 1].key; --j) {
      Item swap = items[j];
      items[j] = items[j - 1];
      items[j - 1] = swap;
    }
}
// Counts the ways to place n queens; a frame has an array and recurses.
__host__ __device__ int queens(int n, int row, const int *above) {
  if (row == n)
    return 1;
  int columns[8], ways = 0;
  for (int i = 0; i < row; ++i)
    columns[i] = above[i];
  for (int c = 0; c < n; ++c) {
    bool free = true;
    for (int i = 0; i < row; ++i)
      free &=
          above[i] != c && above[i] - c != row - i && c - above[i] != row - i;
    columns[row] = c;
    if (free)
      ways += queens(n, row + 1, columns);
  }
  return ways;
}
__host__ __device__ unsigned ackermann(unsigned m, unsigned n) {
  return m == 0   ? n + 1
         : n == 0 ? ackermann(m - 1, 1)
                  : ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void kernel(double *out, int *ways) {
  int t = threadIdx.x, counts[10] = {}, none[1] = {};
  Item items[12];
  for (int i = 0; i < 12; ++i) {
    items[i].key = (short)((i * 7 + t) % 13);
    items[i].value = i + t * 0.25;
    ++counts[items[i].key % 10];
  }
  sort(items, 12);
  double sum = 0;
  for (int i = 0; i < 12; ++i)
    sum = sum * 2 + items[(i + t) % 12].value;
  out[t] = sum + counts[t % 10] * 1000.0;
  ways[t] = queens(t % 6 + 1, 0, none) * 1000 + (int)ackermann(2, t % 4);
}

int main() {
  const int n = 40;
  check::Array<double> out(n);
  check::Array<int> ways(n);
  CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
  kernel<<<1, n>>>(out, ways);
  out.get(), ways.get();
  for (int t = 0; t < n; ++t) {
    Item items[12];
    int counts[10] = {}, none[1] = {};
    for (int i = 0; i < 12; ++i) {
      items[i] = {(short)((i * 7 + t) % 13), i + t * 0.25};
      ++counts[items[i].key % 10];
    }
    sort(items, 12);
    double sum = 0;
    for (int i = 0; i < 12; ++i)
      sum = sum * 2 + items[(i + t) % 12].value;
    CHECK_AT(t, out.host[t], sum + counts[t % 10] * 1000.0);
    CHECK_AT(t, ways.host[t],
             queens(t % 6 + 1, 0, none) * 1000 + 2 * (t % 4) + 3);
  }
  return check::finish("local_arrays");
}
