// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that are kept in local memory: stacks of them, arrays and structures with
// them, linked structures, and single ones that change in a loop; they lead to global,
// shared, constant and local memory.
// CUDA C++ Programming Guide: Local Memory; Generic addresses.

#include "Inputs/check.h"

struct Node {
  const Node *child[2];
  const int *key;
};
// In order, with a stack of pointers; both ways of the loop change pointers.
__host__ __device__ unsigned walk(const Node *at, int most) {
  const Node *stack[40];
  unsigned hash = 1;
  int depth = 0, count = 0;
  while ((at || depth > 0) && count < most)
    if (at && depth < 40) {
      stack[depth++] = at;
      at = at->child[0];
    } else {
      at = stack[--depth];
      hash = hash * 31 + *at->key;
      ++count;
      at = at->child[1];
    }
  return hash + count;
}
// The same with a stack of structures, their pointers between numbers.
struct Visit {
  short level;
  const Node *node;
  char side;
  const int *key;
};
__host__ __device__ unsigned walkWithVisits(const Node *root) {
  Visit stack[40];
  unsigned hash = 7;
  int depth = 0;
  stack[depth++] = {0, root, 'r', root->key};
  while (depth > 0) {
    const Visit visit = stack[--depth];
    hash = hash * 33 + *visit.key + visit.level * 256 + visit.side;
    for (int side = 0; side < 2; ++side)
      if (const Node *next = visit.node->child[side])
        stack[depth++] = {short(visit.level + 1), next, side ? '>' : '<', next->key};
  }
  return hash;
}
// Sorts pointers, which lead to local memory, and a list through local nodes.
struct Link {
  Link *next;
  int value;
};
__host__ __device__ unsigned chain(const Node *root, int n) {
  Link links[24], *first = nullptr;
  const Node *at = root;
  for (int i = 0; i < n; ++i) {
    links[i].value = *at->key;
    Link **place = &first;
    while (*place && (*place)->value < links[i].value)
      place = &(*place)->next;
    links[i].next = *place;
    *place = &links[i];
    at = at->child[i % 3 != 0] ? at->child[i % 3 != 0] : root;
  }
  unsigned hash = 5;
  for (const Link *link = first; link; link = link->next)
    hash = hash * 37 + link->value;
  return hash;
}

constexpr int count = 500, trees = 5, threads = 64;
__constant__ int constantKeys[8] = {11, 12, 13, 14, 15, 16, 17, 18};

// Pointers of all kinds in one array, chosen by a number known only at run time.
__device__ unsigned anywhere(const int *global, const int *shared, const int *steps, int n) {
  int local[8];
  for (int i = 0; i < 8; ++i)
    local[i] = i * i;
  const int *places[16];
  for (int i = 0; i < 16; ++i) {
    const int *all[4] = {global, shared, constantKeys, local};
    places[i] = all[i % 4] + i / 4;
  }
  unsigned hash = 3;
  int at = threadIdx.x % 16;
  for (int i = 0; i < n; ++i) {
    hash = hash * 41 + *places[at];
    const int *kept = places[at];
    at = (at + steps[i % 7]) % 16;
    places[(at + 5) % 16] = kept;
  }
  return hash;
}

__global__ void run(const Node *nodes, const int *keys, int n, int most, unsigned *out) {
  __shared__ int shared[8];
  if (threadIdx.x < 8)
    shared[threadIdx.x] = keys[threadIdx.x] + 1;
  __syncthreads();
  const Node *root = nodes + threadIdx.x % n;
  unsigned *mine = out + 4 * threadIdx.x;
  mine[0] = walk(root, most);
  mine[1] = walkWithVisits(root);
  mine[2] = chain(root, most < 24 ? most : 24);
  mine[3] = anywhere(keys, shared, keys, most);
}

// What `anywhere` does, by value.
unsigned anywhere(const std::vector<int> &keys, int thread, int n) {
  int values[16], at = thread % 16;
  for (int i = 0; i < 16; ++i) {
    const int all[4] = {keys[i / 4], keys[i / 4] + 1, 11 + i / 4, (i / 4) * (i / 4)};
    values[i] = all[i % 4];
  }
  unsigned hash = 3;
  for (int i = 0; i < n; ++i) {
    hash = hash * 41 + values[at];
    const int kept = values[at];
    at = (at + keys[i % 7]) % 16;
    values[(at + 5) % 16] = kept;
  }
  return hash;
}

int main() {
  check::Array<Node> nodes(count);
  check::Array<int> keys(count);
  check::Array<unsigned> out(4 * threads);
  std::vector<Node> here(count);
  unsigned state = 1;
  for (int i = 0; i < count; ++i) {
    keys.host[i] = check::random(state) & 0xFFFF;
    here[i].key = &keys.host[i];
    nodes.host[i].key = keys + i;
    for (int at = i % trees; i >= trees;) {
      const int side = keys.host[i] > keys.host[at];
      if (!here[at].child[side]) {
        here[at].child[side] = &here[i];
        nodes.host[at].child[side] = nodes + i;
        break;
      }
      at = int(here[at].child[side] - here.data());
    }
  }
  nodes.put(), keys.put();
  run<<<1, threads>>>(nodes, keys, trees, count, out);
  out.get();
  for (int t = 0; t < threads; ++t) {
    const Node *root = &here[t % trees];
    CHECK_AT(t, out.host[4 * t], walk(root, count));
    CHECK_AT(t, out.host[4 * t + 1], walkWithVisits(root));
    CHECK_AT(t, out.host[4 * t + 2], chain(root, 24));
    CHECK_AT(t, out.host[4 * t + 3], anywhere(keys.host, t, count));
  }
  return check::finish("pointers_kept");
}
