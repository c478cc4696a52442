// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that each take some hundredths of a second and keep all kinds of state: in
// registers, local arrays, shared memory, the masks of teams, barriers of blocks and
// grids, locks, lists. Prints a line for each.

#include <cooperative_groups.h>
#include "moved.h"

__global__ void barriers(uint64_t *out, int steps) {
  __shared__ uint32_t shared[threads];
  uint64_t x = mix(index());
  shared[threadIdx.x] = x;
  __syncthreads();
  for (int i = 0; i < steps; ++i) {
    x = mix(x + shared[(threadIdx.x + i) % threads]);
    __syncthreads();
    shared[threadIdx.x] = x >> 32;
    __syncthreads();
  }
  out[index()] = x;
}

__global__ void alone(uint64_t *out, int steps) {
  uint64_t x = out[index()];
  for (unsigned i = 0; i < steps + (threadIdx.x & 31) * 16; ++i)
    x = x % 3 ? mix(x + i) : x / 3 + (x << 60);
  out[index()] = x;
}

__global__ void teams(uint64_t *out, int steps) {
  uint32_t x = mix(out[index()]) >> 20;
  for (int i = 0; i < steps; ++i) {
    const unsigned odd = __ballot_sync(~0u, x & 1);
    // What comes from a lane that is not in the mask is nowhere defined.
    const unsigned lane = threadIdx.x % 32, other = 1u << (lane + i) % 32;
    if (x & 1)
      x += __shfl_sync(odd, x, 31 - __clz(odd & (other | 1u << lane))) ^ __popc(odd);
    else
      x = x / 2 + __reduce_add_sync(~odd, x & 0xFF) * 2654435761u;
    if (__any_sync(~0u, x == unsigned(i)))
      x ^= i;
  }
  out[index()] = x;
}

__global__ void arrays(uint64_t *out, int steps) {
  uint64_t table[16];
  for (int i = 0; i < 16; ++i)
    table[i] = mix(out[index()] + i);
  for (int i = 0; i < steps; ++i) {
    uint64_t &place = table[table[i % 16] >> 60];
    place = mix(place + table[(i + 5) % 16]);
    if (i % 64 == 0)
      __syncthreads();
  }
  uint64_t sum = 0;
  for (uint64_t value : table)
    sum = mix(sum + value);
  out[index()] = sum;
}

__global__ void floats(uint64_t *out, int steps) {
  double x = (out[index()] >> 11) * 0x1p-53 + 0.25;
  float y = x;
  for (int i = 0; i < steps; ++i) {
    x = 3.9 * x * (1 - x) + 1e-3 * sin(x);
    x -= floor(x); // a NaN may be any
    y = sqrtf(y * y + float(x)) * 0.75f;
  }
  out[index()] = __double_as_longlong(x) ^ __float_as_uint(y);
}

struct Node {
  Node *next;
  uint64_t value;
};

__device__ uint64_t twice(uint64_t x) { return mix(x) * 2; }
__device__ uint64_t half(uint64_t x) { return mix(x) / 2; }
__device__ uint64_t turned(uint64_t x) { return x >> 7 | x << 57; }

/// Each thread goes round a list of its own, whose nodes lie among those of others.
__global__ void lists(uint64_t *out, Node *nodes, int length, int steps) {
  uint64_t (*const functions[])(uint64_t) = {twice, half, turned};
  Node *node = nodes + index();
  for (int i = 0; i < length; ++i)
    nodes[index() + i * number] = {nodes + index() + (i + 1) % length * number,
                                   out[index()] + i};
  uint64_t sum = 0;
  for (int i = 0; i < steps; ++i) {
    node->value = functions[node->value % 3](node->value + sum);
    sum += node->value;
    node = node->next;
  }
  out[index()] = sum;
}

__global__ void grids(uint64_t *out, int steps) {
  auto grid = cooperative_groups::this_grid();
  uint64_t x = out[index()];
  for (int i = 0; i < steps; ++i) {
    for (int j = 0; j < 20; ++j)
      x = mix(x + j);
    out[index()] = x;
    grid.sync();
    x += out[(index() * 7 + i) % number];
    grid.sync();
  }
  out[index()] = x;
}

__global__ void locks(uint64_t *out, int *lock, uint64_t *sum, int steps) {
  for (int i = 0; i < steps; ++i) {
    for (bool done = false; !done;)
      if (!atomicCAS(lock, 0, 1)) {
        __threadfence();
        *reinterpret_cast<volatile uint64_t *>(sum) += out[index()] % 1000 + i;
        __threadfence();
        atomicExch(lock, 0);
        done = true;
      }
  }
}

__global__ void leaving(uint64_t *out, int steps) {
  extern __shared__ uint32_t counts[];
  counts[threadIdx.x] = 0;
  __syncthreads();
  uint64_t x = out[index()];
  for (int i = 0; i < steps; ++i) {
    x = mix(x + i);
    atomicAdd(&counts[(threadIdx.x * 5 + i) % threads], unsigned(x >> 50));
    __syncthreads();
    x += counts[threadIdx.x];
    __syncthreads();
    if (i == 20 + int(threadIdx.x))
      break;
  }
  out[index()] = x;
}

template <class... Parameters, class... Arguments>
static void run(const char *name, uint64_t *out, uint64_t *sum,
                void (*kernel)(Parameters...), Arguments... arguments) {
  kernel<<<blocks, threads, threads * sizeof(uint32_t)>>>(arguments...);
  check(cudaGetLastError());
  std::vector<uint64_t> result(number + 1);
  check(cudaMemcpy(result.data(), out, number * 8, cudaMemcpyDeviceToHost));
  check(cudaMemcpy(&result.back(), sum, 8, cudaMemcpyDeviceToHost));
  print(name, result);
}

int main(int, char **arguments) {
  const int much = std::atoi(arguments[1]);
  constexpr int length = 64;
  uint64_t *out, *sum;
  int *lock;
  Node *nodes;
  check(cudaMalloc(&out, number * 8));
  check(cudaMalloc(&sum, 8));
  check(cudaMalloc(&lock, 4));
  check(cudaMalloc(&nodes, number * length * sizeof(Node)));
  check(cudaMemset(out, 0, number * 8));
  check(cudaMemset(sum, 0, 8));
  check(cudaMemset(lock, 0, 4));
  run("barriers", out, sum, barriers, out, much * 30);
  run("alone", out, sum, alone, out, much * 100);
  run("teams", out, sum, teams, out, much * 30);
  run("arrays", out, sum, arrays, out, much * 100);
  run("floats", out, sum, floats, out, much * 20);
  run("lists", out, sum, lists, out, nodes, length, much * 100);
  int steps = much * 3;
  void *packed[] = {&out, &steps};
  check(cudaLaunchCooperativeKernel(grids, blocks, threads, packed, 0, 0));
  run("grids", out, sum, alone, out, 10);
  run("locks", out, sum, locks, out, lock, sum, 2 + much / 50);
  run("leaving", out, sum, leaving, out, 200);
  return 0;
}
