// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory of a cluster's other blocks: a histogram whose counters are spread over
// the blocks, a reduction, addresses by groups, by built-in functions and by PTX, round
// after round with the cluster's barrier between.
// CUDA C++ Programming Guide: Distributed Shared Memory; PTX ISA: mapa, getctarank.

#include "Inputs/check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void histogram(const unsigned *input, unsigned count, unsigned *bins,
                          unsigned binsOfBlock) {
  extern __shared__ unsigned own[];
  cg::cluster_group cluster = cg::this_cluster();
  for (unsigned i = threadIdx.x; i < binsOfBlock; i += blockDim.x)
    own[i] = 0;
  cluster.sync();
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = thread; i < count; i += gridDim.x * blockDim.x) {
    unsigned bin = input[i] % (binsOfBlock * cluster.num_blocks());
    unsigned *there = cluster.map_shared_rank(own, bin / binsOfBlock);
    atomicAdd(there + bin % binsOfBlock, 1);
  }
  cluster.sync();
  unsigned first = cluster.block_rank() * binsOfBlock;
  for (unsigned i = threadIdx.x; i < binsOfBlock; i += blockDim.x)
    atomicAdd(bins + first + i, own[i]);
}

// Each block asks the next one, so all of them are asked in every round.
__global__ void rounds(unsigned *out, unsigned count) {
  __shared__ unsigned values[64], before;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();
  values[threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
  for (unsigned round = 0; round < count; ++round) {
    cluster.sync();
    unsigned *next = cluster.map_shared_rank(values, (rank + 1) % blocks);
    unsigned value = next[(threadIdx.x + round) % blockDim.x];
    if (threadIdx.x == 0) // the one before learns who has read
      *cluster.map_shared_rank(&before, (rank + blocks - 1) % blocks) = rank + round;
    auto token = cluster.barrier_arrive();
    if (value & 1)
      value = value * 3 + 1;
    cluster.barrier_wait(static_cast<decltype(token) &&>(token));
    values[threadIdx.x] = value + before * 7;
  }
  cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = values[threadIdx.x];
}

__global__ void __cluster_dims__(4, 1, 1) reduce(const int *input, int *sums) {
  __shared__ int sum;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    sum = 0;
  cluster.sync();
  int *first = cluster.map_shared_rank(&sum, 0);
  atomicAdd(first, input[blockIdx.x * blockDim.x + threadIdx.x]);
  cluster.sync();
  if (cluster.thread_rank() == 0)
    sums[blockIdx.x / cluster.num_blocks()] = sum;
}

// Rank and place by 32-bit addresses, and who is asked where what lies.
__global__ void addresses(unsigned *out) {
  __shared__ unsigned here, other[4];
  unsigned *to = out + blockIdx.x * 10, wrong = 0;
  unsigned rank = __clusterRelativeBlockRank(), next = rank ^ 1;
  if (threadIdx.x == 0) {
    here = 100 + rank;
    for (unsigned i = 0; i < 4; ++i)
      other[i] = 0;
  }
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  unsigned own = (unsigned)__cvta_generic_to_shared(&here), mapped, there, value;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(own), "r"(next));
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(there) : "r"(mapped));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(mapped) : "memory");
  if (threadIdx.x == 0) {
    to[0] = there;
    to[1] = value;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(to[2]) : "r"(own) : "memory");
  }
  unsigned place = (unsigned)__cvta_generic_to_shared(other);
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(place), "r"(next));
  asm volatile("red.shared::cluster.add.u32 [%0+4], %1;" ::"r"(mapped), "r"(threadIdx.x)
               : "memory");
  unsigned long long wide;
  asm("mapa.u64 %0, %1, %2;" : "=l"(wide) : "l"(other), "r"(next));
  unsigned *generic = (unsigned *)wide;
  if (threadIdx.x == 1)
    generic[2] = 7 + rank;
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  wrong |= __cluster_query_shared_rank(&here) != rank;
  wrong |= (__cluster_query_shared_rank(generic) != next) << 1;
  wrong |= (__cluster_query_shared_rank(out) != 0xFFFFFFFFu) << 2;
  wrong |= (__isClusterShared(generic) == 0) << 3;
  wrong |= (__isClusterShared(out) != 0) << 4;
  wrong |= (__isShared(&here) == 0) << 5;
  if (threadIdx.x == 0) {
    to[3] = other[1];
    to[4] = other[2];
    to[5] = wrong;
  }
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
}

template <typename... Parameters, typename... Arguments>
static cudaError_t launch(void (*kernel)(Parameters...), unsigned grid, unsigned block,
                          unsigned size, size_t shared, Arguments... arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = size;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(block);
  config.dynamicSmemBytes = shared;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

static void testHistogram(unsigned size) {
  const unsigned count = 3000, binsOfBlock = 37, bins = binsOfBlock * size;
  std::vector<unsigned> values(count), expected(bins);
  for (unsigned i = 0; i < count; ++i) {
    values[i] = i * i * 2654435761u >> 7;
    ++expected[values[i] % bins];
  }
  check::Array<unsigned> input(values), found(bins);
  CUDA(launch(histogram, 2 * size, 96, size, binsOfBlock * sizeof(unsigned),
              (const unsigned *)input, count, (unsigned *)found, binsOfBlock));
  found.get();
  for (unsigned bin = 0; bin < bins; ++bin)
    CHECK_AT(bin, found.host[bin], expected[bin]);
}

static void testRounds(unsigned grid, unsigned size) {
  const unsigned threads = 64, count = 5;
  check::Array<unsigned> out(grid * threads);
  CUDA(launch(rounds, grid, threads, size, 0, (unsigned *)out, count));
  out.get();
  std::vector<unsigned> values(grid * threads), next(values);
  for (unsigned i = 0; i < values.size(); ++i)
    values[i] = i / threads * 1000 + i % threads;
  for (unsigned round = 0; round < count; ++round) {
    for (unsigned i = 0; i < values.size(); ++i) {
      unsigned block = i / threads, rank = block % size;
      unsigned other = block - rank + (rank + 1) % size;
      unsigned value = values[other * threads + (i + round) % threads];
      if (value & 1)
        value = value * 3 + 1;
      next[i] = value + ((rank + 1) % size + round) * 7;
    }
    values = next;
  }
  for (unsigned i = 0; i < values.size(); ++i)
    CHECK_AT(i, out.host[i], values[i]);
}

static void testReduce() {
  const unsigned grid = 12, threads = 50;
  std::vector<int> values(grid * threads), expected(grid / 4);
  for (unsigned i = 0; i < values.size(); ++i) {
    values[i] = int(i * 7919 % 1000) - 500;
    expected[i / threads / 4] += values[i];
  }
  check::Array<int> input(values), sums(grid / 4);
  reduce<<<grid, threads>>>(input, sums); // of clusters that the source says
  sums.get();
  for (unsigned i = 0; i < expected.size(); ++i)
    CHECK_AT(i, sums.host[i], expected[i]);
}

static void testAddresses() {
  check::Array<unsigned> out(4 * 10);
  CUDA(launch(addresses, 4, 64, 2, 0, (unsigned *)out));
  out.get();
  for (unsigned block = 0; block < 4; ++block) {
    unsigned rank = block % 2, next = rank ^ 1;
    const unsigned expected[] = {next, 100 + next, 100 + rank, 64 * 63 / 2, 7 + next, 0};
    for (unsigned word = 0; word < 6; ++word)
      CHECK_AT(block * 10 + word, out.host[block * 10 + word], expected[word]);
  }
}

int main() {
  int device, hasClusters;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&hasClusters, cudaDevAttrClusterLaunch, device));
  if (!hasClusters)
    return check::skip("the device has no clusters");
  for (unsigned size : {1, 2, 4, 8}) {
    testHistogram(size);
    testRounds(2 * size, size);
  }
  testRounds(30, 6);
  testReduce();
  testAddresses();
  return check::finish("shared");
}
