// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that launch themselves: deeper than 24 levels, in a tree, as tail launches one
// after the other, and to sort.
// CUDA C++ Programming Guide: CUDA Dynamic Parallelism, Nesting and Synchronization.
// FLAGS: -rdc=true

#include "Inputs/check.h"

#include <algorithm>

__global__ void deeper(int *depths, int depth, int last) {
  depths[depth] = depth * depth;
  if (depth < last)
    deeper<<<1, 1>>>(depths, depth + 1, last);
}

__global__ void tree(int *nodes, int node, int count) {
  atomicAdd(&nodes[node], node);
  int child = 2 * node + 1 + threadIdx.x;
  if (child < count)
    tree<<<1, 2>>>(nodes, child, count);
}

__global__ void again(int *rounds, int left) {
  rounds[0] = rounds[0] * 3 + left;
  if (left)
    again<<<1, 1, 0, cudaStreamTailLaunch>>>(rounds, left - 1);
}

__global__ void quicksort(int *data, int left, int right) {
  if (left >= right)
    return;
  int pivot = data[(left + right) / 2], i = left, j = right;
  while (i <= j) {
    while (data[i] < pivot)
      ++i;
    while (data[j] > pivot)
      --j;
    if (i <= j) {
      int kept = data[i];
      data[i++] = data[j];
      data[j--] = kept;
    }
  }
  cudaStream_t stream;
  if (left < j) {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(data, left, j);
    cudaStreamDestroy(stream);
  }
  if (i < right) {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(data, i, right);
    cudaStreamDestroy(stream);
  }
}

int main() {
  const int last = 40;
  check::Array<int> depths(last + 1);
  deeper<<<1, 1>>>(depths, 0, last);
  depths.get();
  for (int i = 0; i <= last; ++i)
    CHECK_AT(i, depths.host[i], i * i);

  const int count = 15; // as often as there are ways to it with two threads a grid
  check::Array<int> nodes(count);
  tree<<<1, 2>>>(nodes, 0, count);
  nodes.get();
  for (int i = 0; i < count; ++i)
    CHECK_AT(i, nodes.host[i], 2 * i);

  check::Array<int> rounds(1);
  again<<<1, 1>>>(rounds, 12);
  int wanted = 0;
  for (int left = 12; left >= 0; --left)
    wanted = wanted * 3 + left;
  CHECK_EQ(rounds.get()[0], wanted);

  const int n = 60;
  check::Array<int> data(n);
  for (int i = 0; i < n; ++i)
    data.host[i] = (i * 7919 + 13) % 101;
  std::vector<int> sorted(data.host.begin(), data.host.end());
  std::sort(sorted.begin(), sorted.end());
  data.put();
  quicksort<<<1, 1>>>(data, 0, n - 1);
  data.get();
  for (int i = 0; i < n; ++i)
    CHECK_AT(i, data.host[i], sorted[i]);
  return check::finish("dynamic/recursion");
}
