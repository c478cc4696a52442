// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lnccl
//
// Messages between two ranks: rings, all to all, to oneself, several to one rank, of no
// elements; gather and scatter; groups in groups; threads; graphs; other streams.

#include "Inputs/collectives.h"
#include <thread>

using namespace coll;

constexpr int ranks = 3;
constexpr size_t count = 100003;

static int value(int rank, size_t i) { return int(i * 5 + rank * 65537); }

static void checkRing(World &world) {
  Arrays<int> in(ranks, count), out(ranks, count);
  in.fill(value);
  world.all([&](int rank) {
    NCCL(ncclGroupStart()); // within another one
    NCCL(ncclSend(in[rank], count, ncclInt, (rank + 1) % ranks, world.comms[rank],
                  world.streams[rank]));
    NCCL(ncclRecv(out[rank], count, ncclInt, (rank + ranks - 1) % ranks,
                  world.comms[rank], world.streams[rank]));
    return ncclGroupEnd();
  });
  out.get();
  for (int rank = 0; rank < ranks; ++rank)
    for (size_t i = 0; i < count; ++i)
      CHECK_AT(i, out[rank].host[i], value((rank + ranks - 1) % ranks, i));
}

// Two messages of different sizes to each rank, this one among them, and one of nothing.
static void checkAllToAll(World &world) {
  constexpr size_t small = 17;
  Arrays<int> in(ranks, ranks * count), out(ranks, ranks * count), rest(ranks, ranks * small);
  in.fill(value);
  world.all([&](int rank) {
    ncclComm_t comm = world.comms[rank];
    cudaStream_t stream = world.streams[rank];
    for (int peer = 0; peer < ranks; ++peer) {
      NCCL(ncclSend(in[rank] + peer * count, count, ncclInt, peer, comm, stream));
      NCCL(ncclSend(nullptr, 0, ncclInt, peer, comm, stream));
      NCCL(ncclSend(in[rank] + peer * small, small, ncclInt, peer, comm, stream));
    }
    for (int peer = 0; peer < ranks; ++peer) {
      NCCL(ncclRecv(out[rank] + peer * count, count, ncclInt, peer, comm, stream));
      NCCL(ncclRecv(nullptr, 0, ncclInt, peer, comm, stream));
      NCCL(ncclRecv(rest[rank] + peer * small, small, ncclInt, peer, comm, stream));
    }
    return ncclSuccess;
  });
  out.get();
  rest.get();
  for (int rank = 0; rank < ranks; ++rank) {
    for (size_t i = 0; i < ranks * count; ++i)
      CHECK_AT(i, out[rank].host[i], value(int(i / count), rank * count + i % count));
    for (size_t i = 0; i < ranks * small; ++i)
      CHECK_AT(i, rest[rank].host[i], value(int(i / small), rank * small + i % small));
  }
}

static void checkNamed(World &world) {
  Arrays<int> in(ranks, ranks * count), out(ranks, ranks * count);
  in.fill(value);
  world.all([&](int rank) {
    return ncclAlltoAll(in[rank], out[rank], count, ncclInt, world.comms[rank],
                        world.streams[rank]);
  });
  out.get();
  for (int rank = 0; rank < ranks; ++rank)
    for (size_t i = 0; i < ranks * count; ++i)
      CHECK_AT(i, out[rank].host[i], value(int(i / count), rank * count + i % count));
  world.all([&](int rank) {
    return ncclGather(in[rank], rank == 1 ? out[rank] : nullptr, count, ncclInt, 1,
                      world.comms[rank], world.streams[rank]);
  });
  out.get();
  for (size_t i = 0; i < ranks * count; ++i)
    CHECK_AT(i, out[1].host[i], value(int(i / count), i % count));
  world.all([&](int rank) {
    return ncclScatter(rank == 2 ? in[rank] : nullptr, out[rank], count, ncclInt, 2,
                       world.comms[rank], world.streams[rank]);
  });
  out.get();
  for (int rank = 0; rank < ranks; ++rank)
    for (size_t i = 0; i < count; ++i)
      CHECK_AT(i, out[rank].host[i], value(2, rank * count + i));
}

// A thread for each rank, which makes its communicator itself.
static void checkThreads() {
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  Arrays<int> data(ranks, count);
  data.fill(value);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      CUDA(cudaSetDevice(rank));
      ncclComm_t comm;
      NCCL(ncclCommInitRank(&comm, ranks, id, rank));
      int found = -1;
      NCCL(ncclCommUserRank(comm, &found));
      CHECK_EQ(found, rank);
      NCCL(ncclCommCount(comm, &found));
      CHECK_EQ(found, ranks);
      NCCL(ncclCommCuDevice(comm, &found));
      CHECK_EQ(found, rank);
      for (int i = 0; i < 20; ++i) // the default stream
        NCCL(ncclAllReduce(data[rank], data[rank], count, ncclInt, ncclMax, comm, 0));
      CUDA(cudaStreamSynchronize(0));
      NCCL(ncclCommFinalize(comm));
      NCCL_ERROR(ncclAllReduce(data[rank], data[rank], 1, ncclInt, ncclMax, comm, 0),
                 ncclInvalidUsage);
      NCCL(ncclCommDestroy(comm));
    });
  for (std::thread &thread : threads)
    thread.join();
  data.get();
  for (int rank = 0; rank < ranks; ++rank)
    for (size_t i = 0; i < count; ++i)
      CHECK_AT(i, data[rank].host[i], value(ranks - 1, i));
}

// A graph of each rank's stream, launched three times, adds three times.
static void checkGraphs(World &world) {
  Arrays<int> in(ranks, count), out(ranks, count);
  in.fill([](int rank, size_t i) { return int(i) + rank; });
  std::vector<cudaGraphExec_t> graphs(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    CUDA(cudaSetDevice(rank));
    CUDA(cudaStreamBeginCapture(world.streams[rank], cudaStreamCaptureModeThreadLocal));
  }
  NCCL(ncclGroupStart());
  for (int rank = 0; rank < ranks; ++rank)
    NCCL(ncclAllReduce(in[rank], in[rank], count, ncclInt, ncclSum, world.comms[rank],
                       world.streams[rank]));
  NCCL(ncclGroupEnd());
  for (int rank = 0; rank < ranks; ++rank) {
    CUDA(cudaSetDevice(rank));
    cudaGraph_t graph;
    CUDA(cudaStreamEndCapture(world.streams[rank], &graph));
    CUDA(cudaGraphInstantiate(&graphs[rank], graph, 0));
    CUDA(cudaGraphDestroy(graph));
  }
  for (int i = 0; i < 3; ++i)
    for (int rank = 0; rank < ranks; ++rank) {
      CUDA(cudaSetDevice(rank));
      CUDA(cudaGraphLaunch(graphs[rank], world.streams[rank]));
    }
  world.wait();
  in.get();
  for (int rank = 0; rank < ranks; ++rank) {
    for (size_t i = 0; i < count; ++i)
      CHECK_AT(i, in[rank].host[i], 9 * (3 * int(i) + 3));
    CUDA(cudaGraphExecDestroy(graphs[rank]));
  }
}

// Operations of one communicator keep their order, whichever streams they are in.
static void checkStreams(World &world) {
  Arrays<int> first(ranks, count), second(ranks, count);
  first.fill([](int rank, size_t) { return rank == 0 ? 1 : 0; });
  std::vector<cudaStream_t> others(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    CUDA(cudaSetDevice(rank));
    CUDA(cudaStreamCreateWithFlags(&others[rank], cudaStreamNonBlocking));
  }
  for (int i = 0; i < 4; ++i) {
    NCCL(ncclGroupStart());
    for (int rank = 0; rank < ranks; ++rank) {
      NCCL(ncclAllReduce(first[rank], second[rank], count, ncclInt, ncclSum,
                         world.comms[rank], world.streams[rank]));
      NCCL(ncclAllReduce(second[rank], first[rank], count, ncclInt, ncclSum,
                         world.comms[rank], others[rank]));
    }
    NCCL(ncclGroupEnd());
  }
  for (int rank = 0; rank < ranks; ++rank) {
    CUDA(cudaSetDevice(rank));
    CUDA(cudaStreamSynchronize(others[rank]));
    CUDA(cudaStreamDestroy(others[rank]));
  }
  first.get();
  for (int rank = 0; rank < ranks; ++rank)
    for (size_t i = 0; i < count; ++i)
      CHECK_AT(i, first[rank].host[i], 2187); // 3 to the 7th: the first sum is of 1
}

int main(int, char **arguments) {
  wantDevices(ranks, arguments);
  {
    World world(ranks);
    checkRing(world);
    checkAllToAll(world);
    checkNamed(world);
    checkGraphs(world);
    checkStreams(world);
  }
  checkThreads();
  return check::finish("transfers");
}
