// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A binary search tree: threads insert keys with compare-and-swap; others look
// keys up, count those in a range with a stack of their own, and one walks all
// of it in order.

#include "Inputs/check.h"
#include <algorithm>

constexpr int n = 500, deepest = 64;

struct Node {
  int key, left, right; // numbers of nodes; -1: none
};

__global__ void clear(Node *nodes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    nodes[i] = {0, -1, -1};
}

__global__ void insert(Node *nodes, const int *keys, int *root) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  nodes[i].key = keys[i];
  __threadfence();
  int *link = root;
  for (;;) {
    const int at = atomicCAS(link, -1, i);
    if (at == -1)
      return;
    link = keys[i] < keys[at] ? &nodes[at].left : &nodes[at].right;
  }
}

__global__ void find(const Node *nodes, const int *root, const int *wanted,
                     int *found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int at = *root;
  while (at != -1 && nodes[at].key != wanted[i])
    at = wanted[i] < nodes[at].key ? nodes[at].left : nodes[at].right;
  found[i] = at;
}

/// How many keys lie from `from` to `from + width`.
__global__ void countRange(const Node *nodes, const int *root, const int *from,
                           int width, int *counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int stack[deepest], depth = 0, count = 0;
  stack[depth++] = *root;
  while (depth > 0) {
    const Node &node = nodes[stack[--depth]];
    count += node.key >= from[i] && node.key <= from[i] + width;
    if (node.left != -1 && node.key > from[i])
      stack[depth++] = node.left;
    if (node.right != -1 && node.key <= from[i] + width)
      stack[depth++] = node.right;
  }
  counts[i] = count;
}

__global__ void walk(const Node *nodes, const int *root, int *sorted) {
  int stack[deepest], depth = 0, count = 0;
  for (int at = *root; at != -1 || depth > 0;) {
    for (; at != -1; at = nodes[at].left)
      stack[depth++] = at;
    at = stack[--depth];
    sorted[count++] = nodes[at].key;
    at = nodes[at].right;
  }
}

int main() {
  check::Array<int> keys(n), wanted(n), found(n), sorted(n), root(1);
  check::Array<Node> nodes(n);
  unsigned state = 11;
  for (int i = 0; i < n; ++i)
    keys.host[i] = (int)(check::random(state) % 100000) * n + i;
  for (int i = 0; i < n; ++i)
    wanted.host[i] = keys.host[(i * 7) % n] + (i % 3 == 0 ? 1 : 0);
  keys.put();
  wanted.put();
  root.fill(-1);
  clear<<<4, 128>>>(nodes);
  insert<<<4, 128>>>(nodes, keys, root);
  std::vector<int> expected = keys.host;
  std::sort(expected.begin(), expected.end());

  find<<<4, 128>>>(nodes, root, wanted, found);
  found.get();
  for (int i = 0; i < n; ++i) {
    bool is =
        std::binary_search(expected.begin(), expected.end(), wanted.host[i]);
    CHECK_AT(i, found.host[i] != -1, is);
    if (is && found.host[i] != -1)
      CHECK_AT(i, keys.host[found.host[i]], wanted.host[i]);
  }

  const int width = 3000000;
  countRange<<<4, 128>>>(nodes, root, wanted, width, found);
  found.get();
  for (int i = 0; i < n; ++i) {
    auto first =
        std::lower_bound(expected.begin(), expected.end(), wanted.host[i]);
    auto last = std::upper_bound(expected.begin(), expected.end(),
                                 wanted.host[i] + width);
    CHECK_AT(i, found.host[i], (int)(last - first));
  }

  walk<<<1, 1>>>(nodes, root, sorted);
  sorted.get();
  for (int i = 0; i < n; ++i)
    CHECK_AT(i, sorted.host[i], expected[i]);
  return check::finish("search_tree");
}
