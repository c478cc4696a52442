// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// malloc, free, new and delete in kernels: separate blocks, alignment, what one
// kernel allocates another one frees, null when the heap's limit is reached.
// CUDA C++ Programming Guide: Dynamic Global Memory Allocation.

#include "Inputs/check.h"

struct Node {
  int value;
  Node *next;
  __device__ Node(int v, Node *n) : value(v), next(n) {}
  __device__ ~Node() { value = -1; }
};

__global__ void build(Node **lists, int length) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  Node *head = nullptr;
  for (int i = 0; i < length + t % 3; ++i)
    head = new Node(t * 100 + i, head);
  lists[t] = head;
}
__global__ void consume(Node **lists, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, hash = 0;
  for (Node *n = lists[t]; n;) {
    hash = hash * 31 + n->value;
    Node *next = n->next;
    delete n;
    n = next;
  }
  out[t] = hash;
}
__global__ void arrays(int *out) {
  int t = threadIdx.x;
  bool fine = true;
  for (int round = 0; round < 4; ++round) {
    size_t n = 1 + (t * 7 + round * 13) % 100;
    int *p = (int *)malloc(n * sizeof(int));
    double *q = new double[n];
    fine &= p && q && (size_t)p % 16 == 0 && (size_t)q % 16 == 0;
    for (size_t i = 0; fine && i < n; ++i)
      p[i] = t, q[i] = t * 0.5;
    __syncthreads();
    for (size_t i = 0; fine && i < n; ++i)
      fine &= p[i] == t && q[i] == t * 0.5;
    free(p);
    delete[] q;
  }
  free(nullptr);
  out[t] = fine;
}
__global__ void exhaust(int *out) {
  void *p = malloc((size_t)1 << 40);
  int blocks = 0;
  void *list = nullptr;
  for (void *b; (b = malloc(1 << 20)) != nullptr && blocks < 4096; ++blocks) {
    *(void **)b = list;
    list = b;
  }
  while (list) {
    void *next = *(void **)list;
    free(list);
    list = next;
  }
  void *again = malloc(1 << 20); // freed memory comes back
  out[0] = p == nullptr, out[1] = blocks, out[2] = again != nullptr;
  free(again);
}

int main() {
  const size_t limit = 24u << 20;
  CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, limit));
  size_t now = 0;
  CUDA(cudaDeviceGetLimit(&now, cudaLimitMallocHeapSize));
  CHECK_TRUE(now >= limit);
  const int n = 128;
  check::Array<Node *> lists(n);
  check::Array<int> out(n);
  build<<<2, 64>>>(lists, 5);
  consume<<<4, 32>>>(lists, out);
  out.get();
  for (int t = 0; t < n; ++t) {
    int hash = 0;
    for (int i = 5 + t % 3 - 1; i >= 0; --i)
      hash = (int)((unsigned)hash * 31u + (unsigned)(t * 100 + i));
    CHECK_AT(t, out.host[t], hash);
  }
  arrays<<<1, n>>>(out);
  out.get();
  for (int t = 0; t < n; ++t)
    CHECK_AT(t, out.host[t], 1);
  exhaust<<<1, 1>>>(out);
  out.get();
  CHECK_EQ(out.host[0], 1);
  CHECK_TRUE(out.host[1] >= 12); // half of the heap, at the least
  CHECK_TRUE((size_t)out.host[1] <= now >> 20);
  CHECK_EQ(out.host[2], 1);
  return check::finish("device_heap");
}
