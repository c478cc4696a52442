// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in the shared memory of another block of the cluster: blocks in a ring store
// and add in their neighbour's memory, whose barrier counts the bytes, and arrive there.
// PTX ISA: mbarrier.arrive, mbarrier.expect_tx, st.async, red.async.

#include "Inputs/check.h"

constexpr unsigned cluster = 4, clusters = 3, rounds = 5, words = 8;

__device__ unsigned addressOf(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ unsigned inBlock(const void *p, unsigned rank) {
  unsigned mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(addressOf(p)), "r"(rank));
  return mapped;
}

__device__ void waitFor(unsigned barrier, unsigned parity) {
  unsigned isOver;
  do
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;"
                 "  selp.u32 %0, 1, 0, p; }"
                 : "=r"(isOver)
                 : "r"(barrier), "r"(parity)
                 : "memory");
  while (!isOver);
}

__global__ void __cluster_dims__(cluster, 1, 1) ring(unsigned *out) {
  __shared__ __align__(16) unsigned values[4];
  __shared__ __align__(8) unsigned long long barrier, wide;
  __shared__ unsigned sum;
  const unsigned rank = __clusterRelativeBlockRank(), next = (rank + 1) % cluster;
  if (threadIdx.x == 0) {
    sum = 0;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;\n\tfence.mbarrier_init.release.cluster;" ::"r"(
                     addressOf(&barrier))
                 : "memory");
  }
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  const unsigned there = inBlock(&barrier, next);
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned sent = blockIdx.x * 1000 + round * 10;
    if (threadIdx.x == 0)
      asm volatile("{ .reg .b64 t; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 24;"
                   "  mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 t, [%0], 4; }" ::"r"(
                       addressOf(&barrier))
                   : "memory");
    if (threadIdx.x == 33) {
      asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %2, %3, 7}, [%4];" ::"r"(
                       inBlock(values, next)),
                   "r"(sent), "r"(sent + 1), "r"(sent + 2), "r"(there)
                   : "memory");
      asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(
                       inBlock(&wide, next)),
                   "l"((unsigned long long)sent << 32 | round), "r"(there)
                   : "memory");
      asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(
                       inBlock(&sum, next)),
                   "r"(sent), "r"(there)
                   : "memory");
      asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
    }
    waitFor(addressOf(&barrier), round & 1);
    if (threadIdx.x == 63) {
      unsigned *to = out + (blockIdx.x * rounds + round) * words;
      for (int i = 0; i < 4; ++i)
        to[i] = values[i];
      to[4] = (unsigned)wide;
      to[5] = (unsigned)(wide >> 32);
      to[6] = sum;
      to[7] = rank;
    }
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
  }
}

int main() {
  int device, hasClusters;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&hasClusters, cudaDevAttrClusterLaunch, device));
  if (!hasClusters)
    return check::skip("the device has no clusters");
  check::Array<unsigned> out(cluster * clusters * rounds * words);
  ring<<<cluster * clusters, 64>>>(out);
  out.get();
  for (unsigned block = 0; block < cluster * clusters; ++block) {
    const unsigned rank = block % cluster;
    const unsigned before = block - rank + (rank + cluster - 1) % cluster;
    unsigned sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned sent = before * 1000 + round * 10;
      sum += sent;
      const unsigned want[words] = {sent, sent + 1, sent + 2, 7, round, sent, sum, rank};
      for (unsigned i = 0; i < words; ++i)
        CHECK_AT((block * rounds + round) * words + i, out.host[(block * rounds + round) * words + i], want[i]);
    }
  }
  return check::finish("barriers");
}
