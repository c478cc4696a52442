// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose state is in what they allocated: lists, a tree of all threads, tables of
// function pointers. Pieces are given back and allocated anew all the time. Prints a line
// for each step, of what does not depend on addresses.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Fewer for devices that are simulated.
#ifndef HET_BLOCKS
#define HET_BLOCKS 8
#define HET_THREADS 64
#endif
constexpr unsigned blocks = HET_BLOCKS, threads = HET_THREADS, number = blocks * threads;
constexpr int length = 12, operations = 3;

__device__ unsigned index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__host__ __device__ uint64_t mix(uint64_t x) {
  x ^= x >> 29;
  return x * 0x9E3779B97F4A7C15ull + 1;
}

using Operation = uint64_t (*)(uint64_t, uint64_t);
__device__ uint64_t add(uint64_t x, uint64_t y) { return x + (y >> 7); }
__device__ uint64_t turn(uint64_t x, uint64_t y) { return (x << 9 | x >> 55) ^ y; }
__device__ uint64_t both(uint64_t x, uint64_t y) { return add(turn(x, y), x); }

struct Item {
  uint64_t value;
  Item *next;
};

/// What a thread owns.
struct Own {
  Operation *table;
  Item *list;
};

struct Node {
  uint64_t key, value;
  Operation operation;
  Node *smaller, *larger;
};

__device__ Node *root;

__global__ void build(Own **owns, int *missing) {
  auto *own = static_cast<Own *>(malloc(sizeof(Own)));
  Operation *table = new Operation[operations];
  if (!own || !table) {
    atomicAdd(missing, 1);
    return;
  }
  table[index() % 3] = add;
  table[(index() + 1) % 3] = turn;
  table[(index() + 2) % 3] = both;
  own->table = table;
  own->list = nullptr;
  for (int i = 0; i < length; ++i) {
    Item *item = new Item{mix(index() * length + i), own->list};
    own->list = item;
  }
  owns[index()] = own;
}

/// Each step takes an item from the front, puts a new one behind the last, and goes
/// through the list with the table's operations.
__global__ void walk(Own **owns, int steps) {
  Own *own = owns[index()];
  for (int step = 0; step < steps; ++step) {
    Item *first = own->list;
    const uint64_t taken = first->value;
    own->list = first->next;
    delete first;
    uint64_t sum = taken;
    Item **place = &own->list;
    for (int i = 0; *place; ++i, place = &(*place)->next) {
      (*place)->value = own->table[i % operations]((*place)->value, sum);
      sum = mix(sum + (*place)->value);
    }
    __syncthreads(); // a point on all machines, where `place` lives
    *place = new Item{sum, nullptr};
  }
}

__global__ void plant(Own **owns, int steps) {
  Own *own = owns[index()];
  uint64_t key = mix(index() + 1);
  for (int step = 0; step < steps; ++step) {
    Node *node = new Node{key, 0, own->table[step % operations], nullptr, nullptr};
    Node **place = &root;
    __threadfence(); // the node is there when others find it
    for (;;) {
      auto *found = reinterpret_cast<Node *>(
          atomicCAS(reinterpret_cast<unsigned long long *>(place), 0ull,
                    reinterpret_cast<unsigned long long>(node)));
      if (!found)
        break;
      __threadfence();
      if (found->key == key) {
        delete node;
        break;
      }
      place = key < found->key ? &found->smaller : &found->larger;
    }
    key = mix(key);
  }
}

/// Each thread looks up the keys that it has planted.
__global__ void look(Own **owns, int steps, uint64_t *out) {
  uint64_t x = 0, key = mix(index() + 1);
  for (int step = 0; step < steps; ++step) {
    Node *node = root;
    while (node && node->key != key)
      node = key < node->key ? node->smaller : node->larger;
    x = node ? node->operation(mix(x), key) : ~x;
    key = mix(key);
  }
  for (Item *item = owns[index()]->list; item; item = item->next)
    x = mix(x + item->value);
  out[index()] = x;
}

__global__ void giveBack(Own **owns) {
  Own *own = owns[index()];
  while (Item *item = own->list) {
    own->list = item->next;
    delete item;
  }
  delete[] own->table;
  free(own);
}

/// One thread takes the tree apart: a node whose smaller side is empty goes.
__global__ void fell(int *count) {
  Node *node = root;
  root = nullptr;
  while (node)
    if (Node *smaller = node->smaller) {
      node->smaller = smaller->larger;
      smaller->larger = node;
      node = smaller;
    } else {
      Node *larger = node->larger;
      delete node;
      ++*count;
      node = larger;
    }
}

/// Whether all of the heap came back.
__global__ void fill(size_t bytes, int *missing) {
  void *all = malloc(bytes);
  *missing = !all;
  free(all);
}

static void check(const char *step) {
  if (cudaError_t error = cudaDeviceSynchronize()) {
    std::printf("%s: %s\n", step, cudaGetErrorString(error));
    std::exit(1);
  }
}

int main(int argc, char **argv) {
  const int much = argc > 1 ? std::atoi(argv[1]) : 200;
  constexpr size_t heapBytes = 4 << 20;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, heapBytes);
  Own **owns;
  uint64_t *out;
  int *counts;
  cudaMalloc(&owns, number * sizeof(Own *));
  cudaMalloc(&out, number * sizeof(uint64_t));
  cudaMalloc(&counts, 2 * sizeof(int));
  cudaMemset(counts, 0, 2 * sizeof(int));
  build<<<blocks, threads>>>(owns, counts);
  check("build");
  walk<<<blocks, threads>>>(owns, much);
  check("walk");
  plant<<<blocks, threads>>>(owns, 8);
  check("plant");
  walk<<<blocks, threads>>>(owns, much);
  look<<<blocks, threads>>>(owns, 8, out);
  check("look");
  std::vector<uint64_t> result(number);
  cudaMemcpy(result.data(), out, number * sizeof(uint64_t), cudaMemcpyDeviceToHost);
  uint64_t digest = 0;
  for (uint64_t one : result)
    digest = mix(digest + one);
  std::printf("lists and tree: %016llx\n", static_cast<unsigned long long>(digest));
  giveBack<<<blocks, threads>>>(owns);
  fell<<<1, 1>>>(counts + 1);
  check("give back");
  int left[2];
  cudaMemcpy(left, counts, sizeof(left), cudaMemcpyDeviceToHost);
  std::printf("without memory: %d, nodes: %d\n", left[0], left[1]);
#ifdef HET_WHOLE_HEAP // not with a driver's own
  fill<<<1, 1>>>(heapBytes - 16, counts);
  cudaMemcpy(left, counts, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("leaving with %s of the heap\n", left[0] ? "a part" : "all");
#else
  std::printf("leaving\n");
#endif
}
