// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lnccl
//
// Every collective operation of three devices, in place and not, of sizes that fit nothing
// and of such that are worked on in parts; kernels before and after in the same streams.

#include "Inputs/collectives.h"

using namespace coll;

constexpr int ranks = 3;

__global__ void addNumber(int *values, size_t count, int number) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < count)
    values[i] += number;
}

static int value(int rank, size_t i) { return int(i * 7 + rank * 1000003); }

static int sum(size_t i) {
  int result = 0;
  for (int rank = 0; rank < ranks; ++rank)
    result += value(rank, i);
  return result;
}

static void checkAllReduce(World &world, size_t count, bool inPlace) {
  Arrays<int> in(ranks, count), out(ranks, count);
  in.fill([](int rank, size_t i) { return value(rank, i) - 5; });
  NCCL(ncclGroupStart());
  for (int rank = 0; rank < ranks; ++rank) {
    CUDA(cudaSetDevice(rank));
    const unsigned blocks = unsigned(count / 128 + 1);
    addNumber<<<blocks, 128, 0, world.streams[rank]>>>(in[rank], count, 5);
    NCCL(ncclAllReduce(in[rank], inPlace ? in[rank] : out[rank], count, ncclInt, ncclSum,
                       world.comms[rank], world.streams[rank]));
  }
  NCCL(ncclGroupEnd());
  for (int rank = 0; rank < ranks; ++rank) { // ordered behind it
    CUDA(cudaSetDevice(rank));
    addNumber<<<unsigned(count / 128 + 1), 128, 0, world.streams[rank]>>>(
        inPlace ? in[rank] : out[rank], count, rank);
  }
  world.wait();
  Arrays<int> &result = inPlace ? in : out;
  result.get();
  for (int rank = 0; rank < ranks; ++rank)
    for (size_t i = 0; i < count; ++i)
      CHECK_AT(i, result[rank].host[i], sum(i) + rank);
}

static void checkReduce(World &world, size_t count, int root, bool inPlace) {
  Arrays<int> in(ranks, count), out(ranks, count);
  in.fill(value);
  world.all([&](int rank) {
    int *to = rank != root ? nullptr : inPlace ? in[rank] : out[rank];
    return ncclReduce(in[rank], to, count, ncclInt, ncclSum, root, world.comms[rank],
                      world.streams[rank]);
  });
  Arrays<int> &result = inPlace ? in : out;
  result.get();
  for (size_t i = 0; i < count; ++i)
    CHECK_AT(i, result[root].host[i], sum(i));
  for (size_t i = 0; i < count; ++i) // others keep what they have
    CHECK_AT(i, result[!root].host[i], inPlace ? value(!root, i) : 0);
}

static void checkBroadcast(World &world, size_t count, int root, bool inPlace) {
  Arrays<int> in(ranks, count), out(ranks, count);
  in.fill(value);
  world.all([&](int rank) {
    return inPlace ? ncclBcast(in[rank], count, ncclInt, root, world.comms[rank],
                               world.streams[rank])
                   : ncclBroadcast(rank == root ? in[rank] : nullptr, out[rank], count,
                                   ncclInt, root, world.comms[rank], world.streams[rank]);
  });
  Arrays<int> &result = inPlace ? in : out;
  result.get();
  for (int rank = 0; rank < ranks; ++rank)
    for (size_t i = 0; i < count; ++i)
      CHECK_AT(i, result[rank].host[i], value(root, i));
}

static void checkAllGather(World &world, size_t count, bool inPlace) {
  Arrays<int> in(ranks, count), out(ranks, ranks * count);
  in.fill(value);
  if (inPlace)
    out.fill([&](int rank, size_t i) {
      return i / count == size_t(rank) ? value(rank, i % count) : -1;
    });
  world.all([&](int rank) {
    const int *from = inPlace ? out[rank] + rank * count : in[rank];
    return ncclAllGather(from, out[rank], count, ncclInt, world.comms[rank],
                         world.streams[rank]);
  });
  out.get();
  for (int rank = 0; rank < ranks; ++rank)
    for (size_t i = 0; i < ranks * count; ++i)
      CHECK_AT(i, out[rank].host[i], value(int(i / count), i % count));
}

static void checkReduceScatter(World &world, size_t count, bool inPlace) {
  Arrays<int> in(ranks, ranks * count), out(ranks, count);
  in.fill(value);
  world.all([&](int rank) {
    int *to = inPlace ? in[rank] + rank * count : out[rank];
    return ncclReduceScatter(in[rank], to, count, ncclInt, ncclSum, world.comms[rank],
                             world.streams[rank]);
  });
  Arrays<int> &result = inPlace ? in : out;
  result.get();
  for (int rank = 0; rank < ranks; ++rank)
    for (size_t i = 0; i < count; ++i)
      CHECK_AT(i, result[rank].host[inPlace ? rank * count + i : i],
               sum(rank * count + i));
}

int main(int, char **arguments) {
  wantDevices(ranks, arguments);
  World world(ranks);
  // One step, two, and parts; the last one is more than what is copied at once.
  for (size_t count : {1, 2, 65, 2048, 2049, 10007, 2200001}) {
    for (bool inPlace : {false, true}) {
      checkAllReduce(world, count, inPlace);
      checkReduce(world, count, int(count) % ranks, inPlace);
      checkBroadcast(world, count, int(count + 1) % ranks, inPlace);
      checkAllGather(world, count / 3 + 1, inPlace);
      checkReduceScatter(world, count / 3 + 1, inPlace);
    }
  }
  return check::finish("collectives");
}
